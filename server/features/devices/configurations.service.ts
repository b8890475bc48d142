import { authorOf } from '../../kernel/evidence/objects.ts'
import type { z } from 'zod'
import type {
  DeviceConfigurationModel,
  TypeConfigurationModel,
} from '../../../shared/devices/configurations.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { sameJson } from '../../../shared/kernel/same-json.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import {
  deleteTypeConfiguration,
  setTypeConfiguration,
  typeConfiguration,
  typeConfigurations,
  type TypeRow,
} from './configurations.store.ts'
import type { DeviceCore } from './devices.core.ts'
import { deviceObject, deviceVersion, type PrincipalOut, requireCurrent, stateId } from './devices.models.ts'
import { type DeviceRow, updateDevice } from './devices.store.ts'
import type { FreeForm, Vault } from './vault.ts'

type OfDevice = z.input<typeof DeviceConfigurationModel>
type OfType = z.input<typeof TypeConfigurationModel>
type Sent = string | null | undefined

/** What is expected of devices, each by itself and by type (decisions 5). The ledger names the members that changed, never their values. */
export interface Configurations {
  /** @throws Fault DeviceNotFound */
  ofDevice(tenant: string, id: string): Promise<{ name: string; configuration: OfDevice }>
  /** @throws Fault DeviceNotFound, ConcurrentWritingError */
  setOfDevice(call: Call, tenant: string, id: string, given: FreeForm | null, version: Sent): Promise<OfDevice>
  ofTypes(tenant: string): Promise<OfType[]>
  /** @throws Fault ConcurrentWritingError */
  setOfType(call: Call, tenant: string, type: string, given: FreeForm, version: Sent): Promise<OfType>
  /** @throws Fault NotFound */
  removeOfType(call: Call, tenant: string, type: string): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly vault: Vault
  readonly core: DeviceCore
}

export function createConfigurations({ db, ledger, clock, vault, core }: Deps): Configurations {
  const openType = (row: TypeRow | undefined): FreeForm | null =>
    row === undefined ? null : vault.open(row.sealed, 'type', row.device_type)
  const deviceModel = async (from: Tx, row: DeviceRow): Promise<OfDevice> => ({
    DeviceId: row.device_id,
    DeviceType: row.device_type,
    Desired: vault.open(row.desired, 'desired', row.device_id),
    OfType: openType(await typeConfiguration(from, row.tenant_id, row.device_type)),
    Effective: vault.open(row.effective, 'effective', row.device_id),
    EffectiveSinceUtc: row.effective_utc,
    ConcurrencyId: deviceVersion(row),
  })
  /** One that the key of this station does not open is as good as none. */
  const typeModel = (row: TypeRow): OfType[] => {
    const Configuration = openType(row)
    if (Configuration === null) return []
    return [
      {
        DeviceType: row.device_type,
        Configuration,
        LastModifiedUtcTime: row.modified_utc,
        LastModifiedBy: JSON.parse(row.modified_by) as PrincipalOut,
        ConcurrencyId: typeVersion(row),
      },
    ]
  }
  const recordChange = (tx: Tx, call: Call, object: ReturnType<typeof deviceObject>, change: Change) =>
    ledger.append(tx, call, { action: 'device.configurationSet', object, detail: detailOf(change) })

  return {
    ofDevice: async (tenant, id) => {
      const row = await core.needed(db.read, tenant, id)
      return { name: deviceObject(row).name, configuration: await deviceModel(db.read, row) }
    },

    setOfDevice: (call, tenant, id, after, version) =>
      db.transaction(async (tx) => {
        const row = await core.needed(tx, tenant, id)
        requireCurrent(version, deviceVersion(row))
        const before = vault.open(row.desired, 'desired', row.device_id)
        const desired = after === null ? null : vault.seal(after, 'desired', row.device_id)
        await updateDevice(tx, row.device_id, { desired })
        await recordChange(tx, call, deviceObject(row), { before, after })
        return deviceModel(tx, { ...row, desired })
      }),

    ofTypes: async (tenant) => (await typeConfigurations(db.read, tenant)).flatMap(typeModel),

    setOfType: (call, tenant, type, after, version) =>
      db.transaction(async (tx) => {
        const found = await typeConfiguration(tx, tenant, type)
        requireCurrent(version, found === undefined ? '' : typeVersion(found))
        const row: TypeRow = {
          tenant_id: tenant,
          device_type: type,
          sealed: vault.seal(after, 'type', type),
          modified_utc: isoMillis(clock.now()),
          modified_by: JSON.stringify(authorOf(call.actor)),
        }
        await setTypeConfiguration(tx, row)
        await recordChange(tx, call, typeObject(type), { before: openType(found), after })
        return typeModel(row)[0] as OfType
      }),

    removeOfType: (call, tenant, type) =>
      db.transaction(async (tx) => {
        const found = await typeConfiguration(tx, tenant, type)
        if (found === undefined) throw fault('NotFound', 'Nothing is expected of this type of devices.')
        await deleteTypeConfiguration(tx, tenant, type)
        await recordChange(tx, call, typeObject(type), { before: openType(found), after: null })
      }),
  }
}

const typeObject = (type: string) => ({ type: 'deviceType', id: type, name: type })
const typeVersion = ({ device_type, sealed }: TypeRow): string => stateId([device_type, sealed])

interface Change {
  readonly before: FreeForm | null
  readonly after: FreeForm | null
}

/** More would not help the reader. */
const MOST_NAMED = 50
const MOST_OF_A_NAME = 100

function detailOf({ before, after }: Change) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort()
  const value = (of: FreeForm | null, name: string): unknown =>
    of !== null && Object.hasOwn(of, name) ? of[name] : undefined
  const changed = names.filter((name) => !sameJson(value(before, name), value(after, name)))
  return {
    set: after !== null,
    changed: changed.length,
    members: changed.slice(0, MOST_NAMED).map((name) => name.slice(0, MOST_OF_A_NAME).toWellFormed()),
  }
}
