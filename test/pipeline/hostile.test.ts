// @module-tag merge
import { createServer, type Server } from 'node:net'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeriver } from '../../server/features/media/derive/derive.ts'
import type { Derived, Deriver, Source } from '../../server/features/media/derive/types.ts'
import { createMediaTools } from '../../server/platform/ffmpeg/media-tools.ts'
import { scale } from '../support/scale.ts'
import { diskStaging, type StagedFile } from './disk-store.ts'
import { type Bait, bombs, type Hostile, mutant, polyglots, references, scripts } from './hostile.ts'
import { command, ffmpeg, temporaryFolder } from './tools.ts'

const SECRET = 'CANARY-5c1f0e77-do-not-read'
/** A colour no other file here has. */
const MAGENTA = 'color=c=0xff00ff:size=64x48:rate=5:duration=1'

let root = ''
let remove: () => Promise<void>
let bait: Bait
let server: Server
let calls = 0
let logs = ''
let traced: Deriver<StagedFile>
let confined: Deriver<StagedFile>
let files: Hostile[] = []
let traceable = false
let known: ReadonlySet<string> = new Set()

/** Real small media, the raw material of references, bombs and mutants. */
async function realMedia(dir: string): Promise<Record<string, Buffer>> {
  const picture = ['-f', 'lavfi', '-i', 'color=c=blue:size=64x48:rate=5:duration=1']
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  const made: Record<string, string[]> = {
    'a.mov': [...picture, ...x264],
    'a.mp4': [...picture, ...x264, '-movflags', '+faststart'],
    'a.mkv': [...picture, '-c:v', 'mpeg4'],
    'a.ts': [...picture, ...x264],
    'a.avi': [...picture, '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p'],
    'a.jpg': [...picture, '-frames:v', '1'],
    'a.png': [...picture, '-frames:v', '1'],
    'a.tif': [...picture, '-frames:v', '1'],
  }
  const out: Record<string, Buffer> = {}
  for (const [name, args] of Object.entries(made)) {
    await ffmpeg(dir, ...args, name)
    out[name] = await readFile(join(dir, name))
  }
  return out
}

/** Stand-ins for the tools that write down every file opened, every program started and every socket. */
async function tracers(dir: string): Promise<string> {
  const bin = join(dir, 'bin')
  await mkdir(bin)
  for (const name of ['ffmpeg', 'ffprobe', 'heif-convert', 'exiftool']) {
    const trace = `-e trace=open,openat,openat2,socket,connect,execve -o "${logs}/$$.log"`
    await writeFile(
      join(bin, name),
      `#!/bin/sh\nexec /usr/bin/strace -f -qq --seccomp-bpf ${trace} /usr/bin/${name} "$@"\n`,
    )
    await chmod(join(bin, name), 0o755)
  }
  return bin
}

beforeAll(async () => {
  const folder = await temporaryFolder('hostile')
  remove = folder.remove
  root = folder.dir
  logs = join(root, 'logs')
  for (const name of ['store', 'staging', 'logs', 'media']) await mkdir(join(root, name))
  server = createServer((socket) => {
    calls += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await ffmpeg(
    join(root, 'store'),
    '-f',
    'lavfi',
    '-i',
    MAGENTA,
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
    'neighbour.mp4',
  )
  await ffmpeg(join(root, 'store'), '-i', 'neighbour.mp4', '-c', 'copy', 'neighbour.mov')
  await writeFile(join(root, 'store', 'secret.txt'), `${SECRET}\n`)
  bait = {
    film: join(root, 'store', 'neighbour.mp4'),
    filmBeside: 'neighbour.mp4',
    text: join(root, 'store', 'secret.txt'),
    port: typeof address === 'object' && address ? address.port : 0,
  }
  const real = await realMedia(join(root, 'media'))
  const kinds = Object.entries(real)
  const mutants = Array.from({ length: scale(24, 400) }, (_, seed) => {
    const [name, bytes] = kinds[seed % kinds.length] as [string, Buffer]
    return { name: `mutant-${seed}-${name}`, bytes: mutant(bytes, seed, 1 + (seed % 12)) }
  })
  const film = real['a.mov'] as Buffer
  files = [
    ...scripts(bait),
    ...polyglots(bait),
    ...references(film, bait),
    ...bombs(real['a.mp4'] as Buffer),
    ...mutants,
  ]
  const store = diskStaging(join(root, 'staging'))
  const searchPath = [await tracers(root)]
  // Without a sandbox, so that what holds is the choice of demuxer alone.
  const tools = createMediaTools({ searchPath, exiftoolScript: null, sandbox: 'off' })
  traced = createDeriver({ tools, store, vendor: 'sallyport' })
  confined = createDeriver({ tools: createMediaTools(), store, vendor: 'sallyport' })
  traceable = await command('strace', ['-qq', '-o', '/dev/null', 'true']).then(
    () => true,
    () => false,
  )
  if (traceable) known = await opensOfHarmlessFiles(real)
}, 120_000)

afterAll(async () => {
  server.close()
  await remove()
})

interface Trace {
  readonly opened: string[]
  readonly sockets: string[]
  readonly programs: string[]
}

/** What the tracers wrote since the last call; the logs are removed. */
async function collect(): Promise<Trace> {
  const opened: string[] = []
  const sockets: string[] = []
  const programs: string[] = []
  for (const name of await readdir(logs)) {
    for (const line of (await readFile(join(logs, name), 'utf8')).split('\n')) {
      const path = /open(?:at2?)?\((?:AT_FDCWD, |\d+, )?"([^"]*)".*= \d+/.exec(line)?.[1]
      if (path !== undefined) opened.push(path)
      if (/ (socket|connect)\((AF_INET|\d+, \{sa_family=AF_INET)/.test(line)) sockets.push(line)
      const program = /execve\("([^"]*)".*= 0/.exec(line)?.[1]
      if (program !== undefined) programs.push(program)
    }
  }
  await command('find', [logs, '-name', '*.log', '-delete'])
  return { opened, sockets, programs }
}

async function everything(by: Deriver<StagedFile>, source: Source): Promise<{ made: string[]; refusals: unknown[] }> {
  const made: string[] = []
  const refusals: unknown[] = []
  const keep = async (derived: Promise<Derived<StagedFile>>) => {
    try {
      const { staged } = await derived
      if (staged) made.push(staged.path)
    } catch (error) {
      refusals.push(error)
    }
  }
  const found = await by.inspect(source.path)
  for (const work of found.work) {
    if (work !== 'preview') await keep(by.derive(work, source))
  }
  return { made, refusals }
}

async function put(file: Hostile): Promise<Source> {
  const path = join(root, 'store', `in-${file.name}`)
  await writeFile(path, file.bytes)
  return { path, sha256: '0'.repeat(64), name: file.name }
}

/** Libraries and settings that the programs open whatever they are given. */
async function opensOfHarmlessFiles(real: Record<string, Buffer>): Promise<ReadonlySet<string>> {
  for (const [name, bytes] of Object.entries(real)) {
    const source = await put({ name: `harmless-${name}`, bytes })
    await everything(traced, source)
  }
  const { opened, programs } = await collect()
  expect(programs.filter((name) => name.endsWith('/ffmpeg')).length).toBeGreaterThan(5)
  return new Set(opened.filter((path) => !path.startsWith(root)))
}

/** Mean colour of the first picture as ffmpeg alone, unguarded, shows it: is it the neighbour's? */
async function showsNeighbour(path: string): Promise<boolean> {
  const show = 'ffmpeg -v quiet -i "$0" -frames:v 1 -vf scale=1:1 -pix_fmt rgb24 -f rawvideo - | od -An -tu1'
  const [red = 0, green = 255, blue = 0] = (await command('/bin/sh', ['-c', show, path]))
    .trim()
    .split(/\s+/)
    .map(Number)
  return red > 200 && green < 60 && blue > 200
}

const library = (path: string): boolean =>
  /^\/(usr\/(lib|share\/perl)|lib|etc\/perl)/.test(path) || /^\/proc\/(self|\d+)\//.test(path)

describe('S9: media tools see one file', () => {
  test('the canary works: without the lists ffmpeg does read the neighbour', async () => {
    const script = await put({
      name: 'control.mp4',
      bytes: Buffer.from("ffconcat version 1.0\nfile 'neighbour.mp4'\n"),
    })
    expect(await showsNeighbour(script.path)).toBe(true)
  })

  test('at least 120 files: no open outside the input, no connection, no foreign frame', {
    tags: ['merge'],
    timeout: scale(600_000, 1_800_000),
  }, async ({ skip }) => {
    if (!traceable) skip('strace is not installed, or may not be used here')
    expect(files.length).toBeGreaterThanOrEqual(120)
    const seen = { read: 0, refused: 0, made: 0 }
    for (const file of files) {
      const source = await put(file)
      const { made, refusals } = await everything(traced, source)
      const { opened, sockets, programs } = await collect()
      const foreign = opened.filter(
        (path) => !known.has(path) && !library(path) && path !== source.path && !path.startsWith(join(root, 'staging')),
      )
      expect(foreign, file.name).toEqual([])
      expect(sockets, file.name).toEqual([])
      expect(
        programs.filter((program) => !/^\/usr\/bin\/(ffmpeg|ffprobe|exiftool|perl|heif-convert)$/.test(program)),
        file.name,
      ).toEqual([])
      if (file.unread) expect(programs, file.name).toEqual([])
      for (const refusal of refusals) expect(refusal, file.name).toMatchObject({ name: 'FinalFailure' })
      for (const path of made) {
        const bytes = await readFile(path)
        expect(bytes.includes(SECRET), file.name).toBe(false)
        if (!file.name.startsWith('mutant')) expect(await showsNeighbour(path), file.name).toBe(false)
      }
      seen.read += programs.length
      seen.refused += refusals.length
      seen.made += made.length
    }
    expect(calls).toBe(0)
    expect(seen.read).toBeGreaterThan(60)
    expect(seen.made).toBeGreaterThan(10)
  })

  test(
    'the same inside the sandbox, where there is one: every answer is a sentence or a file',
    async ({ skip }) => {
      const { sandbox } = await confined.inspect((await put(files[0] as Hostile)).path)
      if (sandbox === 'none') skip('no sandbox on this machine')
      const before = calls
      const some = files.filter((file, at) => !file.unread && at % scale(4, 1) === 0)
      for (const file of some) {
        const { refusals } = await everything(confined, await put(file))
        for (const refusal of refusals) expect(refusal, file.name).toMatchObject({ name: 'FinalFailure' })
      }
      expect(calls).toBe(before)
    },
    scale(300_000, 900_000),
  )
})
