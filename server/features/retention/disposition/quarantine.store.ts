import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../../kernel/database/database.ts'
import { beginsWith } from '../../../kernel/database/expressions.ts'
import type { QuarantineTable } from '../../../kernel/database/tables.ts'
import type { ItemRow } from './queue.store.ts'

/** Quarantined bytes, with the evidence for which they were meant. */
export type QuarantinedRow = Selectable<QuarantineTable> & { readonly evidence_id: number | null }

/** Key prefix of items about quarantine; all others are about evidence. */
export const QUARANTINE_KEY = 'Quarantine:'
export const quarantineKey = (id: number): string => `${QUARANTINE_KEY}${id}`

/** Bytes of evidence are listed in its tenant, bytes without evidence in every tenant. Bytes in removal are not listed. */
const listed = (from: Tx, tenant: string) =>
  from
    .selectFrom('quarantine as q')
    .leftJoin('resources as r', 'r.resource_id', 'q.resource_id')
    .leftJoin('evidence as e', 'e.evidence_id', 'r.evidence_id')
    .selectAll('q')
    .select('e.evidence_id')
    .where((e) => e.or([e('e.tenant_id', '=', tenant), e('e.tenant_id', 'is', null)]))
    .where(
      sql<boolean>`NOT EXISTS (SELECT 1 FROM disposition_items i WHERE i.rule_key = ${QUARANTINE_KEY} || q.quarantine_id AND i.outcome = 'destroyed')`,
    )

/** Newest first. @param before the last id of the previous page */
export const quarantinePage = (
  from: Tx,
  tenant: string,
  { before, count }: { before: number | null; count: number },
): Promise<QuarantinedRow[]> =>
  listed(from, tenant)
    .$if(before !== null, (query) => query.where('q.quarantine_id', '<', before as number))
    .orderBy('q.quarantine_id', 'desc')
    .limit(count)
    .execute()

export const quarantinedById = (from: Tx, tenant: string, id: number): Promise<QuarantinedRow | undefined> =>
  listed(from, tenant).where('q.quarantine_id', '=', id).executeTakeFirst()

/** The open item of each of these, by id. */
export async function openQuarantineItems(from: Tx, ids: readonly number[]): Promise<Map<number, ItemRow>> {
  if (ids.length === 0) return new Map()
  const rows = await from
    .selectFrom('disposition_items')
    .selectAll()
    .where('rule_key', 'in', ids.map(quarantineKey))
    .where('stage', '<>', 'ended')
    .execute()
  return new Map(rows.map((row) => [Number(row.rule_key.slice(QUARANTINE_KEY.length)), row]))
}

/** Items whose cooling-off is over. */
const dueItems = (from: Tx, now: number) =>
  from
    .selectFrom('disposition_items')
    .selectAll()
    .where('stage', '=', 'cooling')
    .where('next_at', '<=', now)
    .where(beginsWith('rule_key', QUARANTINE_KEY))

export const quarantineToStep = (from: Tx, now: number, count: number): Promise<ItemRow[]> =>
  dueItems(from, now).orderBy('next_at').orderBy('item_id').limit(count).execute()

/** The item, if its cooling-off is over. */
export const dueQuarantineItem = (from: Tx, itemId: number, now: number): Promise<ItemRow | undefined> =>
  dueItems(from, now).where('item_id', '=', itemId).executeTakeFirst()

/** Bytes whose destruction is committed and whose files are still to be removed. */
export async function quarantineToRemove(from: Tx): Promise<{ quarantine_id: number; path: string }[]> {
  const { rows } = await sql<{ quarantine_id: number; path: string }>`
    SELECT q.quarantine_id, q.path FROM quarantine q JOIN disposition_items i
    ON i.rule_key = ${QUARANTINE_KEY} || q.quarantine_id AND i.outcome = 'destroyed' ORDER BY q.quarantine_id`.execute(
    from,
  )
  return rows
}

export async function forgetQuarantined(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('quarantine').where('quarantine_id', '=', id).execute()
}
