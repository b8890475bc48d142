import { type Kysely, sql } from 'kysely'
import { beginsWith, listOf, membersOf } from '../database/expressions.ts'
import { statement } from '../database/kysely.ts'
import type { Tables } from '../database/tables.ts'
import type { EvidenceRow, ResourceRow } from './records.store.ts'

/** What a page of the list is made of, once its ids are known. */

type Db = Kysely<Tables>

/** What the list shows of an evidence beside its record, as stored. */
export interface ListedRow {
  readonly evidence_id: number
  readonly type: number
  readonly length: number
  readonly originals: number
  readonly first_id: number | null
  readonly lead_id: number | null
  readonly status: Tables['evidence_list']['status']
}

const selectListed = statement((from, given: { ids: string }) =>
  from
    .selectFrom('evidence_list')
    .select(['evidence_id', 'type', 'length', 'originals', 'first_id', 'lead_id', 'status'])
    .where('evidence_id', 'in', membersOf(given.ids)),
)

export const listedRows = async (db: Db, ids: readonly number[]): Promise<ListedRow[]> =>
  ids.length === 0 ? [] : selectListed(db, { ids: listOf(ids) })

const selectEvidence = statement((from, given: { ids: string }) =>
  from.selectFrom('evidence').selectAll().where('evidence_id', 'in', membersOf(given.ids)),
)

/** However many: a package may have a hundred thousand, and a statement takes 32,766 values. */
export const evidenceRows = async (db: Db, ids: readonly number[]): Promise<EvidenceRow[]> =>
  ids.length === 0 ? [] : selectEvidence(db, { ids: listOf(ids) })

const selectResources = statement((from, given: { ids: string }) =>
  from.selectFrom('resources').selectAll().where('resource_id', 'in', membersOf(given.ids)),
)

export const resourceRows = async (db: Db, ids: readonly number[]): Promise<ResourceRow[]> =>
  ids.length === 0 ? [] : selectResources(db, { ids: listOf(ids) })

/** What was made of these originals to be played. */
export async function playedRows(db: Db, originals: readonly ResourceRow[]): Promise<ResourceRow[]> {
  if (originals.length === 0) return []
  return db
    .selectFrom('resources')
    .selectAll()
    .where(
      'evidence_id',
      'in',
      originals.map((row) => row.evidence_id),
    )
    .where(
      'parent_id',
      'in',
      originals.map((row) => row.resource_id),
    )
    .where((e) => e.or([e('role', '=', 'playable'), beginsWith('mime_type', 'audio/')]))
    .execute()
}

export async function resourceStates(
  db: Db,
  evidenceIds: readonly number[],
): Promise<Pick<ResourceRow, 'resource_id' | 'evidence_id' | 'state'>[]> {
  if (evidenceIds.length === 0) return []
  return db
    .selectFrom('resources')
    .select(['resource_id', 'evidence_id', 'state'])
    .where('evidence_id', 'in', evidenceIds)
    .execute()
}

/** When each began, as the list is sorted, by id. */
export async function recordedTicks(db: Db, ids: readonly number[]): Promise<Map<number, bigint>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('evidence_list')
    .select(['evidence_id', sql<string>`CAST(recorded_ticks AS TEXT)`.as('ticks')])
    .where('evidence_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.evidence_id, BigInt(row.ticks)]))
}
