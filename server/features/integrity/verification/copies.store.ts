import type { Insertable, Selectable } from 'kysely'
import type { Tx } from '../../../kernel/database/database.ts'
import type {
  CheckpointCosignersTable,
  CheckpointTargetsTable,
  ReceivedCheckpointsTable,
  RefusedCheckpointsTable,
  RetiredStationKeysTable,
  StationBranchesTable,
} from '../../../kernel/database/tables-integrity.ts'

export type CopyTargetRow = Selectable<CheckpointTargetsTable>
export type ReceivedRow = Selectable<ReceivedCheckpointsTable>
/** `principal`: the name of the integration. */
export type RefusedRow = Selectable<RefusedCheckpointsTable> & { readonly principal: string }

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

export const cosignerOf = (from: Tx, targetId: number): Promise<Selectable<CheckpointCosignersTable> | undefined> =>
  from.selectFrom('checkpoint_cosigners').selectAll().where('target_id', '=', targetId).executeTakeFirst()

export async function insertCosigner(tx: Tx, row: CheckpointCosignersTable): Promise<void> {
  await tx.insertInto('checkpoint_cosigners').values(row).execute()
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

/** The checkpoint of this origin that was refused last. */
export const refusedOf = (from: Tx, origin: string): Promise<RefusedRow | undefined> =>
  from
    .selectFrom('refused_checkpoints as c')
    .innerJoin('principals as p', 'p.principal_id', 'c.principal_id')
    .selectAll('c')
    .select('p.name as principal')
    .where('c.origin', '=', origin)
    .executeTakeFirst()

export async function keepRefused(tx: Tx, row: Insertable<RefusedCheckpointsTable>): Promise<void> {
  const { origin: _, ...changed } = row
  await tx
    .insertInto('refused_checkpoints')
    .values(row)
    .onConflict((conflict) => conflict.column('origin').doUpdateSet(changed))
    .execute()
}

export async function forgetRefused(tx: Tx, origin: string): Promise<void> {
  await tx.deleteFrom('refused_checkpoints').where('origin', '=', origin).execute()
}

export async function insertRetiredKey(tx: Tx, row: Insertable<RetiredStationKeysTable>): Promise<void> {
  await tx
    .insertInto('retired_station_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether the key signed checkpoints of this origin before it was replaced. */
export async function isRetiredKey(from: Tx, origin: string, publicKey: string): Promise<boolean> {
  const row = await from
    .selectFrom('retired_station_keys')
    .select('public_key')
    .where('origin', '=', origin)
    .where('public_key', '=', publicKey)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertBranch(tx: Tx, row: Insertable<StationBranchesTable>): Promise<void> {
  await tx.insertInto('station_branches').values(row).execute()
}
