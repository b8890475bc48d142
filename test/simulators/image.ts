import { access, mkdir, readdir, readFile, rename, rm, rmdir, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../server/platform/run/run.ts'
import { type Clips, type PlannedCard, writeCard } from './card.ts'

/** Simulated cards as filesystems of their own: an image that is mounted, slowed, damaged and pulled. Linux; mounting needs root. */

export const IMAGE_KINDS = ['ext4', 'fat', 'exfat', 'ntfs'] as const
export type ImageKind = (typeof IMAGE_KINDS)[number]

/** A program that serves a filesystem which the kernel of this machine does not know. */
interface Program {
  readonly name: string
  /** Some take a device alone, and no file. */
  readonly over: 'image' | 'loop device'
  readonly options: readonly string[]
}

interface Kind {
  /** By which names a kernel may know it; the first that it does is mounted. */
  readonly kernel: readonly string[]
  readonly program: Program | null
  readonly makes: readonly string[]
}

const KINDS: Readonly<Record<ImageKind, Kind>> = {
  ext4: { kernel: ['ext4'], program: null, makes: ['mkfs.ext4'] },
  fat: {
    kernel: ['vfat'],
    program: { name: 'fusefat', over: 'image', options: ['-o', 'rw+'] },
    makes: ['mkfs.fat', 'mcopy'],
  },
  exfat: {
    kernel: ['exfat'],
    program: { name: 'mount.exfat-fuse', over: 'loop device', options: ['-o', 'nosuid,nodev,noexec'] },
    makes: ['mkfs.exfat', 'losetup'],
  },
  ntfs: {
    kernel: ['ntfs3'],
    program: { name: 'ntfs-3g', over: 'image', options: ['-o', 'nosuid,nodev,noexec'] },
    makes: ['mkntfs'],
  },
}

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
  const { makes, program } = KINDS[kind]
  const needed = [...makes, 'mount', 'umount']
  if ((await kernelType(kind)) === null) {
    if (program === null) return `the kernel knows no ${kind}`
    needed.push(program.name, ...(program.over === 'loop device' ? ['losetup'] : []))
  }
  for (const name of needed) {
    const problem = await toolOf(name).then(
      () => null,
      (error: Error) => error.message,
    )
    if (problem !== null) return problem
  }
  return null
}

async function kernelType(kind: ImageKind): Promise<string | null> {
  const known = (await readFile('/proc/filesystems', 'utf8')).split('\n').map((line) => line.trim())
  return KINDS[kind].kernel.find((name) => known.includes(name)) ?? null
}

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
    // Room for many small files: from 512 MiB on there would be one inode for 16 KiB.
    await tool('mkfs.ext4', '-q', '-m', '0', '-i', '4096', '-O', '^has_journal', '-d', folder, image, `${size}m`)
    return
  }
  if (kind === 'fat') {
    // Without a label: fusefat shows it as a file.
    await tool('mkfs.fat', '-C', image, String(size * 1024))
    const names = (await readdir(folder)).map((name) => join(folder, name))
    if (names.length > 0) await tool('mcopy', '-i', image, '-s', '-m', '-Q', ...names, '::')
    return
  }
  await writeFile(image, '', { flag: 'wx' })
  await truncate(image, size * MIB)
  if (kind === 'exfat') await tool('mkfs.exfat', image)
  else await tool('mkntfs', '-F', '-Q', '-q', image)
  // No program fills these from outside.
  const plugged = await plugIn(image, kind, `${image}.filling`)
  try {
    await tool('cp', '-r', '--preserve=timestamps', `${folder}/.`, plugged.at)
  } finally {
    await plugged.release()
  }
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
    const type = await kernelType(kind)
    const { program } = KINDS[kind]
    if (type === null && program !== null) return await overFuse(program, image, at)
    await tool('mount', '-t', type ?? kind, '-o', 'loop,nosuid,nodev,noexec', image, at)
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
      await unmount(at)
      await rmdir(at)
    },
  }
}

/** A program that serves a card gives files back a moment after they were closed; until then the card is busy. */
async function unmount(at: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await tool('umount', at)
      return
    } catch (error) {
      if (tries === 100 || !(error as Error).message.includes('busy')) throw error
      await pause(20)
    }
  }
}

/** Kilobytes that the system reads ahead of a card in a reader; of a loop device it is a multiple of what its disk does. */
const READ_AHEAD_KB = 128

async function loopOf(image: string): Promise<{ backing: string; reads: () => Promise<number> }> {
  for (const name of await readdir('/sys/block')) {
    if (!name.startsWith('loop')) continue
    const backing = await readFile(`/sys/block/${name}/loop/backing_file`, 'utf8').catch(() => '')
    if (backing.trimEnd() !== image) continue
    await writeFile(`/sys/block/${name}/queue/read_ahead_kb`, String(READ_AHEAD_KB))
    const reads = async (): Promise<number> => {
      const fields = (await readFile(`/sys/block/${name}/stat`, 'utf8')).trim().split(/\s+/)
      return Number(fields[2]) * 512
    }
    return { backing: image, reads }
  }
  throw new Error(`No loop device lies on ${image}.`)
}

/** By a program of its own, where the kernel knows no such filesystem. */
async function overFuse(program: Program, image: string, at: string): Promise<Plugged> {
  const device = program.over === 'image' ? null : (await tool('losetup', '-f', '--show', image)).trim()
  const detach = async (): Promise<void> => {
    if (device !== null) await tool('losetup', '-d', device)
  }
  const source = device ?? image
  try {
    await tool(program.name, ...program.options, source, at)
  } catch (error) {
    await detach().catch(() => {})
    throw error
  }
  const pid = await processOf(program.name, source, at)
  const reads = async (): Promise<number> =>
    Number(/^rchar: (\d+)$/m.exec(await readFile(`/proc/${pid}/io`, 'utf8'))?.[1] ?? Number.NaN)
  const before = await reads()
  const end = async (): Promise<void> => {
    await rmdir(at)
    // What it has not written yet it writes before it ends.
    for (let looks = 0; looks < 500 && (await isThere(pid)); looks++) await pause(10)
    await detach()
  }
  return {
    at,
    read: async () => (await reads()) - before,
    slow: (bytesPerSecond, signal) => holdBack(pid, async () => (await reads()) - before, bytesPerSecond, signal),
    pull: async () => {
      process.kill(pid, 'SIGKILL')
      await tool('umount', '-l', at)
      await end()
    },
    release: async () => {
      await unmount(at)
      await end()
    },
  }
}

/** One that has ended and that nobody asked about yet has no words any more. */
const isThere = (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/cmdline`, 'utf8').then(
    (words) => words !== '',
    () => false,
  )

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

/** One that served the same image before may not have ended yet: it is told by where it mounted it. */
async function processOf(program: string, source: string, at: string): Promise<number> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const words = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).split('\0')
    if (words[0]?.endsWith(program) && words.includes(source) && words.includes(at)) return Number(name)
  }
  throw new Error(`No process serves ${source}.`)
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
