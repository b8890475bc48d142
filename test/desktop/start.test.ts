/** `npm start`: with a runtime, without one, with one that does not come up; and asked for no window. */
// @module-tag merge
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installedRuntime } from '../../build/scripts/runtime.ts'
import { NODE, temporaryFolder } from '../support/station.ts'
import { cleanEnvironment, ROOT, STAND_IN } from './shell.ts'
import { readyz } from './station.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
const stops: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  folder = await temporaryFolder('start')
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await folder.dispose()
})

const SENTENCE = /^The station runs without its window, because .+; open the address below in a browser\.$/m

function start(args: readonly string[], environment: Readonly<Record<string, string>>) {
  // No screen of whoever runs the tests, and no runtime that the tests did not name.
  const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, ELECTRON_OVERRIDE_DIST_PATH: _runtime, ...rest } = cleanEnvironment()
  const child = spawn(NODE, ['build/scripts/start.ts', ...args], {
    cwd: ROOT,
    env: { ...rest, SALLYPORT_DATA: path.join(folder.dir, 'station'), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()))
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM')
    return ended
  }
  stops.push(stop)
  const url = async (): Promise<string> => {
    const address = (): string | undefined => /^listening (\S+)$/m.exec(said.out)?.[1]
    await expect.poll(() => address() ?? (child.exitCode === null ? null : said), { timeout: 40_000 }).not.toBeNull()
    return address() ?? Promise.reject(new Error(JSON.stringify(said)))
  }
  return { said, ended, stop, url }
}

test('with a runtime: the window; a signal drains it and ends with 0', async () => {
  const user = path.join(folder.dir, 'user')
  const { url, stop, said } = start([`--user-data-dir=${user}`], { ELECTRON_OVERRIDE_DIST_PATH: STAND_IN })
  expect(await readyz(await url())).toBe('ready')
  expect(existsSync(path.join(user, 'chromium'))).toBe(true)
  expect(said.err).not.toMatch(SENTENCE)
  expect(await stop()).toBe(0)
})

test.skipIf(installedRuntime({}) !== null)(
  'without a runtime (skipped: it is on this machine): one sentence why, and the station as before',
  async () => {
    const { url, stop, said } = start([], { DISPLAY: ':99', ELECTRON_MIRROR: 'http://127.0.0.1:9' })
    const address = await url()
    expect(await readyz(address)).toBe('ready')
    expect(said.err.match(new RegExp(SENTENCE, 'gm'))).toHaveLength(1)
    expect(said.err).toContain('Electron’s runtime is not on this machine and cannot be fetched (')
    expect(await stop()).toBe(0)
  },
)

test('without a screen: the same', { tags: ['merge'] }, async () => {
  const { url, stop, said } = start([], {})
  await url()
  expect(said.err).toMatch(/because there is no screen here \(neither DISPLAY nor WAYLAND_DISPLAY is set\);/)
  expect(await stop()).toBe(0)
})

test('a runtime that ends at once: the sentence says so, and the station runs', { tags: ['merge'] }, async () => {
  const broken = path.join(folder.dir, 'broken')
  mkdirSync(broken)
  writeFileSync(path.join(broken, 'electron'), '#!/bin/sh\nexit 127\n')
  chmodSync(path.join(broken, 'electron'), 0o755)
  const { url, stop, said } = start([], { ELECTRON_OVERRIDE_DIST_PATH: broken })
  await url()
  expect(said.err).toMatch(/because the runtime did not come up \(it ended with 127\);/)
  expect(await stop()).toBe(0)
})

test('a folder named for the runtime that holds none: the sentence says which', { tags: ['merge'] }, async () => {
  const { url, said } = start([], { ELECTRON_OVERRIDE_DIST_PATH: folder.dir })
  await url()
  expect(said.err).toContain(`ELECTRON_OVERRIDE_DIST_PATH names ${folder.dir}, where no runtime lies`)
})

test('"serve" asks for no window, and none is spoken of; its arguments arrive', async () => {
  const data = path.join(folder.dir, 'other')
  const { url, stop, said } = start(['serve', '--data', data], { ELECTRON_OVERRIDE_DIST_PATH: STAND_IN })
  await url()
  expect(existsSync(path.join(data, 'sallyport.db'))).toBe(true)
  expect(said.err).not.toMatch(SENTENCE)
  expect(await stop()).toBe(0)
})
