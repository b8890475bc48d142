import { sql } from 'kysely'
import type { Tx } from '../database/database.ts'
import type { EvidenceRow } from './records.store.ts'

export const evidenceProtectionsEnded = (from: Tx, nowTicks: bigint): Promise<{ evidence_id: number }[]> =>
  from.selectFrom('evidence').select('evidence_id').where('protected_ticks', '<=', nowTicks).execute()

/** Cases with a protection that holds now, which bars the deletion of their evidence too (decisions 4). */
export const protectedCasesOf = (from: Tx, evidenceId: number, nowTicks: bigint): Promise<{ case_id: number }[]> =>
  from
    .selectFrom('cases as c')
    .select('c.case_id')
    .where('c.lifecycle_state', '=', 'Protected')
    .where((e) => e.or([e('c.protected_ticks', 'is', null), e('c.protected_ticks', '>', nowTicks)]))
    .where('c.case_id', 'in', (e) =>
      e.selectFrom('case_links as l').select('l.case_id').where('l.evidence_id', '=', evidenceId),
    )
    .orderBy('c.case_id')
    .execute()

/**
 * Evidence that somebody put into this case and that is in no other one, whatever has become of the other (decisions 4): what an
 * unconfirmed rule of the station suggested is nobody's file to delete with a case.
 */
export const evidenceOfThisCaseAlone = (from: Tx, caseId: number): Promise<EvidenceRow[]> =>
  from
    .selectFrom('evidence as e')
    .selectAll('e')
    .where('e.lifecycle_state', '<>', 'Deleted')
    .where('e.evidence_id', 'in', (l) =>
      l
        .selectFrom('case_links as l')
        .select('l.evidence_id')
        .where('l.case_id', '=', caseId)
        .where((k) => k.or([k('l.kind', '=', 'Manual'), k('l.confirmed', '=', 1)])),
    )
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('case_links as o')
            .select('o.case_id')
            .whereRef('o.evidence_id', '=', 'e.evidence_id')
            .where('o.case_id', '<>', caseId),
        ),
      ),
    )
    .orderBy('e.evidence_id')
    .execute()

export const evidenceDeletedWith = (from: Tx, caseId: number): Promise<EvidenceRow[]> =>
  from
    .selectFrom('evidence')
    .selectAll()
    .where('deleted_with_case', '=', caseId)
    .where('lifecycle_state', '=', 'Deleted')
    .orderBy('evidence_id')
    .execute()

/** Ids of the files that came from outside and are whole, oldest first. */
export const completedOriginals = async (from: Tx, evidenceId: number): Promise<number[]> =>
  (await completedOriginalsOf(from, [evidenceId])).get(evidenceId) ?? []

/** By evidence, in the order of their ids; those without any are not in it. */
export async function completedOriginalsOf(from: Tx, evidenceIds: readonly number[]): Promise<Map<number, number[]>> {
  if (evidenceIds.length === 0) return new Map()
  const rows = await from
    .selectFrom('resources')
    .select(['evidence_id', 'resource_id'])
    .where('evidence_id', 'in', evidenceIds)
    .where('role', '=', sql.lit('original'))
    .where('state', '=', 'UserCompleted')
    .orderBy('resource_id')
    .execute()
  const found = Map.groupBy(rows, (row) => row.evidence_id)
  return new Map([...found].map(([id, files]) => [id, files.map((row) => row.resource_id)]))
}
