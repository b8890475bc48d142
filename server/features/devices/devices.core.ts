/** What every part of the device service begins with: a device as it is named in a path or names itself in a body. */
import type { z } from 'zod'
import {
  CHANGEABLE_NAMES,
  DEVICE_FIELD_NAMES,
  DEVICE_FIELDS,
  type DeviceFieldColumns,
  type DeviceFieldName,
} from '../../../shared/devices/fields.ts'
import type { DeviceIdentification } from '../../../shared/devices/models.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { deviceRecordId } from '../../kernel/evidence/device.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { deviceObject, membersOf, searchKey } from './devices.models.ts'
import { deviceById, type DeviceRow, devicesBySerial, insertDevice, updateDevice } from './devices.store.ts'

/** Interfaces.md 2.6. */
export type Identification = z.output<typeof DeviceIdentification>

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
    const said = { ...identification, DeviceType: type === 'None' ? null : type }
    const names = CHANGEABLE_NAMES.filter((name) => (said[name] ?? null) !== null && said[name] !== row[columnOf(name)])
    if (names.length === 0) return row
    const set = columnsOf(said, names)
    const search_key = searchKey({ ...row, ...set })
    const now: DeviceRow = { ...row, ...set, search_key }
    await updateDevice(tx, row.device_id, { ...set, search_key })
    await ledger.append(tx, call, {
      action: 'device.changed',
      object: deviceObject(now),
      detail: { before: membersOf(row, names), after: membersOf(now, names) },
    })
    return now
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
      const described = columnsOf({ ...identification, DeviceType: type }, DEVICE_FIELD_NAMES) as DeviceFieldColumns
      const row: DeviceRow = {
        device_id: idOf(identification),
        tenant_id: tenant,
        ...described,
        active: 0,
        capabilities: null,
        desired: null,
        effective: null,
        effective_utc: null,
        last_seen_utc: null,
        search_key: searchKey(described),
        created_utc: isoMillis(clock.now()),
      }
      await insertDevice(tx, row)
      const { SerialNumber, Manufacturer } = identification
      const detail = { serialNumber: SerialNumber, manufacturer: Manufacturer, deviceType: type }
      await ledger.append(tx, call, { action: 'device.added', object: deviceObject(row), detail })
      return { row, added: true, changed: false }
    },
  }
}

const columnOf = (name: DeviceFieldName) => DEVICE_FIELDS[name].column

/** Members as their columns hold them; what is absent is none. */
const columnsOf = (
  members: Readonly<Partial<Record<DeviceFieldName, string | null | undefined>>>,
  names: readonly DeviceFieldName[],
): Partial<DeviceFieldColumns> => Object.fromEntries(names.map((name) => [columnOf(name), members[name] ?? null]))
