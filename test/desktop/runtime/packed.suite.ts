/** The packaged program with its fuses. Playwright's own way in is one of the switches that are burnt off, so it comes in as a browser. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runtimeFile, wrongFuses } from '../../../build/scripts/fuses.ts'
import { temporaryFolder } from '../../support/station.ts'
import { cleanEnvironment, ROOT } from '../shell.ts'
import { fileThreadsOf } from '../../support/file-threads.ts'
import { readyz } from '../station.ts'

const FOLDERS: Readonly<Record<string, string>> = {
  linux: 'linux-unpacked',
  win32: 'win-unpacked',
  darwin: process.arch === 'arm64' ? 'mac-arm64' : 'mac',
}
const packed = path.join(ROOT, 'dist/packages', FOLDERS[process.platform] ?? '')
const fused = runtimeFile(process.platform, packed)
const program = process.platform === 'darwin' ? path.join(packed, 'Sallyport.app/Contents/MacOS/Sallyport') : fused

describe.skipIf(!existsSync(fused))('the packaged program (skipped: run "npm run package -- --dir" first)', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    folder = await temporaryFolder('packed')
  })
  afterAll(() => folder.dispose())

  test('every fuse is as it must be', async () => {
    expect(await wrongFuses(process.platform === 'darwin' ? path.join(packed, 'Sallyport.app') : fused)).toEqual([])
  })

  test('it is no Node: neither by the variable, nor by options in the environment', () => {
    const marker = path.join(folder.dir, 'ran')
    const script = `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`
    const env = {
      ...cleanEnvironment(),
      ELECTRON_RUN_AS_NODE: '1',
      NODE_OPTIONS: `--import="data:text/javascript,${script}"`,
    }
    spawnSync(program, ['-e', script, `--user-data-dir=${path.join(folder.dir, 'node')}`], { env, timeout: 15_000 })
    expect(existsSync(marker)).toBe(false)
  })

  test('it takes the commands of the terminal, without a window', () => {
    const { status, stdout } = spawnSync(program, ['openapi'], { env: cleanEnvironment(), timeout: 60_000 })
    expect(status).toBe(0)
    expect(JSON.parse(stdout.toString())).toMatchObject({ openapi: expect.any(String) })
  })

  test('its station starts out of the archive, worker threads too, and its window shows it', async () => {
    const args = [`--user-data-dir=${path.join(folder.dir, 'user')}`, '--remote-debugging-port=0']
    const child = spawn(program, args, { env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const ended = new Promise((done) => child.once('exit', done))
    const find = (pattern: RegExp): string | undefined => pattern.exec(said)?.[1]
    try {
      await expect.poll(() => find(/^listening (\S+)$/m), { timeout: 60_000 }).toBeDefined()
      const url = find(/^listening (\S+)$/m) ?? ''
      expect(await readyz(url)).toBe('ready')
      // The store counts on them (server/config/file-threads.ts).
      if (process.platform === 'linux') expect(fileThreadsOf(child.pid as number)).toBe(40)
      const browser = await chromium.connectOverCDP(find(/DevTools listening on (\S+)/) ?? '')
      await expect.poll(() => browser.contexts()[0]?.pages()[0]?.url()).toContain(url)
      await browser.close()
    } finally {
      child.kill()
      await ended
    }
  })
})
