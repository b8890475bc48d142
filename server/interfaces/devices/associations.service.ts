import type { z } from 'zod'
import { type DeviceAssociation, MOST_OFFICERS } from '../../../shared/contract/device-associations.ts'
import { Fault, fault } from '../../../shared/contract/errors.ts'
import { commonTo, mostAtOnce, overlap, type Period, without } from '../../../shared/domain/periods.ts'
import type { SecurityPolicy } from '../../../shared/domain/permissions.ts'
import { type Time, timeOf } from '../../../shared/domain/time.ts'
import type { Call } from '../../custody/call.ts'
import type { Ledger } from '../../custody/ledger.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../handlers.ts'
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
} from './associations.repository.ts'
import { type Attribution, changedStanding, makersOf, type Standing, standingOf, statedBy } from './attribution.ts'
import type { DeviceCore } from './devices.core.ts'
import { actorOut, deviceObject, officerOut, type PrincipalOut, requireCurrent, stateId } from './devices.models.ts'
import { activityOf, type DeviceRow } from './devices.repository.ts'

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

/** Whose device it is, and when (decisions 5). Every change is an entry, and one more for each recording that changes hands by it. */
export interface Associations {
  /** @throws Fault DeviceNotFound, as all */
  list(
    tenant: string,
    device: string,
  ): Promise<{ device: { id: string; name: string }; associations: AssociationOut[] }>
  /** @throws Fault Forbidden, InvalidModel, InvalidDateTimeRange, DeviceNotActive, OfficerAlreadyAssociated, TooManyOfficers */
  create(call: HttpCall, tenant: string, device: string, given: NewAssociation): Promise<AssociationOut>
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

/** Milliseconds: somebody's own clock may differ by so much where they say "from now on". */
const NOW_WITHIN = 60_000

export function createAssociations(deps: Deps): Associations {
  const { db, ledger, clock, core, attribution, isInPolicy } = deps
  const nowTime = (): Time => timeOf(clock.now())

  const needed = async (tx: Tx, device: DeviceRow, id: string): Promise<AssociationRow> => {
    const row = await associationById(tx, device.device_id, Number(id))
    // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
    if (row === undefined || String(row.association_id) !== id)
      throw fault('AssociationNotFound', `There is no association ${id} of this device.`)
    return row
  }
  const standing = async (from: Tx, row: AssociationRow, activity: readonly Period[]): Promise<Standing> => {
    const own = (await accessesOf(from, row.device_id)).filter((one) => one.associationId === row.association_id)
    return standingOf(statedBy(row), own, activity)
  }
  const out = async (tx: Tx, id: number, device: DeviceRow): Promise<AssociationOut> => {
    const row = (await associationById(tx, device.device_id, id)) as AssociationRow
    return associationModel(row, await standing(tx, row, await activityOf(tx, device.device_id)))
  }
  const told = (tx: Tx, call: Call, device: DeviceRow, action: Act, row: AssociationRow, more: object = {}) =>
    ledger.append(tx, call, { action, object: deviceObject(device), detail: { ...detailOf(row), ...more } })

  return {
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
      const manages = await isInPolicy(call.actor.id, 'ManageDevices')
      return db.transaction(async (tx) => {
        const now = nowTime()
        const from = manages ? (given.from ?? now) : ownFrom(call, given, now)
        const { to } = given
        const device = await core.needed(tx, tenant, text)
        const officer = await userById(tx, tenant, Number(given.principalId))
        const stated = requireRange(from, to)
        requireOfficer(officer, given.principalId, to === null || to.ticks > now.ticks)
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
          created_by: JSON.stringify(actorOut(call.actor)),
          confirmed_utc: null,
          confirmed_by: null,
        })
        const row = await needed(tx, device, String(id))
        await replaceAccesses(tx, row, access)
        await told(tx, call, device, 'device.associated', row, { waits: pending.length > 0 })
        await attribution.tell(tx, call, device, activity, commonTo([stated], activity))
        return call.once(tx, await out(tx, id, device))
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
        const [was, stated] = [statedBy(row), changedPeriod(row, given)]
        const added = without([stated], [was])
        if (added.length > 0) requireActive(device, activity, added, now.ticks)
        const others = (await associationsOf(tx, device.device_id)).filter(
          (one) => one.association_id !== row.association_id,
        )
        requireRoom(others, row.principal_id, stated)
        const after = changedStanding(stated, before.access, activity, now.ticks)
        await updateAssociation(tx, row.association_id, {
          ...(given.from === undefined ? {} : { from_utc: given.from.text, from_ticks: given.from.ticks }),
          ...(given.to === undefined ? {} : { to_utc: given.to?.text ?? null, to_ticks: given.to?.ticks ?? null }),
          makers: JSON.stringify(makersAfter(row, before, after, call.actor.id)),
          ...(after.pending.length === 0 ? {} : { confirmed_utc: null, confirmed_by: null }),
        })
        await replaceAccesses(tx, row, after.access)
        const changed = await needed(tx, device, id)
        await told(tx, call, device, 'device.associationChanged', changed, {
          before: { from: row.from_utc, to: row.to_utc },
          waits: after.pending.length > 0,
        })
        const moved = [...without([was], [stated]), ...added]
        await attribution.tell(tx, call, device, activity, commonTo(moved, activity))
        return out(tx, row.association_id, device)
      }),

    remove: (call, tenant, text, id) =>
      db.transaction(async (tx) => {
        const device = await core.needed(tx, tenant, text)
        const row = await needed(tx, device, id)
        await deleteAssociation(tx, row.association_id)
        await told(tx, call, device, 'device.associationRemoved', row)
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
          confirmed_by: JSON.stringify(actorOut(call.actor)),
        })
        await replaceAccesses(tx, row, commonTo([statedBy(row)], activity))
        await told(tx, call, device, 'device.associationConfirmed', row, { madeBy: makersOf(row) })
        return out(tx, row.association_id, device)
      }),
  }
}

type Act =
  | 'device.associated'
  | 'device.associationChanged'
  | 'device.associationRemoved'
  | 'device.associationConfirmed'

/** Whoever adds to what waits is one of those who made it; where nothing waits nobody made anything. */
function makersAfter(row: AssociationRow, before: Standing, after: Standing, who: string): string[] {
  if (after.pending.length === 0) return []
  const earlier = overlapsAny(before.pending, after.pending) ? makersOf(row) : []
  const adds = without(after.pending, before.pending).length > 0
  return [...new Set([...earlier, ...(adds ? [who] : [])])]
}
const overlapsAny = (these: readonly Period[], those: readonly Period[]): boolean => commonTo(these, those).length > 0

/** @throws Fault NothingToConfirm, AssociationWithheld, Forbidden */
function requireConfirmable(row: AssociationRow, { pending }: Standing, who: string): void {
  if (pending.length === 0) throw fault('NothingToConfirm', 'Nothing of this association waits for a confirmation.')
  const makers = makersOf(row)
  if (makers.includes(String(row.principal_id)))
    throw fault(
      'AssociationWithheld',
      'The officer made this change of the past, and whoever made one never gets access by it.',
    )
  if (makers.includes(who))
    throw new Fault('Forbidden', 'You changed the past of it yourself. Another one has to confirm it.', {
      reason: 'OwnChange',
    })
}

/** Without ManageDevices only oneself, from now on. @throws Fault Forbidden */
function ownFrom({ actor }: Call, { principalId, from }: NewAssociation, now: Time): Time {
  const isNow = from === null || Math.abs(Number((from.ticks - now.ticks) / 10_000n)) <= NOW_WITHIN
  if (actor.kind !== 'user' || actor.id !== principalId || !isNow)
    throw fault('Forbidden', 'Without the policy ManageDevices you can associate yourself alone, and from now on.')
  return now
}

/** @throws Fault InvalidDateTimeRange */
function requireRange(from: Time, to: Time | null): Period {
  if (to !== null && to.ticks <= from.ticks)
    throw fault('InvalidDateTimeRange', 'ToUtc does not lie after FromUtc.', [
      { Path: 'ToUtc', Message: 'must be after FromUtc' },
    ])
  return { from: from.ticks, to: to?.ticks ?? null }
}

function changedPeriod(row: AssociationRow, { from, to }: AssociationChange): Period {
  const was = statedBy(row)
  const start = from ?? { text: row.from_utc, ticks: was.from }
  const end = to === undefined ? (was.to === null ? null : { text: row.to_utc ?? '', ticks: was.to }) : to
  return requireRange(start, end)
}

type Person = NonNullable<Awaited<ReturnType<typeof userById>>>

/** @throws Fault InvalidModel */
function requireOfficer(officer: Person | undefined, id: string, lasting: boolean): asserts officer is Person {
  const refuse = (Message: string) => fault('InvalidModel', Message, [{ Path: 'PrincipalId', Message }])
  if (officer === undefined || String(officer.principal_id) !== id) throw refuse('It names no user.')
  if (officer.guest === 1) throw refuse('A guest has no devices.')
  if (officer.enabled === 0 && lasting) throw refuse('The user is disabled.')
}

/** Active always means at the time of recording (decisions 5). @throws Fault DeviceNotActive */
function requireActive(device: DeviceRow, activity: readonly Period[], periods: readonly Period[], now: bigint): void {
  const ahead = commonTo(periods, [{ from: now, to: null }]).length > 0
  if (ahead && device.active === 0) throw fault('DeviceNotActive', 'The device is not active. Activate it first.')
  if (!ahead && !overlapsAny(periods, activity))
    throw fault('DeviceNotActive', 'The device was not active in that time.')
}

/** @throws Fault OfficerAlreadyAssociated, TooManyOfficers */
function requireRoom(others: readonly AssociationRow[], principalId: number, stated: Period): void {
  if (others.some((one) => one.principal_id === principalId && overlap(statedBy(one), stated)))
    throw fault('OfficerAlreadyAssociated', 'The officer is associated with the device in that time already.')
  if (mostAtOnce(stated, others.map(statedBy)) >= MOST_OFFICERS)
    throw fault('TooManyOfficers', `A device is associated with ${MOST_OFFICERS} officers at a time at most.`)
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
