import { fault } from '../../../shared/kernel/errors.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { answer, type Answered, type HttpCall } from '../../http/handlers.ts'
import type { Attribution } from './attribution.ts'
import { officersAt } from './associations.store.ts'
import { newestTransactions } from './configurations.store.ts'
import type { DeviceCore, Named } from './devices.core.ts'
import {
  type DeviceDetails,
  type DeviceDetailOut,
  type DeviceItem,
  deviceItem,
  deviceObject,
  type DeviceOut,
  deviceRecord,
  readCursor,
  searchWords,
  transactionModel,
  writeCursor,
} from './devices.models.ts'
import {
  activityOf,
  beginActivity,
  countActive,
  type DeviceRow,
  devicesPage,
  endActivity,
  updateDevice,
} from './devices.store.ts'
import { standings } from './device-status.ts'
import { transactionsOf, typesInUse } from './device-status.store.ts'
import type { Vault } from './vault.ts'

export interface DevicesAsked {
  readonly text: string
  readonly active?: boolean | undefined
  readonly type?: string | undefined
  readonly assignedTo?: string | undefined
  readonly cursor: string | undefined
  readonly count: number
}

export interface DeviceList {
  readonly Items: DeviceItem[]
  readonly Cursor: string | null
  readonly ActiveDevices: number
  readonly MaxActiveDevices: number
  readonly Types: { DeviceType: string; Devices: number }[]
}

/** Devices (interfaces.md 3.3, decisions 5). Every change is an entry in its own transaction. */
export interface Devices {
  /** 201, or 200 of one that is known. */
  add(call: HttpCall, tenant: string, named: Named): Promise<Answered<200 | 201, DeviceOut>>
  /** @throws Fault InvalidModel for a cursor that is not one of this list's */
  list(tenant: string, asked: DevicesAsked): Promise<DeviceList>
  /** @throws Fault DeviceNotFound, as all that follow */
  read(tenant: string, id: string): Promise<DeviceDetailOut>
  /** @throws Fault ActiveDeviceLimitReached */
  activate(call: Call, tenant: string, id: string): Promise<DeviceOut>
  deactivate(call: Call, tenant: string, id: string): Promise<DeviceOut>
  /** Its type, model and name, and that it was seen now; for who sees devices without an interface of their own. */
  seen(call: Call, tenant: string, named: Named): Promise<{ deviceId: string; active: boolean; added: boolean }>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly vault: Vault
  readonly core: DeviceCore
  readonly attribution: Attribution
  /** Devices that may be active at a time (interfaces.md 8). */
  readonly maxActiveDevices: number
}

export function createDevices(deps: Deps): Devices {
  const { db, ledger, clock, vault, core, attribution, maxActiveDevices } = deps

  const details = async (from: Tx, rows: readonly DeviceRow[]): Promise<(row: DeviceRow) => DeviceDetails> => {
    const now = clock.now()
    const ids = rows.map((row) => row.device_id)
    const officers = await officersAt(from, ids, timeOf(now).ticks)
    const transactions = await newestTransactions(from, ids)
    return ({ device_id: id }) => ({ officers: officers.get(id) ?? [], transaction: transactions.get(id), now })
  }
  const record = async (from: Tx, row: DeviceRow): Promise<DeviceOut> =>
    deviceRecord(row, (await details(from, [row]))(row), vault)
  /** A change that changes nothing is a look. */
  const recordRead = (tx: Tx, call: Call, row: DeviceRow) =>
    ledger.append(tx, call, { action: 'device.read', object: deviceObject(row) })

  const changing = (
    tenant: string,
    id: string,
    work: (tx: Tx, row: DeviceRow) => Promise<unknown>,
  ): Promise<DeviceOut> =>
    db.transaction(async (tx) => {
      await work(tx, await core.needed(tx, tenant, id))
      return record(tx, await core.needed(tx, tenant, id))
    })

  return {
    add: (call, tenant, named) =>
      db.transaction(async (tx) => {
        const { row, added, changed } = await core.known(tx, call, tenant, named)
        if (!added && !changed) await recordRead(tx, call, row)
        const out = answer(added ? 201 : 200, await record(tx, row))
        // What the device is configured to must not lie in the clear: it is put in again where this is repeated.
        await call.rememberAnswer(tx, answer(out.status, { ...out.body, EffectiveConfiguration: null }))
        return out
      }),

    list: async (tenant, { text, active, type, assignedTo, cursor, count }) => {
      const ticks = timeOf(clock.now()).ticks
      const assigned = assignedTo === undefined ? undefined : { principalId: Number(assignedTo), ticks }
      const filter = { words: searchWords(text), active, type, assigned }
      const rows = await devicesPage(db.read, tenant, filter, { after: readCursor(cursor), count: count + 1 })
      const shown = rows.slice(0, count)
      const last = shown.at(-1)
      const of = await details(db.read, shown)
      const standing = await standings(db.read, tenant, shown, vault)
      return {
        Items: shown.map((row) => ({ ...deviceItem(row, of(row)), Standing: standing(row) })),
        Cursor: rows.length > count && last !== undefined ? writeCursor([last.serial_number, last.device_id]) : null,
        ActiveDevices: await countActive(db.read, tenant),
        MaxActiveDevices: maxActiveDevices,
        Types: await typesInUse(db.read, tenant),
      }
    },

    read: async (tenant, id) => {
      const row = await core.needed(db.read, tenant, id)
      const [standing, activity, transactions] = await Promise.all([
        standings(db.read, tenant, [row], vault),
        activityOf(db.read, row.device_id),
        transactionsOf(db.read, row.device_id),
      ])
      const now = clock.now()
      return {
        ...(await record(db.read, row)),
        Standing: standing(row),
        Activity: activity
          .map(({ from, to }) => ({ FromUtc: textOf(from), ToUtc: to === null ? null : textOf(to) }))
          .reverse(),
        Negotiations: transactions.map((one) => transactionModel(one, now)),
      }
    },

    activate: (call, tenant, id) =>
      changing(tenant, id, async (tx, row) => {
        if (row.active === 1) return recordRead(tx, call, row)
        // There is one writer: of those who race for the last place one is here first.
        const active = await countActive(tx, tenant)
        if (active >= maxActiveDevices)
          throw fault(
            'ActiveDeviceLimitReached',
            `${active} devices are active, and no more than ${maxActiveDevices} may be. Deactivate another one first.`,
          )
        await updateDevice(tx, row.device_id, { active: 1 })
        await beginActivity(tx, row.device_id, timeOf(clock.now()).ticks)
        return ledger.append(tx, call, {
          action: 'device.activated',
          object: deviceObject(row),
          detail: { activeDevices: active + 1, maxActiveDevices },
        })
      }),

    deactivate: (call, tenant, id) =>
      changing(tenant, id, async (tx, row) => {
        if (row.active === 0) return recordRead(tx, call, row)
        const now = timeOf(clock.now())
        const ended = await attribution.endAll(tx, row, now)
        await updateDevice(tx, row.device_id, { active: 0 })
        await endActivity(tx, row.device_id, now.ticks)
        await ledger.append(tx, call, {
          action: 'device.deactivated',
          object: deviceObject(row),
          detail: { endedAssociations: ended },
        })
        const activity = await activityOf(tx, row.device_id)
        return attribution.tell(tx, call, row, activity, [{ from: now.ticks, to: null }])
      }),

    // By the dock alone.
    seen: (call, tenant, named) =>
      db.inBackground.transaction(async (tx) => {
        const { row, added } = await core.known(tx, call, tenant, named)
        await updateDevice(tx, row.device_id, { last_seen_utc: isoMillis(clock.now()) })
        await ledger.append(tx, call, { action: 'device.seen', object: deviceObject(row) })
        return { deviceId: row.device_id, active: row.active === 1, added }
      }),
  }
}

/** The station's own times: they have no more than milliseconds. */
const textOf = (ticks: bigint): string => timeOf(Number(ticks / 10_000n)).text
