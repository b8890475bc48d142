/** Fetches the pinned ffmpeg of this system into dist/media, for the package. Nothing is unpacked before its hash was found right. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Pin {
  readonly url: string
  /** Lower-case hex. */
  readonly sha256: string
  /** An SPDX expression. */
  readonly license: string
  /** Where the source of exactly this build is. Its licence asks for it. */
  readonly source: string
}

/** @throws in words for whoever releases, when a pin says too little to trust what is fetched. */
export function checkPin(system: string, pin: Pin | undefined): Pin {
  if (pin === undefined) throw new Error(`build/ffmpeg.json has no pin for ${system}.`)
  if (!/^https:\/\/\S+$/.test(pin.url) || !/^[0-9a-f]{64}$/.test(pin.sha256))
    throw new Error(`build/ffmpeg.json is not filled in for ${system}: set url (https, one exact file) and sha256.`)
  if (pin.license === '' || !/^https:\/\/\S+$/.test(pin.source))
    throw new Error(`build/ffmpeg.json does not name license and source (https) for ${system}.`)
  if (/\/latest\//.test(pin.url)) throw new Error(`build/ffmpeg.json names a moving file for ${system}: ${pin.url}`)
  return pin
}

/** @returns the programs that were put into `target`. @throws when the bytes are others than were pinned; then nothing is there. */
export async function fetchMedia({ url, sha256, license, source }: Pin, target: string): Promise<string[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'sallyport-media-'))
  try {
    const archive = join(scratch, basename(new URL(url).pathname))
    const reply = await fetch(url)
    if (!reply.ok || reply.body === null) throw new Error(`${url} answered ${reply.status}.`)
    const hash = createHash('sha256')
    await pipeline(
      reply.body,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          yield chunk
        }
      },
      createWriteStream(archive),
    )
    const found = hash.digest('hex')
    if (found !== sha256) throw new Error(`${url} has SHA-256 ${found}; ${sha256} was pinned. It is not used.`)
    const opened = join(scratch, 'opened')
    mkdirSync(opened)
    // Every system's tar opens what its own builds are packed in.
    const { status, stderr } = spawnSync('tar', ['-xf', archive, '-C', opened])
    if (status !== 0) throw new Error(`The archive could not be opened: ${stderr.toString()}`)
    const kept = keepPrograms(opened, target)
    const notice = `ffmpeg and ffprobe\nLicence: ${license}\nBuild: ${url}\nSHA-256 of the build: ${sha256}\nSource: ${source}\n`
    writeFileSync(join(target, 'NOTICE.txt'), notice)
    return [...kept, 'NOTICE.txt']
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The two programs, and the licence they come under. */
function keepPrograms(opened: string, target: string): string[] {
  const wanted = /^(ffmpeg|ffprobe)(\.exe)?$|^(LICENSE|COPYING)/i
  const files = readdirSync(opened, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && wanted.test(entry.name),
  )
  const programs = files.filter(({ name }) => name.startsWith('ff')).map(({ name }) => name.replace(/\.exe$/, ''))
  if (programs.toSorted().join() !== 'ffmpeg,ffprobe')
    throw new Error(`The archive holds ${programs.join(', ') || 'neither'}.`)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  return files.map(({ parentPath, name }) => {
    const file = join(target, name)
    copyFileSync(join(parentPath, name), file)
    chmodSync(file, name.startsWith('ff') ? 0o755 : 0o644)
    return name
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const system = process.argv[2] ?? `${process.platform}-${process.arch}`
  const { pins } = JSON.parse(readFileSync(join(root, 'build/ffmpeg.json'), 'utf8')) as { pins: Record<string, Pin> }
  try {
    const kept = await fetchMedia(checkPin(system, pins[system]), join(root, 'dist/media', system))
    process.stdout.write(`dist/media/${system}: ${kept.join(', ')}\n`)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
