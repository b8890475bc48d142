import { access, mkdir, readdir, readFile, rename, rm, rmdir, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../run/run.ts'
import { type Clips, type PlannedCard, writeCard } from './card.ts'

/** Simulated cards as filesystems of their own: an image that is mounted, slowed, damaged and pulled. Linux; mounting needs root. */

export const IMAGE_KINDS = ['ext4', 'fat'] as const
export type ImageKind = (typeof IMAGE_KINDS)[number]

const FOLDERS = ['/usr/sbin', '/sbin', '/usr/bin', '/bin']
const MIB = 2 ** 20

async function toolOf(name: string): Promise<string> {
  for (const folder of FOLDERS) {
    const path = join(folder, name)
    const there = await access(path).then(
      () => true,
      () => false,
    )
    if (there) return path
  }
  throw new Error(`${name} is not installed.`)
}

async function tool(name: string, ...args: readonly string[]): Promise<string> {
  const { end, code, stdout, stderr } = await run({ file: await toolOf(name), args, timeoutMs: 120_000 })
  if (end !== 'ok') throw new Error(`${name} ${args.join(' ')}: ${end} ${code ?? ''} ${stderr.trim().slice(0, 300)}`)
  return stdout.toString('utf8')
}

/** Why such images cannot be made or mounted here; null when they can. */
export async function imagesMissing(kind: ImageKind): Promise<string | null> {
  if (process.platform !== 'linux') return 'images are mounted on Linux only'
  if (process.getuid?.() !== 0) return 'mounting needs root'
  const needed = kind === 'ext4' ? ['mkfs.ext4', 'mount', 'umount'] : ['mkfs.fat', 'mcopy', 'umount', 'mount']
  if (kind === 'fat' && !(await knowsVfat())) needed.push('fusefat')
  for (const name of needed) {
    const problem = await toolOf(name).then(
      () => null,
      (error: Error) => error.message,
    )
    if (problem !== null) return problem
  }
  return null
}

const knowsVfat = async (): Promise<boolean> => /\tvfat$/m.test(await readFile('/proc/filesystems', 'utf8'))

/** An image of what lies in a folder. @param spare bytes left free; 0 makes the smallest image that holds it: a card that is full */
export async function makeImage(folder: string, image: string, kind: ImageKind, spare: number): Promise<void> {
  // A twentieth and eight mebibytes for the filesystem itself.
  const size = Math.ceil(((await bytesIn(folder)) * 1.05 + spare) / MIB + 8)
  await fillImage(folder, image, kind, size)
  if (spare > 0) return
  // How much a filesystem needs for itself it says only by not having enough.
  for (let smaller = size - 1; smaller > 0; smaller--) {
    const attempt = `${image}.smaller`
    try {
      await fillImage(folder, attempt, kind, smaller)
      await rename(attempt, image)
    } catch {
      await rm(attempt, { force: true })
      return
    }
  }
}

/** @param size in MiB @throws when it does not fit */
async function fillImage(folder: string, image: string, kind: ImageKind, size: number): Promise<void> {
  if (kind === 'ext4') {
    await tool('mkfs.ext4', '-q', '-m', '0', '-O', '^has_journal', '-d', folder, image, `${size}m`)
    return
  }
  // Without a label: fusefat shows it as a file.
  await tool('mkfs.fat', '-C', image, String(size * 1024))
  const names = (await readdir(folder)).map((name) => join(folder, name))
  if (names.length > 0) await tool('mcopy', '-i', image, '-s', '-m', '-Q', ...names, '::')
}

async function bytesIn(folder: string): Promise<number> {
  let sum = 0
  for (const name of await readdir(folder, { recursive: true })) {
    const found = await stat(join(folder, name))
    sum += found.isFile() ? Math.ceil(found.size / 4096) * 4096 : 4096
  }
  return sum
}

export interface Plugged {
  readonly at: string
  /** Bytes of the card that have been read since it was plugged in. */
  read(): Promise<number>
  /**
   * As if the plug were drawn: whatever is read from now on fails, also in files that are open, as far as the system has it not in memory.
   */
  pull(): Promise<void>
  /** Gives no more than so many bytes a second until `signal` ends it; null where the card cannot be held back. */
  readonly slow: ((bytesPerSecond: number, signal: AbortSignal) => Promise<void>) | null
  /** Given back in order. */
  release(): Promise<void>
}

/** Mounts an image on a new folder as a desktop would a card. @throws when it cannot be mounted */
export async function plugIn(image: string, kind: ImageKind, at: string): Promise<Plugged> {
  await mkdir(at)
  try {
    if (kind === 'fat' && !(await knowsVfat())) return await overFuse(image, at)
    const type = kind === 'fat' ? 'vfat' : 'ext4'
    await tool('mount', '-t', type, '-o', 'loop,nosuid,nodev,noexec', image, at)
    return await overLoop(image, at)
  } catch (error) {
    await rmdir(at).catch(() => {})
    throw error
  }
}

async function overLoop(image: string, at: string): Promise<Plugged> {
  const { backing, reads } = await loopOf(image)
  const before = await reads()
  return {
    at,
    slow: null,
    read: async () => (await reads()) - before,
    pull: async () => {
      // Behind the end of what it lies on, a loop device answers with an error.
      await truncate(backing, 0)
      await tool('umount', '-l', at)
      await rmdir(at).catch(() => {})
    },
    release: async () => {
      await tool('umount', at)
      await rmdir(at)
    },
  }
}

async function loopOf(image: string): Promise<{ backing: string; reads: () => Promise<number> }> {
  for (const name of await readdir('/sys/block')) {
    if (!name.startsWith('loop')) continue
    const backing = await readFile(`/sys/block/${name}/loop/backing_file`, 'utf8').catch(() => '')
    if (backing.trimEnd() !== image) continue
    const reads = async (): Promise<number> => {
      const fields = (await readFile(`/sys/block/${name}/stat`, 'utf8')).trim().split(/\s+/)
      return Number(fields[2]) * 512
    }
    return { backing: image, reads }
  }
  throw new Error(`No loop device lies on ${image}.`)
}

/** FAT by a program of its own, where the kernel has none. */
async function overFuse(image: string, at: string): Promise<Plugged> {
  await tool('fusefat', '-o', 'rw+', image, at)
  const pid = await processOf(image)
  const reads = async (): Promise<number> =>
    Number(/^rchar: (\d+)$/m.exec(await readFile(`/proc/${pid}/io`, 'utf8'))?.[1] ?? Number.NaN)
  const before = await reads()
  const release = async (...how: readonly string[]): Promise<void> => {
    await tool('umount', ...how, at)
    await rmdir(at)
  }
  return {
    at,
    read: async () => (await reads()) - before,
    slow: (bytesPerSecond, signal) => holdBack(pid, async () => (await reads()) - before, bytesPerSecond, signal),
    pull: async () => {
      process.kill(pid, 'SIGKILL')
      await release('-l')
    },
    release: () => release(),
  }
}

/** The program that serves the card stands still whenever it has given too much. */
async function holdBack(
  pid: number,
  read: () => Promise<number>,
  bytesPerSecond: number,
  signal: AbortSignal,
): Promise<void> {
  const start = performance.now()
  const first = await read()
  try {
    while (!signal.aborted) {
      const allowed = first + Math.floor(((performance.now() - start) / 1000) * bytesPerSecond)
      process.kill(pid, (await read()) >= allowed ? 'SIGSTOP' : 'SIGCONT')
      await pause(10)
    }
    process.kill(pid, 'SIGCONT')
  } catch (error) {
    // The card was pulled: nobody is left to be held back.
    if (!['ESRCH', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function processOf(image: string): Promise<number> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const words = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).split('\0')
    if (words[0]?.endsWith('fusefat') && words.includes(image)) return Number(name)
  }
  throw new Error(`No process serves ${image}.`)
}

/** Waits until so much of a card has been read, then draws the plug. @returns what had been read by then, or null when ended before */
export async function pullAt(plugged: Plugged, bytes: number, signal: AbortSignal): Promise<number | null> {
  while (!signal.aborted) {
    const read = await plugged.read()
    if (read >= bytes) {
      await plugged.pull()
      return read
    }
    await pause(2)
  }
  return null
}

/** A card as an image beside where its folder would be: `camera-001.ext4`. @param spare bytes left free */
export async function writeImage(
  card: PlannedCard,
  folder: string,
  clips: Clips,
  { kind, spare }: { kind: ImageKind; spare: number },
): Promise<string> {
  const image = join(folder, `${card.name}.${kind}`)
  const { path } = await writeCard({ ...card, name: `.${card.name}.filled` }, folder, clips)
  try {
    await makeImage(path, image, kind, spare)
    return image
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}
