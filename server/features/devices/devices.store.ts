import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Period } from '../../../shared/kernel/periods.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { positionOf } from '../../kernel/database/expressions.ts'
import type { DevicesTable } from '../../kernel/database/tables-devices.ts'

/** Devices and when they were active. */

export type DeviceRow = Selectable<DevicesTable>

export const deviceById = (from: Tx, tenant: string, id: string): Promise<DeviceRow | undefined> =>
  from.selectFrom('devices').selectAll().where('tenant_id', '=', tenant).where('device_id', '=', id).executeTakeFirst()

/** At most two: more than one is as good as none. */
export const devicesBySerial = (from: Tx, tenant: string, serial: string): Promise<DeviceRow[]> =>
  from
    .selectFrom('devices')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('serial_number', '=', serial)
    .limit(2)
    .execute()

export async function insertDevice(tx: Tx, row: Insertable<DevicesTable>): Promise<void> {
  await tx.insertInto('devices').values(row).execute()
}

export async function updateDevice(tx: Tx, id: string, set: Updateable<DevicesTable>): Promise<void> {
  await tx.updateTable('devices').set(set).where('device_id', '=', id).execute()
}

export async function countActive(from: Tx, tenant: string): Promise<number> {
  const row = await from
    .selectFrom('devices')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('tenant_id', '=', tenant)
    .where('active', '=', 1)
    .executeTakeFirstOrThrow()
  return Number(row.n)
}

export interface DeviceFilter {
  /** As `searchWords` of the models gives them. */
  readonly words: readonly string[]
  readonly active?: boolean | undefined
  readonly type?: string | undefined
  /** Associated with this principal at that moment. */
  readonly assigned?: { readonly principalId: number; readonly ticks: bigint } | undefined
}

/** The last one of the page before. */
export type Place = readonly [serial: string, id: string]

export function devicesPage(
  from: Tx,
  tenant: string,
  { words, active, type, assigned }: DeviceFilter,
  { after, count }: { after: Place | null; count: number },
): Promise<DeviceRow[]> {
  let query = from.selectFrom('devices as d').selectAll().where('d.tenant_id', '=', tenant)
  for (const word of words) query = query.where(sql<boolean>`${positionOf(sql.ref('d.search_key'), word)} > 0`)
  if (active !== undefined) query = query.where('d.active', '=', active ? 1 : 0)
  if (type !== undefined) query = query.where('d.device_type', '=', type)
  if (assigned !== undefined)
    query = query.where('d.device_id', 'in', (e) =>
      e
        .selectFrom('device_associations as a')
        .select('a.device_id')
        .where('a.principal_id', '=', assigned.principalId)
        .where('a.from_ticks', '<=', assigned.ticks)
        .where((or) => or.or([or('a.to_ticks', 'is', null), or('a.to_ticks', '>', assigned.ticks)])),
    )
  if (after !== null)
    query = query.where((e) =>
      e.or([
        e('d.serial_number', '>', after[0]),
        e.and([e('d.serial_number', '=', after[0]), e('d.device_id', '>', after[1])]),
      ]),
    )
  return query.orderBy('d.serial_number').orderBy('d.device_id').limit(count).execute()
}

/** Ticks are larger than a number holds exactly: they are read as text where they are reckoned with. */
const exact = (column: string) => sql<string | null>`CAST(${sql.ref(column)} AS TEXT)`
export const periodOf = (row: { from_text: string | null; to_text: string | null }): Period => ({
  from: BigInt(row.from_text ?? 0),
  to: row.to_text === null ? null : BigInt(row.to_text),
})

/** When it was active, in order; the last one is open while it is. */
export async function activityOf(from: Tx, deviceId: string): Promise<Period[]> {
  const rows = await from
    .selectFrom('device_activity')
    .select([exact('from_ticks').as('from_text'), exact('to_ticks').as('to_text')])
    .where('device_id', '=', deviceId)
    .orderBy('from_ticks')
    .execute()
  return rows.map(periodOf)
}

export async function beginActivity(tx: Tx, deviceId: string, ticks: bigint): Promise<void> {
  await tx
    .insertInto('device_activity')
    .values({ device_id: deviceId, from_ticks: ticks, to_ticks: null })
    .onConflict((conflict) => conflict.columns(['device_id', 'from_ticks']).doUpdateSet({ to_ticks: null }))
    .execute()
}

/** One that began at this very moment, or after it by a clock that was set back, was none. */
export async function endActivity(tx: Tx, deviceId: string, ticks: bigint): Promise<void> {
  await tx
    .deleteFrom('device_activity')
    .where('device_id', '=', deviceId)
    .where('to_ticks', 'is', null)
    .where('from_ticks', '>=', ticks)
    .execute()
  await tx
    .updateTable('device_activity')
    .set({ to_ticks: ticks })
    .where('device_id', '=', deviceId)
    .where('to_ticks', 'is', null)
    .execute()
}
