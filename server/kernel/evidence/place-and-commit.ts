import { type Database, type Tx, UnknownOutcome } from '../database/database.ts'
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
  const placed = await store.place(staged).catch(async (error: unknown) => {
    // Whoever asks again brings the bytes again. Without this, each attempt during an outage would leave a file in the scratch folder.
    if (CERTAIN.has((error as { code?: string }).code ?? '')) await store.discard(staged)
    throw error
  })
  let result: T
  try {
    result = await db.transaction((tx) => work(tx, placed))
  } catch (error) {
    if (!(error instanceof UnknownOutcome)) {
      await store.abandon(
        placed,
        (sha256) => blobIsKnown(db.read, sha256),
        `Its transaction was rolled back: ${(error as Error).message}`,
      )
    }
    throw error
  }
  await store.confirm(placed)
  return result
}
