/**
 * Keeps the removal of a blob and a new use of the same bytes apart, where several nodes share an object store (docs/decisions/0030). A node that
 * places a blob may find the object there and read it, and name it in a transaction later; another node could remove the object in between. So
 * a removal is written down in the transaction in which nothing names the blob, before the object goes; and a transaction that names a blob
 * fails when a removal was begun since the placing began. Transactions of all nodes come one after the other.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Fault } from '../../../shared/kernel/errors.ts'
import type { BlobStore, IsKnown } from '../../storage/types.ts'
import type { Database, Tx } from '../database/database.ts'
import * as rows from './blob-removals.store.ts'

/** For so many milliseconds a placing waits for a removal of the same bytes. */
const PATIENCE = 10_000
const ASKED_EVERY = 100

interface Parts {
  readonly db: Pick<Database, 'read' | 'transaction'>
  readonly store: Pick<BlobStore, 'removalsEndAfter'>
}

/** Whether a row names the blob. */
type IsNamed = (from: Tx, sha256: string) => Promise<boolean>

/** A blob whose bytes were removed while they were being placed. Nothing is lost: whoever asks again places them again. */
export class BlobRemovedMeanwhile extends Fault {
  constructor() {
    super('NotReady', 'The same bytes were destroyed at this moment. Ask again, with the same Idempotency-Key.', {
      retryAfter: 5,
    })
  }
}

/**
 * To be called before a blob is placed; waits while its bytes are being removed.
 * @returns for the transaction that names the blob @throws BlobRemovedMeanwhile
 */
export async function watchRemovals({ db, store: { removalsEndAfter: endsAfter } }: Parts, sha256: string) {
  if (endsAfter === null) return async () => {}
  const until = performance.now() + PATIENCE
  let before = await rows.removalOf(db.read, sha256, endsAfter)
  while (before.isPending) {
    if (performance.now() > until) throw new BlobRemovedMeanwhile()
    await pause(ASKED_EVERY)
    before = await rows.removalOf(db.read, sha256, endsAfter)
  }
  /** @throws BlobRemovedMeanwhile */
  return async (tx: Tx): Promise<void> => {
    if ((await rows.removalOf(tx, sha256, endsAfter)).times !== before.times) throw new BlobRemovedMeanwhile()
  }
}

/** The bytes are being removed by another node, or were by one that died a moment ago. */
export class BlobIsBeingRemoved extends Fault {
  constructor() {
    super('NotReady', 'These bytes are being removed already. Ask again later.', { retryAfter: 60 })
  }
}

export interface BlobRemovals {
  /** What the store asks. Asked to `remove`, it begins a removal where no row names the blob. @throws BlobIsBeingRemoved */
  readonly isKnown: IsKnown
  /** After the removals are done. After one that failed do not call it: a request may still be under way. */
  end(): Promise<void>
}

/** @param isNamed asked in the transaction that begins the removal, too */
export function blobRemovals({ db, store: { removalsEndAfter: endsAfter } }: Parts, isNamed: IsNamed): BlobRemovals {
  if (endsAfter === null) return { isKnown: (sha256) => isNamed(db.read, sha256), end: async () => {} }
  /** Their numbers. */
  const begun = new Map<string, number>()
  const begin = (sha256: string): Promise<number | null> =>
    db.transaction(async (tx) => {
      if (await isNamed(tx, sha256)) return null
      const { times, isPending } = await rows.removalOf(tx, sha256, endsAfter)
      if (isPending) throw new BlobIsBeingRemoved()
      await rows.beginRemoval(tx, sha256, times + 1)
      return times + 1
    })
  return {
    isKnown: async (sha256, act = 'look') => {
      if (act === 'look') return isNamed(db.read, sha256)
      const times = await begin(sha256)
      if (times !== null) begun.set(sha256, times)
      return times === null
    },
    end: async () => {
      if (begun.size === 0) return
      await db.transaction(async (tx) => {
        for (const [sha256, times] of begun) await rows.endRemoval(tx, sha256, times)
      })
    },
  }
}

/** Removes the bytes of one blob. @param remove is given what the store asks before it removes anything @throws BlobIsBeingRemoved */
export async function removeBlob<T>(
  parts: Parts,
  isNamed: IsNamed,
  remove: (isKnown: IsKnown) => Promise<T>,
): Promise<T> {
  const removals = blobRemovals(parts, isNamed)
  const result = await remove(removals.isKnown)
  await removals.end()
  return result
}

/** For removals that need not be now: what another node is removing is left to it. @returns null then */
export async function removeBlobUnlessBusy<T>(...asked: Parameters<typeof removeBlob<T>>): Promise<T | null> {
  try {
    return await removeBlob(...asked)
  } catch (error) {
    if (error instanceof BlobIsBeingRemoved) return null
    throw error
  }
}

/**
 * What the store asks at a start about blobs that this node placed when it ended. It answers null, and the blob stays for the next start, where
 * another removal of it is not over, and where nothing can be written and other nodes could not be told.
 */
export function removalsAtStart(parts: Parts & { readonly mayWrite: () => boolean }, isNamed: IsNamed) {
  const { db, store, mayWrite } = parts
  const removals = blobRemovals(parts, isNamed)
  return {
    end: removals.end,
    isKnown: async (...[sha256, act]: Parameters<IsKnown>): Promise<boolean | null> => {
      if (store.removalsEndAfter !== null && !mayWrite()) return (await isNamed(db.read, sha256)) || null
      return removals.isKnown(sha256, act).catch((error: unknown) => {
        if (error instanceof BlobIsBeingRemoved) return null
        throw error
      })
    },
  }
}
