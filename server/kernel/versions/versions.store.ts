import { sql } from 'kysely'
import type { Tx } from '../database/database.ts'
import { insertInto, statement } from '../database/kysely.ts'
import type { VersionsTable } from '../database/tables.ts'

const selectLatest = statement((from, given: { entity: string; id: number }) =>
  from
    .selectFrom('versions')
    .select(['number', 'concurrency_id'])
    .where('entity', '=', given.entity)
    .where('entity_id', '=', given.id)
    .orderBy('number', 'desc')
    // In the text: PostgreSQL plans a statement anew each time whose limit is a parameter.
    .limit(sql.lit(1)),
)

/** What a version says of itself to the one after it. */
export type VersionPosition = Pick<VersionsTable, 'number' | 'concurrency_id'>

export const latestVersion = async (from: Tx, entity: string, entityId: number): Promise<VersionPosition | undefined> =>
  (await selectLatest(from, { entity, id: entityId }))[0]

/** The newest version of each of several entities of one kind. */
export const latestVersions = (
  from: Tx,
  entity: string,
  entityIds: readonly number[],
): Promise<Pick<VersionsTable, 'entity_id' | 'number' | 'concurrency_id'>[]> =>
  from
    .selectFrom('versions as v')
    .select(['v.entity_id', 'v.number', 'v.concurrency_id'])
    .where('v.entity', '=', entity)
    .where('v.entity_id', 'in', entityIds)
    .where('v.number', '=', (e) =>
      e
        .selectFrom('versions as other')
        .select((f) => f.fn.max('other.number').as('newest'))
        .where('other.entity', '=', entity)
        .whereRef('other.entity_id', '=', 'v.entity_id'),
    )
    .execute()

const insertingVersions = insertInto('versions')

export async function insertVersions(tx: Tx, rows: readonly VersionsTable[]): Promise<void> {
  await insertingVersions(
    tx,
    rows.map((row) => ({ ...row })),
  )
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
