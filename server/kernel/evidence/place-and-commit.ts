import { type Database, type Tx, UnknownOutcome } from '../database/database.ts'
import { BlobRemovedMeanwhile, removeBlobUnlessBusy, watchRemovals } from './blob-removals.ts'
import { blobIsKnown } from './records.store.ts'
import type { BlobStore, PlacedBlob, StagedBlob, StorageFaultCode } from '../../storage/store.ts'

/** Faults of an object store after which no row can follow, and asking again is safe. */
const CERTAIN: ReadonlySet<string> = new Set<StorageFaultCode>(['StoreAway', 'NoSpace', 'ReadBackMismatch'])

/**
 * The way of the bytes from staging to ownership (docs/architecture.md): place, the ONE transaction, confirm. When the transaction is rolled back
 * for certain the blob goes to quarantine; when its outcome is unknown nothing is touched, and the next start asks the database.
 */
export async function placeAndCommit<T>(
  { db, store }: { db: Database; store: BlobStore },
  staged: StagedBlob,
  work: (tx: Tx, placed: PlacedBlob) => Promise<T>,
): Promise<T> {
  const place = async () => {
    const requireStillThere = await watchRemovals({ db, store }, staged.sha256)
    return { requireStillThere, placed: await store.place(staged) }
  }
  const { requireStillThere, placed } = await place().catch(async (error: unknown) => {
    // Whoever asks again brings the bytes again. Without this, each attempt during an outage would leave a file in the scratch folder.
    if (error instanceof BlobRemovedMeanwhile || CERTAIN.has((error as { code?: string }).code ?? ''))
      await store.discard(staged)
    throw error
  })
  let result: T
  try {
    result = await db.transaction(async (tx) => {
      await requireStillThere(tx)
      return work(tx, placed)
    })
  } catch (error) {
    // What another node removed is not there to be put aside.
    if (error instanceof BlobRemovedMeanwhile) await store.confirm(placed)
    else if (!(error instanceof UnknownOutcome)) await abandon({ db, store }, placed, error as Error)
    throw error
  }
  await store.confirm(placed)
  return result
}

/** Moves a blob to quarantine unless a row names it, or another node is removing it. */
async function abandon({ db, store }: { db: Database; store: BlobStore }, placed: PlacedBlob, why: Error) {
  const reason = `Its transaction was rolled back: ${why.message}`
  await removeBlobUnlessBusy({ db, store }, blobIsKnown, (isKnown) => store.abandon(placed, isKnown, reason))
}
