import { createServer } from 'node:net'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToolbox, type Tool } from '../run/tools.ts'
import { createSandbox } from './sandbox.ts'
import { ARCHITECTURES } from './system-calls.ts'

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

describe('the sandbox', () => {
  const sandbox = createSandbox({ toolbox })
  const inside = async (script: string, more: object = {}) => sandbox.run(call(script, more))

  test('shows the program only its input and its output folder', async ({ skip }) => {
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

  test('has no network', async ({ skip }) => {
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

  test('S9: system calls that no conversion needs are refused, and no further namespace can be made', async ({
    skip,
  }) => {
    const state = await sandbox.state()
    if (state.sandbox === 'none') skip(`no sandbox on this machine: ${state.reason}`)
    expect(state.reason).toBeNull()
    const calls = ARCHITECTURES[process.arch]
    const refused = Object.entries(calls?.refused ?? {})
    expect(refused.length).toBeGreaterThan(40)
    // All arguments are invalid pointers or descriptors, so that calls that are allowed do no harm.
    const script = `perl -e 'for (@ARGV) { my ($name, $number) = split /=/; my $r = syscall($number, -1, 0, 0, 0, 0); print "$name ", ($r == -1 ? $!+0 : "let through"), "\\n" }' ${refused
      .map(([name, number]) => `${name}=${number}`)
      .join(' ')}`
    const answers = (await inside(script)).stdout.toString().trim().split('\n')
    expect(answers).toEqual(refused.map(([name]) => `${name} 1`))
    const clone = (flags: number) =>
      inside(
        `perl -e '$r = syscall(${calls?.clone}, ${flags}, 0, 0, 0, 0); exit 0 if $r == 0; print $r == -1 ? $!+0 : "made"'`,
      )
    expect((await clone(0x10000000 | 17)).stdout.toString()).toBe('1')
    expect((await clone(17)).stdout.toString()).toBe('made')
    expect((await inside('unshare --user true')).end).toBe('failed')
  })

  test('the numbers of system calls are those of the kernel headers', async ({ skip }) => {
    const headers = {
      x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h',
      arm64: '/usr/include/asm-generic/unistd.h',
    }
    for (const [arch, file] of Object.entries(headers)) {
      const text = await readFile(file, 'utf8').catch(() => null)
      if (text === null) return skip(`no kernel headers on this machine: ${file}`)
      const { clone, clone3, refused } = ARCHITECTURES[arch] ?? { clone: 0, clone3: 0, refused: {} }
      const numberOf = (name: string) => Number(new RegExp(`#define __NR_${name}\\s+(\\d+)`).exec(text)?.[1])
      const all = { ...refused, clone, clone3 }
      expect(Object.fromEntries(Object.keys(all).map((name) => [name, numberOf(name)]))).toEqual(all)
    }
  })

  test('enforces limits of time, memory and file size', async ({ skip }) => {
    if (!(await toolbox.findTools()).has('prlimit')) skip('prlimit is not installed')
    expect((await inside('while :; do :; done', { limits: { ...limits, cpuSeconds: 1 } })).end).toBe('killed')
    expect((await inside('head -c 5000000 /dev/zero > $1')).end).toBe('killed')
    expect((await inside('x=$(head -c 900000000 /dev/zero | tr "\\0" x); echo ${#x}')).stdout.toString()).not.toContain(
      '900000000',
    )
  })

  test('ends all processes inside at a timeout', async () => {
    const outcome = await inside('sleep 61.25 & sleep 61.25', { timeoutMs: 300 })
    expect(outcome.end).toBe('timeout')
    expect(outcome.millis).toBeLessThan(5000)
  })
})

describe('with an older bubblewrap', () => {
  test('the sandbox omits unsupported options and reports them', async ({ skip }) => {
    const real = (await toolbox.findTools()).get('bwrap')
    if (real === undefined || (await createSandbox({ toolbox }).state()).sandbox === 'none') skip('no sandbox here')
    const bin = join(dir, 'older')
    await mkdir(bin)
    const script = `#!/bin/sh\nfor a in "$@"; do [ "$a" = --disable-userns ] && { echo "bwrap: Unknown option" >&2; exit 1; }; done\nexec /usr/bin/bwrap "$@"\n`
    await writeFile(join(bin, 'bwrap'), script, { mode: 0o755 })
    const older = createSandbox({ toolbox: createToolbox({ searchPath: [bin], exiftoolScript: null }) })
    expect(await older.state()).toEqual({
      sandbox: 'bwrap',
      reason: 'it does not forbid further user namespaces (bubblewrap 0.8 does)',
    })
    expect((await older.run(call('cat $0'))).stdout.toString()).toBe('evidence')
  })
})

describe('without a sandbox', () => {
  test('the reason is reported, and /in and /out are replaced by real paths', async () => {
    const bare = createSandbox({ toolbox: createToolbox({ searchPath: [dir], exiftoolScript: null }) })
    expect(await bare.state()).toEqual({ sandbox: 'none', reason: 'bubblewrap (bwrap) is not installed' })
    const outcome = await bare.run(call('echo $0 $1'))
    expect(outcome.stdout.toString()).toBe(`${input} ${join(outDir, 'made')}\n`)
    const off = createSandbox({ toolbox, mode: 'off' })
    expect((await off.state()).sandbox).toBe('none')
  })

  test('a bwrap that cannot make a sandbox does not count', async () => {
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
