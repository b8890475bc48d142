import { quarantineReason } from '../../../shared/messages/quarantine-reasons.ts'
import { rm } from 'node:fs/promises'
import { spaceOf } from '../../platform/files/space.ts'
import { blobReferences } from '../blob-references.ts'
import { compareAll, type StoredBlobs } from '../compare.ts'
import { StorageFault } from '../faults.ts'
import { declareIntent, hasIntent, removeIntent } from '../intents.ts'
import { INTENTS, isSha256, STAGING } from '../layout.ts'
import { recoverStore } from '../recover.ts'
import { lengthOf, openStagingFolder, removeQuietly, requireInStaging, type Staging } from '../staged-files.ts'
import type { BlobStore, IsKnown, OpenBlob, PlacedBlob, Quarantined, StagedBlob, StoreOptions } from '../types.ts'
import {
  type Bucket,
  type BucketAddress,
  type BucketLimits,
  LIMITS,
  type ObjectFacts,
  openBucket,
  type Removing,
} from './bucket.ts'
import {
  aboutBucket,
  keepsVersions,
  type BucketFacts,
  type Owner,
  probeBucket,
  requireOwnBucket,
  whyBucketIsAway,
} from './check-bucket.ts'
import { LOST_PARTS } from './faults.ts'
import { ARRIVING_KEY, BLOB_KEYS, keyOf, sha256In } from './keys.ts'
import { localCopies } from './local-copies.ts'
import { objectQuarantine, quarantineKey } from './quarantine.ts'
import { unnamed } from './assemble.ts'
import { stagedBlocks } from './staged-blocks.ts'
import { createTransfers, type Transfers } from './transfers.ts'

export { BucketUnusable } from './check-bucket.ts'

export interface S3StoreOptions extends StoreOptions {
  readonly address: BucketAddress
  /** Null takes the bucket as it is, without looking for a marker. */
  readonly owner: Owner | null
  /** Most bytes of local copies at the same time. */
  readonly scratchBytes?: number
  /** Age in milliseconds from which an object without a row, or an unfinished upload, counts as left over. Another node may be about to write the row of a younger one. */
  readonly orphanAge?: number
  readonly limits?: Partial<BucketLimits>
  /** Milliseconds for which requests of a removal may be sent after it was begun. */
  readonly removalMs?: number
  /** How often the bucket is tried at the start. */
  readonly probes?: number
}

export interface S3Store extends BlobStore {
  readonly facts: BucketFacts
  /** The same check of the bucket's marker as at the opening. @throws BucketUnusable */
  requireOwn(): Promise<void>
  /** Marks the bucket as filled by an unfinished move; null: the move ended. */
  markArriving(text: string | null): Promise<void>
}

/** Stores give times to the second, and round up. */
const SECOND = 1000
const DAY = 24 * 60 * 60 * 1000
const SCRATCH = 64 * 1024 ** 3
/** A removal is tried again for a minute while the store does not answer. */
const REMOVAL_MS = 120_000
/** A store refuses a request that was signed earlier: for 15 minutes a signature counts. The rest is for clocks that differ. */
const SIGNED_FOR_MS = 18 * 60_000
/** Uploads of an object that is read back otherwise than it was sent. */
const ATTEMPTS = 3
/** The object was written or removed by another node while it was read. */
const REPLACED: ReadonlySet<string> = new Set(['BlobDamaged', 'BlobMissing'])

/**
 * Opens a blob store in an object store. `options.root` is a scratch folder on this machine for files that are being staged and for intents.
 * `recover` must run before anything is written. @throws BucketUnusable, StorageFault, Error
 */
export async function openS3BlobStore(options: S3StoreOptions): Promise<S3Store> {
  const limits = { ...LIMITS, ...options.limits }
  const bucket = openBucket(options.address, limits)
  try {
    const facts = await probeBucket(bucket, options.probes)
    if (options.owner !== null) await requireOwnBucket(bucket, options.owner)
    const staging = await openStagingFolder(options, [STAGING, INTENTS])
    return storeOver(
      options,
      { bucket, facts, transfers: createTransfers({ address: options.address, limits }) },
      staging,
    )
  } catch (error) {
    bucket.close()
    throw error
  }
}

/** The bucket, with the thread for its bytes. */
interface Opened {
  readonly bucket: Bucket
  readonly facts: BucketFacts
  readonly transfers: Transfers
}

function storeOver(options: S3StoreOptions, opened: Opened, staging: Staging): S3Store {
  const { bucket, facts, transfers } = opened
  const { root, write, files, pool } = staging
  const { owner, now, orphanAge = DAY, removalMs = REMOVAL_MS } = options
  const onProblem = options.onProblem ?? (() => {})
  const references = blobReferences()
  // Null: the store does not say, or knows no versions.
  const hasVersions = async (): Promise<boolean> => facts.versioning !== null && (await keepsVersions(bucket))
  const isOld = (time: number): boolean => now() - time >= orphanAge - SECOND
  /** Removes an object for good, with the versions that the bucket keeps. */
  const purge = async (key: string, removing?: Removing): Promise<void> => {
    await bucket.remove(key, removing)
    if (await hasVersions()) await bucket.removeVersions(key, removing === undefined ? {} : { removing })
  }
  /** Begins the removal of a blob. @returns null when a row names it */
  const begin = async (sha256: string, isKnown: IsKnown): Promise<Removing | null> => {
    // Measured from before the question, so that other nodes wait longer than this one acts.
    const removing = removingWithin(removalMs)
    return (await isKnown(sha256, 'remove')) ? null : removing
  }
  const quarantine = objectQuarantine(bucket, transfers, now, purge)
  const open = (sha256: string): Promise<OpenBlob> => openObject(bucket, keyOf(sha256))
  let checks = 0
  const verifyBlob = createVerifyBlob(opened, () => (checks += 1))
  const moveBlob = (sha256: string, reason: string, isKnown: IsKnown): Promise<Quarantined | null> =>
    quarantine.move({ key: keyOf(sha256), sha256, reason }, () => begin(sha256, isKnown))
  /** What no other node places. */
  const moveObject = async (key: string, sha256: string | null, reason: string): Promise<Quarantined> =>
    (await quarantine.move({ key, sha256, reason }, async () => removingWithin(removalMs))) as Quarantined
  const stored = blobObjects(bucket, root, now, orphanAge, (sha256) => references.isHeld(sha256))

  const blocks = stagedBlocks({
    bucket,
    transfers,
    staging,
    hashObject: (key, length, expected) => hashObject(transfers, key, unnamed({ key, length }), expected),
    purge,
    keepsVersions: hasVersions,
    isOld,
    onProblem,
  })

  const place = async (staged: StagedBlob): Promise<PlacedBlob> => {
    const { sha256, length, objects } = staged
    const path = objects === undefined ? requireInStaging(root, staged.path) : null
    const key = keyOf(sha256)
    const send = (ifAbsent: boolean): Promise<boolean> =>
      objects === undefined
        ? transfers.run<'put'>({ kind: 'put', key, path: staged.path, length, ifAbsent })
        : transfers.run<'assemble'>({ kind: 'assemble', key, objects, ifAbsent })
    await write(() => declareIntent(root, sha256))
    const found = await placeObject(opened, { sha256, send }, quarantine.copy).catch(async (error: unknown) => {
      // Without an object there is nothing to settle at the next start.
      const there = await bucket.head(keyOf(sha256)).catch(() => undefined)
      if (there === null) await removeIntent(root, sha256, onProblem)
      throw error
    })
    references.take(sha256)
    // Only now, when the object was read back. Blocks stay until the upload is over.
    if (path !== null) await rm(path, { force: true }).catch(() => {})
    return { sha256, length, readBack: 'direct', ...found }
  }

  return {
    ...files,
    root,
    facts,
    about: aboutBucket(bucket, facts),
    blocks,
    removalsEndAfter: removalMs + SIGNED_FOR_MS,
    readBack: 'direct',
    // Blocks belong to their upload, which goes on or is removed as a whole.
    discard: async (staged) => (staged.objects === undefined ? files.discard(staged) : undefined),
    requests: () => ({ all: bucket.requests() + transfers.requests(), checks }),
    requireOwn: async () => {
      if (owner !== null) await requireOwnBucket(bucket, owner)
    },
    markArriving: (text) => (text === null ? bucket.remove(ARRIVING_KEY) : bucket.putText(ARRIVING_KEY, text)),
    whyAway: () => whyBucketIsAway(bucket, owner?.origin ?? null),
    localCopy: localCopies(staging, options.scratchBytes ?? SCRATCH, opened),

    place: (staged) => references.runExclusive(staged.sha256, () => place(staged)),
    confirm: ({ sha256 }) =>
      references.runExclusive(sha256, async () => {
        if (references.release(sha256) > 0) return
        await removeIntent(root, sha256, onProblem)
      }),
    abandon: ({ sha256 }, isKnown, reason) =>
      references.runExclusive(sha256, async () => {
        if (references.release(sha256) > 0) return null
        const put = (await isKnown(sha256)) ? null : await moveBlob(sha256, reason, isKnown).catch(nullWhenGone)
        await removeIntent(root, sha256, onProblem)
        return put
      }),
    quarantine: async (what, reason) => {
      if (typeof what === 'string' && isSha256(what))
        return references.runExclusive(what, () => moveObject(keyOf(what), what, reason))
      if (typeof what !== 'string' && what.objects !== undefined)
        return quarantine.joined(what.objects, { sha256: what.sha256, length: what.length, reason })
      const path = requireInStaging(root, typeof what === 'string' ? what : what.path)
      const about =
        typeof what === 'string'
          ? { sha256: null, length: await lengthOf(path) }
          : { sha256: what.sha256, length: what.length }
      const put = await quarantine.file(path, { ...about, reason })
      await removeQuietly(path, onProblem)
      return put
    },
    remove: (sha256, isKnown) =>
      references.runExclusive(sha256, async () => {
        if (references.isHeld(sha256)) return 'busy'
        const removing = await begin(sha256, isKnown)
        if (removing === null) return 'kept'
        await purge(keyOf(sha256), removing)
        await removeIntent(root, sha256, onProblem)
        return 'removed'
      }),
    removeQuarantined: quarantine.remove,
    quarantined: quarantine.names,
    openQuarantined: (name) => openObject(bucket, quarantineKey(name)),
    receiveQuarantined: async (name, { path, sha256, length }, reason) => {
      await quarantine.receive(name, requireInStaging(root, path), { sha256, length, reason })
      await removeQuietly(path, onProblem)
    },
    setAside: async (key, isKnown, reason) => {
      if (!key.startsWith(BLOB_KEYS))
        throw new StorageFault('StoreFailed', 'The object does not lie among the blobs.', { path: key })
      const sha256 = sha256In(key)
      return references.runExclusive(sha256 ?? key, async () => {
        if (!(await stored.isOrphan({ path: key, sha256 }, isKnown))) return null
        return sha256 === null ? moveObject(key, null, reason) : moveBlob(sha256, reason, isKnown)
      })
    },

    open,
    verifyBlob,
    compare: (compareOptions) => compareAll(stored, verifyBlob, compareOptions),
    recover: (isKnown, liveUploads, requireOwn) =>
      recoverStore(
        {
          root,
          isInPlace: async (sha256) => (await bucket.head(keyOf(sha256))) !== null,
          quarantine: moveBlob,
          onProblem,
          requireOwn,
        },
        isKnown,
        new Set(liveUploads),
      ),
    removeLeftovers: async () => {
      let removed = 0
      for await (const upload of bucket.unfinishedUploads('')) {
        if (!isOld(upload.started)) continue
        // Of a file that another node is sending: a large one takes days over a slow line.
        const { last } = await bucket.partsSent(upload)
        if (last !== null && !isOld(last)) continue
        const sha256 = sha256In(upload.key)
        // Of a file that is being sent right now: a large one takes days over a slow line.
        if (sha256 !== null && (await hasIntent(root, sha256))) continue
        if (await bucket.abortUpload(upload)) removed += 1
      }
      return removed
    },
    freeBytes: async () => (await spaceOf(root)).free,
    close: async () => {
      await Promise.all([pool.close(), transfers.close()])
      bucket.close()
    },
  }
}

/** By two clocks: one stands still while the machine sleeps, and the other one may be set. */
function removingWithin(millis: number): Removing {
  const ticks = performance.now() + millis
  const time = Date.now() + millis
  return {
    requireTime: () => {
      if (performance.now() <= ticks && Date.now() <= time) return
      throw new StorageFault(
        'StoreFailed',
        'The removal took too long. Other nodes may have placed the bytes anew by now.',
      )
    },
  }
}

/** Another node removed it meanwhile. */
function nullWhenGone(error: unknown): null {
  if (error instanceof StorageFault && error.code === 'BlobMissing') return null
  throw error
}

interface Placing {
  readonly sha256: string
  /** Puts the bytes under their key. @returns false when there is an object already and `ifAbsent` */
  readonly send: (ifAbsent: boolean) => Promise<boolean>
}

type CopyToQuarantine = (
  key: string,
  about: { readonly sha256: string | null; readonly length: number; readonly reason: string },
) => Promise<Quarantined>

/**
 * Puts bytes under their key and reads the object back from the store. An object that is there already is read; only one whose bytes have
 * the hash in its key counts, and a damaged one is replaced after a copy of it lies in quarantine. One that lost parts cannot be copied.
 */
async function placeObject(
  { bucket, facts, transfers }: Opened,
  { sha256, send }: Placing,
  copyToQuarantine: CopyToQuarantine,
): Promise<{ existed: boolean; replaced?: Quarantined }> {
  const key = keyOf(sha256)
  let replaced: Quarantined | undefined
  let own = false
  for (let attempt = 0; ; attempt++) {
    const there = await bucket.head(key, 'write')
    if (there !== null) {
      const found = await hashObject(transfers, key, there, sha256).catch((error: unknown) => {
        if (error instanceof StorageFault && error.errno === LOST_PARTS) return LOST_PARTS
        if (error instanceof StorageFault && REPLACED.has(error.code)) return null
        throw error
      })
      if (found === null) {
        if (attempt < ATTEMPTS) continue
        throw new StorageFault('StoreAway', 'The object was written again and again while it was read.', { path: key })
      }
      if (found === sha256) return { existed: !own, ...(replaced === undefined ? {} : { replaced }) }
      // Of an object that lost parts no copy can be made.
      if (!own && replaced === undefined && found !== LOST_PARTS) {
        const reason = quarantineReason('damagedBefore')
        replaced = await copyToQuarantine(key, { sha256: found, length: there.length, reason })
      }
    }
    if (attempt >= ATTEMPTS)
      throw new StorageFault('ReadBackMismatch', 'The object store gave back other bytes than were sent.', {
        path: key,
      })
    // An upload whose answer was lost may have been done: the next turn reads what is there. With a condition that is refused another
    // node was faster, or an earlier attempt was done.
    const ifAbsent = facts.conditionalPuts && there === null
    own = await send(ifAbsent).catch(async (error: unknown) => {
      if (error instanceof StorageFault && error.code === 'NoSpace') throw error
      const after = await bucket.head(key)
      if (after === null || after.etag === there?.etag) throw error
      return true
    })
  }
}

/** Reads an object and hashes it. Read twice before it counts as different from `expected`: bytes can be damaged on the way too. */
async function hashObject(transfers: Transfers, key: string, facts: ObjectFacts, expected: string): Promise<string> {
  const read = (): Promise<string> => transfers.run<'hash'>({ kind: 'hash', key, facts, as: 'write' })
  const first = await read()
  if (first === expected) return first
  const second = await read()
  if (second === expected || second === first) return second
  throw new StorageFault('StoreAway', 'The object store gave different bytes for the same object.', { path: key })
}

async function openObject(bucket: Bucket, key: string): Promise<OpenBlob> {
  const facts = await bucket.head(key)
  if (facts === null) throw new StorageFault('BlobMissing', 'There is no such blob.', { path: key })
  const size = facts.length
  const streams = new Set<ReturnType<Bucket['stream']>>()
  return {
    size,
    stream: (start = 0, endInclusive = size - 1) => {
      if (
        !Number.isSafeInteger(start) ||
        !Number.isSafeInteger(endInclusive) ||
        start < 0 ||
        endInclusive >= size ||
        start > endInclusive + 1
      )
        throw new RangeError(`No bytes ${start}–${endInclusive} in ${size}`)
      const stream = bucket.stream(key, facts, { start, end: endInclusive + 1 })
      streams.add(stream)
      stream.once('close', () => streams.delete(stream))
      return stream
    },
    close: () => {
      for (const stream of streams) stream.destroy()
    },
  }
}

/** Unlike in a folder, an object that cannot be read now says nothing of its bytes: the call fails then. */
function createVerifyBlob({ bucket, transfers }: Opened, count: () => void): BlobStore['verifyBlob'] {
  return async (sha256, { signal, onProgress, bytesPerSecond } = {}) => {
    const key = keyOf(sha256)
    const nothing = { found: null, length: null, readBack: 'direct', problem: null } as const
    signal?.throwIfAborted()
    count()
    const facts = await bucket.head(key, 'read', signal)
    if (facts === null) return { result: 'missing', ...nothing }
    let done = 0
    const read = (): Promise<string> => {
      count()
      return transfers.run<'hash'>(
        { kind: 'hash', key, facts, as: 'read', ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }) },
        {
          signal,
          onProgress:
            onProgress &&
            ((bytes) => {
              done = Math.min(facts.length, done + bytes)
              onProgress(done, facts.length)
            }),
        },
      )
    }
    try {
      let found = await read()
      if (found !== sha256) found = await read()
      const result = found === sha256 ? 'ok' : 'changed'
      return { result, found, length: facts.length, readBack: 'direct', problem: null }
    } catch (error) {
      if (error instanceof StorageFault && error.code === 'BlobMissing') return { result: 'missing', ...nothing }
      if (error instanceof StorageFault && error.code === 'BlobDamaged')
        return { result: 'changed', ...nothing, problem: error.message }
      throw error
    }
  }
}

function blobObjects(
  bucket: Bucket,
  root: string,
  now: () => number,
  orphanAge: number,
  isHeld: (sha256: string) => boolean,
): StoredBlobs {
  return {
    all: async function* () {
      for await (const { key, length } of bucket.list(BLOB_KEYS))
        yield { path: key, name: key, sha256: sha256In(key), length }
    },
    locate: (sha256) => ({ path: keyOf(sha256), name: keyOf(sha256) }),
    lengthOf: async (sha256) => (await bucket.head(keyOf(sha256)))?.length ?? null,
    isOrphan: async ({ path, sha256 }, isKnown) => {
      if (sha256 !== null && (isHeld(sha256) || (await hasIntent(root, sha256)) || (await isKnown(sha256))))
        return false
      const facts = await bucket.head(path)
      return facts !== null && now() - facts.modified >= orphanAge - SECOND
    },
  }
}
