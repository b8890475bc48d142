/**
 * A package while it is written, as a folder on any volume (docs/decisions/0034). It is written below a name that ends with `.unfinished`, each file
 * hashed while it is copied, synced and read back. `finish` syncs all folders and gives it its name. What an interrupted run left is taken up:
 * each of its files is read and compared before it counts.
 */
import { createHash } from 'node:crypto'
import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../platform/files/durable.ts'
import { writeNew } from '../../platform/files/trees.ts'
import { faultOf, StorageFault } from '../faults.ts'
import { removeQuietly } from '../workers/passes.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import type { PackageContent, PackageWriter, WrittenFile } from './package-writer.ts'
import {
  allMayRead,
  bytesBelow,
  CLUSTER,
  makeOwnFolder,
  notReadBack,
  poolFor,
  requireFolder,
  requireFree,
  requireSpace,
  UNFINISHED,
  writeBeside,
} from './targets.ts'

/** @throws StorageFault NoSpace before anything is written; StoreFailed when the folder is missing, or the name is taken */
export async function openPackageFolder(
  parent: string,
  name: string,
  { bytes, files, folders }: PackageContent,
): Promise<PackageWriter> {
  const path = join(parent, name)
  const making = `${path}${UNFINISHED}`
  const volume = await requireFolder(parent)
  await requireFree(path)
  await requireSpace(parent, bytes + files * CLUSTER - (await bytesBelow(making)))
  for (const folder of [making, ...folders.map((one) => join(making, one))]) await makeOwnFolder(folder)
  return packageWriter({ path, making, folders, pool: await poolFor(parent, volume) })
}

interface Parts {
  readonly path: string
  readonly making: string
  readonly folders: readonly string[]
  readonly pool: WorkerPool
}

function packageWriter({ path, making, folders, pool }: Parts): PackageWriter {
  const all = [making, ...folders.map((one) => join(making, one))]
  const write = async (to: string, content: string | Uint8Array): Promise<WrittenFile> => {
    const target = join(making, to)
    const bytes = Buffer.from(content)
    await rm(target, { force: true })
    await writeNew(target, bytes).catch((error: unknown) => {
      removeQuietly(target)
      throw faultOf(error, 'write', target)
    })
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const back = await pool.run<'verify'>({ kind: 'verify', path: target })
    if (back.sha256 !== sha256 || back.length !== bytes.length) throw notReadBack(target)
    return { path: to, sha256, bytes: bytes.length }
  }
  return {
    path,
    readsLater: false,
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
    write,
    keepOnly: async (paths) => {
      for (const folder of all)
        for (const entry of await readdir(folder, { withFileTypes: true })) {
          const at = join(folder, entry.name)
          const below = folder === making ? entry.name : `${folder.slice(making.length + 1)}/${entry.name}`
          if (!paths.has(below) && !all.includes(at)) await rm(at, { recursive: true, force: true })
        }
    },
    // Each file is synced and read back as soon as it is written.
    settle: async () => {},
    finish: async (last) => {
      await write(last.path, last.bytes)
      await requireFree(path)
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
    writeBeside: (ending, content) => writeBeside(path, ending, content),
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

async function readable(folder: string): Promise<void> {
  await allMayRead(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isFile()) await allMayRead(join(folder, entry.name))
}
