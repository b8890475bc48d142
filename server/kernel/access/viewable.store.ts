import { type RawBuilder, sql } from 'kysely'
import type { Asker } from '../../../shared/kernel/permissions.ts'
import type { Tx } from '../database/database.ts'
import { type Dialect, dialectOf } from '../database/kysely.ts'
import { among, byIndex, eachTime, onceOr } from '../database/expressions.ts'

/**
 * The right to view, in SQL: the rule of `levelOnEvidence` (shared/kernel/permissions.ts) for lists, searches, counts and exports. This is the only
 * SQL of the rule. It is applied either to each row, or by gathering all viewable ids first (decisions 16).
 */

type Condition = RawBuilder<unknown>

/** The caller of a list, with the rights that decide what it shows. */
export interface Viewer extends Asker {
  /** The principal id of the caller, without groups; 0 for a caller without rights. */
  readonly self: number
  /** Few policies name the caller, so the viewable ids are gathered first; otherwise the rule is applied to each row. Results are the same. */
  readonly few: boolean
  /** Gathering takes tenths of a second: where a question by itself finds few rows, these are asked instead. Not known where it is left out. */
  readonly manyPolicies?: boolean
  /** At least every second one of the newest hundred cases names the caller; not known where it is left out. The first rows of a list of cases are found sooner row by row, even where they are few. */
  readonly mostCases?: boolean
}

/** From this number of policies on, gathering takes longer than checking the rows of a page. */
export const FEW_POLICIES = 10_000
/**
 * To gather takes time with the number of policies, to check rows with the number of rows that are passed for one that is viewed. Both take as
 * long at about 70 times the root of the number of cases; from 40,000 cases on this is more than `FEW_POLICIES`. Measured on PostgreSQL with a
 * million cases (docs/decisions/0023). On SQLite nothing was measured beyond a hundred thousand.
 */
const FEW_BY_ROOT = 50
export const gatheredUpTo = (dialect: Dialect, cases: number): number =>
  dialect === 'postgres' ? Math.max(FEW_POLICIES, Math.round(FEW_BY_ROOT * Math.sqrt(cases))) : FEW_POLICIES

/** Cases by which it is judged whether most name the caller. */
const RECENT_CASES = 100

/**
 * How many policies name one of the identities, as far as it decides how their evidence is found. The newest id stands for the number of
 * cases, which is not counted.
 */
export async function policiesNaming(
  from: Tx,
  identities: ReadonlySet<number>,
): Promise<Pick<Viewer, 'few' | 'manyPolicies' | 'mostCases'>> {
  const last = await sql<{ newest: number | null }>`SELECT max(c.case_id) AS newest FROM cases c`.execute(from)
  const newest = last.rows[0]?.newest ?? 0
  const most = gatheredUpTo(dialectOf(from), newest)
  const ids = among([...identities])
  const { rows } = await sql<{ cases: number; evidences: number; looked: number; named: number }>`SELECT
    (SELECT count(*) FROM (SELECT 1 FROM case_policies p WHERE p.principal_id IN (${ids}) LIMIT ${most}) found) AS cases,
    (SELECT count(*) FROM (SELECT 1 FROM evidence_policies p WHERE p.principal_id IN (${ids}) LIMIT ${most}) found) AS evidences,
    count(*) AS looked,
    count(CASE WHEN EXISTS (SELECT 1 FROM case_policies p WHERE p.case_id = recent.case_id AND p.principal_id IN (${ids})) THEN 1 END) AS named
    FROM (SELECT c.case_id FROM cases c ORDER BY c.case_id DESC LIMIT ${RECENT_CASES}) recent`.execute(from)
  const { cases, evidences, looked, named } = rows[0] ?? { cases: 0, evidences: 0, looked: 0, named: 0 }
  const policies = cases + evidences
  return { few: policies < most, manyPolicies: policies >= FEW_POLICIES, mostCases: named > 0 && 2 * named >= looked }
}

/** The same caller for a query of few rows, where gathering would take longer. */
export const byRow = <T extends Viewer>(viewer: T): T => ({ ...viewer, few: false })

/** Whether the viewable evidence is gathered. Never with access to unassociated files, which may be most of a station. */
export const isGathered = ({ few, unassociated }: Viewer): boolean => few && unassociated === 'None'

/** Table aliases inside `viewable`. A column of an outer table with one of these aliases would be taken for the inner one. */
const OWN_ALIASES = new Set(['p', 'c', 'k', 'link', 'recording', 'period'])

/**
 * Condition: the viewer can view the evidence with the id in `column`.
 * @param asked `all` where every row there is will be asked. PostgreSQL takes the short cut only there.
 */
export function viewable(column: string, viewer: Viewer, asked: 'some' | 'all' = 'some'): Condition {
  if (OWN_ALIASES.has(column.split('.')[0] as string))
    throw new Error(`${column} would be taken for a column of the rights themselves`)
  const id = sql.ref(column)
  const grants = grantsOf(viewer)
  if (isGathered(viewer))
    return sql`${id} IN (${sql.join(
      grants.map(({ evidence, from }) => sql`SELECT ${evidence} ${from}`),
      sql` UNION `,
    )})`
  const granted = sql.join(
    grants.map(({ evidence, from }) => sql`EXISTS (SELECT 1 ${from} AND ${evidence} = ${id} ${eachTime()})`),
    sql` OR `,
  )
  if (viewer.unassociated === 'None') return sql`(${granted})`
  const seesAll = isInNamedCases(id, viewer)
  const shortCut = asked === 'all' ? sql`${seesAll} OR ` : onceOr(seesAll)
  return sql`(${shortCut}NOT EXISTS (SELECT 1 FROM case_links k WHERE k.evidence_id = ${id} ${eachTime()}) OR ${granted})`
}

/** The sources of access, each with the column of the evidence id. Cases come first, since most access comes through them. */
function grantsOf(viewer: Viewer): { evidence: Condition; from: Condition }[] {
  const named = isNamed(viewer)
  const throughCase = sql`FROM case_links link JOIN case_policies p ${byIndex('case_policies_by_principal')} ON p.case_id = link.case_id
    WHERE ${named} AND link.case_id NOT IN (${DELETED_CASES})`
  const onEvidence = sql`FROM evidence_policies p ${byIndex('evidence_policies_by_principal')} WHERE ${named}`
  const onOwnDevices = sql`FROM evidence_recordings recording JOIN device_accesses period ON ${inAccess(viewer.self)} WHERE TRUE`
  return [
    { evidence: sql`link.evidence_id`, from: throughCase },
    { evidence: sql`p.evidence_id`, from: onEvidence },
    ...(viewer.fromMyDevice === 'None' ? [] : [{ evidence: sql`recording.evidence_id`, from: onOwnDevices }]),
  ]
}

/** Join condition: the device recorded the evidence in a period in which its association gives the caller access (decisions 5). */
export const inAccess = (
  self: number,
): Condition => sql`period.principal_id = ${self} AND period.device_id = recording.device_id
    AND period.from_ticks <= recording.recorded_ticks AND (period.to_ticks IS NULL OR period.to_ticks > recording.recorded_ticks)`

/** Condition: the viewer can view the case with the id in `column`. For a deleted case its last policies count. */
export function caseViewable(column: string, viewer: Pick<Viewer, 'identities' | 'nowTicks' | 'few'>): Condition {
  const id = sql.ref(column)
  const named = isNamed(viewer)
  return viewer.few
    ? sql`${id} IN (SELECT p.case_id FROM case_policies p WHERE ${named})`
    : sql`EXISTS (SELECT 1 FROM case_policies p WHERE p.case_id = ${id} AND ${named} ${eachTime()})`
}

/** Condition: policy `p` names one of the viewer's identities and has not expired. */
const isNamed = ({ identities, nowTicks }: Pick<Viewer, 'identities' | 'nowTicks'>): Condition =>
  sql`p.principal_id IN (${among([...identities])}) AND (p.expires_ticks IS NULL OR p.expires_ticks > ${nowTicks})`

const DELETED_CASES = sql`SELECT c.case_id FROM cases c ${byIndex('cases_deleted')} WHERE c.lifecycle_state = 'Deleted'`

/**
 * A short cut for viewers with access to unassociated files whom every case names: they see everything that is in no deleted case, without a
 * lookup for each row. An identity that as many policies name as there are cases is named by all of them.
 */
function isInNamedCases(id: Condition, viewer: Viewer): Condition {
  const mostNamed = sql`SELECT max(n) FROM (SELECT count(*) AS n FROM case_policies p WHERE ${isNamed(viewer)} GROUP BY p.principal_id) named`
  return sql`((SELECT (SELECT count(*) FROM cases) <= coalesce((${mostNamed}), 0))
    AND ${id} NOT IN (SELECT k.evidence_id FROM case_links k WHERE k.case_id IN (${DELETED_CASES})))`
}

/** Condition: the viewer can view all evidence; 0 when that is not known. Evaluated once for a query, not for each row. */
export const seesEverything = (viewer: Viewer): Condition =>
  viewer.unassociated === 'None'
    ? sql`FALSE`
    : sql`(SELECT NOT EXISTS (SELECT 1 FROM case_links k WHERE k.case_id IN (${DELETED_CASES}
        UNION ALL SELECT c.case_id FROM cases c WHERE NOT ${caseViewable('c.case_id', byRow(viewer))})))`
