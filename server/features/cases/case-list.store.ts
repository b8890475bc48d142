import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import { LISTED } from '../../../shared/cases/case-list.contract.ts'
import { type CaseFieldColumns, namesIn, valueColumnOf } from '../../../shared/cases/fields.ts'
import { byRow, caseViewable, type Viewer, viewable } from '../../kernel/access/viewable.store.ts'
import {
  among,
  jsonMember,
  listOf,
  membersOf,
  positionOf,
  sixDigits,
  withoutIndex,
} from '../../kernel/database/expressions.ts'
import { statement } from '../../kernel/database/kysely.ts'
import type { Tables } from '../../kernel/database/tables.ts'
import type { CaseRow } from './cases.store.ts'

type Db = Kysely<Tables>
type Condition = RawBuilder<unknown>

/** The columns of a line of the list beside those of its fields. */
const OWN_COLUMNS = [
  'case_id',
  'ordinal_year',
  'ordinal_number',
  'state',
  'lifecycle_state',
  'location_wkt',
  'created_by',
  'created_utc',
  'modified_utc',
  'modified_by',
  'closed_on',
  'protected_until',
  'scheduled_deletion_utc',
  'concurrency_id',
] as const satisfies readonly (keyof CaseRow)[]
/** The fields of a line. */
export const LINE_FIELDS = [...namesIn('title', 'tags'), ...LISTED]
const LINE_COLUMNS = [...OWN_COLUMNS, ...LINE_FIELDS.map(valueColumnOf)] as readonly (typeof OWN_COLUMNS)[number][]

/** A line of the list: without the long texts of the case, which it does not show. */
export type CaseLine = Pick<CaseRow, (typeof OWN_COLUMNS)[number]> & Partial<CaseFieldColumns>

export interface CaseFilter {
  readonly state?: CaseRow['state']
  readonly categoryId?: number
  readonly departmentId?: number
  /** Only cases that this principal created or is assigned to. */
  readonly mine?: number
  /** Only cases that this principal follows. */
  readonly followedBy?: number
  readonly deleted: boolean
  readonly fromTicks?: bigint
  readonly toTicks?: bigint
  readonly text?: string
}

/**
 * One page of cases, newest first. For a long read.
 * @param viewer only cases that they can view; null for all
 * @param before the last id of the previous page
 */
export function casesPage(
  db: Db,
  tenant: string,
  filter: CaseFilter,
  viewer: Viewer | null,
  { before, count }: { readonly before: number | null; readonly count: number },
): CompiledQuery<CaseLine> {
  const parts = conditions(tenant, filter)
  if (before !== null) parts.push(sql`c.case_id < ${before}`)
  if (viewer !== null) parts.push(caseViewable('c.case_id', viewer.mostCases ? byRow(viewer) : viewer))
  const columns = sql.join(LINE_COLUMNS.map((column) => sql.ref(`c.${column}`)))
  return sql<CaseLine>`
    SELECT ${columns} FROM cases c WHERE ${sql.join(parts, sql` AND `)} ORDER BY c.case_id DESC LIMIT ${count}`.compile(
    db,
  )
}

const selectNewestId = statement((from) =>
  from.selectFrom('cases').select((e) => e.fn.max<number | null>('case_id').as('newest')),
)

const selectNewest = statement((from, given: { tenant: string; before: number; from: number; count: number }) =>
  from
    .selectFrom('cases as c')
    .select(LINE_COLUMNS)
    .where(sql<string>`${withoutIndex('c.tenant_id')}`, '=', given.tenant)
    .where('c.lifecycle_state', '<>', 'Deleted')
    .where('c.case_id', '<', given.before)
    .where('c.case_id', '>=', given.from)
    .orderBy('c.case_id', 'desc')
    .limit(given.count),
)

/** So many ids are looked at for a page of the newest cases: a short read, however many of them are deleted. */
const MOST_LOOKED_AT = 1_000

/**
 * The newest cases that are not deleted, whoever may view them. A short read.
 * @param before only ids below it; null: from the newest one
 * @returns `isAll`: there are no more. Otherwise fewer than asked for may be found though there are more.
 */
export async function newestCases(
  db: Db,
  tenant: string,
  { before, count }: { readonly before: number | null; readonly count: number },
): Promise<{ readonly lines: CaseLine[]; readonly isAll: boolean }> {
  const below = before ?? ((await selectNewestId(db, {}))[0]?.newest ?? 0) + 1
  const least = below - MOST_LOOKED_AT
  const lines = await selectNewest(db, { tenant, before: below, from: least, count })
  return { lines, isAll: lines.length < count && least <= 1 }
}

function conditions(tenant: string, filter: CaseFilter): Condition[] {
  const { state, categoryId, departmentId, mine, followedBy, deleted, fromTicks, toTicks, text } = filter
  // The plus keeps SQLite from using another index than that of the sort order.
  const parts: Condition[] = [
    sql`${withoutIndex('c.tenant_id')} = ${tenant}`,
    deleted ? sql`c.lifecycle_state = 'Deleted'` : sql`c.lifecycle_state <> 'Deleted'`,
  ]
  if (state !== undefined) parts.push(sql`c.state = ${state}`)
  if (categoryId !== undefined) parts.push(sql`c.category_id = ${categoryId}`)
  if (departmentId !== undefined) parts.push(sql`c.department_id = ${departmentId}`)
  if (mine !== undefined)
    parts.push(sql`(${jsonMember('c.created_by', 'PrincipalId')} = ${String(mine)} OR EXISTS (
      SELECT 1 FROM case_personnel w WHERE w.case_id = c.case_id AND w.principal_id = ${mine}))`)
  if (followedBy !== undefined)
    parts.push(
      sql`EXISTS (SELECT 1 FROM case_followers f WHERE f.case_id = c.case_id AND f.principal_id = ${followedBy})`,
    )
  if (fromTicks !== undefined)
    parts.push(sql`coalesce(c.ended_ticks, c.occurred_ticks, c.created_ticks) >= ${fromTicks}`)
  if (toTicks !== undefined) parts.push(sql`coalesce(c.occurred_ticks, c.ended_ticks, c.created_ticks) <= ${toTicks}`)
  if (text !== undefined) parts.push(sql`${positionOf(SEARCHED_TEXT, sql`lower(${text})`)} > 0`)
  return parts
}

const LINE_END = sql.lit('\n')
const SEARCHED_TEXT = sql`lower(c.title || ${LINE_END} || coalesce(c.description, '') || ${LINE_END} || coalesce(c.external_reference_1, '')
  || ${LINE_END} || coalesce(c.external_reference_2, '') || ${LINE_END} || coalesce(c.location_text, '') || ${LINE_END} || c.tags
  || ${LINE_END} || c.ordinal_year || '-' || ${sixDigits('c.ordinal_number')})`

const selectCounts = statement((from, params: { ids: string }) =>
  from
    .selectFrom('case_links')
    .select(['case_id', (e) => e.fn.count<number>('evidence_id').distinct().as('n')])
    .where('case_id', 'in', membersOf(params.ids))
    .groupBy('case_id'),
)

export async function evidenceCounts(db: Db, caseIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await selectCounts(db, { ids: listOf(caseIds) })
  return new Map(rows.map(({ case_id: id, n }) => [id, n]))
}

const selectFollowed = statement((from, params: { principal: number; ids: string }) =>
  from
    .selectFrom('case_followers')
    .select('case_id')
    .where('principal_id', '=', params.principal)
    .where('case_id', 'in', membersOf(params.ids)),
)

export async function followedAmong(db: Db, principalId: number, caseIds: readonly number[]): Promise<Set<number>> {
  const rows = await selectFollowed(db, { principal: principalId, ids: listOf(caseIds) })
  return new Set(rows.map(({ case_id: id }) => id))
}

export interface AssignedRow {
  readonly case_id: number
  readonly principal_id: number
  readonly name: string
  readonly first_name: string
  readonly last_name: string
}

const selectAssigned = statement((from, given: { ids: string }) =>
  from
    .selectFrom('case_personnel as a')
    .innerJoin('principals as p', 'p.principal_id', 'a.principal_id')
    .select(['a.case_id', 'a.principal_id', 'p.name', 'p.first_name', 'p.last_name'])
    .where('a.case_id', 'in', membersOf(given.ids))
    .orderBy('a.case_id')
    .orderBy('a.position'),
)

/** Who is assigned to these cases, in the order of each case. */
export const assignedTo = (from: Db, ids: readonly number[]): Promise<AssignedRow[]> =>
  selectAssigned(from, { ids: listOf(ids) })

/** A case of thousands of texts is not looked through for one picture. */
const PICTURED_AMONG = 50

/** Of each case the newest evidence with a small picture that the viewer can view. One statement for all of them. */
export async function picturedIn(
  from: Db,
  caseIds: readonly number[],
  viewer: Viewer,
): Promise<ReadonlyMap<number, number>> {
  if (caseIds.length === 0) return new Map()
  const { rows } = await sql<{ case_id: number; evidence_id: number | null }>`
    SELECT n.case_id, (
      SELECT e.evidence_id FROM (
        SELECT DISTINCT l.evidence_id FROM case_links l WHERE l.case_id = n.case_id
        ORDER BY l.evidence_id DESC LIMIT ${PICTURED_AMONG}
      ) newest JOIN evidence e ON e.evidence_id = newest.evidence_id
      WHERE e.thumbnail_resource_id IS NOT NULL AND e.lifecycle_state NOT IN ('Deleted', 'Destroyed')
        AND ${viewable('e.evidence_id', byRow(viewer))}
      ORDER BY e.evidence_id DESC LIMIT 1
    ) AS evidence_id
    FROM cases n WHERE n.case_id IN (${among(caseIds)})`.execute(from)
  return new Map(rows.flatMap(({ case_id: id, evidence_id }) => (evidence_id === null ? [] : [[id, evidence_id]])))
}
