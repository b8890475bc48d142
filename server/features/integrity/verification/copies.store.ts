import type { Insertable, Selectable } from 'kysely'
import type { Tx } from '../../../kernel/database/database.ts'
import type { CheckpointTargetsTable, ReceivedCheckpointsTable } from '../../../kernel/database/tables-integrity.ts'

export type CopyTargetRow = Selectable<CheckpointTargetsTable>
export type ReceivedRow = Selectable<ReceivedCheckpointsTable>

export const copyTargets = (from: Tx): Promise<CopyTargetRow[]> =>
  from.selectFrom('checkpoint_targets').selectAll().where('removed_utc', 'is', null).orderBy('target_id').execute()

export const copyTargetById = (from: Tx, id: number): Promise<CopyTargetRow | undefined> =>
  from
    .selectFrom('checkpoint_targets')
    .selectAll()
    .where('target_id', '=', id)
    .where('removed_utc', 'is', null)
    .executeTakeFirst()

export const copyTargetOf = (
  from: Tx,
  kind: CopyTargetRow['kind'],
  address: string,
): Promise<CopyTargetRow | undefined> =>
  from
    .selectFrom('checkpoint_targets')
    .selectAll()
    .where('kind', '=', kind)
    .where('address', '=', address)
    .where('removed_utc', 'is', null)
    .executeTakeFirst()

export const insertCopyTarget = (
  tx: Tx,
  row: Pick<Insertable<CheckpointTargetsTable>, 'kind' | 'address' | 'node_id' | 'created_utc' | 'created_by'>,
): Promise<CopyTargetRow> =>
  tx
    .insertInto('checkpoint_targets')
    .values({ ...row, sealed: null, removed_utc: null, copied_at: null, problem: null })
    .returningAll()
    .executeTakeFirstOrThrow()

export async function changeCopyTarget(
  tx: Tx,
  id: number,
  change: Partial<Omit<CopyTargetRow, 'target_id' | 'kind' | 'address' | 'created_utc' | 'created_by'>>,
): Promise<void> {
  await tx.updateTable('checkpoint_targets').set(change).where('target_id', '=', id).execute()
}

export const receivedOf = (from: Tx, origin: string): Promise<ReceivedRow | undefined> =>
  from.selectFrom('received_checkpoints').selectAll().where('origin', '=', origin).executeTakeFirst()

export const receivedRows = (from: Tx, count: number): Promise<ReceivedRow[]> =>
  from.selectFrom('received_checkpoints').selectAll().orderBy('origin').limit(count).execute()

/** Stores the checkpoint. `first_utc` and `refused_utc` of the previous row stay. */
export async function keepReceived(tx: Tx, row: Insertable<ReceivedCheckpointsTable>): Promise<void> {
  const { origin: _, first_utc: __, ...changed } = row
  await tx
    .insertInto('received_checkpoints')
    .values(row)
    .onConflict((conflict) => conflict.column('origin').doUpdateSet(changed))
    .execute()
}

export async function markRefused(tx: Tx, origin: string, refusedUtc: string): Promise<void> {
  await tx.updateTable('received_checkpoints').set({ refused_utc: refusedUtc }).where('origin', '=', origin).execute()
}
