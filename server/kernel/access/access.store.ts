import { sql } from 'kysely'
import type { Grant, Level, LinkedCase } from '../../../shared/kernel/permissions.ts'
import type { Tx } from '../database/database.ts'
import { listOf, membersOf } from '../database/expressions.ts'
import { statement } from '../database/kysely.ts'
import { inAccess, type Viewer } from './viewable.store.ts'

/** The principal and its groups. Policies that name one of them apply to the principal. */
export async function identitiesOf(from: Tx, principalId: number): Promise<Set<number>> {
  const rows = await from.selectFrom('memberships').select('group_id').where('member_id', '=', principalId).execute()
  return new Set([principalId, ...rows.map(({ group_id: id }) => id)])
}

/** The levels that a security policy gives a principal. Guests get none (decisions 3). */
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

const selectPolicies = statement((from, given: { ids: string }) =>
  from
    .selectFrom('evidence_policies')
    .select(['evidence_id', 'principal_id', 'level', 'expires_ticks'])
    .where('evidence_id', 'in', membersOf(given.ids)),
)

/** The policies of each evidence itself, by evidence id. */
export async function ownGrants(from: Tx, evidenceIds: readonly number[]): Promise<Map<number, Grant[]>> {
  const rows = await selectPolicies(from, { ids: listOf(evidenceIds) })
  const found = new Map<number, Grant[]>(evidenceIds.map((id) => [id, []]))
  for (const row of rows) found.get(row.evidence_id)?.push(grantOf(row))
  return found
}

const selectLinks = statement((from, given: { ids: string }) =>
  from
    .selectFrom('case_links as l')
    .innerJoin('cases as c', 'c.case_id', 'l.case_id')
    .select(['l.evidence_id', 'l.case_id', 'l.kind', 'l.confirmed', 'c.lifecycle_state'])
    .where('l.evidence_id', 'in', membersOf(given.ids)),
)

/** The cases of each evidence with their policies, by evidence id. */
export async function linkedCases(from: Tx, evidenceIds: readonly number[]): Promise<Map<number, LinkedCase[]>> {
  const found = new Map<number, LinkedCase[]>(evidenceIds.map((id) => [id, []]))
  const links = await selectLinks(from, { ids: listOf(evidenceIds) })
  // Also queried without links, so that evidence in no case and missing evidence take as many statements as any other (decisions 13).
  const policies = await grantsOnCases(from, [...new Set(links.map((link) => link.case_id))])
  for (const link of links)
    found.get(link.evidence_id)?.push({
      byPerson: link.kind === 'Manual' || link.confirmed === 1,
      deleted: link.lifecycle_state === 'Deleted',
      policies: policies.get(link.case_id) ?? [],
    })
  return found
}

const selectCasePolicies = statement((from, given: { ids: string }) =>
  from
    .selectFrom('case_policies')
    .select(['case_id', 'principal_id', 'level', 'expires_ticks'])
    .where('case_id', 'in', membersOf(given.ids)),
)

export async function grantsOnCases(from: Tx, caseIds: readonly number[]): Promise<Map<number, Grant[]>> {
  const rows = await selectCasePolicies(from, { ids: listOf(caseIds) })
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

/** Those of the evidence that a device of the caller recorded; empty when no policy gives the caller access for it. */
export async function recordedOnOwnDevices(
  from: Tx,
  { self, fromMyDevice }: Pick<Viewer, 'self' | 'fromMyDevice'>,
  evidenceIds: readonly number[],
): Promise<Set<number>> {
  if (fromMyDevice === 'None' || evidenceIds.length === 0) return new Set()
  const { rows } = await sql<{ evidence_id: number }>`
    SELECT DISTINCT recording.evidence_id FROM evidence_recordings recording JOIN device_accesses period ON ${inAccess(self)}
    WHERE recording.evidence_id IN ${membersOf(listOf(evidenceIds))}`.execute(from)
  return new Set(rows.map((row) => row.evidence_id))
}

/** Null for missing and destroyed evidence. */
export async function lifecycleOfEvidence(from: Tx, id: number): Promise<string | null> {
  const row = await from
    .selectFrom('evidence')
    .select('lifecycle_state')
    .where('evidence_id', '=', id)
    .where('lifecycle_state', '<>', 'Destroyed')
    .executeTakeFirst()
  return row?.lifecycle_state ?? null
}

/** Whether the case exists outside the recycle bin. */
export async function liveCase(from: Tx, id: number): Promise<boolean> {
  const row = await from
    .selectFrom('cases')
    .select('case_id')
    .where('case_id', '=', id)
    .where('lifecycle_state', '<>', 'Deleted')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a person linked or confirmed the evidence in a case that is closed or deleted now. */
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

/** A policy that an evidence has through one of its cases. */
export interface InheritedPolicy {
  readonly evidence_id: number
  readonly case_id: number
  readonly principal_id: number
  readonly level: Level
  readonly expires_utc: string | null
  /** Whether the case has the policy from its department. */
  readonly department: boolean
  readonly name: string
  readonly k_id: string
  readonly kind: string
}

const selectInherited = statement((from, given: { ids: string }) =>
  from
    .selectFrom('case_links as l')
    .innerJoin('cases as c', 'c.case_id', 'l.case_id')
    .innerJoin('case_policies as p', 'p.case_id', 'l.case_id')
    .innerJoin('principals as who', 'who.principal_id', 'p.principal_id')
    .select(['l.evidence_id', 'l.case_id', 'l.kind as link', 'l.confirmed'])
    .select(['p.principal_id', 'p.level', 'p.expires_utc', 'p.from_department', 'who.name', 'who.k_id', 'who.kind'])
    .where('l.evidence_id', 'in', membersOf(given.ids))
    .where('c.lifecycle_state', '<>', 'Deleted')
    .orderBy('l.evidence_id')
    .orderBy('p.principal_id'),
)

/** Links made or confirmed by people give the level of the case. Unconfirmed automatic links give at most View. Deleted cases give nothing. */
export async function inheritedPolicies(from: Tx, evidenceIds: readonly number[]): Promise<InheritedPolicy[]> {
  if (evidenceIds.length === 0) return []
  const rows = await selectInherited(from, { ids: listOf(evidenceIds) })
  return rows.map(({ link, confirmed, from_department: department, level, ...row }) => ({
    ...row,
    level: link === 'Manual' || confirmed === 1 ? level : 'View',
    department: department === 1,
  }))
}
