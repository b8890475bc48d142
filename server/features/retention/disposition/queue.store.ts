import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Tx } from '../../../kernel/database/database.ts'
import type { DispositionApprovalsTable, DispositionItemsTable } from '../../../kernel/database/tables-retention.ts'
import { deleteStationValue, stationValue } from '../../../kernel/database/station-values.ts'

export type ItemRow = Selectable<DispositionItemsTable>
export type ApprovalRow = Selectable<DispositionApprovalsTable>

/** Evidence in one item: what two people can look through, and one transaction can judge. */
export const MOST_IN_ITEM = 500

// What is looked at when

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

export async function watchAt(tx: Tx, ids: readonly number[], lookAt: number | null): Promise<void> {
  if (ids.length > 0)
    await tx.updateTable('retention_watch').set({ look_at: lookAt }).where('evidence_id', 'in', ids).execute()
}

const SWEEP = 'retention-sweep'

/** Up to which evidence the sweep has come that a changed policy began; null: none is under way. */
export async function sweepPosition(from: Tx): Promise<number | null> {
  const position = await stationValue(from, SWEEP)
  return position === null ? null : Number(position)
}

/**
 * Puts the next stretch of all evidence on the list of what is judged.
 * @returns false when there was nothing more, or no sweep is under way
 */
export async function sweepOn(tx: Tx, count: number): Promise<boolean> {
  const rows = await tx
    .selectFrom('retention_watch')
    .select('evidence_id')
    .where('evidence_id', '>', sql<number>`(SELECT CAST(value AS INTEGER) FROM station WHERE name = ${SWEEP})`)
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

// Items and what is in them

/** Items whose subject is no evidence have a queue of their own (quarantine.ts). */
const NO_EVIDENCE = 'Quarantine:%'

export const itemById = (from: Tx, tenant: string, id: number): Promise<ItemRow | undefined> =>
  from
    .selectFrom('disposition_items')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('item_id', '=', id)
    .where('rule_key', 'not like', NO_EVIDENCE)
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

/** One of the same case, rule and requester that nobody approved yet and that has room: what nobody saw may still grow. */
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

/** One that left this very item before comes back into it. */
export async function addFile(tx: Tx, itemId: number, evidenceId: number): Promise<void> {
  await tx
    .insertInto('disposition_files')
    .values({ item_id: itemId, evidence_id: evidenceId, state: 'in', held: null })
    .onConflict((conflict) => conflict.columns(['item_id', 'evidence_id']).doUpdateSet({ state: 'in' }))
    .execute()
}

/** In whichever item it is. */
export async function setHeld(tx: Tx, evidenceId: number, held: string | null): Promise<void> {
  await tx
    .updateTable('disposition_files')
    .set({ held })
    .where('evidence_id', '=', evidenceId)
    .where('state', '=', 'in')
    .where('held', 'is not', held)
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

/** What is in the item now, in order. */
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

/** The open item that each of these is in. */
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

/** In the order in which they were given. */
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

/** Whose time of cooling-off, or in the recycle bin, is over. */
export const itemsToStep = (from: Tx, now: number, count: number): Promise<ItemRow[]> =>
  from
    .selectFrom('disposition_items')
    .selectAll()
    .where('next_at', '<=', now)
    .where('rule_key', 'not like', NO_EVIDENCE)
    .orderBy('next_at')
    .orderBy('item_id')
    .limit(count)
    .execute()

export async function keepUntil(
  tx: Tx,
  evidenceIds: readonly number[],
  kept: { until: number; reason: string; utc: string; by: string },
): Promise<void> {
  for (const id of evidenceIds)
    await tx
      .insertInto('disposition_keeps')
      .orReplace()
      .values({ evidence_id: id, until_at: kept.until, reason: kept.reason, kept_utc: kept.utc, kept_by: kept.by })
      .execute()
}
