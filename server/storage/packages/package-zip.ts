/**
 * A package as a ZIP file. It is written under a name that ends with `.unfinished`, synced and read back member by member, and gets its name
 * without replacing anything. What an interrupted run left is removed: it starts again.
 */
import { packageProblem } from '../../../shared/messages/package-problems.ts'
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageFault } from '../faults.ts'
import type { PieceSum } from '../workers/messages.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import type { CopyWork, PackageContent, PackageWriter } from './package-writer.ts'
import {
  giveName,
  notReadBack,
  poolFor,
  readBack,
  removeOldFile,
  requireFolder,
  requireFree,
  requireSpace,
  UNFINISHED,
  writeBeside,
} from './targets.ts'
import { startZip } from './zip-thread.ts'

/** Of the headers of a member, at most. */
const MEMBER = 512

/** @param top the folder in it that has everything @throws StorageFault as `openPackageFolder` */
export async function openPackageZip(
  parent: string,
  name: string,
  top: string,
  { bytes, files, folders }: PackageContent,
): Promise<PackageWriter> {
  const path = join(parent, name)
  const making = `${path}${UNFINISHED}`
  const volume = await requireFolder(parent)
  await requireFree(path)
  await removeOldFile(making)
  await requireSpace(parent, bytes + files * MEMBER)
  const pool = await poolFor(parent, volume)
  let onBytes: CopyWork['onProgress']
  const zip = startZip({ path: making, top, folders }, (count) => onBytes?.(count))
  const oneByOne = inTurn()
  const paths = new Map<string, string>()
  return {
    path,
    readsLater: false,
    copy: (source, to, { signal, onProgress }) =>
      oneByOne(async () => {
        signal?.throwIfAborted()
        onBytes = onProgress
        paths.set(to.sha256, to.path)
        await stopping(zip.file(source, to), signal, zip.close)
        return false
      }),
    write: (to, content) =>
      oneByOne(async () => {
        const bytes = Buffer.from(content)
        await zip.bytes(to, bytes)
        return { path: to, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length }
      }),
    keepOnly: async () => {},
    settle: (_last, work) =>
      oneByOne(async () => {
        const { pieces, length } = await zip.layout()
        await compareParts(pool, making, { pieces, length, paths, work })
      }),
    finish: (last) =>
      oneByOne(async () => {
        await zip.bytes(last.path, last.bytes)
        const { from, length, sha256 } = await zip.end()
        const back = await readBack(making, from, length)
        if (createHash('sha256').update(back).digest('hex') !== sha256) throw notReadBack(making)
        await giveName(making, path)
      }),
    writeBeside: (ending, content) => writeBeside(path, ending, content),
    abandon: async () => {},
    close: async () => {
      await zip.close()
      await pool.close()
      // After it has its name, nothing has this one.
      await rm(making, { force: true })
    },
  }
}

/** Syncs a file and compares parts of it with their hashes, as they come back from the volume. */
export async function compareParts(
  pool: WorkerPool,
  path: string,
  parts: {
    readonly pieces: readonly PieceSum[]
    readonly length: number
    /** Of the parts, by their hash. */
    readonly paths: ReadonlyMap<string, string>
    readonly work: CopyWork
  },
): Promise<void> {
  const { pieces, length, paths, work } = parts
  // A part that is the whole file would be hashed as such, and a part without bytes is nowhere.
  const compared = pieces.filter((piece) => piece.length > 0)
  const back = await pool.run<'adopt'>({ kind: 'adopt', path, pieces: compared }, work).catch((error: unknown) => {
    if (!(error instanceof StorageFault) || error.code !== 'PieceMismatch') throw error
    const piece = compared.find(({ offset }) => offset === error.piece?.offset)
    throw notReadBack(path, packageProblem('bytesOf', { path: paths.get(piece?.sha256 ?? '') ?? 'a file' }))
  })
  if (back.length !== length) throw notReadBack(path)
}

/** Calls one after the other, in the order in which they come. */
export function inTurn(): <T>(call: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (call) => {
    const now = last.then(call, call)
    last = now.catch(() => {})
    return now
  }
}

/** Waits for work that is stopped by a signal. */
async function stopping<T>(work: Promise<T>, signal: AbortSignal | undefined, stop: () => Promise<void>): Promise<T> {
  const onAbort = (): void => void stop()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await work
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
