import type { DockState } from '../../../shared/docking/docking.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { TransactionRow, TypeRow } from './configurations.store.ts'

/** Details of many devices at once, beside their records. */

export interface DockedRow {
  readonly device_id: string
  readonly session_id: number
  readonly state: DockState
  readonly detected_at: number
}

/** As sessions know a camera again by its device (dock/session/look.ts). */
const cameraKey = (deviceId: string): string => `device:${deviceId}`

/** Of each device the newest session in a bay. */
export async function lastDocks(from: Tx, tenant: string, ids: readonly string[]): Promise<Map<string, DockedRow>> {
  if (ids.length === 0) return new Map()
  const rows = await from
    .selectFrom('dock_sessions as s')
    .select(['s.device_id', 's.session_id', 's.state', 's.detected_at'])
    .where('s.session_id', 'in', (e) =>
      e
        .selectFrom('dock_sessions as n')
        .select((f) => f.fn.max('n.session_id').as('last'))
        .where('n.tenant_id', '=', tenant)
        .where('n.camera_key', 'in', ids.map(cameraKey))
        .groupBy('n.camera_key'),
    )
    .execute()
  return new Map(rows.map((row) => [row.device_id ?? '', { ...row, device_id: row.device_id ?? '' }]))
}

/** Of these devices, those with a change of past associations that is not confirmed yet. */
export async function devicesWithMakers(from: Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await from
    .selectFrom('device_associations')
    .select('device_id')
    .distinct()
    .where('device_id', 'in', ids)
    .where('makers', '<>', '[]')
    .execute()
  return rows.map((row) => row.device_id)
}

/** What is expected of these types. */
export async function configurationsOfTypes(
  from: Tx,
  tenant: string,
  types: readonly string[],
): Promise<Map<string, TypeRow>> {
  if (types.length === 0) return new Map()
  const rows = await from
    .selectFrom('device_type_configurations')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('device_type', 'in', types)
    .execute()
  return new Map(rows.map((row) => [row.device_type, row]))
}

/** Every type that a device has, by name. */
export async function typesInUse(from: Tx, tenant: string): Promise<{ DeviceType: string; Devices: number }[]> {
  const rows = await from
    .selectFrom('devices')
    .select((e) => ['device_type', e.fn.countAll<number>().as('n')])
    .where('tenant_id', '=', tenant)
    .groupBy('device_type')
    .orderBy('device_type')
    .execute()
  return rows.map((row) => ({ DeviceType: row.device_type, Devices: Number(row.n) }))
}

/** As many as are kept, the newest first. */
export const transactionsOf = (from: Tx, deviceId: string): Promise<TransactionRow[]> =>
  from
    .selectFrom('device_transactions')
    .selectAll()
    .where('device_id', '=', deviceId)
    .orderBy('number', 'desc')
    .execute()
