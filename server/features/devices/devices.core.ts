/** What every part of the device service begins with: a device as it is named in a path or names itself in a body. */
import { fault } from '../../../shared/kernel/errors.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { deviceRecordId } from '../../kernel/evidence/device.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { deviceObject, searchKey } from './devices.models.ts'
import { deviceById, type DeviceRow, devicesBySerial, insertDevice, updateDevice } from './devices.store.ts'

/** Interfaces.md 2.6. */
export interface Identification {
  readonly SerialNumber: string
  readonly Manufacturer: string
  readonly Model?: string | null | undefined
  readonly CommonName?: string | null | undefined
}

export interface Named {
  readonly identification: Identification
  /** `None` says nothing. */
  readonly type: string
}

export interface DeviceCore {
  /** By Id, else by a serial number that no other device has. @throws Fault DeviceNotFound */
  needed(from: Tx, tenant: string, text: string): Promise<DeviceRow>
  /** Undefined: it is unknown. */
  named(from: Tx, tenant: string, identification: Identification): Promise<DeviceRow | undefined>
  /**
   * The device, added where it is unknown, inactive. A type, model or name that it says of itself now replaces the stored one
   * (decisions 5). Each change is an entry.
   */
  known(tx: Tx, call: Call, tenant: string, named: Named): Promise<{ row: DeviceRow; added: boolean; changed: boolean }>
}

/** First 32 hexadecimal digits of SHA-256(SerialNumber + U+001F + Manufacturer). */
export const idOf = ({ SerialNumber, Manufacturer }: Identification): string =>
  deviceRecordId({ SerialNumber, Manufacturer, DeviceType: null, Model: null }) as string

export function createDeviceCore({ ledger, clock }: { ledger: Pick<Ledger, 'append'>; clock: Clock }): DeviceCore {
  const named: DeviceCore['named'] = (from, tenant, identification) => deviceById(from, tenant, idOf(identification))

  const changed = async (tx: Tx, call: Call, row: DeviceRow, { identification, type }: Named): Promise<DeviceRow> => {
    const now: DeviceRow = {
      ...row,
      device_type: type === 'None' ? row.device_type : type,
      model: identification.Model ?? row.model,
      common_name: identification.CommonName ?? row.common_name,
    }
    const columns = (['device_type', 'model', 'common_name'] as const).filter((name) => now[name] !== row[name])
    if (columns.length === 0) return row
    const membersOf = (of: DeviceRow) => Object.fromEntries(columns.map((name) => [MEMBERS[name], of[name]]))
    const search_key = searchKey(now.serial_number, now.manufacturer, now.model, now.common_name)
    const { device_type, model, common_name } = now
    await updateDevice(tx, row.device_id, { device_type, model, common_name, search_key })
    await ledger.append(tx, call, {
      action: 'device.changed',
      object: deviceObject(now),
      detail: { before: membersOf(row), after: membersOf(now) },
    })
    return { ...now, search_key }
  }

  return {
    named,

    needed: async (from, tenant, text) => {
      const byId = /^[0-9a-f]{32}$/i.test(text) ? await deviceById(from, tenant, text.toLowerCase()) : undefined
      if (byId !== undefined) return byId
      const [row, other] = await devicesBySerial(from, tenant, text)
      if (row === undefined) throw fault('DeviceNotFound', 'There is no such device.')
      if (other !== undefined)
        throw fault('DeviceNotFound', 'Several devices have this serial number. Name the Id of the one that is meant.')
      return row
    },

    known: async (tx, call, tenant, given) => {
      const { identification, type } = given
      const found = await named(tx, tenant, identification)
      if (found !== undefined) {
        const row = await changed(tx, call, found, given)
        return { row, added: false, changed: row !== found }
      }
      const { SerialNumber, Manufacturer, Model = null, CommonName = null } = identification
      const row: DeviceRow = {
        device_id: idOf(identification),
        tenant_id: tenant,
        serial_number: SerialNumber,
        manufacturer: Manufacturer,
        model: Model,
        common_name: CommonName,
        device_type: type,
        active: 0,
        capabilities: null,
        desired: null,
        effective: null,
        effective_utc: null,
        last_seen_utc: null,
        search_key: searchKey(SerialNumber, Manufacturer, Model, CommonName),
        created_utc: isoMillis(clock.now()),
      }
      await insertDevice(tx, row)
      const detail = { serialNumber: SerialNumber, manufacturer: Manufacturer, deviceType: type }
      await ledger.append(tx, call, { action: 'device.added', object: deviceObject(row), detail })
      return { row, added: true, changed: false }
    },
  }
}

const MEMBERS = { device_type: 'DeviceType', model: 'Model', common_name: 'CommonName' } as const
