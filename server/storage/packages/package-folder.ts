/**
 * A package while it is written, as a folder on any volume (docs/decisions/0034). It is written below a name that ends with `.unfinished`, each file
 * hashed while it is copied, synced and read back. `finish` syncs all folders and gives it its name. What an interrupted run left is taken up:
 * each of its files is read and compared before it counts.
 */
import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../platform/files/durable.ts'
import { readsDisk, spaceOf } from '../../platform/files/space.ts'
import { writeNew } from '../../platform/files/trees.ts'
import { faultOf, StorageFault } from '../faults.ts'
import { removeQuietly } from '../workers/passes.ts'
import { createWorkerPool, type WorkerPool } from '../workers/worker-pool.ts'

export interface WrittenFile {
  /** Below the package, with `/`. */
  readonly path: string
  readonly sha256: string
  readonly bytes: number
}

export interface PackageWriter {
  /** Where the package is when it is finished. */
  readonly path: string
  /**
   * Copies a file of this machine. @param expect hash and length that it must have
   * @returns whether it was there already, from an interrupted run @throws StorageFault
   */
  copy(
    source: string,
    to: { readonly path: string; readonly sha256: string; readonly bytes: number },
    options: CopyWork,
  ): Promise<boolean>
  /** Writes a small file anew, and reads it back. @throws StorageFault */
  write(path: string, bytes: string | Uint8Array): Promise<WrittenFile>
  /** Removes files of an interrupted run that are not among these. */
  keepOnly(paths: ReadonlySet<string>): Promise<void>
  /** Makes all durable and gives the package its name. @throws StorageFault when another thing has the name */
  finish(): Promise<void>
  /** Writes a small file beside the finished package, named after it. @throws StorageFault */
  writeBeside(ending: string, bytes: Uint8Array): Promise<void>
  /** Removes what was written. */
  abandon(): Promise<void>
  /** Ends the threads. What was written stays for the next run. */
  close(): Promise<void>
}

export interface CopyWork {
  readonly signal?: AbortSignal | undefined
  /** Bytes done since the last call. A copy counts its bytes twice, for writing and reading back. */
  readonly onProgress?: ((bytes: number) => void) | undefined
}

const UNFINISHED = '.unfinished'
const WORKERS = 2
const READS = 2
const SLICES = 7
/** Left free on the volume, for its own tables. */
const SPARE = 16 * 1024 * 1024
/** What a file takes beside its bytes, at most: a cluster of a large card. */
const CLUSTER = 128 * 1024

/**
 * @param bytes and `files` that are going to be written @param folders of the package
 * @throws StorageFault NoSpace before anything is written; StoreFailed when the folder is missing, or the name is taken
 */
export async function openPackageFolder(
  parent: string,
  name: string,
  { bytes, files, folders }: { readonly bytes: number; readonly files: number; readonly folders: readonly string[] },
): Promise<PackageWriter> {
  const path = join(parent, name)
  const making = `${path}${UNFINISHED}`
  const { dev: volume } = await requireFolder(parent)
  if ((await lstat(path).catch(() => null)) !== null) throw nameTaken(path)
  const there = await bytesBelow(making)
  await requireSpace(parent, bytes + files * CLUSTER - there)
  for (const folder of [making, ...folders.map((one) => join(making, one))]) await makeOwnFolder(folder)
  const pool = createWorkerPool(WORKERS, {
    root: parent,
    volume,
    direct: await readsDisk(parent),
    slices: SLICES + READS,
    reads: READS,
  })
  return packageWriter({ path, making, folders, pool })
}

/** Whether a package was written there that did not get its name. */
export async function isUnfinished(parent: string, name: string): Promise<boolean> {
  const path = join(parent, name)
  const [finished, making] = await Promise.all(
    [path, `${path}${UNFINISHED}`].map((one) => lstat(one).catch(() => null)),
  )
  return finished === null && making?.isDirectory() === true
}

interface Parts {
  readonly path: string
  readonly making: string
  readonly folders: readonly string[]
  readonly pool: WorkerPool
}

function packageWriter({ path, making, folders, pool }: Parts): PackageWriter {
  const all = [making, ...folders.map((one) => join(making, one))]
  return {
    path,
    copy: async (source, { path: to, sha256, bytes }, { signal, onProgress }) => {
      const target = join(making, to)
      if (await isThere(pool, target, { sha256, bytes, signal })) {
        onProgress?.(2 * bytes)
        return true
      }
      const expect = { sha256, length: bytes }
      await pool.run<'copy'>({ kind: 'copy', source, target, expect, readBack: true }, { signal, onProgress })
      return false
    },
    write: async (to, content) => {
      const target = join(making, to)
      const bytes = Buffer.from(content)
      await rm(target, { force: true })
      await writeNew(target, bytes).catch((error: unknown) => {
        removeQuietly(target)
        throw faultOf(error, 'write', target)
      })
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const back = await pool.run<'verify'>({ kind: 'verify', path: target })
      if (back.sha256 !== sha256 || back.length !== bytes.length)
        throw new StorageFault('ReadBackMismatch', 'The volume does not give back the bytes that were written to it.', {
          path: target,
        })
      return { path: to, sha256, bytes: bytes.length }
    },
    keepOnly: async (paths) => {
      for (const folder of all)
        for (const entry of await readdir(folder, { withFileTypes: true })) {
          const at = join(folder, entry.name)
          const below = folder === making ? entry.name : `${folder.slice(making.length + 1)}/${entry.name}`
          if (!paths.has(below) && !all.includes(at)) await rm(at, { recursive: true, force: true })
        }
    },
    finish: async () => {
      if ((await lstat(path).catch(() => null)) !== null) throw nameTaken(path)
      for (const folder of all) await readable(folder)
      for (const folder of all.toReversed())
        await syncFolder(folder).catch((error: unknown) => {
          throw faultOf(error, 'sync', folder)
        })
      await rename(making, path).catch((error: unknown) => {
        throw faultOf(error, 'rename', path)
      })
      await syncFolder(dirname(path)).catch((error: unknown) => {
        throw faultOf(error, 'sync', dirname(path))
      })
    },
    writeBeside: async (ending, bytes) => {
      const beside = `${path}${ending}`
      await rm(beside, { force: true })
      await writeNew(beside, bytes).catch((error: unknown) => {
        throw faultOf(error, 'write', beside)
      })
      await chmod(beside, 0o644).catch(() => {})
      await syncFolder(dirname(beside))
    },
    abandon: () => rm(making, { recursive: true, force: true, maxRetries: 2 }),
    close: () => pool.close(),
  }
}

/** A file of an interrupted run with these bytes. Another one with its name is removed. */
async function isThere(
  pool: WorkerPool,
  path: string,
  {
    sha256,
    bytes,
    signal,
  }: { readonly sha256: string; readonly bytes: number; readonly signal: AbortSignal | undefined },
): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return false
  if (found.isFile() && found.size === bytes) {
    const sums = await pool.run<'verify'>({ kind: 'verify', path }, { signal }).catch((error: unknown) => {
      signal?.throwIfAborted()
      if (error instanceof StorageFault) return null
      throw error
    })
    if (sums?.sha256 === sha256) return true
  }
  await rm(path, { recursive: true, force: true })
  return false
}

const nameTaken = (path: string): StorageFault =>
  new StorageFault('StoreFailed', `There is something at ${path} already. Name another folder, or move it away.`, {
    path,
  })

async function requireFolder(parent: string): Promise<{ readonly dev: number }> {
  const found = await stat(parent).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw faultOf(error, 'open', parent)
  })
  if (found?.isDirectory() !== true)
    throw new StorageFault('StoreFailed', `There is no folder ${parent}. Is the volume connected?`, { path: parent })
  return found
}

async function requireSpace(parent: string, needed: number): Promise<void> {
  const { free } = await spaceOf(parent)
  if (needed + SPARE <= free) return
  throw new StorageFault(
    'NoSpace',
    `The package needs ${needed + SPARE} bytes on the volume of ${parent}, and ${free} are free. Nothing was written.`,
    { path: parent },
  )
}

/** A folder that is there already must be one, and no link: another program may have put it there. */
async function makeOwnFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw faultOf(error, 'open', path)
    if (!(await lstat(path)).isDirectory())
      throw new StorageFault('StoreFailed', `${path} is in the way: it is no folder.`, { path })
  })
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries)
    if (entry.isFile()) bytes += (await lstat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0
  return bytes
}

/** Whoever gets the package reads it as another user. Volumes without rights refuse this, and need it not. */
async function readable(folder: string): Promise<void> {
  await chmod(folder, 0o755).catch(() => {})
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isFile()) await chmod(join(folder, entry.name), 0o644).catch(() => {})
}
