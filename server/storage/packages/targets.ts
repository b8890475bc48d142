/** Where packages are written: volumes of somebody else, on which other programs write too. */
import { packageProblem } from '../../../shared/messages/package-problems.ts'
import { type BigIntStats, constants } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { alignedMemory, BLOCK, openAligned } from '../../platform/files/aligned.ts'
import { isOnVolume } from '../../platform/files/marked-folder.ts'
import { nameExclusively, NO_FOLLOW, syncFolder } from '../../platform/files/durable.ts'
import { writeNew } from '../../platform/files/trees.ts'
import { readsDisk, spaceOf } from '../../platform/files/space.ts'
import { faultOf, StorageFault } from '../faults.ts'
import { createWorkerPool, type WorkerPool } from '../workers/worker-pool.ts'

/** What has this ending is being made, or was not finished. */
export const UNFINISHED = '.unfinished'
const WORKERS = 2
const READS = 2
const SLICES = 7
/** Left free on the volume, for its own tables. */
const SPARE = 16 * 1024 * 1024

export async function requireFolder(parent: string): Promise<{ readonly dev: number }> {
  const found = await stat(parent).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw faultOf(error, 'open', parent)
  })
  if (found?.isDirectory() !== true)
    throw new StorageFault('StoreFailed', packageProblem('noFolder', { folder: parent }), { path: parent })
  return found
}

/**
 * Work in which another program reads or writes in a folder. Where the volume is taken away meanwhile, that program tells of files it misses.
 * @throws StorageFault that says that the volume is away; else what the work throws
 */
export async function whileConnected<T>(
  parent: string,
  { dev }: { readonly dev: number },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (await isOnVolume(parent, dev).catch(() => false)) throw error
    throw new StorageFault('StoreFailed', packageProblem('volumeTaken', { folder: parent }), {
      path: parent,
      cause: error,
    })
  }
}

/** @throws StorageFault NoSpace */
export async function requireSpace(parent: string, needed: number): Promise<void> {
  const { free } = await spaceOf(parent)
  if (needed + SPARE <= free) return
  throw new StorageFault('NoSpace', packageProblem('tooSmall', { needed: needed + SPARE, folder: parent, free }), {
    path: parent,
  })
}

/** What a file takes beside its bytes, at most: a cluster of a large card. */
export const CLUSTER = 128 * 1024

/** For something that is written in several steps. What an interrupted run left in the folder counts as written. @throws StorageFault NoSpace */
export const requireRoomFor = async (
  folder: string,
  { bytes, files }: { readonly bytes: number; readonly files: number },
): Promise<void> => requireSpace(folder, bytes + files * CLUSTER - (await bytesBelow(folder)))

export const folderIsThere = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null))?.isDirectory() === true

export const nameTaken = (path: string): StorageFault =>
  new StorageFault('StoreFailed', packageProblem('nameTaken', { path }), {
    path,
  })

/** @throws StorageFault when anything is there, also a link to nothing */
export async function requireFree(path: string): Promise<void> {
  if ((await lstat(path).catch(() => null)) !== null) throw nameTaken(path)
}

const inTheWay = (path: string, isNo: 'folder' | 'file'): StorageFault =>
  new StorageFault('StoreFailed', packageProblem(isNo === 'folder' ? 'folderInTheWay' : 'fileInTheWay', { path }), {
    path,
  })

/** A folder that is there already must be one, and no link: another program may have put it there. */
export async function makeOwnFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw faultOf(error, 'open', path)
    if (!(await lstat(path)).isDirectory()) throw inTheWay(path, 'folder')
  })
}

/** Removes the file that an interrupted run left. @throws StorageFault when it is none */
export async function removeOldFile(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return
  if (!found.isFile()) throw inTheWay(path, 'file')
  await rm(path)
}

/** Removes the folder that an interrupted run left. @throws StorageFault when it is none */
export async function removeOldFolder(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return
  if (!found.isDirectory()) throw inTheWay(path, 'folder')
  await rm(path, { recursive: true, force: true, maxRetries: 2 })
}

/** Threads for files on the volume of a folder. */
export async function poolFor(parent: string, { dev: volume }: { readonly dev: number }): Promise<WorkerPool> {
  return createWorkerPool(WORKERS, {
    root: parent,
    volume,
    direct: await readsDisk(parent),
    slices: SLICES + READS,
    reads: READS,
  })
}

/** Whoever gets the package reads it as another user. Volumes without rights refuse this, and need it not. */
export const allMayRead = (path: string, mode = 0o644): Promise<void> => chmod(path, mode).catch(() => {})

/** Gives a complete and durable file its name. @throws StorageFault when another thing has it */
export async function giveName(making: string, path: string): Promise<void> {
  await allMayRead(making)
  const isNamed = await nameExclusively(making, path).catch((error: unknown) => {
    throw faultOf(error, 'rename', path)
  })
  if (!isNamed) throw nameTaken(path)
  await rm(making, { force: true })
  for (const folder of new Set([dirname(path), dirname(making)]))
    await syncFolder(folder).catch((error: unknown) => {
      throw faultOf(error, 'sync', folder)
    })
}

/** Writes a small file beside a finished package, or into it, and names it after the package. One of the same name is replaced as a whole. */
export async function writeBeside(path: string, ending: string, bytes: Uint8Array): Promise<void> {
  const beside = `${path}${ending}`
  // Not in a package that is a folder: an unfinished file there would be one that no list names.
  const making = `${path}${ending.replace('/', '.')}${UNFINISHED}`
  try {
    await rm(making, { force: true })
    await writeNew(making, bytes)
    await allMayRead(making)
    await rename(making, beside)
  } catch (error) {
    throw faultOf(error, 'write', beside)
  }
  for (const folder of new Set([dirname(beside), dirname(making)])) await syncFolder(folder)
}

export const openNew = (path: string) =>
  open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o600).catch((error: unknown) => {
    throw faultOf(error, 'open', path)
  })

/** Bytes of a file, past the page cache where the volume allows it. For a few megabytes. */
export async function readBack(path: string, from: number, length: number): Promise<Buffer> {
  const first = from - (from % BLOCK)
  const memory = alignedMemory(Math.ceil((from + length - first) / (64 * 1024) + 1) * 64 * 1024)
  const reader = openAligned(path, await readsDisk(path))
  try {
    const count = await reader.read(memory, first)
    return Buffer.from(memory.subarray(from - first, Math.min(count, from + length - first)))
  } catch (error) {
    throw faultOf(error, 'read', path)
  } finally {
    reader.close()
  }
}

export const notReadBack = (path: string, of = packageProblem('theBytes')): StorageFault =>
  new StorageFault('ReadBackMismatch', packageProblem('notReadBack', { of }), { path })

/** @throws StorageFault unless a source is a regular file of this length */
export function requireSource(found: Pick<BigIntStats, 'isFile' | 'size'>, source: string, bytes: number): void {
  if (!found.isFile()) throw new StorageFault('SourceNotRegular', 'It is not a regular file.', { path: source })
  if (Number(found.size) !== bytes)
    throw new StorageFault(
      'NotAsExpected',
      packageProblem('otherLength', { found: String(found.size), expected: bytes }),
      { path: source },
    )
}

/** Of what an interrupted run left. A link in its place is no folder of ours: whatever it leads to does not count. */
export async function bytesBelow(folder: string): Promise<number> {
  if (!(await folderIsThere(folder))) return 0
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries)
    if (entry.isFile()) bytes += (await lstat(`${entry.parentPath}/${entry.name}`).catch(() => null))?.size ?? 0
  return bytes
}
