/** A case as it is typed: texts, so that nothing is lost while it is not right yet; and back to what the station takes. Pure. */
import type { z } from 'zod'
import type { CreateCaseModel } from '../../../shared/cases/contract.ts'
import {
  CASE_FIELD_NAMES,
  type CASE_FIELDS,
  type CaseFieldName,
  fieldOf,
  namesIn,
} from '../../../shared/cases/fields.ts'
import { positionText, positionWkt } from '../../client/position.ts'
import { same } from '../../ui/conflict/choice.ts'
import type { Case } from './queries.ts'

type DraftValue<N extends CaseFieldName> = (typeof CASE_FIELDS)[N]['kind'] extends 'tags' ? readonly string[] : string

/** Ids and times (ISO 8601 in UTC) are empty where there is none. */
export type Draft = { readonly [N in CaseFieldName]: DraftValue<N> } & {
  /** `54.3127, 4.0891`, or well-known text for what is no point. */
  readonly Position: string
  readonly CustomFields: Readonly<Record<string, string>>
}

export type DraftField = keyof Draft

/** In the order in which a conflict names them. */
const ORDER = [
  ...namesIn('title', 'about', 'category', 'department', 'times', 'references', 'incident', 'place'),
  'Position',
  ...namesIn('tags'),
] as const

const valuesOf = (valueOf: (name: CaseFieldName) => unknown) =>
  Object.fromEntries(CASE_FIELD_NAMES.map((name) => [name, valueOf(name)])) as Pick<Draft, CaseFieldName>

export const EMPTY: Draft = {
  ...valuesOf((name) => (fieldOf(name).kind === 'tags' ? [] : '')),
  Position: '',
  CustomFields: {},
}

export const draftOf = (record: Case): Draft => ({
  ...valuesOf((name) => record[name] ?? ''),
  Position: positionText(record.LocationWKT),
  CustomFields: record.CustomFields,
})

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

const SENT = CASE_FIELD_NAMES.filter((name) => name !== 'DepartmentId')

function sent(draft: Draft, name: (typeof SENT)[number]): unknown {
  const value = draft[name]
  const { kind } = fieldOf(name)
  if (typeof value !== 'string') return [...value]
  return kind === 'title' ? value.trim() : orNull(kind === 'line' ? value.trim() : value)
}

/** Members of CreateCaseModel and UpdateCaseModel that describe a case. @param before as it was read; null for a new one */
export const membersOf = (draft: Draft, before: Case | null) => ({
  ...(Object.fromEntries(SENT.map((name) => [name, sent(draft, name)])) as Pick<
    z.input<typeof CreateCaseModel>,
    (typeof SENT)[number]
  >),
  // Absent means unchanged, and a change needs Manage: it is sent only where it is one.
  ...(draft.DepartmentId === (before?.DepartmentId ?? '') || draft.DepartmentId === ''
    ? {}
    : { DepartmentId: draft.DepartmentId }),
  ...placeOf(draft, before),
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

export function partsOf(...drafts: readonly Draft[]): readonly Part[] {
  const names = new Set(drafts.flatMap(({ CustomFields }) => Object.keys(CustomFields)))
  return [...ORDER.map((field) => ({ field })), ...[...names].sort().map((custom) => ({ custom }))]
}

export const isChanged = (draft: Draft, before: Draft): boolean =>
  partsOf(draft, before).some((part) => !same(valueOf(draft, part), valueOf(before, part)))
