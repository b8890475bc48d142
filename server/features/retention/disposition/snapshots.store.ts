import type { Tx } from '../../../kernel/database/database.ts'

/** A folder in which a snapshot may lie that holds bytes of the station. */
export interface SnapshotFolder {
  /** Null: none are made there by themselves, so that none of them goes by itself either. */
  readonly everyHours: number | null
}

/**
 * Folders to which snapshots are made now, and those into which one was made since a time.
 * @param since milliseconds: what a snapshot of before cannot hold
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
