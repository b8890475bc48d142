import { randomUUID } from 'node:crypto'
import { lstat, mkdtemp, rm, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { makeFolder } from '../platform/files/durable.ts'
import { readsDisk } from '../platform/files/space.ts'
import { faultOf, StorageFault } from './faults.ts'
import { STAGING } from './layout.ts'
import { discardPartialCopies, partialCopiesFolder } from './partial-copies.ts'
import type { BlobStore, PieceDigest, StagedBlob, StoreOptions, WorkOptions } from './types.ts'
import type { PieceSum, Sums } from './workers/messages.ts'
import { createWorkerPool, type WorkerPool } from './workers/worker-pool.ts'
import { createSpaceGuard, createWriteGuard } from './write-limits.ts'

/** The part of a blob store before a blob is placed: files in a staging folder on this machine, hashed and read back by the worker threads. */
export type StagedFiles = Pick<
  BlobStore,
  | 'temporary'
  | 'copyIn'
  | 'copyResumable'
  | 'discardPartialCopies'
  | 'adopt'
  | 'adoptPieces'
  | 'decrypt'
  | 'discard'
  | 'hashFile'
>

/** The staging folder of a store, its worker threads and its limits. */
export interface Staging {
  readonly root: string
  /** Device number of the root's volume. */
  readonly volume: number
  readonly direct: boolean
  readonly pool: WorkerPool
  /** Lets writes through until an outcome is unknown. */
  readonly write: ReturnType<typeof createWriteGuard>
  readonly space: ReturnType<typeof createSpaceGuard>
  readonly files: StagedFiles
}

/** Buffers of 1 MiB for each thread in addition to those of running reads: for hashing, for writing, and for waiting tasks. */
const SLICES = 7
/** Concurrent reads of each thread of the store. The other file threads of the process are left for video playback. */
const readsOf = (fileThreads: number, workers: number): number =>
  Math.max(1, Math.floor((fileThreads - Math.max(2, fileThreads / 5)) / workers))

/** @param folders of the store below its root; all must lie on one volume @throws Error when the root cannot be used */
export async function openStagingFolder(options: StoreOptions, folders: readonly string[]): Promise<Staging> {
  const root = resolve(options.root)
  for (const folder of [root, ...folders.map((name) => join(root, name))]) await makeFolder(folder)
  const volume = await requireOneVolume(root, folders)
  const direct = await readsDisk(root)
  const workers = options.workers ?? 2
  const reads = readsOf(options.fileThreads ?? 4, workers)
  const pool = createWorkerPool(workers, { root, volume, direct, slices: SLICES + reads, reads })
  const write = createWriteGuard(options.onUnknownOutcome)
  const space = createSpaceGuard(root, options.minFreeBytes ?? 0)
  const parts = { root, volume, direct, pool, write, space }
  return { ...parts, files: stagedFiles(parts, options.onProblem ?? (() => {})) }
}

/** @returns the device number of the volume @throws StorageFault when the store's folders are on several volumes */
async function requireOneVolume(root: string, folders: readonly string[]): Promise<number> {
  const { dev } = await stat(root)
  for (const name of folders) {
    if ((await stat(join(root, name))).dev !== dev)
      throw new StorageFault(
        'StoreFailed',
        `${name} must lie on the volume of the blobs: a rename between volumes is a copy.`,
        { path: root },
      )
  }
  return dev
}

function stagedFiles(
  { root, pool, write, space }: Omit<Staging, 'files'>,
  onProblem: (fault: StorageFault) => void,
): StagedFiles {
  const newStagingPath = (label: string): string => join(root, STAGING, `${label}-${randomUUID()}`)
  const run = async (work: () => Promise<Sums>, path: string): Promise<StagedBlob> => {
    const { sha256, length, readBack } = await write(work)
    return { path, sha256, length, readBack }
  }
  return {
    temporary: async (label) => {
      const dir = await write(() =>
        mkdtemp(join(root, STAGING, `tmp-${label}-`)).catch((error: unknown) => {
          throw faultOf(error, 'open', join(root, STAGING))
        }),
      )
      return { dir, dispose: () => removeQuietly(dir, onProblem) }
    },

    copyIn: async (source, { signal, onProgress, expect = {} } = {}) => {
      const path = typeof source === 'string' ? resolve(source) : source
      const length = expect.length ?? (await lengthOf(path))
      const target = newStagingPath('copy')
      const task = { kind: 'copy', source: path, target, expect, readBack: true } as const
      return space(length, () =>
        run(() => pool.run<'copy'>(task, { signal, onProgress: countProgress(onProgress, 2 * length) }), target),
      )
    },
    copyResumable: async (source, key, { signal, onProgress, expect = {} } = {}) => {
      if (!/^[A-Za-z0-9-]{1,64}$/.test(key)) throw new Error(`${key} is no key`)
      const path = typeof source === 'string' ? resolve(source) : source
      const length = expect.length ?? (await lengthOf(path))
      const folder = partialCopiesFolder(root)
      await write(() => makeFolder(folder))
      const target = join(folder, `${key}~${randomUUID()}`)
      const task = { kind: 'copyResumable', source: path, folder, key, target, expect } as const
      return space(length, () =>
        write(() => pool.run<'copyResumable'>(task, { signal, onProgress: countProgress(onProgress, 2 * length) })),
      )
    },
    discardPartialCopies: (waited) => discardPartialCopies(root, waited),
    adopt: async (path, { signal, onProgress, pieces = [] } = {}) => {
      const task = { kind: 'adopt', path: requireInStaging(root, path), pieces: sumsOf(pieces) } as const
      const length = onProgress === undefined ? 0 : await lengthOf(task.path)
      return run(() => pool.run<'adopt'>(task, { signal, onProgress: countProgress(onProgress, length) }), task.path)
    },
    adoptPieces: async (pieces, { signal, onProgress } = {}) => {
      const target = newStagingPath('assembled')
      const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
      const task = {
        kind: 'assemble',
        target,
        pieces: pieces.map((piece) => ({ path: requireInStaging(root, piece.path), ...sumOf(piece) })),
      } as const
      return space(length, () =>
        run(() => pool.run<'assemble'>(task, { signal, onProgress: countProgress(onProgress, 2 * length) }), target),
      )
    },
    decrypt: async ({ path, sha256, length }, { key, iv }, { signal, onProgress } = {}) => {
      const target = newStagingPath('decrypted')
      const task = { kind: 'decrypt', source: requireInStaging(root, path), target, sha256, length, key, iv } as const
      return space(length, () =>
        run(() => pool.run<'decrypt'>(task, { signal, onProgress: countProgress(onProgress, 2 * length) }), target),
      )
    },
    discard: async ({ path }) => removeQuietly(requireInStaging(root, path), onProblem),
    hashFile: async (source, { signal, onProgress } = {}) => {
      const path = typeof source === 'string' ? resolve(source) : source
      const { sha256, length } = await pool.run<'hash'>(
        { kind: 'hash', source: path },
        { signal, onProgress: countProgress(onProgress, 0) },
      )
      return { sha256, length }
    },
  }
}

/** Length of the file at a path; 0 when it cannot be read. The task that opens it reports the reason. */
export async function lengthOf(path: string | Uint8Array): Promise<number> {
  try {
    return (await lstat(typeof path === 'string' ? path : Buffer.from(path))).size
  } catch {
    return 0
  }
}

/** @throws StorageFault for a path outside the staging area: the store must not rename or remove other files */
export function requireInStaging(root: string, path: string): string {
  const whole = resolve(path)
  if (whole.startsWith(join(root, STAGING) + sep)) return whole
  throw new StorageFault('StoreFailed', 'The file does not lie in the staging area.', { path: whole })
}

export function countProgress(
  onProgress: WorkOptions['onProgress'],
  total: number,
): ((bytes: number) => void) | undefined {
  if (onProgress === undefined) return undefined
  let done = 0
  return (bytes) => {
    done += bytes
    onProgress(done, total)
  }
}

const sumOf = ({ offset, length, sha256, crc32 }: PieceDigest): PieceSum => ({
  offset,
  length,
  ...(sha256 === undefined ? {} : { sha256 }),
  ...(crc32 === undefined ? {} : { crc32 }),
})

/** @throws StorageFault when pieces overlap or are out of order; they could not be compared in one pass */
function sumsOf(pieces: readonly PieceDigest[]): PieceSum[] {
  let end = 0
  return pieces.map((piece) => {
    if (piece.offset < end) throw new StorageFault('StoreFailed', 'Pieces must come in order and must not overlap.')
    end = piece.offset + piece.length
    return sumOf(piece)
  })
}

export async function removeQuietly(path: string, onProblem: (fault: StorageFault) => void): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch (error) {
    onProblem(faultOf(error, 'unlink', path))
  }
}
