import type { Tx } from '../../../kernel/database/database.ts'

/** A folder that may contain snapshots with bytes of the station. */
export interface SnapshotFolder {
  /** Null: no schedule makes snapshots there, so none are pruned automatically either. */
  readonly everyHours: number | null
}

/**
 * Folders of current backup targets, and folders in which a snapshot was made since a time.
 * @param since milliseconds; earlier snapshots cannot contain the bytes
 */
export async function snapshotFolders(from: Tx, since: number): Promise<SnapshotFolder[]> {
  const targets = await from
    .selectFrom('backup_targets')
    .select(['folder', 'every_hours'])
    .where('removed_utc', 'is', null)
    .execute()
  const made = await from
    .selectFrom('backups')
    .select('folder')
    .distinct()
    .where('state', '=', 'made')
    .where('ended_at', '>=', since)
    .execute()
  const scheduled = new Map(targets.map((row) => [row.folder, row.every_hours]))
  const elsewhere = made.filter(({ folder }) => !scheduled.has(folder))
  return [
    ...[...scheduled.values()].map((everyHours) => ({ everyHours })),
    ...elsewhere.map(() => ({ everyHours: null })),
  ]
}
