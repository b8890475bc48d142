import { type Insertable, type Selectable, sql } from 'kysely'
import type { RestrictionKind } from '../../../shared/disclosure/kinds.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { listOf, membersOf } from '../../kernel/database/expressions.ts'
import type { EvidenceRestrictionsTable } from '../../kernel/database/tables-disclosure.ts'

export type RestrictionRow = Selectable<EvidenceRestrictionsTable>

/** Of an evidence, the newest first; lifted ones too. */
export const restrictionsOf = (from: Tx, evidenceId: number): Promise<RestrictionRow[]> =>
  from
    .selectFrom('evidence_restrictions')
    .selectAll()
    .where('evidence_id', '=', evidenceId)
    .orderBy('restriction_id', 'desc')
    .execute()

/** By evidence, those that stand, the oldest first. */
export async function standingAmong(from: Tx, evidenceIds: Iterable<number>): Promise<Map<number, RestrictionRow[]>> {
  const rows = await from
    .selectFrom('evidence_restrictions')
    .selectAll()
    .where('evidence_id', 'in', sql<number>`${membersOf(listOf(evidenceIds))}`)
    .where('lifted_utc', 'is', null)
    .orderBy('restriction_id')
    .execute()
  return Map.groupBy(rows, (row) => row.evidence_id)
}

export const standingOf = (from: Tx, evidenceId: number, kind: RestrictionKind): Promise<RestrictionRow | undefined> =>
  from
    .selectFrom('evidence_restrictions')
    .selectAll()
    .where('evidence_id', '=', evidenceId)
    .where('kind', '=', kind)
    .where('lifted_utc', 'is', null)
    .executeTakeFirst()

export async function insertRestriction(tx: Tx, row: Insertable<EvidenceRestrictionsTable>): Promise<number> {
  const { restriction_id: id } = await tx
    .insertInto('evidence_restrictions')
    .values(row)
    .returning('restriction_id')
    .executeTakeFirstOrThrow()
  return id
}

export async function liftRestriction(
  tx: Tx,
  id: number,
  set: Pick<RestrictionRow, 'lifted_utc' | 'lifted_by' | 'lift_reason'>,
): Promise<void> {
  await tx.updateTable('evidence_restrictions').set(set).where('restriction_id', '=', id).execute()
}
