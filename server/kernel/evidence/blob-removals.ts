/**
 * Keeps the removal of a blob and a new use of the same bytes apart, where several nodes share an object store. A node that places a blob may
 * find the object there and read it, and name it in a transaction later; another node could remove the object in between. So a removal is
 * written down in the transaction in which nothing names the blob, before the object goes; and a transaction that names a blob fails when a
 * removal was begun since the placing began. Transactions of all nodes come one after the other (docs/decisions/0022, 0026).
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Fault } from '../../../shared/kernel/errors.ts'
import type { BlobStore } from '../../storage/store.ts'
import type { Database, Tx } from '../database/database.ts'
import * as rows from './blob-removals.store.ts'

/** Milliseconds after which no request of a node that died, or gave up, is under way any more. */
const OVER_AFTER = 600_000
/** For so many milliseconds a placing waits for a removal of the same bytes. */
const PATIENCE = 10_000
const ASKED_EVERY = 100

interface Parts {
  readonly db: Pick<Database, 'read' | 'transaction'>
  readonly store: Pick<BlobStore, 'blocks'>
  readonly now?: () => number
}

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
export async function watchRemovals({ db, store, now = Date.now }: Parts, sha256: string) {
  if (store.blocks === null) return async () => {}
  const until = performance.now() + PATIENCE
  let before = await rows.removalOf(db.read, sha256)
  while (before !== undefined && isPending(before, now())) {
    if (performance.now() > until) throw new BlobRemovedMeanwhile()
    await pause(ASKED_EVERY)
    before = await rows.removalOf(db.read, sha256)
  }
  const times = before?.times ?? 0
  /** @throws BlobRemovedMeanwhile */
  return async (tx: Tx): Promise<void> => {
    if (((await rows.removalOf(tx, sha256))?.times ?? 0) !== times) throw new BlobRemovedMeanwhile()
  }
}

/** The bytes are being removed by another node, or were by one that died a moment ago. */
export class BlobIsBeingRemoved extends Fault {
  constructor() {
    super('NotReady', 'These bytes are being removed already. Ask again later.', { retryAfter: 60 })
  }
}

export interface BlobRemovals {
  /**
   * What the store asks before it removes a blob. Where no row names the blob, a removal is begun.
   * @throws BlobIsBeingRemoved
   */
  isKnown(sha256: string): Promise<boolean>
  /** After the removals are done. After one that failed do not call it: a request may still be under way. */
  end(): Promise<void>
}

/** @param isNamed whether a row names the blob; asked in the transaction that begins the removal */
export function blobRemovals(
  { db, store, now = Date.now }: Parts,
  isNamed: (tx: Tx, sha256: string) => Promise<boolean>,
): BlobRemovals {
  const begun = new Set<string>()
  if (store.blocks === null) return { isKnown: (sha256) => isNamed(db.read, sha256), end: async () => {} }
  return {
    isKnown: async (sha256) => {
      const begins = await db.transaction(async (tx) => {
        if (await isNamed(tx, sha256)) return false
        const before = await rows.removalOf(tx, sha256)
        if (before !== undefined && isPending(before, now())) throw new BlobIsBeingRemoved()
        await rows.beginRemoval(tx, sha256, (before?.times ?? 0) + 1, now())
        return true
      })
      if (begins) begun.add(sha256)
      return !begins
    },
    end: async () => {
      if (begun.size === 0) return
      await db.transaction(async (tx) => {
        for (const sha256 of begun) await rows.endRemoval(tx, sha256)
      })
    },
  }
}

/** Removes the bytes of one blob. @param remove is given what the store asks before it removes anything @throws BlobIsBeingRemoved */
export async function removeBlob<T>(
  parts: Parts,
  isNamed: (tx: Tx, sha256: string) => Promise<boolean>,
  remove: (isKnown: BlobRemovals['isKnown']) => Promise<T>,
): Promise<T> {
  const removals = blobRemovals(parts, isNamed)
  const result = await remove(removals.isKnown)
  await removals.end()
  return result
}

const isPending = ({ pending, begun_at: at }: rows.RemovalRow, now: number): boolean =>
  pending === 1 && Math.abs(now - at) < OVER_AFTER
