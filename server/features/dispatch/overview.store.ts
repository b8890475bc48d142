import { sql } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import type { MessageState } from './cad.store.ts'

export async function lastDelivery(from: Tx, tenant: string): Promise<string | null> {
  const row = await from
    .selectFrom('cad_deliveries')
    .select('received_utc')
    .where('tenant_id', '=', tenant)
    .orderBy('received_utc', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.received_utc ?? null
}

/** What became of what came since then. */
export async function statesSince(from: Tx, tenant: string, sinceUtc: string): Promise<Map<MessageState, number>> {
  const rows = await from
    .selectFrom('cad_deliveries as d')
    .innerJoin('cad_messages as m', 'm.delivery_id', 'd.delivery_id')
    .select(({ fn }) => ['m.state', fn.countAll<number>().as('count')])
    .where('d.tenant_id', '=', tenant)
    .where('d.received_utc', '>=', sinceUtc)
    .groupBy('m.state')
    .execute()
  return new Map(rows.map(({ state, count }) => [state, count]))
}

export async function countOfState(from: Tx, tenant: string, state: MessageState): Promise<number> {
  const { count } = await from
    .selectFrom('cad_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenant)
    .where('state', '=', state)
    .executeTakeFirstOrThrow()
  return count
}

export interface ServiceRow {
  readonly principal_id: number
  readonly name: string
  readonly enabled: number
  readonly api_keys: number
  readonly last_utc: string | null
  readonly day: number
}

/** Integrations, with what each of them sent. */
export async function servicesOf(
  from: Tx,
  tenant: string,
  { nowUtc, sinceUtc }: { readonly nowUtc: string; readonly sinceUtc: string },
): Promise<ServiceRow[]> {
  const { rows } = await sql<ServiceRow>`
    SELECT p.principal_id, p.name, p.enabled,
      (SELECT count(*) FROM api_keys k WHERE k.principal_id = p.principal_id AND k.revoked_utc IS NULL
        AND (k.expires_utc IS NULL OR k.expires_utc > ${nowUtc})) AS api_keys,
      (SELECT d.received_utc FROM cad_deliveries d WHERE d.principal_id = p.principal_id
        ORDER BY d.delivery_id DESC LIMIT 1) AS last_utc,
      (SELECT count(*) FROM cad_deliveries d WHERE d.principal_id = p.principal_id AND d.tenant_id = p.tenant_id
        AND d.received_utc >= ${sinceUtc}) AS day
    FROM principals p WHERE p.tenant_id = ${tenant} AND p.kind = 'service' ORDER BY p.name_key`.execute(from)
  return rows
}

export async function originsOfServices(from: Tx, ids: readonly number[]): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>()
  if (ids.length === 0) return found
  const rows = await from
    .selectFrom('service_origins')
    .selectAll()
    .where('principal_id', 'in', ids)
    .orderBy('origin')
    .execute()
  for (const { principal_id: id, origin } of rows) found.set(id, [...(found.get(id) ?? []), origin])
  return found
}

/** The oldest first. */
export const waitingAfter = (
  from: Tx,
  tenant: string,
  { state, after, count }: { readonly state: MessageState; readonly after: number; readonly count: number },
): Promise<{ message_id: number }[]> =>
  from
    .selectFrom('cad_messages')
    .select('message_id')
    .where('tenant_id', '=', tenant)
    .where('state', '=', state)
    .where('message_id', '>', after)
    .orderBy('message_id')
    .limit(count)
    .execute()
