/** A case as it is typed: texts, so that nothing is lost while it is not right yet; and back to what the station takes. Pure. */
import { isWgs84Wkt, pointWkt } from '../../../../shared/kernel/wkt.ts'
import { same } from '../../../ui/conflict/choice.ts'
import type { Case } from '../queries.ts'

export interface Draft {
  readonly Title: string
  readonly Description: string
  /** Empty: none. */
  readonly CategoryId: string
  readonly DepartmentId: string
  /** ISO 8601 in UTC, or empty. */
  readonly OccurredOn: string
  readonly EndedOn: string
  readonly ExternalReferenceId1: string
  readonly ExternalReferenceId2: string
  readonly LocationText: string
  /** `54.3127, 4.0891`, or well-known text for what is no point. */
  readonly Position: string
  readonly Tags: readonly string[]
  readonly CustomFields: Readonly<Record<string, string>>
}

export const EMPTY: Draft = {
  Title: '',
  Description: '',
  CategoryId: '',
  DepartmentId: '',
  OccurredOn: '',
  EndedOn: '',
  ExternalReferenceId1: '',
  ExternalReferenceId2: '',
  LocationText: '',
  Position: '',
  Tags: [],
  CustomFields: {},
}

export type DraftField = keyof Draft

const POINT = /^\s*POINT\s*\(\s*([^\s()]+)\s+([^\s()]+)\s*\)\s*$/i
const PAIR = /^\s*([+-]?\d{1,3}(?:\.\d+)?)\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)\s*$/

/** Latitude first, as people write it; well-known text has it second. */
export function positionText(wkt: string | null): string {
  const point = wkt === null ? null : POINT.exec(wkt)
  return point === null ? (wkt ?? '') : `${point[2]}, ${point[1]}`
}

/** @returns null for what is no position */
export function positionWkt(text: string): string | null {
  const pair = PAIR.exec(text)
  if (pair !== null) {
    const [latitude, longitude] = [Number(pair[1]), Number(pair[2])]
    return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? pointWkt(longitude, latitude) : null
  }
  return isWgs84Wkt(text.trim()) ? text.trim() : null
}

export const draftOf = (record: Case): Draft => ({
  Title: record.Title,
  Description: record.Description ?? '',
  CategoryId: record.CategoryId ?? '',
  DepartmentId: record.DepartmentId ?? '',
  OccurredOn: record.OccurredOn ?? '',
  EndedOn: record.EndedOn ?? '',
  ExternalReferenceId1: record.ExternalReferenceId1 ?? '',
  ExternalReferenceId2: record.ExternalReferenceId2 ?? '',
  LocationText: record.LocationText ?? '',
  Position: positionText(record.LocationWKT),
  Tags: record.Tags,
  CustomFields: record.CustomFields,
})

export type Wrong = Readonly<
  Partial<Record<string, 'titleMissing' | 'titleLong' | 'endBefore' | 'positionWrong' | 'tooLong'>>
>

/** What can be told before the station is asked; by field. */
export function wrongIn(draft: Draft): Wrong {
  const wrong: Record<string, Wrong[string]> = {}
  const title = draft.Title.trim()
  if (title === '') wrong['Title'] = 'titleMissing'
  else if (title.length > 256) wrong['Title'] = 'titleLong'
  if (draft.OccurredOn !== '' && draft.EndedOn !== '' && Date.parse(draft.EndedOn) < Date.parse(draft.OccurredOn))
    wrong['EndedOn'] = 'endBefore'
  if (draft.Position.trim() !== '' && positionWkt(draft.Position) === null) wrong['Position'] = 'positionWrong'
  for (const name of ['ExternalReferenceId1', 'ExternalReferenceId2'] as const)
    if (draft[name].length > 256) wrong[name] = 'tooLong'
  return wrong
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text)

/** Where it was, as sent: a place that nobody touched goes back as it came, address and notes with it. */
function placeOf(draft: Draft, before: Case | null) {
  const untouched = before !== null && draft.Position === positionText(before.LocationWKT)
  const wkt = untouched ? before.LocationWKT : positionWkt(draft.Position)
  const kept = before?.Location ?? null
  if (untouched) return { LocationWKT: wkt, Location: kept }
  const { Address = null, Notes = null } = kept ?? {}
  return { LocationWKT: wkt, Location: Address === null && Notes === null ? null : { Address, Notes } }
}

/** Members of CreateCaseModel and UpdateCaseModel that describe a case. @param before as it was read; null for a new one */
export const membersOf = (draft: Draft, before: Case | null) => ({
  Title: draft.Title.trim(),
  Description: orNull(draft.Description),
  CategoryId: orNull(draft.CategoryId),
  // Absent means unchanged, and a change needs Manage: it is sent only where it is one.
  ...(draft.DepartmentId === (before?.DepartmentId ?? '') || draft.DepartmentId === ''
    ? {}
    : { DepartmentId: draft.DepartmentId }),
  OccurredOn: orNull(draft.OccurredOn),
  EndedOn: orNull(draft.EndedOn),
  ExternalReferenceId1: orNull(draft.ExternalReferenceId1.trim()),
  ExternalReferenceId2: orNull(draft.ExternalReferenceId2.trim()),
  LocationText: orNull(draft.LocationText),
  ...placeOf(draft, before),
  Tags: [...draft.Tags],
  CustomFields: Object.fromEntries(Object.entries(draft.CustomFields).filter(([, value]) => value !== '')),
})

/** Custom fields one by one, everything else whole: the parts in which two people's work can differ. */
export type Part = { readonly field: Exclude<DraftField, 'CustomFields'> } | { readonly custom: string }

export const partKey = (part: Part): string => ('field' in part ? part.field : `custom ${part.custom}`)
export const valueOf = (draft: Draft, part: Part): string | readonly string[] =>
  'field' in part ? draft[part.field] : (draft.CustomFields[part.custom] ?? '')

export function withValue(draft: Draft, part: Part, value: string | readonly string[]): Draft {
  if ('field' in part) return { ...draft, [part.field]: value }
  return { ...draft, CustomFields: { ...draft.CustomFields, [part.custom]: String(value) } }
}

/** In the order of the form. */
const ORDER = (Object.keys(EMPTY) as DraftField[]).filter(
  (field): field is Exclude<DraftField, 'CustomFields'> => field !== 'CustomFields',
)

export function partsOf(...drafts: readonly Draft[]): readonly Part[] {
  const names = new Set(drafts.flatMap(({ CustomFields }) => Object.keys(CustomFields)))
  return [...ORDER.map((field) => ({ field })), ...[...names].sort().map((custom) => ({ custom }))]
}

export const isChanged = (draft: Draft, before: Draft): boolean =>
  partsOf(draft, before).some((part) => !same(valueOf(draft, part), valueOf(before, part)))
