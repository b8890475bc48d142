import { type RawBuilder, sql } from 'kysely'
import type { Asker } from '../../../shared/kernel/access.ts'
import type { Tx } from '../database/database.ts'

/**
 * Who can view what, in SQL: the rule of `levelOnEvidence` (shared/kernel/access.ts) for lists, searches, counts and exports. The rule
 * stands here once. It is asked of each row, or what it gives is gathered first (decisions 16).
 */

type Condition = RawBuilder<unknown>

/** Of whom a list shows what they can view. */
export interface Viewer extends Asker {
  /** Who asks, without their groups; 0: nobody who could hold anything. */
  readonly self: number
  /** Few policies name them. What these give is then gathered first; else each row is asked by itself. It changes no answer. */
  readonly few: boolean
}

/** From so many policies on, to gather what they give takes longer than to ask the rows of a page. */
export const FEW_POLICIES = 10_000

/** Whether fewer than `most` policies name one of these; they are not counted beyond it. */
export async function areNamedByFew(from: Tx, identities: ReadonlySet<number>, most: number): Promise<boolean> {
  const ids = sql.join([...identities])
  const { rows } = await sql<{ n: number }>`SELECT
    (SELECT count(*) FROM (SELECT 1 FROM case_policies p WHERE p.principal_id IN (${ids}) LIMIT ${most})) +
    (SELECT count(*) FROM (SELECT 1 FROM evidence_policies p WHERE p.principal_id IN (${ids}) LIMIT ${most})) AS n`.execute(
    from,
  )
  return (rows[0]?.n ?? 0) < most
}

/** The same person, of whom few rows are asked: it would take longer to gather all that they can view. */
export const byRow = <T extends Viewer>(viewer: T): T => ({ ...viewer, few: false })

/** Whether all evidence that somebody can view is gathered. What is in no case may be most of a station. */
export const isGathered = ({ few, unassociated }: Viewer): boolean => few && unassociated === 'None'

/** The names that `viewable` gives tables of its own: a row that is asked about under one of them would be hidden behind it. */
const INNER = new Set(['p', 'c', 'k', 'link', 'recording', 'period'])

/** Whether somebody can view the evidence that a column names. */
export function viewable(column: string, viewer: Viewer): Condition {
  if (INNER.has(column.split('.')[0] as string))
    throw new Error(`${column} would be taken for a column of the rights themselves`)
  const id = sql.ref(column)
  const grants = grantsOf(viewer)
  if (isGathered(viewer))
    return sql`${id} IN (${sql.join(
      grants.map(({ evidence, from }) => sql`SELECT ${evidence} ${from}`),
      sql` UNION `,
    )})`
  const granted = sql.join(
    grants.map(({ evidence, from }) => sql`EXISTS (SELECT 1 ${from} AND ${evidence} = ${id})`),
    sql` OR `,
  )
  if (viewer.unassociated === 'None') return sql`(${granted})`
  return sql`(${isInNamedCases(id, viewer)} OR NOT EXISTS (SELECT 1 FROM case_links k WHERE k.evidence_id = ${id}) OR ${granted})`
}

/** What gives somebody an evidence: each with the column of its id. Cases first: who sees much of a station sees it through them. */
function grantsOf(viewer: Viewer): { evidence: Condition; from: Condition }[] {
  const named = isNamed(viewer)
  const throughCase = sql`FROM case_links link JOIN case_policies p INDEXED BY case_policies_by_principal ON p.case_id = link.case_id
    WHERE ${named} AND link.case_id NOT IN (${DELETED_CASES})`
  const own = sql`FROM evidence_policies p INDEXED BY evidence_policies_by_principal WHERE ${named}`
  const mine = sql`FROM evidence_recordings recording JOIN device_accesses period ON ${inAccess(viewer.self)} WHERE 1`
  return [
    { evidence: sql`link.evidence_id`, from: throughCase },
    { evidence: sql`p.evidence_id`, from: own },
    ...(viewer.fromMyDevice === 'None' ? [] : [{ evidence: sql`recording.evidence_id`, from: mine }]),
  ]
}

/** What a device recorded while it was theirs, as far as that gives access (decisions 5). */
export const inAccess = (
  self: number,
): Condition => sql`period.principal_id = ${self} AND period.device_id = recording.device_id
    AND period.from_ticks <= recording.recorded_ticks AND (period.to_ticks IS NULL OR period.to_ticks > recording.recorded_ticks)`

/** Whether somebody can view the case that a column names; a deleted one by the rights it held. */
export function caseViewable(column: string, viewer: Pick<Viewer, 'identities' | 'nowTicks' | 'few'>): Condition {
  const id = sql.ref(column)
  const named = isNamed(viewer)
  return viewer.few
    ? sql`${id} IN (SELECT p.case_id FROM case_policies p WHERE ${named})`
    : sql`EXISTS (SELECT 1 FROM case_policies p WHERE p.case_id = ${id} AND ${named})`
}

/** Whether a policy `p` names one of somebody's identities, and lasts. */
const isNamed = ({ identities, nowTicks }: Pick<Viewer, 'identities' | 'nowTicks'>): Condition =>
  sql`p.principal_id IN (${sql.join([...identities])}) AND (p.expires_ticks IS NULL OR p.expires_ticks > ${nowTicks})`

const DELETED_CASES = sql`SELECT c.case_id FROM cases c INDEXED BY cases_deleted WHERE c.lifecycle_state = 'Deleted'`

/**
 * A short cut for those who see what is in no case and are named by every case: they see all that is in no deleted one, and nothing is
 * looked up row by row. One of whom as many policies name as there are cases is named by all.
 */
function isInNamedCases(id: Condition, viewer: Viewer): Condition {
  const mostNamed = sql`SELECT max(n) FROM (SELECT count(*) AS n FROM case_policies p WHERE ${isNamed(viewer)} GROUP BY p.principal_id)`
  return sql`((SELECT (SELECT count(*) FROM cases) <= coalesce((${mostNamed}), 0))
    AND ${id} NOT IN (SELECT k.evidence_id FROM case_links k WHERE k.case_id IN (${DELETED_CASES})))`
}

/** Whether somebody can view all evidence there is; 0 where that is not known. Asked once of a station, not of a row. */
export const seesEverything = (viewer: Viewer): Condition =>
  viewer.unassociated === 'None'
    ? sql`0`
    : sql`(SELECT NOT EXISTS (SELECT 1 FROM case_links k WHERE k.case_id IN (${DELETED_CASES}
        UNION ALL SELECT c.case_id FROM cases c WHERE NOT ${caseViewable('c.case_id', byRow(viewer))})))`
