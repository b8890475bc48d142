import type { Insertable, Selectable } from 'kysely'
import type { Tx } from '../../../kernel/database/database.ts'
import type { BackupDrillsTable, BackupsTable, BackupTargetsTable } from '../../../kernel/database/tables-integrity.ts'

export type BackupTargetRow = Selectable<BackupTargetsTable>
export type BackupRow = Selectable<BackupsTable>
export type DrillRow = Selectable<BackupDrillsTable>

export async function insertTarget(
  tx: Tx,
  row: Pick<Insertable<BackupTargetsTable>, 'folder' | 'every_hours' | 'created_utc' | 'created_by' | 'next_at'>,
): Promise<BackupTargetRow> {
  return tx
    .insertInto('backup_targets')
    .values({ ...row, removed_utc: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const targets = (from: Tx): Promise<BackupTargetRow[]> =>
  from.selectFrom('backup_targets').selectAll().where('removed_utc', 'is', null).orderBy('target_id').execute()

export const targetById = (from: Tx, id: number): Promise<BackupTargetRow | undefined> =>
  from
    .selectFrom('backup_targets')
    .selectAll()
    .where('target_id', '=', id)
    .where('removed_utc', 'is', null)
    .executeTakeFirst()

export const targetOf = (from: Tx, folder: string): Promise<BackupTargetRow | undefined> =>
  from
    .selectFrom('backup_targets')
    .selectAll()
    .where('folder', '=', folder)
    .where('removed_utc', 'is', null)
    .executeTakeFirst()

export async function changeTarget(
  tx: Tx,
  id: number,
  change: Partial<Pick<BackupTargetRow, 'removed_utc' | 'next_at' | 'failures'>>,
): Promise<void> {
  await tx.updateTable('backup_targets').set(change).where('target_id', '=', id).execute()
}

export async function insertBackup(tx: Tx, row: Insertable<BackupsTable>): Promise<number> {
  const { backup_id } = await tx.insertInto('backups').values(row).returning('backup_id').executeTakeFirstOrThrow()
  return backup_id
}

export async function insertDrill(tx: Tx, row: Insertable<BackupDrillsTable>): Promise<number> {
  const { drill_id } = await tx.insertInto('backup_drills').values(row).returning('drill_id').executeTakeFirstOrThrow()
  return drill_id
}

/** Newest first. */
export const lastBackups = (from: Tx, count: number): Promise<BackupRow[]> =>
  from.selectFrom('backups').selectAll().orderBy('backup_id', 'desc').limit(count).execute()

export const lastBackupOf = (
  from: Tx,
  folder: string,
  state: BackupRow['state'] | null,
): Promise<BackupRow | undefined> => {
  const query = from.selectFrom('backups').selectAll().where('folder', '=', folder)
  return (state === null ? query : query.where('state', '=', state))
    .orderBy('backup_id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export const lastDrills = (from: Tx, count: number): Promise<DrillRow[]> =>
  from.selectFrom('backup_drills').selectAll().orderBy('drill_id', 'desc').limit(count).execute()

/** The chain hash of an entry, in hexadecimal; null when there is no such entry. */
export async function hashOfEntry(from: Tx, seq: number): Promise<string | null> {
  const row = await from.selectFrom('ledger').select('hash').where('seq', '=', seq).executeTakeFirst()
  return row === undefined ? null : Buffer.from(row.hash).toString('hex')
}

export const lastDrillOf = (from: Tx, folder: string): Promise<DrillRow | undefined> =>
  from
    .selectFrom('backup_drills')
    .selectAll()
    .where('folder', '=', folder)
    .orderBy('drill_id', 'desc')
    .limit(1)
    .executeTakeFirst()
