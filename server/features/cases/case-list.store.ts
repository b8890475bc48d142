import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
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
): CompiledQuery<CaseRow> {
  const parts = conditions(tenant, filter)
  if (before !== null) parts.push(sql`c.case_id < ${before}`)
  if (viewer !== null) parts.push(caseViewable('c.case_id', viewer.mostCases ? byRow(viewer) : viewer))
  return sql<CaseRow>`
    SELECT c.* FROM cases c WHERE ${sql.join(parts, sql` AND `)} ORDER BY c.case_id DESC LIMIT ${count}`.compile(db)
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

/** Who is assigned to these cases, in the order of each case. */
export async function assignedTo(from: Db, ids: readonly number[]): Promise<AssignedRow[]> {
  if (ids.length === 0) return []
  return from
    .selectFrom('case_personnel as a')
    .innerJoin('principals as p', 'p.principal_id', 'a.principal_id')
    .select(['a.case_id', 'a.principal_id', 'p.name', 'p.first_name', 'p.last_name'])
    .where('a.case_id', 'in', ids)
    .orderBy('a.case_id')
    .orderBy('a.position')
    .execute()
}

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
