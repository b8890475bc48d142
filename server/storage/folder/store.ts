import { quarantineReason } from '../../../shared/messages/quarantine-reasons.ts'
import { lstat, unlink } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { syncFolder } from '../../platform/files/durable.ts'
import { spaceOf } from '../../platform/files/space.ts'
import { blobReferences } from '../blob-references.ts'
import { compareAll } from '../compare.ts'
import { faultOf, StorageFault } from '../faults.ts'
import { removeIntent } from '../intents.ts'
import { INTENTS, isSha256, placeOf, QUARANTINE, STAGING } from '../layout.ts'
import { recoverStore } from '../recover.ts'
import { countProgress, lengthOf, openStagingFolder, requireInStaging, type Staging } from '../staged-files.ts'
import type { BlobStore, StoreOptions } from '../types.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import { openBlob } from './blob-reader.ts'
import { createQuarantine } from './quarantine.ts'
import { blobFiles, isPresent } from './stored-files.ts'

/** A blob store in a folder. */
export interface FolderStore extends BlobStore {
  /** @throws Error for anything but 64 lower-case hexadecimal digits */
  pathOf(sha256: string): string
}

/** Opens the store. Its threads start with their first task. `recover` must run before anything is written. @throws Error when the root cannot be used */
export async function openBlobStore(options: StoreOptions): Promise<FolderStore> {
  return storeOver(options, await openStagingFolder(options, [STAGING, INTENTS, QUARANTINE]))
}

function storeOver(options: StoreOptions, { root, pool, write, direct, volume, files }: Staging): FolderStore {
  const onProblem = options.onProblem ?? (() => {})
  const references = blobReferences()
  const quarantine = createQuarantine({ root, now: options.now, onProblem })
  const verifyBlob = createVerifyBlob(root, pool)
  const stored = blobFiles(root)

  return {
    root,
    about: null,
    blocks: null,
    removalsEndAfter: null,
    requests: null,
    readBack: direct ? 'direct' : 'cache',
    whyAway: () => whyAway(root, volume),
    pathOf: (sha256) => placeOf(root, sha256).path,
    ...files,
    localCopy: async (sha256) => ({ path: placeOf(root, sha256).path, release: async () => {} }),

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
        const reason = quarantineReason('damagedBefore')
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
        const known = await isKnown(sha256, 'remove')
        const put = known ? null : await write(() => quarantine.blob(sha256, reason))
        await removeIntent(root, sha256, onProblem)
        return put
      }),
    quarantine: (what, reason) => {
      if (typeof what !== 'string')
        return write(() => quarantine.staged({ ...what, path: requireInStaging(root, what.path) }, reason))
      if (isSha256(what)) return references.runExclusive(what, () => write(() => quarantine.blob(what, reason)))
      return write(() => quarantine.file(requireInStaging(root, what), reason))
    },

    remove: (sha256, isKnown) =>
      references.runExclusive(sha256, async () => {
        if (references.isHeld(sha256)) return 'busy'
        if (await isKnown(sha256, 'remove')) return 'kept'
        await write(() => removeBlob(root, sha256))
        await removeIntent(root, sha256, onProblem)
        return 'removed'
      }),
    removeQuarantined: (path) => write(() => quarantine.remove(path)),
    quarantined: quarantine.names,
    openQuarantined: (name) => openBlob(quarantine.pathOf(name)),
    receiveQuarantined: (name, staged, reason) =>
      write(() => quarantine.receive(name, { ...staged, path: requireInStaging(root, staged.path) }, reason)),
    setAside: (given, isKnown, reason) => {
      const path = requireAmongBlobs(root, given)
      const name = basename(path)
      const sha256 = isSha256(name) && placeOf(root, name).path === path ? name : null
      return references.runExclusive(name, async () => {
        if (!(await stored.isOrphan({ path, sha256 }, isKnown))) return null
        return write(() => quarantine.file(path, reason, sha256))
      })
    },

    open: (sha256) => openBlob(placeOf(root, sha256).path),
    verifyBlob: verifyBlob,
    compare: (compareOptions) => compareAll(stored, verifyBlob, compareOptions),
    recover: (isKnown, liveUploads, requireOwn) =>
      recoverStore(
        {
          root,
          isInPlace: (sha256) => isPresent(placeOf(root, sha256).path),
          quarantine: quarantine.blob,
          onProblem,
          requireOwn,
        },
        isKnown,
        new Set(liveUploads),
      ),
    // `recover` removes them at the start.
    removeLeftovers: async () => 0,
    freeBytes: async () => (await spaceOf(root)).free,
    close: () => pool.close(),
  }
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

/** @throws StorageFault for a path outside the root or in the store's own folders */
function requireAmongBlobs(root: string, path: string): string {
  const whole = resolve(path)
  if (whole.startsWith(root + sep) && !relative(root, whole).startsWith('.')) return whole
  throw new StorageFault('StoreFailed', 'The file does not lie among the blobs.', { path: whole })
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
