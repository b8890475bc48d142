import type { Database, Tx } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import { BlobFault } from './blobs.faults.ts'
import * as rows from './uploads.store.ts'

/** The file that no row names after the commit; null: all are needed. It is the new one where the same bytes were acknowledged under this id before. */
export type Acknowledged = { readonly unneeded: string | null }

const MOST_UNCOMMITTED = 100_000
const MOST_TOGETHER = 64

/** Whether a completion at any node holds the upload. */
export type IsHeld = (tx: Tx, resourceId: number) => Promise<boolean>

/**
 * Commits the rows of blocks whose bytes are durable. Blocks that arrive during a commit are committed together next. No timer is needed,
 * and under load one fsync of the database serves many blocks.
 */
export function acknowledger(
  database: Pick<Database, 'transaction'>,
  clock: Clock,
  isHeld: IsHeld,
): (block: rows.DurableBlock) => Promise<Acknowledged> {
  interface Waiting {
    readonly block: rows.DurableBlock
    resolve(result: Acknowledged): void
    reject(error: unknown): void
  }
  let waiting: Waiting[] = []
  let running = false

  const run = async (): Promise<void> => {
    running = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_TOGETHER)
      waiting = waiting.slice(MOST_TOGETHER)
      try {
        const results = await database.transaction(async (tx) => {
          const results: (Acknowledged | BlobFault)[] = []
          for (const { block } of batch) results.push(await acknowledge(tx, block, clock, isHeld))
          return results
        })
        batch.forEach(({ resolve, reject }, i) => {
          const result = results[i]
          if (result instanceof BlobFault) reject(result)
          else resolve(result as Acknowledged)
        })
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    running = false
  }
  return (block) =>
    new Promise((resolve, reject) => {
      waiting.push({ block, resolve, reject })
      if (!running) void run()
    })
}

/** Why an upload accepts no bytes: it is complete, or its evidence is in the recycle bin, from which it may be restored. */
export function whyClosed({ state, lifecycle_state: lifecycle }: rows.Standing): BlobFault | null {
  if (state !== 'None') return new BlobFault('BlobImmutableDueToPolicy')
  if (lifecycle !== 'Deleted') return null
  return new BlobFault('ContainerBeingDeleted', 'The evidence is in the recycle bin. What arrived before is kept.')
}

/** One block of a shared transaction. A refusal is a return value, so that it does not roll back the other blocks. */
async function acknowledge(
  tx: Tx,
  block: rows.DurableBlock,
  clock: Clock,
  isHeld: IsHeld,
): Promise<Acknowledged | BlobFault> {
  const standing = await rows.standingOf(tx, block.resourceId)
  if (standing === undefined) return new BlobFault('ResourceNotFound')
  const closed = whyClosed(standing)
  if (closed !== null) return closed
  if (await isHeld(tx, block.resourceId)) return new BlobFault('PendingCopyOperation')
  const now = clock.now()
  const upload = await rows.uploadForWriting(tx, block.resourceId, now)
  if (upload.uncommitted > 0 && upload.block_id_bytes !== block.idBytes) return new BlobFault('InvalidBlobOrBlock')
  const existing = await rows.uncommittedBlock(tx, block.resourceId, block.blockId)
  if (existing === undefined && upload.uncommitted >= MOST_UNCOMMITTED) return new BlobFault('BlockCountExceedsLimit')
  await rows.touch(tx, block.resourceId, now, isoMillis(now))
  if (existing !== undefined && existing.length === block.length && existing.sha256 === block.sha256)
    return { unneeded: block.file }
  await rows.putBlock(tx, block, existing === undefined ? upload.uncommitted + 1 : upload.uncommitted)
  return { unneeded: existing?.file ?? null }
}
