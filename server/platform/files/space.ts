import { constants, statfsSync } from 'node:fs'
import { open, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { NO_FOLLOW, syncFolder } from './durable.ts'

export interface Space {
  /** Bytes that an ordinary user may still write; root's reserve is not counted. */
  readonly free: number
  readonly total: number
}

/** Of the volume on which `path` lies. */
export async function spaceOf(path: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(path)
  return { free: bavail * bsize, total: blocks * bsize }
}

/**
 * What an ordinary user may still write on the volume of `path`; null where nothing is there. On the calling thread: two microseconds for
 * a disk of this machine, and without end for a server that does not answer.
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
 * The fullest of several volumes, by free bytes. `away`: one of the folders is not there, and those that are were looked at.
 * @throws where none of them is there
 */
export async function leastSpace(paths: readonly string[]): Promise<Space & { readonly away: boolean }> {
  const all = await Promise.allSettled(paths.map(spaceOf))
  const there: Space[] = []
  for (const one of all)
    if (one.status === 'fulfilled') there.push(one.value)
    else if (!isNotThere(one.reason)) throw one.reason
  const [first] = there
  if (first === undefined) throw new Error('None of the folders of the station is there')
  const least = there.reduce((least, space) => (space.free < least.free ? space : least), first)
  return { ...least, away: there.length < all.length }
}

const isNotThere = (reason: unknown): boolean => (reason as NodeJS.ErrnoException).code === 'ENOENT'

/** From statfs(2): in memory, or with a cache of its own that O_DIRECT does not pass: nothing read from them comes from a disk for sure. */
const NOT_ON_DISK = new Set([
  0x01021994, // tmpfs
  0x858458f6, // ramfs
  0x2fc12fc1, // zfs takes O_DIRECT and answers from its own cache
])

/** Whether reading past the page cache can be believed on the volume of `path`. */
export const readsDisk = async (path: string): Promise<boolean> =>
  constants.O_DIRECT !== undefined && !NOT_ON_DISK.has((await statfs(path)).type)

const PIECE = 1024 * 1024

/**
 * Keeps `bytes` of the disk for worse days (decisions 12): a file of written zeros, 0600, durable. Node has no fallocate, and a hole would
 * keep nothing. Zeros keep nothing either where the filesystem compresses or copies on write (btrfs, ZFS); there the floor must do.
 * What an earlier run left unfinished is completed.
 * @returns whether anything had to be written @throws ENOSPC with the file as long as it got
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
