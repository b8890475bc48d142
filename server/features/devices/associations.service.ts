import { authorOf } from '../../kernel/evidence/objects.ts'
import type { z } from 'zod'
import type { DeviceAssociation } from '../../../shared/devices/associations.contract.ts'
import type { TakenDevice } from '../../../shared/devices/take.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { commonTo, holds, type Period, without } from '../../../shared/kernel/periods.ts'
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import { type Time, timeOf } from '../../../shared/kernel/time.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import {
  accessesOf,
  associationById,
  type AssociationRow,
  associationsOf,
  deleteAssociation,
  insertAssociation,
  type OfficerRow,
  replaceAccesses,
  updateAssociation,
  userById,
} from './associations.store.ts'
import {
  changedPeriod,
  makersAfter,
  type NewBounds,
  ownFrom,
  type Person,
  requireActive,
  requireConfirmable,
  requireOfficer,
  requireOwn,
  requireRange,
  requireRoom,
} from './associations.rules.ts'
import { type Attribution, changedStanding, makersOf, type Standing, standingOf, statedBy } from './attribution.ts'
import type { DeviceCore } from './devices.core.ts'
import { deviceObject, officerOut, type PrincipalOut, requireCurrent, stateId } from './devices.models.ts'
import { activityOf, type DeviceRow } from './devices.store.ts'

export type AssociationOut = z.input<typeof DeviceAssociation>
type Sent = string | null | undefined

export interface NewAssociation {
  readonly principalId: string
  /** Null: from now on. */
  readonly from: Time | null
  readonly to: Time | null
}

export interface AssociationChange {
  /** Undefined: as it was. */
  readonly from: Time | undefined
  readonly to: Time | null | undefined
  readonly concurrencyId: Sent
}

export interface Take {
  /** Null: the caller. */
  readonly principalId: string | null
  readonly hours: number
  readonly endOthers: boolean
}

export type Taken = z.input<typeof TakenDevice>

/** Whose device it is, and when (decisions 5). Every change is an entry, and one more for each recording that changes hands by it. */
export interface Associations {
  /** @throws Fault DeviceNotFound, as all */
  list(
    tenant: string,
    device: string,
  ): Promise<{ device: { id: string; name: string }; associations: AssociationOut[] }>
  /** Whether the caller may associate the device with these now; null: with themselves. @throws Fault Forbidden */
  judge(call: HttpCall, device: string, whose: string | null): Promise<void>
  /** @throws Fault Forbidden, InvalidModel, InvalidDateTimeRange, DeviceNotActive, OfficerAlreadyAssociated, TooManyOfficers */
  create(call: HttpCall, tenant: string, device: string, given: NewAssociation): Promise<AssociationOut>
  /** For a shift. @throws Fault as `create` */
  take(call: HttpCall, tenant: string, device: string, given: Take): Promise<Taken>
  /** @throws Fault as `create`, AssociationNotFound, ConcurrentWritingError */
  change(call: Call, tenant: string, device: string, id: string, given: AssociationChange): Promise<AssociationOut>
  /** @throws Fault AssociationNotFound */
  remove(call: Call, tenant: string, device: string, id: string): Promise<void>
  /** @throws Fault AssociationNotFound, ConcurrentWritingError, NothingToConfirm, AssociationWithheld, Forbidden */
  confirm(call: Call, tenant: string, device: string, id: string, concurrencyId: Sent): Promise<AssociationOut>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly core: DeviceCore
  readonly attribution: Attribution
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
}

type Recording = Pick<Deps, 'ledger' | 'attribution'>

export function createAssociations(deps: Deps): Associations {
  const { db, clock, core, attribution, isInPolicy } = deps
  const nowTime = (): Time => timeOf(clock.now())

  const managing = async (call: HttpCall, device: string): Promise<boolean> => {
    const manages = await isInPolicy(call.actor.id, 'ManageDevices')
    call.reportDecision({ on: 'device', id: device, held: manages ? 'ManageDevices' : 'None' })
    return manages
  }

  return {
    judge: async (call, text, whose) => {
      if (!(await managing(call, text))) requireOwn(call, whose ?? call.actor.id, false)
    },

    list: async (tenant, text) => {
      const device = await core.needed(db.read, tenant, text)
      const activity = await activityOf(db.read, device.device_id)
      const rows = await associationsOf(db.read, device.device_id)
      const accesses = Map.groupBy(await accessesOf(db.read, device.device_id), (one) => one.associationId)
      const associations = rows.map((row) =>
        associationModel(row, standingOf(statedBy(row), accesses.get(row.association_id) ?? [], activity)),
      )
      const { id, name } = deviceObject(device)
      return { device: { id, name }, associations }
    },

    create: async (call, tenant, text, given) => {
      const manages = await managing(call, text)
      return db.transaction(async (tx) => {
        const now = nowTime()
        const from = manages ? (given.from ?? now) : ownFrom(call, given, now)
        const { to } = given
        const device = await core.needed(tx, tenant, text)
        const officer = await userById(tx, tenant, Number(given.principalId))
        const id = await associate(deps, tx, call, { device, officer, from, to, principalId: given.principalId, now })
        return call.rememberAnswer(tx, await out(tx, id, device))
      })
    },

    take: async (call, tenant, text, { principalId, hours, endOthers }) => {
      const manages = await managing(call, text)
      const whose = principalId ?? call.actor.id
      if (!manages) requireOwn(call, whose, endOthers)
      return db.transaction(async (tx) => {
        const now = nowTime()
        const end = timeOf(Number(now.ticks / 10_000n) + hours * 3_600_000)
        const device = await core.needed(tx, tenant, text)
        const officer = await userById(tx, tenant, Number(whose))
        const activity = await activityOf(tx, device.device_id)
        const current = async () =>
          (await associationsOf(tx, device.device_id)).filter((row) => holds(statedBy(row), now.ticks))
        const had = await current()
        const change = async (row: AssociationRow, to: Time): Promise<void> => {
          const before = await standing(tx, row, activity)
          await rewrite(deps, tx, call, { device, row, given: { from: undefined, to }, before, activity, now })
        }
        if (endOthers)
          for (const row of had) {
            // One that began at this very moment was none.
            if (String(row.principal_id) === whose || statedBy(row).from >= now.ticks) continue
            await change(row, now)
          }
        const own = had.find((row) => String(row.principal_id) === whose)
        if (own === undefined)
          await associate(deps, tx, call, { device, officer, from: now, to: end, principalId: whose, now })
        else {
          const { to } = statedBy(own)
          if (to !== null && to < end.ticks) await change(own, end)
          else await recordRead(deps, tx, call, device, had.length)
        }
        const models: AssociationOut[] = []
        for (const row of await current()) models.push(associationModel(row, await standing(tx, row, activity)))
        const mine = models.find(({ Officer }) => Officer.PrincipalId === whose) as AssociationOut
        return call.rememberAnswer(tx, takenOut(device, mine, models, manages))
      })
    },

    change: (call, tenant, text, id, given) =>
      db.transaction(async (tx) => {
        const now = nowTime()
        const device = await core.needed(tx, tenant, text)
        const row = await needed(tx, device, id)
        const activity = await activityOf(tx, device.device_id)
        const before = await standing(tx, row, activity)
        requireCurrent(given.concurrencyId, versionOf(row, before))
        await rewrite(deps, tx, call, { device, row, given, before, activity, now })
        return out(tx, row.association_id, device)
      }),

    remove: (call, tenant, text, id) =>
      db.transaction(async (tx) => {
        const device = await core.needed(tx, tenant, text)
        const row = await needed(tx, device, id)
        await deleteAssociation(tx, row.association_id)
        await record(deps, tx, call, device, { action: 'device.associationRemoved', row })
        const activity = await activityOf(tx, device.device_id)
        await attribution.tell(tx, call, device, activity, commonTo([statedBy(row)], activity))
      }),

    confirm: (call, tenant, text, id, concurrencyId) =>
      db.transaction(async (tx) => {
        const device = await core.needed(tx, tenant, text)
        const row = await needed(tx, device, id)
        const activity = await activityOf(tx, device.device_id)
        const before = await standing(tx, row, activity)
        requireCurrent(concurrencyId, versionOf(row, before))
        requireConfirmable(row, before, call.actor.id)
        await updateAssociation(tx, row.association_id, {
          makers: '[]',
          confirmed_utc: nowTime().text,
          confirmed_by: JSON.stringify(authorOf(call.actor)),
        })
        await replaceAccesses(tx, row, commonTo([statedBy(row)], activity))
        await record(deps, tx, call, device, { action: 'device.associationConfirmed', row, madeBy: makersOf(row) })
        return out(tx, row.association_id, device)
      }),
  }
}

interface ToAssociate {
  readonly device: DeviceRow
  readonly officer: Person | undefined
  readonly principalId: string
  readonly from: Time
  readonly to: Time | null
  readonly now: Time
}

interface ToRewrite {
  readonly device: DeviceRow
  readonly row: AssociationRow
  readonly given: NewBounds
  readonly before: Standing
  readonly activity: readonly Period[]
  readonly now: Time
}

type Act =
  | 'device.associated'
  | 'device.associationChanged'
  | 'device.associationRemoved'
  | 'device.associationConfirmed'

/** @throws Fault AssociationNotFound */
async function needed(tx: Tx, device: DeviceRow, id: string): Promise<AssociationRow> {
  const row = await associationById(tx, device.device_id, Number(id))
  // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
  if (row === undefined || String(row.association_id) !== id)
    throw fault('AssociationNotFound', `There is no association ${id} of this device.`)
  return row
}

async function standing(from: Tx, row: AssociationRow, activity: readonly Period[]): Promise<Standing> {
  const own = (await accessesOf(from, row.device_id)).filter((one) => one.associationId === row.association_id)
  return standingOf(statedBy(row), own, activity)
}

async function out(tx: Tx, id: number, device: DeviceRow): Promise<AssociationOut> {
  const row = (await associationById(tx, device.device_id, id)) as AssociationRow
  return associationModel(row, await standing(tx, row, await activityOf(tx, device.device_id)))
}

const record = (
  { ledger }: Recording,
  tx: Tx,
  call: Call,
  device: DeviceRow,
  { action, row, ...more }: { readonly action: Act; readonly row: AssociationRow; readonly [detail: string]: unknown },
) => ledger.append(tx, call, { action, object: deviceObject(device), detail: { ...detailOf(row), ...more } })

/** A request that changes nothing is recorded as a read. */
const recordRead = ({ ledger }: Recording, tx: Tx, call: Call, device: DeviceRow, returned: number) =>
  ledger.append(tx, call, {
    action: 'device.associationsRead',
    object: deviceObject(device),
    detail: { returned },
  })

/** @returns the id of the new association */
async function associate(deps: Recording, tx: Tx, call: Call, of: ToAssociate): Promise<number> {
  const { device, officer, from, to, principalId, now } = of
  const stated = requireRange(from, to)
  requireOfficer(officer, principalId, to === null || to.ticks > now.ticks)
  const activity = await activityOf(tx, device.device_id)
  requireActive(device, activity, [stated], now.ticks)
  requireRoom(await associationsOf(tx, device.device_id), officer.principal_id, stated)
  const { access, pending } = changedStanding(stated, [], activity, now.ticks)
  const id = await insertAssociation(tx, {
    device_id: device.device_id,
    principal_id: officer.principal_id,
    from_utc: from.text,
    from_ticks: from.ticks,
    to_utc: to?.text ?? null,
    to_ticks: to?.ticks ?? null,
    makers: JSON.stringify(pending.length === 0 ? [] : [call.actor.id]),
    created_utc: now.text,
    created_by: JSON.stringify(authorOf(call.actor)),
    confirmed_utc: null,
    confirmed_by: null,
  })
  const row = await needed(tx, device, String(id))
  await replaceAccesses(tx, row, access)
  await record(deps, tx, call, device, { action: 'device.associated', row, waits: pending.length > 0 })
  await deps.attribution.tell(tx, call, device, activity, commonTo([stated], activity))
  return id
}

async function rewrite(deps: Recording, tx: Tx, call: Call, of: ToRewrite): Promise<void> {
  const { device, row, given, before, activity, now } = of
  const [was, stated] = [statedBy(row), changedPeriod(row, given)]
  const added = without([stated], [was])
  if (added.length > 0) requireActive(device, activity, added, now.ticks)
  const others = (await associationsOf(tx, device.device_id)).filter((one) => one.association_id !== row.association_id)
  requireRoom(others, row.principal_id, stated)
  const after = changedStanding(stated, before.access, activity, now.ticks)
  await updateAssociation(tx, row.association_id, {
    ...(given.from === undefined ? {} : { from_utc: given.from.text, from_ticks: given.from.ticks }),
    ...(given.to === undefined ? {} : { to_utc: given.to?.text ?? null, to_ticks: given.to?.ticks ?? null }),
    makers: JSON.stringify(makersAfter(row, before, after, call.actor.id)),
    ...(after.pending.length === 0 ? {} : { confirmed_utc: null, confirmed_by: null }),
  })
  await replaceAccesses(tx, row, after.access)
  const changed = await needed(tx, device, String(row.association_id))
  await record(deps, tx, call, device, {
    action: 'device.associationChanged',
    row: changed,
    before: { from: row.from_utc, to: row.to_utc },
    waits: after.pending.length > 0,
  })
  const moved = [...without([was], [stated]), ...added]
  await deps.attribution.tell(tx, call, device, activity, commonTo(moved, activity))
}

const detailOf = (row: AssociationRow) => ({
  associationId: String(row.association_id),
  officer: String(row.principal_id),
  from: row.from_utc,
  to: row.to_utc,
})

const versionOf = (row: AssociationRow, { access }: Standing): string =>
  stateId([
    row.association_id,
    row.from_utc,
    row.to_utc,
    row.makers,
    row.confirmed_utc,
    access.map(({ from, to }) => [String(from), String(to)]),
  ])

/** Device managers see the name of the other officer. Others see only that there is one. */
const takenOut = (
  device: DeviceRow,
  mine: AssociationOut,
  all: readonly AssociationOut[],
  manages: boolean,
): Taken => ({
  Device: {
    Id: device.device_id,
    SerialNumber: device.serial_number,
    Manufacturer: device.manufacturer,
    Model: device.model,
  },
  Association: mine,
  Others: manages ? all.filter((one) => one !== mine) : [],
  OthersCount: all.length - 1,
})

function associationModel(row: AssociationRow, standing: Standing): AssociationOut {
  const officer: OfficerRow = row
  const withheld = makersOf(row).includes(String(row.principal_id))
  return {
    AssociationId: String(row.association_id),
    DeviceId: row.device_id,
    Officer: officerOut(officer),
    FromUtc: row.from_utc,
    ToUtc: row.to_utc,
    Access: standing.pending.length === 0 ? 'Given' : withheld ? 'Withheld' : 'Pending',
    ChangedBy: standing.pending.length === 0 ? [] : makersOf(row),
    CreatedUtcTime: row.created_utc,
    CreatedBy: JSON.parse(row.created_by) as PrincipalOut,
    ConfirmedUtc: row.confirmed_utc,
    ConfirmedBy: row.confirmed_by === null ? null : (JSON.parse(row.confirmed_by) as PrincipalOut),
    ConcurrencyId: versionOf(row, standing),
  }
}
