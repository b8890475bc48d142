/** What the engine asks of people, and which further rules it follows. */
import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import { among } from '../../kernel/database/expressions.ts'
import type { CorrelationReviewsTable } from '../../kernel/database/tables-cad.ts'

export type ReviewRow = Selectable<CorrelationReviewsTable>

export async function openReviews(from: Tx, evidenceIds: readonly number[]): Promise<ReviewRow[]> {
  const { rows } = await sql<ReviewRow>`
    SELECT * FROM correlation_reviews WHERE ended_utc IS NULL AND evidence_id IN (${among(evidenceIds)})`.execute(from)
  return rows
}

/** Whether this same question was reviewed and settled before. */
export async function wasSettled(from: Tx, review: Pick<ReviewRow, 'case_id' | 'evidence_id' | 'act' | 'because'>) {
  const row = await from
    .selectFrom('correlation_reviews')
    .select('review_id')
    .where('case_id', '=', review.case_id)
    .where('evidence_id', '=', review.evidence_id)
    .where('act', '=', review.act)
    .where('because', '=', review.because)
    .where('ended_by', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertReview(
  tx: Tx,
  row: Omit<ReviewRow, 'review_id' | 'ended_utc' | 'ended_by' | 'ended_reason'>,
): Promise<number> {
  const { review_id: id } = await tx
    .insertInto('correlation_reviews')
    .values({ ...row, ended_utc: null, ended_by: null, ended_reason: null })
    .returning('review_id')
    .executeTakeFirstOrThrow()
  return id
}

export async function endReview(
  tx: Tx,
  id: number,
  ended: { readonly ended_utc: string; readonly ended_by: string | null; readonly ended_reason: string | null },
): Promise<void> {
  await tx.updateTable('correlation_reviews').set(ended).where('review_id', '=', id).execute()
}

export const reviewById = (from: Tx, tenant: string, id: number): Promise<ReviewRow | undefined> =>
  from
    .selectFrom('correlation_reviews')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('review_id', '=', id)
    .executeTakeFirst()

/** Open ones, oldest first. */
export const reviewsAfter = (from: Tx, tenant: string, after: number, count: number): Promise<ReviewRow[]> =>
  from
    .selectFrom('correlation_reviews')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('ended_utc', 'is', null)
    .where('review_id', '>', after)
    .orderBy('review_id')
    .limit(count)
    .execute()

export interface RuleRow {
  readonly rule: 'place' | 'number'
  readonly enabled: number
  readonly radius_metres: number | null
}

export const ruleRows = (from: Tx, tenant: string): Promise<RuleRow[]> =>
  from
    .selectFrom('correlation_rules')
    .select(['rule', 'enabled', 'radius_metres'])
    .where('tenant_id', '=', tenant)
    .execute()

export async function putRule(
  tx: Tx,
  row: RuleRow & { readonly tenant_id: string; readonly modified_utc: string; readonly modified_by: string },
): Promise<void> {
  const { enabled, radius_metres, modified_utc, modified_by } = row
  await tx
    .insertInto('correlation_rules')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'rule']).doUpdateSet({ enabled, radius_metres, modified_utc, modified_by }),
    )
    .execute()
}
