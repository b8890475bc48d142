import { randomUUID } from 'node:crypto'
import { lstat, mkdtemp, rm, stat, unlink } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { makeFolder, syncFolder } from '../../platform/files/durable.ts'
import { readsDisk, spaceOf } from '../../platform/files/space.ts'
import { partialCopiesFolder, discardPartialCopies } from '../partial-copies.ts'
import { compareAll, isOrphan } from './compare.ts'
import { faultOf, StorageFault } from '../faults.ts'
import { createSpaceGuard, createWriteGuard } from '../write-limits.ts'
import { blobReferences } from '../blob-references.ts'
import { INTENTS, intentOf, isSha256, placeOf, QUARANTINE, STAGING } from '../layout.ts'
import { createQuarantine } from './quarantine.ts'
import { openBlob } from './blob-reader.ts'
import { recoverStore } from './recover.ts'
import type { BlobStore, PieceDigest, StagedBlob, StoreOptions, WorkOptions } from '../types.ts'
import { type WorkerPool, createWorkerPool } from '../workers/worker-pool.ts'
import type { PieceSum, Sums } from '../workers/messages.ts'

/** Buffers of 1 MiB for each thread in addition to those of running reads: for hashing, for writing, and for waiting tasks. */
const SLICES = 7
/** Concurrent reads of each thread of the store. The other file threads of the process are left for video playback. */
const readsOf = (fileThreads: number, workers: number): number =>
  Math.max(1, Math.floor((fileThreads - Math.max(2, fileThreads / 5)) / workers))

/** Opens the store. Its threads start with their first task. `recover` must run before anything is written. @throws Error when the root cannot be used */
export async function openBlobStore(options: StoreOptions): Promise<BlobStore> {
  const root = resolve(options.root)
  for (const folder of [root, ...[STAGING, INTENTS, QUARANTINE].map((name) => join(root, name))])
    await makeFolder(folder)
  const volume = await requireOneVolume(root)
  const direct = await readsDisk(root)
  const workers = options.workers ?? 2
  const reads = readsOf(options.fileThreads ?? 4, workers)
  const pool = createWorkerPool(workers, { root, volume, direct, slices: SLICES + reads, reads })
  return storeOver({ ...options, root }, pool, direct, volume)
}

function storeOver(options: StoreOptions, pool: WorkerPool, direct: boolean, volume: number): BlobStore {
  const { root } = options
  const onProblem = options.onProblem ?? (() => {})
  const references = blobReferences()
  const quarantine = createQuarantine({ root, now: options.now, onProblem })
  const write = createWriteGuard(options.onUnknownOutcome)
  const space = createSpaceGuard(root, options.minFreeBytes ?? 0)
  const newStagingPath = (label: string): string => join(root, STAGING, `${label}-${randomUUID()}`)
  const verifyBlob = createVerifyBlob(root, pool)

  const run = async (work: () => Promise<Sums>, path: string): Promise<StagedBlob> => {
    const { sha256, length, readBack } = await write(work)
    return { path, sha256, length, readBack }
  }

  return {
    root,
    readBack: direct ? 'direct' : 'cache',
    whyAway: () => whyAway(root, volume),
    pathOf: (sha256) => placeOf(root, sha256).path,
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

    place: (staged) =>
      references.runExclusive(staged.sha256, async () => {
        const put = quarantine.reserve(staged.sha256)
        const { existed, replaced } = await write(() =>
          pool.run<'place'>({
            kind: 'place',
            staged: requireInStaging(root, staged.path),
            sha256: staged.sha256,
            length: staged.length,
            quarantine: put,
          }),
        )
        references.take(staged.sha256)
        const { sha256, length, readBack } = staged
        if (replaced === null) return { sha256, length, readBack, existed }
        const reason = 'The same bytes came again and the blob that should have had them was damaged.'
        return { sha256, length, readBack, existed, replaced: await quarantine.describe(put, { ...replaced, reason }) }
      }),
    confirm: ({ sha256 }) =>
      references.runExclusive(sha256, async () => {
        if (references.release(sha256) > 0) return
        await removeIntent(root, sha256, onProblem)
      }),
    abandon: ({ sha256 }, isKnown, reason) =>
      references.runExclusive(sha256, async () => {
        if (references.release(sha256) > 0) return null
        const known = await isKnown(sha256)
        const put = known ? null : await write(() => quarantine.blob(sha256, reason))
        await removeIntent(root, sha256, onProblem)
        return put
      }),
    discard: async ({ path }) => removeQuietly(requireInStaging(root, path), onProblem),
    quarantine: (what, reason) => {
      if (typeof what !== 'string')
        return write(() => quarantine.staged({ ...what, path: requireInStaging(root, what.path) }, reason))
      if (isSha256(what)) return references.runExclusive(what, () => write(() => quarantine.blob(what, reason)))
      return write(() => quarantine.file(requireInStaging(root, what), reason))
    },

    remove: (sha256, isKnown) =>
      references.runExclusive(sha256, async () => {
        if (references.isHeld(sha256)) return 'busy'
        if (await isKnown(sha256)) return 'kept'
        await write(() => removeBlob(root, sha256))
        await removeIntent(root, sha256, onProblem)
        return 'removed'
      }),
    removeQuarantined: (path) => write(() => quarantine.remove(path)),
    setAside: (given, isKnown, reason) => {
      const path = requireAmongBlobs(root, given)
      const name = basename(path)
      const sha256 = isSha256(name) && placeOf(root, name).path === path ? name : null
      return references.runExclusive(name, async () => {
        if (!(await isOrphan(root, { path, sha256 }, isKnown))) return null
        return write(() => quarantine.file(path, reason, sha256))
      })
    },

    open: (sha256) => openBlob(placeOf(root, sha256).path),
    verifyBlob: verifyBlob,
    hashFile: async (source, { signal, onProgress } = {}) => {
      const path = typeof source === 'string' ? resolve(source) : source
      const { sha256, length } = await pool.run<'hash'>(
        { kind: 'hash', source: path },
        { signal, onProgress: countProgress(onProgress, 0) },
      )
      return { sha256, length }
    },
    compare: (compareOptions) => compareAll(root, verifyBlob, compareOptions),
    recover: (isKnown, liveUploads, requireOwn) =>
      recoverStore({ root, quarantine, onProblem, requireOwn }, isKnown, new Set(liveUploads)),
    freeBytes: async () => (await spaceOf(root)).free,
    close: () => pool.close(),
  }
}

/** @returns the device number of the volume @throws StorageFault when the store's folders are on several volumes */
async function requireOneVolume(root: string): Promise<number> {
  const { dev } = await stat(root)
  for (const name of [STAGING, INTENTS, QUARANTINE]) {
    if ((await stat(join(root, name))).dev !== dev)
      throw new StorageFault(
        'StoreFailed',
        `${name} must lie on the volume of the blobs: a rename between volumes is a copy.`,
        { path: root },
      )
  }
  return dev
}

/** After an unmount the root is an empty folder at best, so the store's own folders serve as its marker. */
async function whyAway(root: string, volume: number): Promise<string | null> {
  for (const folder of [root, ...[STAGING, INTENTS, QUARANTINE].map((name) => join(root, name))])
    try {
      const found = await lstat(folder)
      if (!found.isDirectory()) return 'Where the blobs were there is no folder any more.'
      if (found.dev !== volume) return 'Another volume lies where the blobs were.'
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return code === 'ENOENT'
        ? 'The folder of the blobs is not there.'
        : `The folder of the blobs cannot be read: ${code}.`
    }
  return null
}

/** Length of the file at a path; 0 when it cannot be read. The task that opens it reports the reason. */
async function lengthOf(path: string | Uint8Array): Promise<number> {
  try {
    return (await lstat(typeof path === 'string' ? path : Buffer.from(path))).size
  } catch {
    return 0
  }
}

/** @throws StorageFault for a path outside the staging area: the store must not rename or remove other files */
function requireInStaging(root: string, path: string): string {
  const whole = resolve(path)
  if (whole.startsWith(join(root, STAGING) + sep)) return whole
  throw new StorageFault('StoreFailed', 'The file does not lie in the staging area.', { path: whole })
}

/** @throws StorageFault for a path outside the root or in the store's own folders */
function requireAmongBlobs(root: string, path: string): string {
  const whole = resolve(path)
  if (whole.startsWith(root + sep) && !relative(root, whole).startsWith('.')) return whole
  throw new StorageFault('StoreFailed', 'The file does not lie among the blobs.', { path: whole })
}

function countProgress(onProgress: WorkOptions['onProgress'], total: number): ((bytes: number) => void) | undefined {
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

function createVerifyBlob(root: string, pool: WorkerPool): BlobStore['verifyBlob'] {
  return async (sha256, { signal, onProgress, bytesPerSecond } = {}) => {
    const { path } = placeOf(root, sha256)
    const total = onProgress === undefined ? 0 : await lengthOf(path)
    try {
      const found = await pool.run<'verify'>(
        { kind: 'verify', path, ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }) },
        { signal, onProgress: countProgress(onProgress, total) },
      )
      const result = found.sha256 === sha256 ? 'ok' : 'changed'
      return { result, found: found.sha256, length: found.length, readBack: found.readBack, problem: null }
    } catch (error) {
      if (!(error instanceof StorageFault) || error.code === 'Closed') throw error
      const nothing = { found: null, length: null, readBack: 'cache' } as const
      if (error.errno === 'ENOENT') return { result: 'missing', ...nothing, problem: null }
      return { result: 'changed', ...nothing, problem: error.message }
    }
  }
}

/** A missing blob is no failure. Its folder is synced all the same, since an earlier attempt may have ended before that. @throws StorageFault */
async function removeBlob(root: string, sha256: string): Promise<void> {
  const { inner, path } = placeOf(root, sha256)
  try {
    await unlink(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw faultOf(error, 'unlink', path)
  }
  try {
    await syncFolder(inner)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw faultOf(error, 'sync', inner)
  }
}

async function removeIntent(root: string, sha256: string, onProblem: (fault: StorageFault) => void): Promise<void> {
  const path = intentOf(root, sha256)
  try {
    // Not synced: after a power cut the intent may be back. It then names a blob with a row, and `recover` removes it.
    await unlink(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onProblem(faultOf(error, 'unlink', path))
  }
}

async function removeQuietly(path: string, onProblem: (fault: StorageFault) => void): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch (error) {
    onProblem(faultOf(error, 'unlink', path))
  }
}
