/** What an association may be, and who may make, change and confirm one (decisions 5). */
import { MOST_OFFICERS } from '../../../shared/devices/associations.contract.ts'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import { commonTo, mostAtOnce, overlap, type Period, without } from '../../../shared/kernel/periods.ts'
import type { Time } from '../../../shared/kernel/time.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { AssociationRow, userById } from './associations.store.ts'
import { makersOf, type Standing, statedBy } from './attribution.ts'
import type { DeviceRow } from './devices.store.ts'

/** Milliseconds: somebody's own clock may differ by so much where they say "from now on". */
const NOW_WITHIN = 60_000

/** Undefined: as it was. */
export interface NewBounds {
  readonly from: Time | undefined
  readonly to: Time | null | undefined
}

/** Everybody who added to a pending change counts as one of its makers. Without a pending change there are none. */
export function makersAfter(row: AssociationRow, before: Standing, after: Standing, who: string): string[] {
  if (after.pending.length === 0) return []
  const earlier = overlapsAny(before.pending, after.pending) ? makersOf(row) : []
  const adds = without(after.pending, before.pending).length > 0
  return [...new Set([...earlier, ...(adds ? [who] : [])])]
}
export const overlapsAny = (these: readonly Period[], those: readonly Period[]): boolean =>
  commonTo(these, those).length > 0

/** @throws Fault NothingToConfirm, AssociationWithheld, Forbidden */
export function requireConfirmable(row: AssociationRow, { pending }: Standing, who: string): void {
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
export function ownFrom(
  { actor }: Call,
  { principalId, from }: { readonly principalId: string; readonly from: Time | null },
  now: Time,
): Time {
  const isNow = from === null || Math.abs(Number((from.ticks - now.ticks) / 10_000n)) <= NOW_WITHIN
  if (actor.kind !== 'user' || actor.id !== principalId || !isNow)
    throw fault('Forbidden', 'Without the policy ManageDevices you can associate yourself alone, and from now on.')
  return now
}

/** @throws Fault Forbidden */
export function requireOwn({ actor }: Call, whose: string, endOthers: boolean): void {
  if (actor.kind !== 'user' || actor.id !== whose)
    throw fault('Forbidden', 'Without the policy ManageDevices you can take a device for yourself alone.')
  if (endOthers) throw fault('Forbidden', 'Without the policy ManageDevices you cannot end what others have of it.')
}

/** @throws Fault InvalidDateTimeRange */
export function requireRange(from: Time, to: Time | null): Period {
  if (to !== null && to.ticks <= from.ticks)
    throw fault('InvalidDateTimeRange', 'ToUtc does not lie after FromUtc.', [
      { Path: 'ToUtc', Message: 'must be after FromUtc' },
    ])
  return { from: from.ticks, to: to?.ticks ?? null }
}

export function changedPeriod(row: AssociationRow, { from, to }: NewBounds): Period {
  const was = statedBy(row)
  const start = from ?? { text: row.from_utc, ticks: was.from }
  const end = to === undefined ? (was.to === null ? null : { text: row.to_utc ?? '', ticks: was.to }) : to
  return requireRange(start, end)
}

export type Person = NonNullable<Awaited<ReturnType<typeof userById>>>

/** @throws Fault InvalidModel */
export function requireOfficer(officer: Person | undefined, id: string, lasting: boolean): asserts officer is Person {
  const refuse = (Message: string) => fault('InvalidModel', Message, [{ Path: 'PrincipalId', Message }])
  if (officer === undefined || String(officer.principal_id) !== id) throw refuse('It names no user.')
  if (officer.guest === 1) throw refuse('A guest has no devices.')
  if (officer.enabled === 0 && lasting) throw refuse('The user is disabled.')
}

/** Active always means at the time of recording (decisions 5). @throws Fault DeviceNotActive */
export function requireActive(
  device: DeviceRow,
  activity: readonly Period[],
  periods: readonly Period[],
  now: bigint,
): void {
  const ahead = commonTo(periods, [{ from: now, to: null }]).length > 0
  if (ahead && device.active === 0) throw fault('DeviceNotActive', 'The device is not active. Activate it first.')
  if (!ahead && !overlapsAny(periods, activity))
    throw fault('DeviceNotActive', 'The device was not active in that time.')
}

/** @throws Fault OfficerAlreadyAssociated, TooManyOfficers */
export function requireRoom(others: readonly AssociationRow[], principalId: number, stated: Period): void {
  if (others.some((one) => one.principal_id === principalId && overlap(statedBy(one), stated)))
    throw fault('OfficerAlreadyAssociated', 'The officer is associated with the device in that time already.')
  if (mostAtOnce(stated, others.map(statedBy)) >= MOST_OFFICERS)
    throw fault('TooManyOfficers', `A device is associated with ${MOST_OFFICERS} officers at a time at most.`)
}
