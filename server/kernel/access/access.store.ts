import { type RawBuilder, sql } from 'kysely'
import type { Asker, Grant, LinkedCase } from '../../../shared/kernel/access.ts'
import type { Level } from '../../../shared/kernel/permissions.ts'
import type { Tx } from '../database/database.ts'

/** The principal and the groups it is in: whose policies count for it. */
export async function identitiesOf(from: Tx, principalId: number): Promise<Set<number>> {
  const rows = await from.selectFrom('memberships').select('group_id').where('member_id', '=', principalId).execute()
  return new Set([principalId, ...rows.map(({ group_id: id }) => id)])
}

/** What a policy with a level gives these; none to guests, who are in no policy of the kind (decisions 3). */
export async function policyLevels(from: Tx, principalId: number, policy: string): Promise<Level[]> {
  const groups = from.selectFrom('memberships').select('group_id').where('member_id', '=', principalId)
  const rows = await from
    .selectFrom('policy_members')
    .select('level')
    .where('policy', '=', policy)
    .where((e) => e.or([e('principal_id', '=', principalId), e('principal_id', 'in', groups)]))
    .where((e) =>
      e.exists(
        e
          .selectFrom('principals')
          .select('principal_id')
          .where('principal_id', '=', principalId)
          .where('guest', '=', 0)
          .where('enabled', '=', 1),
      ),
    )
    .execute()
  return rows.map(({ level }) => (level ?? 'None') as Level)
}

/** By evidence, its own policies. */
export async function ownGrants(from: Tx, evidenceIds: readonly number[]): Promise<Map<number, Grant[]>> {
  const rows = await from
    .selectFrom('evidence_policies')
    .select(['evidence_id', 'principal_id', 'level', 'expires_ticks'])
    .where('evidence_id', 'in', evidenceIds)
    .execute()
  const found = new Map<number, Grant[]>(evidenceIds.map((id) => [id, []]))
  for (const row of rows) found.get(row.evidence_id)?.push(grantOf(row))
  return found
}

/** By evidence, the cases it is linked to with their policies. */
export async function linkedCases(from: Tx, evidenceIds: readonly number[]): Promise<Map<number, LinkedCase[]>> {
  const found = new Map<number, LinkedCase[]>(evidenceIds.map((id) => [id, []]))
  const links = await from
    .selectFrom('case_links as l')
    .innerJoin('cases as c', 'c.case_id', 'l.case_id')
    .select(['l.evidence_id', 'l.case_id', 'l.kind', 'l.confirmed', 'c.lifecycle_state'])
    .where('l.evidence_id', 'in', evidenceIds)
    .execute()
  // Asked also where there is no link: evidence in no case, and none at all, take as many statements as any (decisions 13).
  const policies = await grantsOnCases(from, [...new Set(links.map((link) => link.case_id))])
  for (const link of links)
    found.get(link.evidence_id)?.push({
      byPerson: link.kind === 'Manual' || link.confirmed === 1,
      deleted: link.lifecycle_state === 'Deleted',
      policies: policies.get(link.case_id) ?? [],
    })
  return found
}

export async function grantsOnCases(from: Tx, caseIds: readonly number[]): Promise<Map<number, Grant[]>> {
  const rows = await from
    .selectFrom('case_policies')
    .select(['case_id', 'principal_id', 'level', 'expires_ticks'])
    .where('case_id', 'in', caseIds)
    .execute()
  const found = new Map<number, Grant[]>()
  for (const row of rows) {
    const list = found.get(row.case_id)
    if (list === undefined) found.set(row.case_id, [grantOf(row)])
    else list.push(grantOf(row))
  }
  return found
}

const grantOf = (row: { principal_id: number; level: string; expires_ticks: bigint | null }): Grant => ({
  principalId: row.principal_id,
  level: row.level as Level,
  expires: row.expires_ticks,
})

/** Of whom a list shows what they can view. */
export interface Viewer extends Asker {
  /** Who asks, without their groups; 0: nobody who could hold anything. */
  readonly self: number
}

/** What a device recorded while it was theirs, as far as that gives access (decisions 5). `r` is the recording, `a` a period of theirs. */
const inAccess = (self: number): RawBuilder<unknown> => sql`a.principal_id = ${self} AND a.device_id = r.device_id
    AND a.from_ticks <= r.recorded_ticks AND (a.to_ticks IS NULL OR a.to_ticks > r.recorded_ticks)`

/** Of these, what a device of the caller's recorded; empty where no policy gives them anything for it. */
export async function recordedOnMine(
  from: Tx,
  { self, fromMyDevice }: Viewer,
  evidenceIds: readonly number[],
): Promise<Set<number>> {
  if (fromMyDevice === 'None' || evidenceIds.length === 0) return new Set()
  const { rows } = await sql<{ evidence_id: number }>`
    SELECT DISTINCT r.evidence_id FROM evidence_recordings r JOIN device_accesses a ON ${inAccess(self)}
    WHERE r.evidence_id IN (${sql.join([...evidenceIds])})`.execute(from)
  return new Set(rows.map((row) => row.evidence_id))
}

/** Whether somebody can view the evidence that a column names: the rule of `levelOnEvidence` of shared/kernel/access.ts, in SQL. */
export function viewable(column: string, viewer: Viewer): RawBuilder<unknown> {
  const { identities, unassociated, fromMyDevice, nowTicks, self } = viewer
  const id = sql.ref(column)
  const ids = sql.join([...identities])
  const lasting = sql`(p.expires_ticks IS NULL OR p.expires_ticks > ${nowTicks})`
  const own = sql`SELECT p.evidence_id FROM evidence_policies p WHERE p.principal_id IN (${ids}) AND ${lasting}`
  const through = sql`
    SELECT l.evidence_id FROM case_policies p JOIN cases c ON c.case_id = p.case_id AND c.lifecycle_state <> 'Deleted'
    JOIN case_links l ON l.case_id = p.case_id WHERE p.principal_id IN (${ids}) AND ${lasting}`
  const mine = sql`SELECT r.evidence_id FROM device_accesses a JOIN evidence_recordings r ON ${inAccess(self)}`
  const granted = sql`${id} IN (${sql.join([own, through, ...(fromMyDevice === 'None' ? [] : [mine])], sql` UNION `)})`
  return unassociated === 'None'
    ? granted
    : sql`(NOT EXISTS (SELECT 1 FROM case_links k WHERE k.evidence_id = ${id}) OR ${granted})`
}

const lastingPolicy = ({ identities, nowTicks }: Pick<Viewer, 'identities' | 'nowTicks'>): RawBuilder<unknown> =>
  sql`p.principal_id IN (${sql.join([...identities])}) AND (p.expires_ticks IS NULL OR p.expires_ticks > ${nowTicks})`

/** The names that `viewableEach` gives tables of its own: a row that is asked about under one of them would be hidden behind it. */
const INNER = new Set(['p', 'r', 'a', 'c', 'k', 'link'])

/** `viewable`, asked of each row by itself: quick where few rows are asked or most can be viewed. */
export function viewableEach(column: string, viewer: Viewer): RawBuilder<unknown> {
  const granted = grantedEach(column, viewer)
  return viewer.unassociated === 'None'
    ? granted
    : sql`(NOT EXISTS (SELECT 1 FROM case_links k WHERE k.evidence_id = ${sql.ref(column)}) OR ${granted})`
}

/**
 * `viewable`, where all of a station is asked of somebody who may see most of it. Who sees what is in no case sees what is in none of the
 * cases that they do not see: these are gathered, and only what is in one of them is asked by itself.
 */
export function viewableMost(column: string, viewer: Viewer): RawBuilder<unknown> {
  if (viewer.unassociated === 'None') return viewable(column, viewer)
  // Where there is none at all, no row is looked up among them.
  const unseen = unseenOf(viewer)
  return sql`((SELECT NOT EXISTS (${unseen})) OR ${sql.ref(column)} NOT IN (${unseen}) OR ${grantedEach(column, viewer)})`
}

/** Whether somebody sees all evidence there is; null where that is known not to be. Asked once of a station, not of a row. */
export const seesWhole = (viewer: Viewer): RawBuilder<unknown> | null =>
  viewer.unassociated === 'None' ? null : sql`(SELECT NOT EXISTS (${unseenOf(viewer)}))`

/** What is in cases that somebody does not see, whatever else may give it to them. */
const unseenOf = (
  viewer: Viewer,
): RawBuilder<unknown> => sql`SELECT k.evidence_id FROM case_links k WHERE k.case_id IN (${DELETED_CASES}
    UNION ALL SELECT c.case_id FROM cases c WHERE NOT ${namedByAll(viewer)}
      AND NOT EXISTS (SELECT 1 FROM case_policies p WHERE p.case_id = c.case_id AND ${lastingPolicy(viewer)}))`

/**
 * `viewableEach`, where some thousand rows from all over the station are asked: who sees what is in no case and is named by every case sees
 * all that is in no deleted one, and of none of it the rights are looked up.
 */
export function viewableScattered(column: string, viewer: Viewer): RawBuilder<unknown> {
  const each = viewableEach(column, viewer)
  if (viewer.unassociated === 'None') return each
  const gone = sql`SELECT k.evidence_id FROM case_links k WHERE k.case_id IN (${DELETED_CASES})`
  return sql`(((SELECT ${namedByAll(viewer)}) AND ${sql.ref(column)} NOT IN (${gone})) OR ${each})`
}

const DELETED_CASES = sql`SELECT c.case_id FROM cases c INDEXED BY cases_deleted WHERE c.lifecycle_state = 'Deleted'`

/** One of whom the policies of as many cases name as there are is named by all: so not every case is asked. */
const namedByAll = (
  viewer: Viewer,
): RawBuilder<unknown> => sql`(SELECT count(*) FROM cases) <= coalesce((SELECT max(n) FROM
    (SELECT count(*) AS n FROM case_policies p WHERE ${lastingPolicy(viewer)} GROUP BY p.principal_id)), 0)`

/** Whether a policy, a case or a device gives somebody the evidence that a column names. */
function grantedEach(column: string, viewer: Viewer): RawBuilder<unknown> {
  if (INNER.has(column.split('.')[0] as string))
    throw new Error(`${column} would be taken for a column of the rights themselves`)
  const id = sql.ref(column)
  const named = lastingPolicy(viewer)
  const mine = sql` OR EXISTS (SELECT 1 FROM evidence_recordings r JOIN device_accesses a ON ${inAccess(viewer.self)}
      WHERE r.evidence_id = ${id})`
  // Cases first: who sees much of a station sees it through them.
  return sql`(EXISTS (SELECT 1 FROM case_links link JOIN cases c ON c.case_id = link.case_id AND c.lifecycle_state <> 'Deleted'
      JOIN case_policies p ON p.case_id = link.case_id WHERE link.evidence_id = ${id} AND ${named})
    OR EXISTS (SELECT 1 FROM evidence_policies p WHERE p.evidence_id = ${id} AND ${named})${viewer.fromMyDevice === 'None' ? sql`` : mine})`
}

/** Whether somebody can view the case that a column names; a deleted one by the rights it held. */
export function caseViewable(
  column: string,
  viewer: Pick<Viewer, 'identities' | 'nowTicks'>,
  each: boolean,
): RawBuilder<unknown> {
  const id = sql.ref(column)
  const named = lastingPolicy(viewer)
  return each
    ? sql`EXISTS (SELECT 1 FROM case_policies p WHERE p.case_id = ${id} AND ${named})`
    : sql`${id} IN (SELECT p.case_id FROM case_policies p WHERE ${named})`
}

/** How many policies name one of these; not counted beyond `most`. */
export async function policiesNaming(from: Tx, identities: ReadonlySet<number>, most: number): Promise<number> {
  const ids = sql.join([...identities])
  const { rows } = await sql<{ n: number }>`SELECT
    (SELECT count(*) FROM (SELECT 1 FROM case_policies p WHERE p.principal_id IN (${ids}) LIMIT ${most})) +
    (SELECT count(*) FROM (SELECT 1 FROM evidence_policies p WHERE p.principal_id IN (${ids}) LIMIT ${most})) AS n`.execute(
    from,
  )
  return rows[0]?.n ?? 0
}

/** Null where there is none; what was destroyed is not there. */
export async function lifecycleOfEvidence(from: Tx, id: number): Promise<string | null> {
  const row = await from
    .selectFrom('evidence')
    .select('lifecycle_state')
    .where('evidence_id', '=', id)
    .where('lifecycle_state', '<>', 'Destroyed')
    .executeTakeFirst()
  return row?.lifecycle_state ?? null
}

/** Whether there is such a case outside the recycle bin. */
export async function liveCase(from: Tx, id: number): Promise<boolean> {
  const row = await from
    .selectFrom('cases')
    .select('case_id')
    .where('case_id', '=', id)
    .where('lifecycle_state', '<>', 'Deleted')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether somebody put it into a case that is closed or deleted now. */
export async function isInEndedCase(from: Tx, evidenceId: number): Promise<boolean> {
  const row = await from
    .selectFrom('case_links as l')
    .innerJoin('cases as c', 'c.case_id', 'l.case_id')
    .select('c.case_id')
    .where('l.evidence_id', '=', evidenceId)
    .where((e) => e.or([e('l.kind', '=', 'Manual'), e('l.confirmed', '=', 1)]))
    .where((e) => e.or([e('c.state', '=', 'Closed'), e('c.lifecycle_state', '=', 'Deleted')]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** What an evidence has from a case that it is in. */
export interface InheritedPolicy {
  readonly evidence_id: number
  readonly case_id: number
  readonly principal_id: number
  readonly level: Level
  readonly expires_utc: string | null
  /** The case has it from its department. */
  readonly department: boolean
  readonly name: string
  readonly k_id: string
  readonly kind: string
}

/** Through links that somebody made as on the case, through unconfirmed automatic ones at most View; nothing from deleted cases. */
export async function inheritedPolicies(from: Tx, evidenceIds: readonly number[]): Promise<InheritedPolicy[]> {
  if (evidenceIds.length === 0) return []
  const rows = await from
    .selectFrom('case_links as l')
    .innerJoin('cases as c', 'c.case_id', 'l.case_id')
    .innerJoin('case_policies as p', 'p.case_id', 'l.case_id')
    .innerJoin('principals as who', 'who.principal_id', 'p.principal_id')
    .select(['l.evidence_id', 'l.case_id', 'l.kind as link', 'l.confirmed'])
    .select(['p.principal_id', 'p.level', 'p.expires_utc', 'p.from_department', 'who.name', 'who.k_id', 'who.kind'])
    .where('l.evidence_id', 'in', evidenceIds)
    .where('c.lifecycle_state', '<>', 'Deleted')
    .orderBy('l.evidence_id')
    .orderBy('p.principal_id')
    .execute()
  return rows.map(({ link, confirmed, from_department: department, level, ...row }) => ({
    ...row,
    level: link === 'Manual' || confirmed === 1 ? level : 'View',
    department: department === 1,
  }))
}
