/** The parts of an evidence that a person changes one by one: as they are typed, and as the station takes them. Pure. */
import type { z } from 'zod'
import { type Clearable, LONGEST_REASON, type PatchEvidenceModel } from '../../../../shared/evidence/change.contract.ts'
import { fieldOf } from '../../../../shared/evidence/fields.ts'
import { customFieldProblem, isLine, isText, isUtcTime } from '../../../../shared/kernel/fields.ts'
import { type CustomField, misfit } from '../../../../shared/templates/custom-fields.ts'
import { positionText, positionWkt } from '../../../client/position.ts'
import type { Evidence } from '../page/queries.ts'

export const TEXT_PARTS = ['Name', 'Description', 'LocationText'] as const
export const TIME_PARTS = ['StartTimeUtc', 'EndTimeUtc'] as const
export type TextPart = (typeof TEXT_PARTS)[number]
export type TimePart = (typeof TIME_PARTS)[number]
export type FieldPart = TextPart | TimePart | 'CategoryId' | 'Position'

const CUSTOM = 'custom '
export type CustomPart = `${typeof CUSTOM}${string}`
/** Tags are put in and taken off one by one: `Tags` is what is typed of further ones. */
export type Part = FieldPart | CustomPart | 'Tags'

export const customPart = (name: string): CustomPart => `${CUSTOM}${name}`
export const customName = (part: Part): string | null => (part.startsWith(CUSTOM) ? part.slice(CUSTOM.length) : null)

/** Where somebody names the officer whose recording it is. It gives nobody access: rights come from devices and policies. */
export const OFFICER = 'Officer'

export type Patch = z.input<typeof PatchEvidenceModel>

/** Beside the value of a time: why it is another one, and whether the end goes with the start. */
export interface Beside {
  readonly reason?: string
  readonly moveEnd?: boolean
}

/** As it is typed; empty where there is none. Times are ISO 8601 in UTC. */
export function valueOf(record: Evidence, part: Part): string {
  const custom = customName(part)
  if (custom !== null) return Object.hasOwn(record.CustomFields, custom) ? (record.CustomFields[custom] ?? '') : ''
  switch (part) {
    case 'Tags':
      return ''
    case 'Position':
      return positionText(record.LocationWKT)
    case 'StartTimeUtc':
      return record.StartTimeUtc ?? record.Clock.CorrectedTimeUtc ?? ''
    default:
      return record[part as Exclude<FieldPart, 'Position'>] ?? ''
  }
}

/** What is compared and sent: outer spaces of a line are slips of the hand. */
export const tidied = (part: Part, value: string): string =>
  part === 'Name' || part === 'Position' ? value.trim() : value

const emptied = (member: Clearable, value: unknown): Patch =>
  value === null || value === '' ? { Clear: [member] } : { [member]: value }

/** The change of one part. @param onto the record that is changed: custom fields are sent whole */
export function patchOf(
  onto: Evidence,
  part: Part,
  typed: string,
  { reason = '', moveEnd = false }: Beside = {},
): Patch {
  const value = tidied(part, typed)
  const custom = customName(part)
  if (custom !== null) return { CustomFields: withCustom(onto.CustomFields, custom, value) }
  switch (part) {
    case 'Tags':
      return {}
    case 'Name':
      return { Name: value }
    case 'Position':
      return emptied('LocationWKT', value === '' ? null : positionWkt(value))
    case 'StartTimeUtc':
    case 'EndTimeUtc':
      return {
        ...emptied(part, value),
        ...(part === 'StartTimeUtc' && moveEnd ? movedEnd(onto, value) : {}),
        ...(reason.trim() === '' ? {} : { Reason: reason.trim() }),
      }
    default:
      return emptied(part as Exclude<FieldPart, 'Name' | 'Position' | TimePart>, value)
  }
}

function withCustom(fields: Evidence['CustomFields'], name: string, value: string): Record<string, string> {
  const others = Object.entries(fields).filter(([one]) => one !== name)
  return Object.fromEntries(value === '' ? others : [...others, [name, value]])
}

/** A recording keeps its length: its end goes as far as its start. */
export function movedEnd(record: Evidence, start: string): { EndTimeUtc?: string } {
  const before = valueOf(record, 'StartTimeUtc')
  if (record.EndTimeUtc === null || before === '' || start === '') return {}
  const end = new Date(Date.parse(record.EndTimeUtc) + Date.parse(start) - Date.parse(before))
  return Number.isNaN(end.getTime()) ? {} : { EndTimeUtc: end.toISOString() }
}

/** Puts a part back as it was in `before`. */
export function restoringPatch(onto: Evidence, part: Part, before: Evidence): Patch {
  if (part === 'StartTimeUtc') {
    const end = before.EndTimeUtc === onto.EndTimeUtc ? {} : emptied('EndTimeUtc', before.EndTimeUtc)
    return joined(emptied('StartTimeUtc', before.StartTimeUtc), end)
  }
  if (part === 'Position') return emptied('LocationWKT', before.LocationWKT)
  return patchOf(onto, part, valueOf(before, part))
}

/** Several changes in one. */
export function joined(...patches: readonly Patch[]): Patch {
  const clear = patches.flatMap(({ Clear }) => Clear ?? [])
  return { ...Object.assign({}, ...patches), ...(clear.length === 0 ? {} : { Clear: clear }) } as Patch
}

export type Wrong =
  | { readonly problem: 'tooLong'; readonly most: number; readonly length: number }
  | {
      readonly problem:
        | 'nameMissing'
        | 'notStorable'
        | 'positionWrong'
        | 'numberWrong'
        | 'dateWrong'
        | 'timeWrong'
        | 'endBeforeStart'
        | 'reasonMissing'
    }

/**
 * What the station would refuse; null for what it would take, by the rules of PatchEvidenceModel (a test compares both).
 * @param custom of the template
 */
export function wrongIn(
  record: Evidence,
  part: Part,
  typed: string,
  custom: readonly CustomField[],
  beside: Beside = {},
): Wrong | null {
  const value = tidied(part, typed)
  const name = customName(part)
  if (name !== null) {
    const field = custom.find((one) => one.name === name)
    if (field !== undefined && misfit(field, value) !== null)
      return { problem: field.type === 'Date' ? 'dateWrong' : 'numberWrong' }
    return customFieldProblem(name, value) === null ? null : { problem: 'notStorable' }
  }
  if (part === 'Tags' || part === 'CategoryId') return null
  if (part === 'Position') return value === '' || positionWkt(value) !== null ? null : { problem: 'positionWrong' }
  if (part === 'StartTimeUtc' || part === 'EndTimeUtc') return wrongTime(record, part, value, beside)
  return wrongText(part as TextPart, value)
}

function wrongText(part: TextPart, value: string): Wrong | null {
  const { most = 0 } = fieldOf(part)
  if (part === 'Name' && value === '') return { problem: 'nameMissing' }
  if (value.length > most) return { problem: 'tooLong', most, length: value.length }
  const storable = part === 'Name' ? isLine(value, most, 1) : isText(value, most)
  return storable ? null : { problem: 'notStorable' }
}

function wrongTime(
  record: Evidence,
  part: TimePart,
  value: string,
  { reason = '', moveEnd = false }: Beside,
): Wrong | null {
  if (value !== '' && !isUtcTime(value)) return { problem: 'timeWrong' }
  const start = part === 'StartTimeUtc' ? value : valueOf(record, 'StartTimeUtc')
  const end = part === 'EndTimeUtc' ? value : moveEnd ? '' : (record.EndTimeUtc ?? '')
  if (start !== '' && end !== '' && Date.parse(end) < Date.parse(start)) return { problem: 'endBeforeStart' }
  if (needsReason(record, part) && reason.trim() === '') return { problem: 'reasonMissing' }
  return isLine(reason.trim(), LONGEST_REASON) ? null : { problem: 'notStorable' }
}

/** A time that camera, file or sender gave is changed with a reason; where there is none yet, none is needed. */
export const needsReason = (record: Evidence, part: TimePart): boolean =>
  valueOf(record, part) !== '' || (part === 'StartTimeUtc' && record.Clock.DeviceTimeUtc !== null)
