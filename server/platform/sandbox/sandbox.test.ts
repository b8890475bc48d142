import { createServer } from 'node:net'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToolbox, type Tool } from '../run/tools.ts'
import { createSandbox } from './sandbox.ts'

const shell: Tool = {
  name: 'ffmpeg',
  version: '1',
  command: ['/bin/bash'],
  inside: { command: ['/usr/bin/bash'], folders: [] },
}
const limits = { memoryBytes: 512 * 1024 ** 2, cpuSeconds: 5, fileBytes: 1024 ** 2 }
const toolbox = createToolbox({ exiftoolScript: null })
let dir = ''
let input = ''
let outDir = ''

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sallyport-sandbox-'))
  input = join(dir, 'blob')
  outDir = join(dir, 'out')
  await mkdir(outDir)
  await writeFile(input, 'evidence', { mode: 0o600 })
  await writeFile(join(dir, 'neighbour'), 'secret')
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const call = (script: string, more: object = {}) =>
  ({
    tool: shell,
    args: ['-c', script, '/in', '/out/made'],
    input,
    outDir,
    limits,
    timeoutMs: 10_000,
    ...more,
  }) as const

describe('sandbox: one input, one output folder, nothing else', () => {
  const sandbox = createSandbox({ toolbox })
  const inside = async (script: string, more: object = {}) => sandbox.run(call(script, more))

  test('what is seen, where there is one', async ({ skip }) => {
    const state = await sandbox.state()
    if (state.sandbox === 'none') skip(`no sandbox on this machine: ${state.reason}`)
    expect((await inside('cat $0; cp $0 $1')).stdout.toString()).toBe('evidence')
    expect(await readFile(join(outDir, 'made'), 'utf8')).toBe('evidence')
    expect((await inside('echo x >> $0')).end).toBe('failed')
    expect((await inside(`cat ${join(dir, 'neighbour')}`)).end).toBe('failed')
    expect((await inside('echo /*')).stdout.toString().trim()).toBe('/dev /etc /in /lib /lib64 /out /proc /tmp /usr')
    expect((await inside('id -u; ls /proc | grep -c "^[0-9]"')).stdout.toString()).toMatch(/^65534\n[1-6]\n$/)
    expect((await inside('env')).stdout.toString()).not.toContain(dir)
  })

  test('no network, where there is one', async ({ skip }) => {
    if ((await sandbox.state()).sandbox === 'none') skip('no sandbox on this machine')
    let calls = 0
    const server = createServer(() => {
      calls += 1
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    expect((await inside(`exec 3<>/dev/tcp/127.0.0.1/${port}`)).end).toBe('failed')
    server.close()
    expect(calls).toBe(0)
  })

  test('limits of time, memory and file size are met', async ({ skip }) => {
    if (!(await toolbox.look()).has('prlimit')) skip('prlimit is not installed')
    expect((await inside('while :; do :; done', { limits: { ...limits, cpuSeconds: 1 } })).end).toBe('killed')
    expect((await inside('head -c 5000000 /dev/zero > $1')).end).toBe('killed')
    expect((await inside('x=$(head -c 900000000 /dev/zero | tr "\\0" x); echo ${#x}')).stdout.toString()).not.toContain(
      '900000000',
    )
  })

  test('a timeout takes everything inside with it', async () => {
    const outcome = await inside('sleep 61.25 & sleep 61.25', { timeoutMs: 300 })
    expect(outcome.end).toBe('timeout')
    expect(outcome.millis).toBeLessThan(5000)
  })
})

describe('where there is none', () => {
  test('it is said, with the reason, and the names are replaced', async () => {
    const bare = createSandbox({ toolbox: createToolbox({ searchPath: [dir], exiftoolScript: null }) })
    expect(await bare.state()).toEqual({ sandbox: 'none', reason: 'bubblewrap (bwrap) is not installed' })
    const outcome = await bare.run(call('echo $0 $1'))
    expect(outcome.stdout.toString()).toBe(`${input} ${join(outDir, 'made')}\n`)
    const off = createSandbox({ toolbox, mode: 'off' })
    expect((await off.state()).sandbox).toBe('none')
  })

  test('a bwrap that cannot make one is not counted as one', async () => {
    const bin = join(dir, 'bin')
    await mkdir(bin)
    await writeFile(
      join(bin, 'bwrap'),
      '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2; exit 1\n',
      { mode: 0o755 },
    )
    const refused = createSandbox({ toolbox: createToolbox({ searchPath: [bin], exiftoolScript: null }) })
    expect(await refused.state()).toEqual({
      sandbox: 'none',
      reason: 'bubblewrap cannot make a sandbox here: bwrap: setting up uid map: Permission denied',
    })
  })
})
