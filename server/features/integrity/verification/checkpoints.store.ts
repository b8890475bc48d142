import type { Tx } from '../../../kernel/database/database.ts'
import type { CheckpointsTable } from '../../../kernel/database/tables.ts'

export const lastCheckpoint = (from: Tx): Promise<CheckpointsTable | undefined> =>
  from.selectFrom('checkpoints').selectAll().orderBy('size', 'desc').limit(1).executeTakeFirst()

export async function insertCheckpoint(tx: Tx, row: CheckpointsTable): Promise<void> {
  await tx.insertInto('checkpoints').values(row).execute()
}

/** Newest first. */
export const checkpointRows = (from: Tx, count: number): Promise<CheckpointsTable[]> =>
  from.selectFrom('checkpoints').selectAll().orderBy('size', 'desc').limit(count).execute()

export const hashAt = async (from: Tx, seq: number): Promise<Uint8Array> =>
  (await from.selectFrom('ledger').select('hash').where('seq', '=', seq).executeTakeFirstOrThrow()).hash

/** Whether a later entry exists that is not about checkpoints. */
export const somethingAfter = async (from: Tx, seq: number): Promise<boolean> =>
  (await from
    .selectFrom('ledger')
    .select('seq')
    .where('seq', '>', seq)
    .where('object_type', '<>', 'checkpoint')
    .limit(1)
    .executeTakeFirst()) !== undefined

export const checkpointAt = (from: Tx, size: number): Promise<CheckpointsTable | undefined> =>
  from.selectFrom('checkpoints').selectAll().where('size', '=', size).executeTakeFirst()

/** Checkpoints over more than `size` entries, oldest first. */
export const checkpointsAfter = (from: Tx, size: number, count: number): Promise<CheckpointsTable[]> =>
  from.selectFrom('checkpoints').selectAll().where('size', '>', size).orderBy('size').limit(count).execute()
