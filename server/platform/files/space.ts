import { constants, statfsSync } from 'node:fs'
import { open, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { NO_FOLLOW, syncFolder } from './durable.ts'

export interface Space {
  /** Free bytes for an ordinary user, without root's reserve. */
  readonly free: number
  readonly total: number
}

/** Space of the volume of `path`. */
export async function spaceOf(path: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(path)
  return { free: bavail * bsize, total: blocks * bsize }
}

/**
 * Free bytes for an ordinary user on the volume of `path`; null when the path is missing. Blocks the calling thread: two microseconds for a
 * local disk, for ever for a file server that does not answer.
 */
export function freeBytesNow(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch (error) {
    if (isNotThere(error)) return null
    throw error
  }
}

/**
 * The space of the volume with the fewest free bytes. `away`: one of the folders is missing; the others count.
 * @throws Error when all folders are missing
 */
export async function leastSpace(paths: readonly string[]): Promise<Space & { readonly away: boolean }> {
  const all = await Promise.allSettled(paths.map(spaceOf))
  const present: Space[] = []
  for (const one of all)
    if (one.status === 'fulfilled') present.push(one.value)
    else if (!isNotThere(one.reason)) throw one.reason
  const [first] = present
  if (first === undefined) throw new Error('All folders of the station are missing')
  const least = present.reduce((least, space) => (space.free < least.free ? space : least), first)
  return { ...least, away: present.length < all.length }
}

const isNotThere = (reason: unknown): boolean => (reason as NodeJS.ErrnoException).code === 'ENOENT'

/** File systems (types of statfs(2)) whose reads do not reliably come from a disk: in memory, or with a cache that O_DIRECT does not bypass. */
const NOT_ON_DISK = new Set([
  0x01021994, // tmpfs
  0x858458f6, // ramfs
  0x2fc12fc1, // zfs takes O_DIRECT and answers from its own cache
])

/** Whether direct reads on the volume of `path` reliably come from the disk. */
export const readsDisk = async (path: string): Promise<boolean> =>
  constants.O_DIRECT !== undefined && !NOT_ON_DISK.has((await statfs(path)).type)

const PIECE = 1024 * 1024

/**
 * Reserves `bytes` of the disk (decisions 12) by a durable file of written zeros, 0600. Node has no fallocate, and a sparse file reserves
 * nothing. Zeros reserve nothing either on a filesystem that compresses or copies on write (btrfs, ZFS); there only the floor protects.
 * An incomplete file of an earlier run is completed.
 * @returns whether anything was written @throws ENOSPC; the file keeps the length it reached
 */
export async function preallocate(path: string, bytes: number): Promise<boolean> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | NO_FOLLOW, 0o600)
  try {
    const { size } = await file.stat()
    if (size >= bytes) return false
    const zeros = Buffer.alloc(Math.min(PIECE, bytes))
    for (let at = size; at < bytes; ) {
      const { bytesWritten } = await file.write(zeros, 0, Math.min(zeros.length, bytes - at), at)
      at += bytesWritten
    }
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(dirname(path))
  return true
}
