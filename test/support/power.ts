/**
 * Disks that lose power. An ext4 image lies on an XFS that can reflink; both on loop devices. A reflink copy of the image is what had
 * reached the disk at that instant and nothing of what only the page cache knew: mounted in its place, it is the machine after the cut.
 * Root only. docs/guarantees.md D2, D6.
 */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, open, rename, rm, truncate } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Station } from './station.ts'

const run = promisify(execFile)

export interface Disk {
  /** Where it is mounted: the same path before and after a cut. */
  readonly mount: string
  readonly image: string
}

export interface PowerBench {
  /** A new ext4 disk, mounted. @param size in MiB */
  disk(name: string, size: number): Promise<Disk>
  /**
   * Cuts the power of these disks at one instant: freezes them, lets `victim` die, and mounts what had reached them.
   * With several disks the victim must stand still (`standStill`) before the call: the copies are taken one after the other.
   */
  cut(disks: readonly Disk[], victim: () => Promise<void>): Promise<void>
  /** Unmounts and detaches everything and removes the images. Never throws. */
  dispose(): Promise<void>
}

const TOOLS = ['mkfs.xfs', 'mkfs.ext4', 'mount', 'umount', 'losetup', 'filefrag', 'cp'] as const

/** Why power cuts cannot be made on this machine, or null. */
export function powerMissing(): string | null {
  if (process.platform !== 'linux') return 'loop devices need Linux'
  if (process.getuid?.() !== 0) return 'loop devices and mounts need root'
  if (!existsSync('/dev/loop-control')) return 'there are no loop devices'
  const folders = ['/usr/sbin', '/sbin', '/usr/bin', '/bin']
  const missing = TOOLS.filter((tool) => !folders.some((folder) => existsSync(path.join(folder, tool))))
  return missing.length === 0 ? null : `not installed: ${missing.join(', ')}`
}

/** The journal is written late, so that only an fsync saves anything between the cuts. */
const MOUNT_OPTIONS = 'loop,commit=30'

/** Volumes are away for a while after a cut: whatever begins then finds an empty folder, and the volume a moment later. */
const UNMOUNTED_MS = 1_000

/** @param folder empty, on a file system with room; sparse images of `size` MiB together lie in it. */
export async function openPowerBench(folder: string, size = 3072): Promise<PowerBench> {
  const mounts: string[] = []
  const mount = async (image: string, at: string, options: string): Promise<void> => {
    await mkdir(at, { recursive: true })
    await run('mount', ['-o', options, image, at])
    mounts.push(at)
  }
  const unmount = async (at: string): Promise<void> => {
    // Something may still be closing a file on it; a lazy unmount would keep the old disk alive beside the new one.
    for (let attempt = 0; ; attempt++) {
      try {
        await run('umount', [at])
        break
      } catch (error) {
        if (attempt === 300) throw error
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
    mounts.splice(mounts.indexOf(at), 1)
  }
  // A test process that dies must not leave mounts behind; loop devices mounted this way detach with the last unmount.
  const atExit = (): void => {
    for (const at of mounts.toReversed()) {
      try {
        execFileSync('umount', ['-l', at], { stdio: 'ignore' })
      } catch {
        // Gone already.
      }
    }
  }
  process.on('exit', atExit)

  const outer = path.join(folder, 'outer')
  const outerImage = path.join(folder, 'outer.img')
  try {
    await (await open(outerImage, 'wx')).close()
    await truncate(outerImage, size * 2 ** 20)
    await run('mkfs.xfs', ['-q', '-m', 'reflink=1', outerImage])
    await mount(outerImage, outer, 'loop')
  } catch (error) {
    atExit()
    throw error
  }

  return {
    disk: async (name, mebibytes) => {
      const image = path.join(outer, `${name}.img`)
      await (await open(image, 'wx')).close()
      await truncate(image, mebibytes * 2 ** 20)
      await run('mkfs.ext4', ['-q', '-F', '-m', '0', image])
      const at = path.join(folder, name)
      await mount(image, at, MOUNT_OPTIONS)
      return { mount: at, image }
    },
    cut: async (disks, victim) => {
      for (const disk of disks) await run('cp', ['--reflink=always', disk.image, `${disk.image}.cut`])
      await victim()
      // None comes back before all are gone: one that was not cut yet would be written to beside one that was.
      for (const disk of disks) await unmount(disk.mount)
      for (const disk of disks) {
        await rename(`${disk.image}.cut`, disk.image)
        await new Promise((resolve) => setTimeout(resolve, UNMOUNTED_MS))
        await mount(disk.image, disk.mount, MOUNT_OPTIONS)
      }
    },
    dispose: async () => {
      process.off('exit', atExit)
      atExit()
      mounts.length = 0
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).catch(() => {})
    },
  }
}

/** Stops a process, and waits for its threads: one that waits for the disk goes on until its call has ended. */
export async function standStill(station: Pick<Station, 'pid' | 'signal'>): Promise<void> {
  station.signal('SIGSTOP')
  const threads = `/proc/${station.pid}/task`
  const isStopped = (thread: string): boolean =>
    /^\d+ \(.*\) T /s.test(readFileSync(path.join(threads, thread, 'stat'), 'utf8'))
  while (!readdirSync(threads).every(isStopped)) await new Promise((resolve) => setTimeout(resolve, 1))
}

/** Everything written so far reaches the disk: the state from which a cut starts. */
export async function flush(disk: Disk): Promise<void> {
  await run('sync', ['-f', disk.mount])
}

/**
 * Inverts one byte of a file on the disk itself: the page cache keeps the byte that was written.
 * @param file fsynced, on `disk`
 */
export async function corruptBelowCache(disk: Disk, file: string, offset: number): Promise<void> {
  const { stdout } = await run('filefrag', ['-v', '-b1', file])
  const extents = [...stdout.matchAll(/^\s*\d+:\s*(\d+)\.\.\s*(\d+):\s*(\d+)\.\./gm)].map(
    (found) => found.slice(1).map(Number) as [number, number, number],
  )
  const extent = extents.find(([from, to]) => from <= offset && offset <= to)
  if (extent === undefined) throw new Error(`Byte ${offset} of ${file} lies nowhere on the disk:\n${stdout}`)
  const image = await open(disk.image, 'r+')
  try {
    const byte = Buffer.alloc(1)
    const at = extent[2] + (offset - extent[0])
    await image.read(byte, 0, 1, at)
    byte[0] = (byte[0] as number) ^ 0xff
    await image.write(byte, 0, 1, at)
    await image.sync()
  } finally {
    await image.close()
  }
}
