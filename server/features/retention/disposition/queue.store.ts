import { type CompiledQuery, type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Tx } from '../../../kernel/database/database.ts'
import type { DispositionApprovalsTable, DispositionItemsTable } from '../../../kernel/database/tables-retention.ts'
import { beginsWith, listOf, membersOf, notDistinct } from '../../../kernel/database/expressions.ts'
import { deleteStationValue, stationValue } from '../../../kernel/database/station-values.ts'

export type ItemRow = Selectable<DispositionItemsTable>
export type ApprovalRow = Selectable<DispositionApprovalsTable>

/** The most evidence in one item: as much as two people can review and one transaction can judge. */
export const MOST_IN_ITEM = 500

// Times of the next check

export async function watchedBefore(from: Tx, now: number, count: number): Promise<number[]> {
  const rows = await from
    .selectFrom('retention_watch')
    .select('evidence_id')
    .where('look_at', '<=', now)
    .orderBy('look_at')
    .orderBy('evidence_id')
    .limit(count)
    .execute()
  return rows.map((row) => row.evidence_id)
}

/** Evidence that is judged again in this time, the second moment outside, or that waits to be judged. For a long read. */
export const watchedBetween = (from: Tx, since: number, before: number, count: number): CompiledQuery<{ id: number }> =>
  sql<{ id: number }>`
    SELECT evidence_id AS id FROM retention_watch WHERE (look_at >= ${since} AND look_at < ${before}) OR look_at = 0
    ORDER BY look_at, evidence_id LIMIT ${count}`.compile(from)

export async function watchAt(tx: Tx, ids: readonly number[], lookAt: number | null): Promise<void> {
  if (ids.length > 0)
    await tx.updateTable('retention_watch').set({ look_at: lookAt }).where('evidence_id', 'in', ids).execute()
}

const SWEEP = 'retention-sweep'

/** Position of the sweep that a changed policy began; null when none is running. */
export async function sweepPosition(from: Tx): Promise<number | null> {
  const position = await stationValue(from, SWEEP)
  return position === null ? null : Number(position)
}

/**
 * Schedules the next batch of all evidence for judgement.
 * @returns false when there was nothing more, or no sweep is running
 */
export async function sweepOn(tx: Tx, count: number): Promise<boolean> {
  const rows = await tx
    .selectFrom('retention_watch')
    .select('evidence_id')
    .where('evidence_id', '>', sql<number>`(SELECT CAST(value AS BIGINT) FROM station WHERE name = ${SWEEP})`)
    .orderBy('evidence_id')
    .limit(count)
    .execute()
  const last = rows.at(-1)?.evidence_id
  if (last === undefined) {
    await deleteStationValue(tx, SWEEP)
    return false
  }
  await watchAt(
    tx,
    rows.map((row) => row.evidence_id),
    0,
  )
  await tx
    .updateTable('station')
    .set({ value: String(last) })
    .where('name', '=', SWEEP)
    .execute()
  return true
}

/** What was disclosed of a case is judged again: it may be in that case no more, so that no trigger of the case finds it. */
export async function watchDisclosed(tx: Tx, caseId: number): Promise<void> {
  await tx
    .updateTable('retention_watch')
    .set({ look_at: 0 })
    .where('evidence_id', 'in', (query) =>
      query
        .selectFrom('disclosure_items as i')
        .innerJoin('disclosures as d', 'd.disclosure_id', 'i.disclosure_id')
        .select('i.evidence_id')
        .where('d.case_id', '=', caseId),
    )
    .execute()
}

// Items and their evidence

/** Items whose subject is no evidence have a queue of their own (quarantine.ts). */
const NO_EVIDENCE = 'Quarantine:'

export const itemById = (from: Tx, tenant: string, id: number): Promise<ItemRow | undefined> =>
  from
    .selectFrom('disposition_items')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('item_id', '=', id)
    .where((e) => e.not(beginsWith('rule_key', NO_EVIDENCE)))
    .executeTakeFirst()

export const itemByIdAlone = (from: Tx, id: number): Promise<ItemRow> =>
  from.selectFrom('disposition_items').selectAll().where('item_id', '=', id).executeTakeFirstOrThrow()

export async function insertItem(tx: Tx, row: Insertable<DispositionItemsTable>): Promise<number> {
  const { item_id: id } = await tx
    .insertInto('disposition_items')
    .values(row)
    .returning('item_id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateItem(tx: Tx, id: number, set: Updateable<DispositionItemsTable>): Promise<void> {
  await tx.updateTable('disposition_items').set(set).where('item_id', '=', id).execute()
}

/** An item of the same case, rule and requester, with room and without approvals. Items without approvals may still grow. */
export function openItemLike(
  tx: Tx,
  like: Pick<ItemRow, 'tenant_id' | 'case_id' | 'rule_key' | 'requested_by'>,
): Promise<ItemRow | undefined> {
  return tx
    .selectFrom('disposition_items as i')
    .selectAll('i')
    .where('i.tenant_id', '=', like.tenant_id)
    .where('i.case_id', like.case_id === null ? 'is' : '=', like.case_id)
    .where('i.rule_key', '=', like.rule_key)
    .where('i.requested_by', '=', like.requested_by)
    .where('i.stage', '=', 'waiting')
    .where((e) =>
      e.not(
        e.exists(e.selectFrom('disposition_approvals as a').select('a.number').whereRef('a.item_id', '=', 'i.item_id')),
      ),
    )
    .where(
      sql<boolean>`(SELECT count(*) FROM disposition_files f WHERE f.item_id = i.item_id) < ${sql.lit(MOST_IN_ITEM)}`,
    )
    .orderBy('i.item_id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Adds evidence to an item, or returns it to the item that it left. */
export async function addFile(tx: Tx, itemId: number, evidenceId: number): Promise<void> {
  await tx
    .insertInto('disposition_files')
    .values({ item_id: itemId, evidence_id: evidenceId, state: 'in', held: null })
    .onConflict((conflict) => conflict.columns(['item_id', 'evidence_id']).doUpdateSet({ state: 'in' }))
    .execute()
}

/** Sets the hold of evidence in its item. */
export async function setHeld(tx: Tx, evidenceId: number, held: string | null): Promise<void> {
  await tx
    .updateTable('disposition_files')
    .set({ held })
    .where('evidence_id', '=', evidenceId)
    .where('state', '=', 'in')
    .where((e) => e.not(notDistinct(sql.ref('held'), held)))
    .execute()
}

export async function setFiles(
  tx: Tx,
  itemId: number,
  evidenceIds: readonly number[],
  state: 'out' | 'destroyed',
): Promise<void> {
  if (evidenceIds.length > 0)
    await tx
      .updateTable('disposition_files')
      .set({ state })
      .where('item_id', '=', itemId)
      .where('evidence_id', 'in', evidenceIds)
      .execute()
}

/** Evidence that is in the item now, in order. */
export async function filesIn(from: Tx, itemId: number): Promise<number[]> {
  const rows = await from
    .selectFrom('disposition_files')
    .select('evidence_id')
    .where('item_id', '=', itemId)
    .where('state', '=', 'in')
    .orderBy('evidence_id')
    .execute()
  return rows.map((row) => row.evidence_id)
}

export async function anyDestroyed(from: Tx, itemId: number): Promise<boolean> {
  const row = await from
    .selectFrom('disposition_files')
    .select('evidence_id')
    .where('item_id', '=', itemId)
    .where('state', '=', 'destroyed')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The open item of each of these. */
export async function openItemsOf(from: Tx, evidenceIds: readonly number[]): Promise<Map<number, ItemRow>> {
  if (evidenceIds.length === 0) return new Map()
  const rows = await from
    .selectFrom('disposition_files as f')
    .innerJoin('disposition_items as i', 'i.item_id', 'f.item_id')
    .selectAll('i')
    .select('f.evidence_id')
    .where('f.evidence_id', 'in', evidenceIds)
    .where('f.state', '=', 'in')
    .execute()
  return new Map(rows.map(({ evidence_id: id, ...item }) => [id, item]))
}

/** In order of approval. */
export const approvalsOf = (from: Tx, itemIds: readonly number[]): Promise<ApprovalRow[]> =>
  itemIds.length === 0
    ? Promise.resolve([])
    : from
        .selectFrom('disposition_approvals')
        .selectAll()
        .where('item_id', 'in', itemIds)
        .orderBy('item_id')
        .orderBy('number')
        .execute()

export async function insertApproval(tx: Tx, row: ApprovalRow): Promise<void> {
  await tx.insertInto('disposition_approvals').values(row).execute()
}

/** Items whose cooling-off, or time in the recycle bin, is over. */
export const itemsToStep = (from: Tx, now: number, count: number): Promise<ItemRow[]> =>
  from
    .selectFrom('disposition_items')
    .selectAll()
    .where('next_at', '<=', now)
    .where((e) => e.not(beginsWith('rule_key', NO_EVIDENCE)))
    .orderBy('next_at')
    .orderBy('item_id')
    .limit(count)
    .execute()

export async function keepUntil(
  tx: Tx,
  evidenceIds: readonly number[],
  kept: { until: number; reason: string; utc: string; by: string },
): Promise<void> {
  // An insert each, also where the evidence was kept before: the trigger that looks at it again is one of inserts.
  await tx
    .deleteFrom('disposition_keeps')
    .where('evidence_id', 'in', membersOf(listOf(evidenceIds)))
    .execute()
  for (const id of evidenceIds)
    await tx
      .insertInto('disposition_keeps')
      .values({ evidence_id: id, until_at: kept.until, reason: kept.reason, kept_utc: kept.utc, kept_by: kept.by })
      .execute()
}
