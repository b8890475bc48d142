import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { ResourceViewsTable, Tables } from '../database/tables.ts'
import type { ResourceRow } from './records.store.ts'
import { setStationValue, stationValue } from '../database/station-values.ts'
import { beginsWith, jsonNumber } from '../database/expressions.ts'

type Db = Kysely<Tables>
export type ViewRow = Selectable<ResourceViewsTable>

export async function insertView(tx: Db, row: Insertable<ResourceViewsTable>): Promise<void> {
  await tx.insertInto('resource_views').values(row).execute()
}

export function viewOf(db: Db, resourceId: number, kind: ViewRow['kind']): Promise<ViewRow | undefined> {
  return db
    .selectFrom('resource_views')
    .selectAll()
    .where('resource_id', '=', resourceId)
    .where('kind', '=', kind)
    .executeTakeFirst()
}

export function viewsOf(db: Db, resourceId: number): Promise<ViewRow[]> {
  return db.selectFrom('resource_views').selectAll().where('resource_id', '=', resourceId).orderBy('kind').execute()
}

/** The views of one kind of several originals. */
export async function viewsOfKind(db: Db, resourceIds: readonly number[], kind: ViewRow['kind']): Promise<ViewRow[]> {
  if (resourceIds.length === 0) return []
  return db
    .selectFrom('resource_views')
    .selectAll()
    .where('resource_id', 'in', resourceIds)
    .where('kind', '=', kind)
    .execute()
}

/** What a player is given of an original: the MP4, or the preview of a sound recording. A still is neither. */
export function playedFrom(db: Db, originalId: number): Promise<ResourceRow | undefined> {
  return db
    .selectFrom('resources')
    .selectAll()
    .where('parent_id', '=', originalId)
    .where((e) =>
      e.or([e('role', '=', 'playable'), e.and([e('role', '=', 'preview'), beginsWith('mime_type', 'audio/')])]),
    )
    .orderBy('resource_id')
    .executeTakeFirst()
}

/** Originals by id, with what is known of each: a stretch of the table at a time, so that no read takes long. */
export function originalsAfter(
  db: Db,
  after: number,
  count: number,
): Promise<{ resource_id: number; role: string; state: string; sniffed_type: string | null; version: number }[]> {
  return db
    .selectFrom('resources')
    .select(['resource_id', 'role', 'state', 'sniffed_type'])
    .select(sql<number>`coalesce(${jsonNumber('media', 'Version')}, 0)`.as('version'))
    .where('resource_id', '>', after)
    .orderBy('resource_id')
    .limit(count)
    .execute()
}

const RENEWED = 'derivations'

/** The version of facts that every original was brought to; 0 on a station that never went through them. */
export async function renewedTo(db: Db): Promise<number> {
  return Number((await stationValue(db, RENEWED)) ?? 0)
}

export async function rememberRenewed(tx: Db, version: number): Promise<void> {
  await setStationValue(tx, RENEWED, String(version))
}
