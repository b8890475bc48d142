/** Cases that are somebody's own. */
import { sql } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import { jsonMember, ledgerActor, listOf, membersOf } from '../../kernel/database/expressions.ts'
import { byRow, caseViewable, type Viewer } from '../../kernel/access/viewable.store.ts'

/** Of each reason the newest so many are looked through. */
const MOST_OF_A_REASON = 1_000

export interface OwnCaseRow {
  readonly case_id: number
  readonly ordinal_year: number
  readonly ordinal_number: number
  readonly title: string
  readonly state: 'Open' | 'Closed'
  readonly modified_utc: string
  readonly owner: number
  readonly personnel: number
  readonly follower: number
  readonly shared: number
}

export interface OwnCases {
  readonly rows: OwnCaseRow[]
  readonly total: number
  /** Some were not looked through. */
  readonly more: boolean
}

/** Whose cases they are, and which of them count. */
export interface WhoseCases {
  readonly viewer: Viewer
  /** To a guest all that were shared with them, closed ones too. */
  readonly guest: boolean
}

/** The last changed ones first. */
export async function ownCases(
  from: Tx,
  tenant: string,
  { viewer, guest }: WhoseCases,
  count: number,
): Promise<OwnCases> {
  const self = viewer.self
  const none = sql`0`
  const reason = (owner: unknown, personnel: unknown, follower: unknown, shared: unknown, rest: unknown) =>
    sql`SELECT * FROM (SELECT x.case_id, ${owner} AS owner, ${personnel} AS personnel, ${follower} AS follower, ${shared} AS shared ${rest}
      ORDER BY x.case_id DESC LIMIT ${MOST_OF_A_REASON + 1}) reason`
  const one = sql`1`
  const named = [
    reason(
      one,
      none,
      none,
      none,
      sql`FROM case_policies x WHERE x.principal_id = ${self} AND x.level = 'Manage' AND x.from_department = 0`,
    ),
    reason(none, one, none, none, sql`FROM case_personnel x WHERE x.principal_id = ${self}`),
    reason(none, none, one, none, sql`FROM case_followers x WHERE x.principal_id = ${self}`),
  ]
  const given = reason(
    none,
    none,
    none,
    one,
    sql`FROM case_policies x WHERE x.principal_id IN ${membersOf(listOf(viewer.identities))}`,
  )
  const own = sql.join(guest ? [given] : named, sql` UNION ALL `)
  const which = guest ? sql`c.lifecycle_state <> 'Deleted'` : sql`c.lifecycle_state <> 'Deleted' AND c.state = 'Open'`
  const { rows } = await sql<OwnCaseRow & { total: number; looked: number }>`
    SELECT c.case_id, c.ordinal_year, c.ordinal_number, c.title, c.state, c.modified_utc,
      o.owner, o.personnel, o.follower, o.shared, o.looked, count(*) OVER () AS total
    FROM (SELECT case_id, max(owner) AS owner, max(personnel) AS personnel, max(follower) AS follower, max(shared) AS shared,
        count(*) OVER () AS looked FROM (${own}) found GROUP BY case_id) o
      JOIN cases c ON c.case_id = o.case_id
    WHERE c.tenant_id = ${tenant} AND ${which} AND ${caseViewable('c.case_id', byRow(viewer))}
    ORDER BY c.modified_utc DESC, c.case_id DESC LIMIT ${count}`.execute(from)
  return {
    rows,
    total: Number(rows[0]?.total ?? 0),
    more: Number(rows[0]?.looked ?? 0) > MOST_OF_A_REASON,
  }
}

/** How many evidences the links of each hold; what is in the recycle bin is not counted. */
export async function heldBy(from: Tx, caseIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ case_id: number; n: number }>`
    SELECT l.case_id, count(DISTINCT l.evidence_id) AS n FROM case_links l JOIN evidence e ON e.evidence_id = l.evidence_id
    WHERE l.case_id IN ${membersOf(listOf(caseIds))} AND e.lifecycle_state NOT IN ('Deleted', 'Destroyed') GROUP BY l.case_id`.execute(
    from,
  )
  return new Map(rows.map(({ case_id: id, n }) => [id, Number(n)]))
}

/** Entries about a case that are looked through for the person's last one. */
const MOST_ENTRIES = 200

/** When the person last opened or changed the case; null: never, or longer ago than the last entries about it. */
export async function lastVisit(from: Tx, caseId: number, person: number): Promise<number | null> {
  const { rows } = await sql<{ seq: number; body: Uint8Array }>`
    SELECT seq, body FROM (SELECT seq, body, ${ledgerActor()} AS actor FROM ledger
      WHERE object_type = 'case' AND object_id = ${String(caseId)} ORDER BY seq DESC LIMIT ${MOST_ENTRIES}) newest
    WHERE actor = ${person} ORDER BY seq DESC LIMIT 1`.execute(from)
  const body = rows[0]?.body
  return body === undefined ? null : timeIn(body)
}

/** Null for an entry that is no JSON any more; `verify` says so. */
function timeIn(body: Uint8Array): number | null {
  try {
    const { timeUtc } = JSON.parse(Buffer.from(body).toString('utf8')) as { readonly timeUtc?: unknown }
    const time = typeof timeUtc === 'string' ? Date.parse(timeUtc) : Number.NaN
    return Number.isNaN(time) ? null : time
  } catch {
    return null
  }
}

/** Versions of the case that others made since; counted to `most`. */
export async function changedSince(
  from: Tx,
  caseId: number,
  person: number,
  since: string,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM (SELECT date_utc, author FROM versions WHERE entity = 'case' AND entity_id = ${caseId}
      ORDER BY number DESC LIMIT ${most}) newest
    WHERE date_utc > ${since} AND ${jsonMember('author', 'id')} <> ${String(person)}`.execute(from)
  return Number(rows[0]?.n ?? 0)
}
