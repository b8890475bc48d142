/** A station with cameras, and what they say of themselves through the device service. */
import { randomUUID } from 'node:crypto'
import { openDatabase } from '../../../server/kernel/database/database.ts'
import type { Json } from '../../support/given.ts'
import { type CasesStation, casesStation } from './cases.ts'

export const DEVICES = '/api/v1/tenant/station'
const POLICIES = '/userservice/api/v1/tenant/station/policies'

export interface DevicesStation extends CasesStation {
  /** One that nobody else has, by default active. */
  device(more?: { name?: string; serial?: string; type?: string; active?: boolean; model?: string }): Promise<Json>
  read(device: Json): Promise<Json>
  /** It says what it has. @returns what it is offered, undefined where it has it already */
  negotiate(device: Json, Configuration: Json, more?: Json): Promise<Json>
  commit(device: Json, TransactionId: string): Promise<Json>
  reject(device: Json, TransactionId: string, ReasonCode: string, ReasonMessage: string): Promise<Json>
  /** As if it had been active for so many days. */
  longActive(device: Json, days: number): Promise<void>
  /** As if it had been docked so many days ago, with this outcome. */
  docked(device: Json, daysAgo: number, state?: 'released' | 'pulled' | 'failed'): Promise<void>
}

/** Okafor manages devices beside the sergeant; Lindqvist does not. */
export async function devicesStation(settings: Record<string, unknown> = {}): Promise<DevicesStation> {
  const station = await casesStation(settings)
  const { given, sergeant, okafor } = station
  await sergeant.send('PUT', `${POLICIES}/ManageDevices`, { Members: [{ PrincipalId: okafor.id }] })
  const named = ({ DeviceIdentification: { SerialNumber, Manufacturer } }: Json) => ({ SerialNumber, Manufacturer })
  const database = async (work: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<unknown>): Promise<void> => {
    const db = await openDatabase({ file: given.file })
    try {
      await work(db)
    } finally {
      await db.close()
    }
  }
  return {
    ...station,
    device: async ({
      serial = `X${randomUUID().slice(0, 8)}`,
      name = `Camera ${serial}`,
      type = 'BodyWornCamera',
      model = 'Argus 3',
      active = true,
    } = {}) => {
      const DeviceIdentification = { SerialNumber: serial, Manufacturer: 'Halden', Model: model, CommonName: name }
      const made = await sergeant.send('POST', `${DEVICES}/device`, { DeviceIdentification, DeviceType: type })
      return active ? sergeant.send('POST', `${DEVICES}/device/${made.Id}/activate`) : made
    },
    read: ({ Id }) => sergeant.send('GET', `${DEVICES}/device/${Id}`),
    negotiate: (device, Configuration, more = {}) =>
      sergeant.send('POST', `${DEVICES}/configuration/negociate`, {
        DeviceId: named(device),
        DeviceType: device.DeviceType,
        Configuration,
        ...more,
      }),
    commit: (device, TransactionId) =>
      sergeant.send('POST', `${DEVICES}/configuration/commit`, { DeviceId: named(device), TransactionId }),
    reject: (device, TransactionId, ReasonCode, ReasonMessage) =>
      sergeant.send('POST', `${DEVICES}/configuration/reject`, {
        DeviceId: named(device),
        TransactionId,
        ReasonCode,
        ReasonMessage,
      }),
    longActive: (device, days) =>
      database((db) =>
        db.transaction((tx) =>
          tx
            .updateTable('device_activity')
            .set({ from_ticks: BigInt(Date.now() - days * 86_400_000) * 10_000n })
            .where('device_id', '=', device.Id)
            .execute(),
        ),
      ),
    docked: (device, daysAgo, state = 'released') =>
      database((db) =>
        db.transaction((tx) =>
          tx
            .insertInto('dock_sessions')
            .values({
              tenant_id: 'station',
              volume_id: randomUUID(),
              camera_key: `device:${device.Id}`,
              bay: '1',
              label: 'CAMERA',
              state,
              ended: 1,
              device_id: device.Id,
              clear_rule: 'never',
              detected_at: Date.now() - daysAgo * 86_400_000,
            })
            .execute(),
        ),
      ),
  }
}
