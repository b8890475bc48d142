import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { progressReader } from './progress.ts'
import { run } from './run.ts'
import { createToolbox } from './tools.ts'

let dir = ''
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sallyport-run-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const sh = (script: string, more: Partial<Parameters<typeof run>[0]> = {}) =>
  run({ file: '/bin/sh', args: ['-c', script], timeoutMs: 10_000, ...more })

/** A dead process keeps its id until it is waited for; its state is then Z. */
const alive = async (pid: number): Promise<boolean> =>
  /\) [^ZX] /.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))

describe('run: the runner of child processes', () => {
  test.each([
    ['exit 0', 'ok', 0],
    ['exit 3', 'failed', 3],
    ['kill -KILL $$', 'killed', null],
    ['kill -SEGV $$', 'failed', null],
  ])('%s ends as %s', async (script, end, code) => expect(await sh(script)).toMatchObject({ end, code }))

  test('a missing program', async () => {
    expect((await run({ file: join(dir, 'none'), args: [], timeoutMs: 1000 })).end).toBe('not-started')
  })

  test('arguments are not interpreted by a shell, and the environment is not inherited', async () => {
    const echoed = await run({ file: '/bin/echo', args: ['$(id)', ';', '`x`'], timeoutMs: 5000 })
    expect(echoed.stdout.toString()).toBe('$(id) ; `x`\n')
    process.env['SALLYPORT_CANARY'] = 'secret'
    expect((await sh('env')).stdout.toString()).not.toMatch(/CANARY|secret/)
    delete process.env['SALLYPORT_CANARY']
  })

  test.each([
    ['timeout', { timeoutMs: 150 }],
    ['stalled', { stallMs: 150 }],
  ])('%s ends the children of the child too', async (end, more) => {
    const pidFile = join(dir, `${end}.pid`)
    expect((await sh(`sleep 60 & echo $! > ${pidFile}; wait`, more)).end).toBe(end)
    const pid = Number(await readFile(pidFile, 'utf8'))
    await expect.poll(() => alive(pid)).toBe(false)
  })

  test('abort: before the start and in the middle', async () => {
    expect((await sh('sleep 60', { signal: AbortSignal.abort() })).end).toBe('aborted')
    expect((await sh('sleep 60', { signal: AbortSignal.timeout(100) })).end).toBe('aborted')
  })

  test('output is bounded: too much stdout ends the run, and only the end of stderr is kept', async () => {
    expect((await sh('yes', { maxStdout: 100_000 })).end).toBe('too-much-output')
    const loud = await sh('i=0; while [ $i -lt 5000 ]; do echo "line $i" >&2; i=$((i+1)); done')
    expect(loud.stderr.length).toBeLessThanOrEqual(16 * 1024)
    expect(loud.stderr).toContain('line 4999')
  })
})

test('progressReader: reads blocks cut anywhere, with null for unknown values', () => {
  const seen: unknown[] = []
  const read = progressReader((progress) => seen.push(progress))
  const text = 'frame=1\nout_time_us=N/A\nprogress=continue\nframe=30\nout_time_us=1000000\nprogress=end\n'
  for (const letter of text) read(letter)
  expect(seen).toEqual([
    { frame: 1, outMs: null, ended: false },
    { frame: 30, outMs: 1000, ended: true },
  ])
})

test('toolbox: finds new programs, reads the version of changed ones again, and forgets removed ones', async () => {
  const toolbox = createToolbox({ searchPath: [dir], exiftoolScript: null })
  expect((await toolbox.findTools()).size).toBe(0)
  const program = join(dir, 'ffmpeg')
  const write = async (version: string) => {
    await writeFile(program, `#!/bin/sh\necho "ffmpeg version ${version} Copyright"\n`)
    await chmod(program, 0o755)
  }
  await write('7.1')
  expect((await toolbox.findTools()).get('ffmpeg')?.version).toBe('7.1')
  await write('8.0.1')
  expect((await toolbox.findTools()).get('ffmpeg')).toMatchObject({ version: '8.0.1', command: [program] })
  await rm(program)
  expect((await toolbox.findTools()).has('ffmpeg')).toBe(false)
})
