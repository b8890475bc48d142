import { type Insertable, type Selectable, sql } from 'kysely'
import { jsonNumber } from '../../kernel/database/expressions.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { CadDeliveriesTable, CadMappingsTable, CadMessagesTable } from '../../kernel/database/tables-cad.ts'

export type DeliveryRow = Selectable<CadDeliveriesTable>
export type MessageRow = Selectable<CadMessagesTable>
export type MessageState = MessageRow['state']

export async function insertDelivery(tx: Tx, row: Insertable<CadDeliveriesTable>): Promise<number> {
  const { delivery_id: id } = await tx
    .insertInto('cad_deliveries')
    .values(row)
    .returning('delivery_id')
    .executeTakeFirstOrThrow()
  return id
}

export const deliveryById = (from: Tx, id: number): Promise<DeliveryRow> =>
  from.selectFrom('cad_deliveries').selectAll().where('delivery_id', '=', id).executeTakeFirstOrThrow()

export async function taken(tx: Tx, deliveryId: number): Promise<void> {
  await tx.updateTable('cad_deliveries').set({ taken: 1 }).where('delivery_id', '=', deliveryId).execute()
}

/** Messages that were not processed, because the station ended just then. @param before a time of reception */
export const deliveriesLeft = (from: Tx, before: string): Promise<{ delivery_id: number; correlation_id: string }[]> =>
  from
    .selectFrom('cad_deliveries')
    .select(['delivery_id', 'correlation_id'])
    .where('taken', '=', 0)
    .where('received_utc', '<=', before)
    .orderBy('delivery_id')
    .execute()

export async function insertMessage(tx: Tx, row: Omit<Insertable<CadMessagesTable>, 'message_id'>): Promise<number> {
  const { message_id: id } = await tx
    .insertInto('cad_messages')
    .values(row)
    .returning('message_id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateMessage(
  tx: Tx,
  id: number,
  set: Partial<Omit<MessageRow, 'message_id' | 'tenant_id' | 'delivery_id' | 'position'>>,
): Promise<void> {
  await tx.updateTable('cad_messages').set(set).where('message_id', '=', id).execute()
}

export async function positionsOf(from: Tx, deliveryId: number): Promise<Set<number | null>> {
  const rows = await from.selectFrom('cad_messages').select('position').where('delivery_id', '=', deliveryId).execute()
  return new Set(rows.map(({ position }) => position))
}

export async function wasApplied(from: Tx, tenant: string, eventId: string, transactionId: string): Promise<boolean> {
  const row = await from
    .selectFrom('cad_messages')
    .select('message_id')
    .where('tenant_id', '=', tenant)
    .where('event_id', '=', eventId)
    .where('transaction_id', '=', transactionId)
    .where('state', '=', 'applied')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export interface EventRow {
  readonly event_id: string
  readonly case_id: number
  /** Exactly: the column is for SQL to compare. */
  readonly transaction: bigint | null
  readonly stated: string
  readonly written: string
  readonly by_hand: string
}

export async function eventById(from: Tx, tenant: string, eventId: string): Promise<EventRow | undefined> {
  const { rows } = await sql<Omit<EventRow, 'transaction'> & { ticks: string | null }>`
    SELECT event_id, case_id, CAST(transaction_ticks AS TEXT) AS ticks, stated, written, by_hand FROM cad_events
    WHERE tenant_id = ${tenant} AND event_id = ${eventId}`.execute(from)
  const [row] = rows
  if (row === undefined) return undefined
  const { ticks, ...event } = row
  return { ...event, transaction: ticks === null ? null : BigInt(ticks) }
}

export async function putEvent(tx: Tx, tenant: string, row: EventRow): Promise<void> {
  const { transaction, ...event } = row
  const set = {
    transaction_ticks: transaction,
    stated: event.stated,
    written: event.written,
    by_hand: event.by_hand,
  }
  await tx
    .insertInto('cad_events')
    .values({ tenant_id: tenant, event_id: event.event_id, case_id: event.case_id, ...set })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'event_id']).doUpdateSet(set))
    .execute()
}

export interface FoundEvent {
  readonly event_id: string
  readonly case_id: number
  readonly stated: string
  readonly latitude: number | null
  readonly longitude: number | null
}

/** Events that overlap a time, the latest first. */
export async function eventsBetween(
  from: Tx,
  tenant: string,
  time: { readonly from: bigint | null; readonly to: bigint | null },
  page: { readonly before: { readonly ticks: bigint; readonly caseId: number } | null; readonly count: number },
): Promise<(FoundEvent & { readonly ticks: string })[]> {
  const since = time.from === null ? sql`` : sql` AND coalesce(c.ended_ticks, c.occurred_ticks) >= ${time.from}`
  const until = time.to === null ? sql`` : sql` AND c.occurred_ticks <= ${time.to}`
  const before =
    page.before === null
      ? sql``
      : sql` AND (c.occurred_ticks, c.case_id) < (${page.before.ticks}, ${page.before.caseId})`
  const { rows } = await sql<FoundEvent & { ticks: string }>`
    SELECT e.event_id, e.case_id, e.stated, ${jsonNumber('c.location', 'Latitude')} AS latitude, ${jsonNumber('c.location', 'Longitude')} AS longitude,
      CAST(c.occurred_ticks AS TEXT) AS ticks
    FROM cases c JOIN cad_events e ON e.case_id = c.case_id
    WHERE c.tenant_id = ${tenant} AND c.occurred_ticks IS NOT NULL AND c.lifecycle_state <> 'Deleted'${since}${until}${before}
    ORDER BY c.occurred_ticks DESC, c.case_id DESC LIMIT ${page.count}`.execute(from)
  return rows
}

export interface Named {
  readonly principal_id: number
  readonly badge: string
  readonly name_key: string
}

/** People whom one of these could mean: by badge, or by the key of their user name. */
export async function peopleNamed(
  from: Tx,
  tenant: string,
  badges: readonly string[],
  nameKeys: readonly string[],
): Promise<Named[]> {
  if (badges.length + nameKeys.length === 0) return []
  return from
    .selectFrom('principals')
    .select(['principal_id', 'badge', 'name_key'])
    .where('tenant_id', '=', tenant)
    .where('kind', '=', 'user')
    .where('guest', '=', 0)
    .where((e) => e.or([e('badge', 'in', badges), e('name_key', 'in', nameKeys)]))
    .execute()
}

export type MappingRow = Selectable<CadMappingsTable>

export const mappingRow = (from: Tx, tenant: string): Promise<MappingRow | undefined> =>
  from.selectFrom('cad_mappings').selectAll().where('tenant_id', '=', tenant).executeTakeFirst()

export async function putMappingRow(tx: Tx, row: MappingRow): Promise<void> {
  const { tenant_id: _tenant, ...set } = row
  await tx
    .insertInto('cad_mappings')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(set))
    .execute()
  await tx.insertInto('cad_mapping_versions').values(row).execute()
}

export const mappingVersions = (from: Tx, tenant: string, most: number): Promise<MappingRow[]> =>
  from
    .selectFrom('cad_mapping_versions')
    .select(['tenant_id', 'mapping', 'concurrency_id', 'modified_utc', 'modified_by'])
    .where('tenant_id', '=', tenant)
    .orderBy('version_id', 'desc')
    .limit(most)
    .execute()

export type ListedMessage = MessageRow & Pick<DeliveryRow, 'received_utc' | 'sent_by' | 'sha256'>

const listed = (from: Tx, tenant: string) =>
  from
    .selectFrom('cad_messages as m')
    .innerJoin('cad_deliveries as d', 'd.delivery_id', 'm.delivery_id')
    .selectAll('m')
    .select(['d.received_utc', 'd.sent_by', 'd.sha256'])
    .where('m.tenant_id', '=', tenant)

export const messageById = (from: Tx, tenant: string, id: number): Promise<ListedMessage | undefined> =>
  listed(from, tenant).where('m.message_id', '=', id).executeTakeFirst()

/** Newest first. */
export function messagesBefore(
  from: Tx,
  tenant: string,
  { state, before, count }: { state: MessageState | undefined; before: number; count: number },
): Promise<ListedMessage[]> {
  const query = listed(from, tenant).where('m.message_id', '<', before).orderBy('m.message_id', 'desc').limit(count)
  return (state === undefined ? query : query.where('m.state', '=', state)).execute()
}

/** Whose key this is, while it counts and its integration is enabled. @param keyHash SHA-256, as it is kept */
export async function serviceWithKey(from: Tx, keyHash: string, nowUtc: string) {
  return from
    .selectFrom('api_keys as k')
    .innerJoin('principals as p', 'p.principal_id', 'k.principal_id')
    .select(['k.api_key_id', 'p.principal_id', 'p.name', 'p.k_id', 'p.tenant_id'])
    .where('k.key_hash', '=', keyHash)
    .where('k.revoked_utc', 'is', null)
    .where((e) => e.or([e('k.expires_utc', 'is', null), e('k.expires_utc', '>', nowUtc)]))
    .where('p.kind', '=', 'service')
    .where('p.enabled', '=', 1)
    .executeTakeFirst()
}

export async function usedKey(tx: Tx, apiKeyId: number, usedUtc: string): Promise<void> {
  await tx.updateTable('api_keys').set({ last_used_utc: usedUtc }).where('api_key_id', '=', apiKeyId).execute()
}

export async function allowsOrigin(from: Tx, principalId: number, origin: string): Promise<boolean> {
  const row = await from
    .selectFrom('service_origins')
    .select('origin')
    .where('principal_id', '=', principalId)
    .where('origin', '=', origin)
    .executeTakeFirst()
  return row !== undefined
}
