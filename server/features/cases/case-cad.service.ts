/**
 * What CAD push writes into a case (decisions 8): by the policy PushCadEvents alone, and never over what somebody else changed by hand.
 * For that it is remembered what was written; what stands there otherwise now was changed by hand, and is left alone from then on.
 */
import { DISPATCHED_NAMES, fieldOf, valueColumnOf } from '../../../shared/cases/fields.ts'
import { type CustomField, misfits } from '../../../shared/templates/custom-fields.ts'
import { nameKey } from '../../../shared/kernel/names.ts'
import { parseTime, type Time, timeOf } from '../../../shared/kernel/time.ts'
import { cadReason } from '../../../shared/messages/cad-reasons.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { Notices } from '../../kernel/events/notices.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { CadMessageOf, CadState, EventFields, Slots, WriteCase } from '../../kernel/cases/cad-case.ts'
import { caseTexts, fieldOfSlot, receiptOf } from './case-cad.receipt.ts'
import { asNewPolicy, hasManager, sortPolicies } from './cases.access.ts'
import type { CaseCore } from './case-aggregate.ts'
import { departmentOfNewCase, withDepartment } from './cases.departments.ts'
import { describedBy } from './cases.fields.ts'
import { authorOf } from '../../kernel/evidence/objects.ts'
import * as rows from './cases.store.ts'
import type { CaseRow, NewCasePolicy } from './cases.store.ts'
import { categoryByKey } from './categories.store.ts'

export interface CadCases {
  readonly write: WriteCase
}

interface Deps {
  readonly core: CaseCore
  readonly clock: Clock
  readonly notices: Notices
  readonly customFields: (from: Tx, tenant: string) => Promise<readonly CustomField[]>
}

const ROLE = 'Assigned'
/** Decisions 1. */
const MOST_FIELDS = 1_000
const MOST_TAGS = 100

export function createCadCases({ core, clock, notices, customFields }: Deps): CadCases {
  const create = async (tx: Tx, call: Call, { tenant, pusher }: CadMessageOf, title: string): Promise<CaseRow> => {
    const now = timeOf(clock.now())
    const year = new Date(now.text).getUTCFullYear()
    const author = JSON.stringify(authorOf(call.actor))
    const department = (await departmentOfNewCase(tx, tenant, null))?.department_id ?? null
    const { policies, alone } = await firstPolicies(tx, pusher, tenant, department)
    const inserted = await rows.insertCase(tx, {
      tenant_id: tenant,
      ordinal_year: year,
      ordinal_number: await rows.nextOrdinal(tx, tenant, year),
      ...describedBy({ Title: title }),
      state: 'Open',
      lifecycle_state: 'Normal',
      source_type: 'Cad',
      closed_on: null,
      scheduled_deletion_utc: null,
      protected_until: null,
      protected_ticks: null,
      deleted_utc: null,
      concurrency_id: '',
      department_id: department,
      created_utc: now.text,
      created_ticks: now.ticks,
      created_by: author,
      modified_utc: now.text,
      modified_by: author,
    })
    await rows.replacePolicies(tx, inserted.case_id, policies)
    if (alone !== null)
      await notices.tell(tx, call, [alone], {
        tenant,
        kind: 'cad.withoutDepartment',
        object: { type: 'case', id: String(inserted.case_id) },
      })
    return inserted
  }

  return {
    write: async (tx, call, of, before, fields) => {
      const { tenant, detail } = of
      const existing = before.caseId === null ? null : await core.found(tx, tenant, String(before.caseId))
      if (existing !== null && (existing.lifecycle_state === 'Deleted' || existing.state === 'Closed'))
        return {
          ...before,
          caseId: existing.case_id,
          outcome: existing.lifecycle_state === 'Deleted' ? 'deleted' : 'closed',
          notes: [],
          receipt: null,
        }
      const notes: string[] = []
      const was = await textsNow(tx, tenant, existing)
      const wanted = await wantedSlots(tx, tenant, titled(fields, before), notes)
      const row = existing ?? (await create(tx, call, of, fields.members.Title ?? fields.eventId))
      const merged = merge(existing === null ? {} : currentSlots(row), before, wanted)
      const after = columnsOf(row, merged.set, notes)
      if (Object.keys(after).length > 0) await rows.updateCase(tx, row.case_id, after)
      notes.push(...(await misfitNotes(tx, tenant, row, after)))
      const assigned = await assign(tx, row, before, merged, fields.officers)
      const people = { ...assigned, ...(await openTo(tx, row, before, assigned, fields)) }
      const left = leftAlone(currentSlots(row), wanted, people.byHand, fields.officers)
      const receipt = receiptOf(
        was,
        await textsNow(tx, tenant, await core.found(tx, tenant, String(row.case_id))),
        left,
      )
      if (existing !== null && Object.keys(merged.set).length === 0 && !people.changed)
        return { outcome: 'same', caseId: row.case_id, written: people.written, byHand: people.byHand, notes, receipt }
      const action = existing === null ? 'case.created' : 'case.changed'
      if (existing === null)
        await core.versioned(tx, call, await core.found(tx, tenant, String(row.case_id)), action, detail)
      else await core.changed(tx, call, row, {}, action, detail)
      return {
        outcome: existing === null ? 'created' : 'changed',
        caseId: row.case_id,
        written: people.written,
        byHand: people.byHand,
        notes,
        receipt,
      }
    },
  }

  async function textsNow(tx: Tx, tenant: string, row: CaseRow | null) {
    return caseTexts(tx, tenant, row, row === null ? [] : await rows.personnelOfCase(tx, row.case_id))
  }

  async function misfitNotes(tx: Tx, tenant: string, row: CaseRow, after: Partial<CaseRow>): Promise<string[]> {
    if (after.custom_fields === undefined) return []
    const texts = (stored: string) => JSON.parse(stored) as Record<string, string>
    const wrong = misfits(await customFields(tx, tenant), texts(row.custom_fields), texts(after.custom_fields))
    return wrong.map(({ Path, Message }) => `${Path} ${Message}; it was kept as text.`)
  }
}

/** A case has a title from the beginning; that of an event without a name is its number. */
const titled = (fields: EventFields, { caseId }: CadState): EventFields =>
  caseId === null
    ? { ...fields, members: { ...fields.members, Title: fields.members.Title ?? fields.eventId } }
    : fields

/** The policies of the default department, and Edit for the pushing integration. Without any Manage, Account Administrators get it. */
async function firstPolicies(tx: Tx, pusher: number, tenant: string, department: number | null) {
  const pushing: NewCasePolicy = { principalId: pusher, level: 'Edit', expires: null, fromDepartment: false }
  const policies = await withDepartment(tx, [pushing], department)
  if (await hasManager(tx, policies)) return { policies, alone: null }
  const administrators = await rows.administrators(tx, tenant)
  const others = policies.filter(({ principalId }) => principalId !== administrators)
  const manage: NewCasePolicy = { principalId: administrators, level: 'Manage', expires: null, fromDepartment: false }
  return {
    policies: [...others, manage].sort((one, other) => one.principalId - other.principalId),
    alone: administrators,
  }
}

const SLOTS = DISPATCHED_NAMES.flatMap((name) => {
  const { dispatch } = fieldOf(name)
  return dispatch === undefined ? [] : [{ name, slot: dispatch.slot }]
})

/** One slot for each thing that is changed by itself: custom fields and tags one by one. */
async function wantedSlots(
  tx: Tx,
  tenant: string,
  fields: EventFields,
  notes: string[],
): Promise<Record<string, string>> {
  const slots: Record<string, string> = {}
  const put = (slot: string, value: unknown): void => {
    if (value !== undefined) slots[slot] = JSON.stringify(value)
  }
  for (const { name, slot } of SLOTS) put(slot, fields.members[name])
  if (fields.place !== undefined || fields.address !== undefined || fields.placeNotes !== undefined)
    put('place', {
      Latitude: fields.place?.latitude ?? null,
      Longitude: fields.place?.longitude ?? null,
      Address: fields.address ?? null,
      Notes: fields.placeNotes ?? null,
    })
  const tags = [...fields.tags]
  if (fields.category !== undefined) {
    const category = await categoryByKey(tx, tenant, nameKey(fields.category))
    if (category !== undefined && category.enabled === 1) put('category', category.category_id)
    else {
      tags.push(fields.category)
      notes.push(cadReason('noCategory', { name: fields.category }))
    }
  }
  for (const tag of tags) {
    const text = [...tag.trim()].slice(0, 64).join('').trim()
    if (text !== '') put(`tag ${text}`, true)
  }
  for (const [name, value] of Object.entries(fields.custom)) put(`field ${name}`, value)
  return slots
}

/** What stands in the case now. */
function currentSlots(row: CaseRow): Record<string, string> {
  const slots: Record<string, string> = {}
  const put = (slot: string, value: unknown): void => {
    if (value !== null && value !== '') slots[slot] = JSON.stringify(value)
  }
  for (const { name, slot } of SLOTS) put(slot, row[valueColumnOf(name) as keyof CaseRow])
  if (row.location !== null) slots['place'] = row.location
  for (const tag of JSON.parse(row.tags) as string[]) put(`tag ${tag}`, true)
  for (const [name, value] of Object.entries(JSON.parse(row.custom_fields) as Record<string, string>))
    put(`field ${name}`, value)
  return slots
}

/** Fields that differ between event and case because they were changed by hand. */
function leftAlone(
  current: Slots,
  wanted: Slots,
  byHand: readonly string[],
  officers: readonly number[] | undefined,
): string[] {
  const held = new Set(byHand)
  const changedSlots = Object.keys(wanted).filter((slot) => held.has(slot) && current[slot] !== wanted[slot])
  const people = (officers ?? []).map((id) => `officer ${id}`).filter((slot) => held.has(slot))
  return [...changedSlots, ...people].map(fieldOfSlot)
}

interface Merged {
  /** What is to be written. */
  readonly set: Readonly<Record<string, string>>
  readonly written: Record<string, string>
  readonly byHand: Set<string>
}

/** Of a person: that the event assigned them, and that they got View for it. */
const isOfPerson = (slot: string): boolean => slot.startsWith('officer ') || slot.startsWith('access ')

/** Once by hand, always by hand: also where the event comes to say the same. */
function merge(current: Slots, before: CadState, wanted: Slots): Merged {
  const written: Record<string, string> = { ...before.written }
  const byHand = new Set(before.byHand)
  const set: Record<string, string> = {}
  for (const slot of Object.keys(before.written)) {
    if (!isOfPerson(slot) && current[slot] !== before.written[slot]) byHand.add(slot)
  }
  for (const [slot, value] of Object.entries(wanted)) {
    if (byHand.has(slot)) continue
    if (before.written[slot] === undefined && current[slot] !== undefined && before.caseId !== null) {
      if (current[slot] !== value) byHand.add(slot)
      else written[slot] = value
      continue
    }
    if (current[slot] !== value) set[slot] = value
    written[slot] = value
  }
  return { set, written, byHand }
}

function columnsOf(row: CaseRow, set: Slots, notes: string[]): Partial<CaseRow> {
  const slotValue = <T>(slot: string): T | undefined =>
    set[slot] === undefined ? undefined : (JSON.parse(set[slot]) as T)
  const columns: Partial<CaseRow> = {}
  for (const { name, slot } of SLOTS) {
    const { kind, column } = fieldOf(name)
    const value = slotValue<string | number>(slot)
    if (kind !== 'time' && value !== undefined) Object.assign(columns, { [column]: value })
  }
  Object.assign(columns, timesOf(row, slotValue<string>('occurred'), slotValue<string>('ended'), notes))
  const place = slotValue<{ Latitude: number | null; Longitude: number | null; Address: string | null }>('place')
  if (place !== undefined) {
    const { location_wkt, location } = describedBy({ Title: row.title, Location: place })
    Object.assign(columns, { location_wkt, location })
    // What an officer wrote there stays.
    if (row.location_text === null && place.Address !== null) columns.location_text = place.Address
  }
  const tags = Object.keys(set).flatMap((slot) => (slot.startsWith('tag ') ? [slot.slice(4)] : []))
  if (tags.length > 0)
    columns.tags = JSON.stringify([...new Set([...(JSON.parse(row.tags) as string[]), ...tags])].slice(0, MOST_TAGS))
  const fields = Object.entries(set).flatMap(([slot, value]) =>
    slot.startsWith('field ') ? [[slot.slice(6), JSON.parse(value) as string] as const] : [],
  )
  if (fields.length > 0) {
    const whole = [...new Map([...Object.entries(JSON.parse(row.custom_fields) as Record<string, string>), ...fields])]
    if (whole.length > MOST_FIELDS) notes.push(cadReason('tooManyFields', { most: MOST_FIELDS }))
    columns.custom_fields = JSON.stringify(Object.fromEntries(whole.slice(0, MOST_FIELDS)))
  }
  return columns
}

/** Somebody may have moved one end by hand, so that the other one of the event would turn the range around: it is left out. */
function timesOf(row: CaseRow, from: string | undefined, to: string | undefined, notes: string[]): Partial<CaseRow> {
  const occurred = from ?? row.occurred_on
  const ended = to ?? row.ended_on
  if (from === undefined && to === undefined) return {}
  const ticksIn = (text: string): bigint => (parseTime(text, { utcMember: true }) as Time).ticks
  if (occurred !== null && ended !== null && ticksIn(ended) < ticksIn(occurred)) {
    notes.push(cadReason('timesKept'))
    return {}
  }
  return {
    ...(from === undefined ? {} : { occurred_on: from, occurred_ticks: ticksIn(from) }),
    ...(to === undefined ? {} : { ended_on: to, ended_ticks: ticksIn(to) }),
  }
}

/** Officers of the event beside those whom people assigned. One who was removed by hand does not come back. */
async function assign(
  tx: Tx,
  row: CaseRow,
  before: CadState,
  merged: Merged,
  officers: readonly number[] | undefined,
): Promise<{ changed: boolean; written: Slots; byHand: string[] }> {
  const { written, byHand } = merged
  const current = (await rows.personnelOfCase(tx, row.case_id)).map((one) => ({
    principalId: one.principal_id,
    role: one.role,
  }))
  const slot = (id: number): string => `officer ${id}`
  const ours = new Set(
    Object.keys(before.written).flatMap((name) => (name.startsWith('officer ') ? [Number(name.slice(8))] : [])),
  )
  const there = new Set(current.filter(({ role }) => role === ROLE).map(({ principalId }) => principalId))
  for (const id of ours) if (!there.has(id)) byHand.add(slot(id))
  if (officers === undefined) return { changed: false, written, byHand: [...byHand] }
  const wanted = new Set(officers.filter((id) => !byHand.has(slot(id))))
  const left = current.filter(
    ({ principalId, role }) => role !== ROLE || !ours.has(principalId) || wanted.has(principalId),
  )
  const added = [...wanted].filter((id) => !there.has(id)).map((principalId) => ({ principalId, role: ROLE }))
  for (const id of ours) if (!wanted.has(id) && !byHand.has(slot(id))) delete written[slot(id)]
  for (const { principalId } of added) written[slot(principalId)] = 'true'
  const changed = added.length > 0 || left.length !== current.length
  if (changed) await rows.replacePersonnel(tx, row.case_id, [...left, ...added])
  return { changed, written, byHand: [...byHand] }
}

/**
 * View for the officers whom the event assigns, where the rule is on (decisions 8). It is given once: whoever lost it by hand does not get it
 * back. With the assignment it goes again, if nobody changed it. Levels that somebody has otherwise stay as they are.
 */
async function openTo(
  tx: Tx,
  row: CaseRow,
  before: CadState,
  { changed, written: sofar }: { readonly changed: boolean; readonly written: Slots },
  { officers, officersMayView }: EventFields,
): Promise<{ changed: boolean; written: Slots }> {
  if (officers === undefined) return { changed, written: sofar }
  const written: Record<string, string> = { ...sofar }
  const assigned = new Set(officers.filter((id) => written[`officer ${id}`] !== undefined))
  const policies = (await rows.policiesOfCase(tx, row.case_id)).map(asNewPolicy)
  const named = new Set(policies.map(({ principalId }) => principalId))
  const given = Object.keys(before.written).flatMap((slot) =>
    slot.startsWith('access ') ? [Number(slot.slice(7))] : [],
  )
  const ended = new Set(given.filter((id) => !assigned.has(id)))
  for (const id of ended) delete written[`access ${id}`]
  const fresh = officersMayView ? [...assigned].filter((id) => written[`access ${id}`] === undefined) : []
  for (const id of fresh) written[`access ${id}`] = 'true'
  const kept = policies.filter(
    ({ principalId, level, expires, fromDepartment }) =>
      !ended.has(principalId) || level !== 'View' || expires !== null || fromDepartment,
  )
  const added = fresh
    .filter((principalId) => !named.has(principalId))
    .map((principalId): NewCasePolicy => ({ principalId, level: 'View', expires: null, fromDepartment: false }))
  if (added.length === 0 && kept.length === policies.length) return { changed, written }
  await rows.replacePolicies(tx, row.case_id, sortPolicies([...kept, ...added]))
  return { changed: true, written }
}
