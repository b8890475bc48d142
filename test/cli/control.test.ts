// @module-tag merge
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMANDS } from '../../server/bin/commands.ts'
import { CAMERA_COMMANDS } from '../simulators/camera-commands.ts'
import { serveControl, callControl } from '../../server/platform/control/control.ts'
import type { Station } from '../support/station.ts'
import { makePlace, PASSWORD, type Place, rows, running, say, start } from './world.ts'

let place: Place
beforeAll(() => {
  place = makePlace('control')
})
afterAll(() => place.remove())

const setUp = (data: string, username: string) =>
  say(['user', 'create', username, '--password-stdin'], { data, input: PASSWORD })

describe('words that are not understood', () => {
  it('are answered with what to do and exit code 2', async () => {
    for (const words of [['veriffy'], ['integration', 'destroy']]) {
      const { code, stdout, stderr } = await say(words, { data: place.data })
      expect({ code, stdout }, words.join(' ')).toEqual({ code: 2, stdout: '' })
      expect(stderr).toBe(
        `There is no command ${JSON.stringify(words.join(' '))}. \`npm run -s sallyport -- help\` lists them all.\n`,
      )
    }
    for (const words of [['verify', '--quick'], ['ingest'], ['openapi', '--yaml'], ['serve', 'now']]) {
      const { code, stdout, stderr } = await say(words, { data: place.data })
      expect({ code, stdout }, words.join(' ')).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(new RegExp(`^Usage: ${words[0]}`, 'm'))
    }
    expect(existsSync(place.data)).toBe(false)
  })

  it('a word that begins several commands lists these', async () => {
    const words = new Set(
      [...COMMANDS.keys(), ...CAMERA_COMMANDS.map(([name]) => name)].map((name) => name.split(' ')[0] as string),
    )
    const groups = [...words].filter((word) => !COMMANDS.has(word))
    expect(groups).toEqual(expect.arrayContaining(['camera', 'key', 'user', 'checkpoints', 'integration']))
    for (const word of groups) {
      const { code, stdout, stderr } = await say([word])
      expect({ code, stdout }, word).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(`"${word}" needs one of these words after it.`)
      expect(stderr).toMatch(new RegExp(`^  ${word} [a-z]`, 'm'))
      expect(stderr).not.toContain('ingest PATH…')
      expect(await say([word, '--help'])).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(word) })
    }
  })

  it('the folder and the form of the result may stand before the command', async () => {
    const behind = await say(['verify', '--quick', '--data', place.data])
    expect(behind).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: verify/m) })
    for (const before of [['--data', place.data], [`--data=${place.data}`], ['--json', '--data', place.data]])
      expect((await say([...before, 'verify', '--quick'])).stderr, before.join(' ')).toBe(behind.stderr)
    expect(await say(['--data', place.data])).toMatchObject({ code: 2, stderr: expect.stringContaining('--data') })
  })

  it('help is a result; so is nothing at all', async () => {
    for (const words of [['help'], []]) {
      const { code, stdout, stderr } = await say(words)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/SALLYPORT_DATA/)
    }
  })

  it('an export without a place, an import of nothing or under no fingerprint exits 2 and writes nothing', async () => {
    for (const words of [['export'], ['import'], ['import', place.dir, '--fingerprint', 'abc']]) {
      const { code, stdout, stderr } = await say(words, { data: place.data })
      expect({ code, stdout }, words.join(' ')).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(new RegExp(`^Usage: ${words[0]}`, 'm'))
    }
    const { code, stderr } = await say(['export', '--to', place.dir], { data: place.data })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/There is no station in/)])
    expect(existsSync(place.data)).toBe(false)
  })

  it('openapi prints the document, needs no folder, and does not mind who stops reading', async () => {
    const { code, stdout, stderr } = await say(['openapi'], { data: place.data })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.0' })
    expect(existsSync(place.data)).toBe(false)
    const cut = start(['openapi'])
    cut.child.stdout?.destroy()
    expect((await cut.ended).stderr).toBe('')
  })
})

describe('the socket', () => {
  let station: Station
  const path = (): string => join(place.data, 'station.sock')
  beforeAll(async () => {
    station = await running(place.data)
  })
  afterAll(() => station.kill())

  it('is for its owner alone', () => {
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    expect(statSync(place.data).mode & 0o777).toBe(0o700)
  })

  it('survives garbage', async () => {
    const sent: (Buffer | string)[] = [
      randomBytes(4096),
      '\n',
      'null\n',
      '[]\n',
      '{"command":"ingest"}\n',
      '{"command":"ingest","args":{"paths":7},"user":"x"}\n',
      '{"command":"format","args":{},"user":"x"}\n',
      '{"command":"verify","args":{"fast":true},"user":"x"',
      Buffer.alloc(9 * 1024 * 1024, 'x'),
    ]
    for (const bytes of sent) {
      const answer = await converse(path(), bytes)
      if (answer !== '')
        expect(answer).toMatch(/^(?:\{"accepted":true\}\n)?\{"failure":\{"code":"[^"]+","message":"[^\n]*\}\n$/)
    }
    // Some only connect and stay.
    const silent = Array.from({ length: 20 }, () => connect(path()).on('error', () => {}))
    expect(await setUp(place.data, 'after-garbage')).toMatchObject({ code: 0 })
    for (const socket of silent) socket.destroy()
    expect((await fetch(`${station.url}/readyz`)).status).toBe(200)
  })

  it('left behind by kill -9 does not matter, to a command or to the next station', async () => {
    await station.kill()
    expect(existsSync(path())).toBe(true)
    expect(await setUp(place.data, 'after-kill')).toMatchObject({ code: 0 })
    station = await running(place.data)
    expect(await setUp(place.data, 'after-restart')).toMatchObject({ code: 0 })
    await station.stop()
    expect(existsSync(path())).toBe(false)
    station = await running(place.data)
  })

  it('works in a folder whose path is longer than a socket address', async () => {
    const deep = join(place.dir, 'x'.repeat(100), 'y'.repeat(200 - place.dir.length - 102))
    expect(deep).toHaveLength(200)
    mkdirSync(deep, { recursive: true, mode: 0o700 })
    const far = await running(deep)
    try {
      expect(statSync(join(deep, 'station.sock')).mode & 0o777).toBe(0o600)
      expect(await setUp(deep, 'deep')).toMatchObject({ code: 0 })
    } finally {
      await far.stop()
    }
    expect(existsSync(join(deep, 'station.sock'))).toBe(false)
  })

  it('carries answers of any length and problems with their details', async () => {
    const folder = place.folder('long')
    const answer = { files: Array.from({ length: 40_000 }, (_, at) => ({ at, name: `näme-${at}\n` })) }
    const served = await serveControl(folder, async ({ command }, progress) => {
      progress('on the way')
      if (command === 'long') return answer
      throw Object.assign(new Error('No.'), { code: 'InvalidModel', details: [{ Path: 'a', Message: 'b' }] })
    })
    const { signal } = new AbortController()
    const said: unknown[] = []
    const ask = (command: string) =>
      callControl(folder, { command, args: {}, user: 'x' }, (value) => said.push(value), signal)
    expect(await ask('long')).toEqual({ result: answer })
    await expect(ask('other')).rejects.toMatchObject({ message: 'No.', code: 'InvalidModel', details: [{ Path: 'a' }] })
    expect(said).toEqual(['on the way', 'on the way'])
    await served.close()
    expect(await ask('long')).toBeNull()
  })
})

describe('two commands at once without a station', () => {
  it('one waits for the other', async () => {
    const data = place.path('two')
    const both = await Promise.all([setUp(data, 'one'), setUp(data, 'two')])
    for (const { code, stderr } of both) expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(rows(data, "SELECT name FROM principals WHERE kind = 'user'")).toHaveLength(2)
  })

  it('--data wins over SALLYPORT_DATA', async () => {
    const [given, environment] = [place.path('given'), place.path('environment')]
    const words = ['user', 'create', 'x', '--password-stdin', '--data', given]
    expect(await say(words, { data: environment, input: PASSWORD })).toMatchObject({ code: 0 })
    expect([existsSync(given), existsSync(environment)]).toEqual([true, false])
  })
})

/** Sends bytes, ends, and @returns everything that came back. */
function converse(path: string, bytes: Buffer | string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect({ path, allowHalfOpen: true })
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk
      // Answered: a line is a whole answer.
      if (answer.endsWith('\n')) socket.end()
    })
    socket.on('error', () => {})
    socket.once('close', () => resolve(answer))
    socket.write(bytes)
    if (!bytes.toString('latin1').endsWith('\n')) socket.end()
  })
}
