import type { Tx } from '../db/database.ts'
import type { VersionsTable } from '../db/tables.ts'

export const latestVersion = (
  from: Tx,
  entity: string,
  entityId: number,
): Promise<Pick<VersionsTable, 'number' | 'concurrency_id'> | undefined> =>
  from
    .selectFrom('versions')
    .select(['number', 'concurrency_id'])
    .where('entity', '=', entity)
    .where('entity_id', '=', entityId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function insertVersion(tx: Tx, row: VersionsTable): Promise<void> {
  await tx.insertInto('versions').values(row).execute()
}

export const versionRow = (
  from: Tx,
  entity: string,
  entityId: number,
  concurrencyId: string,
): Promise<VersionsTable | undefined> =>
  from
    .selectFrom('versions')
    .selectAll()
    .where('entity', '=', entity)
    .where('entity_id', '=', entityId)
    .where('concurrency_id', '=', concurrencyId)
    .executeTakeFirst()

/** Newest first, from version `from` down. */
export const versionRows = (
  db: Tx,
  entity: string,
  entityId: number,
  page: { from: number; count: number },
): Promise<VersionsTable[]> =>
  db
    .selectFrom('versions')
    .selectAll()
    .where('entity', '=', entity)
    .where('entity_id', '=', entityId)
    .where('number', '<=', page.from)
    .orderBy('number', 'desc')
    .limit(page.count)
    .execute()
