/**
 * The fields that describe an evidence, each of them once (house rule 8): contract, columns, create, patch, answers, versions, facts and
 * export follow from this table. Tags have a table of their own, and CustomFields and the device a form of their own: they are written out
 * beside it.
 */
import { z } from 'zod'
import { type Field, FIELD_KINDS, fieldMembers, line, LocationWkt, UtcTime } from '../kernel/fields.ts'
import type { details } from './page-details.messages.en.ts'

/** Of a time `…_utc` holds the text. */
export interface EvidenceField extends Field<keyof typeof KINDS> {
  /** Where it stands. `about` takes any number of texts and lines. What stands in `source` is said once and never changes. */
  readonly section: Section
  /** Its name on the page of the evidence. */
  readonly label: Extract<keyof typeof details, string>
}

type Section = 'name' | 'about' | 'category' | 'source' | 'times' | 'place'

const output = z.string().nullable()

/** All but the name may be absent or null. */
const KINDS = {
  ...FIELD_KINDS,
  name: { input: (most: number) => line(most, 1), output: z.string() },
  time: { input: () => UtcTime.nullish(), output },
  wkt: { input: () => LocationWkt.nullish(), output },
}

export const EVIDENCE_FIELDS = {
  Name: { kind: 'name', column: 'name', most: 1024, section: 'name', label: 'name' },
  Description: { kind: 'text', column: 'description', most: 65_536, section: 'about', label: 'description' },
  CategoryId: { kind: 'id', column: 'category_id', section: 'category', label: 'category' },
  SourceId: { kind: 'line', column: 'source_id', most: 1024, section: 'source', label: 'source' },
  StartTimeUtc: { kind: 'time', column: 'start', section: 'times', label: 'startSaid' },
  EndTimeUtc: { kind: 'time', column: 'end', section: 'times', label: 'endSaid' },
  LocationText: { kind: 'text', column: 'location_text', most: 4096, section: 'place', label: 'locationText' },
  LocationWKT: { kind: 'wkt', column: 'location_wkt', section: 'place', label: 'locationWkt' },
} as const satisfies Readonly<Record<string, EvidenceField>>

type Fields = typeof EVIDENCE_FIELDS
export type EvidenceFieldName = keyof Fields
type Having<Property> = { [N in EvidenceFieldName]: Fields[N] extends Property ? N : never }[EvidenceFieldName]
type Column<N extends EvidenceFieldName> = Fields[N]['column']
type TimeName = Having<{ readonly kind: 'time' }>

/** The columns of the fields, as the table `evidence` has them. */
export type EvidenceFieldColumns = { [N in Having<{ readonly kind: 'name' }> as Column<N>]: string } & {
  [N in Exclude<EvidenceFieldName, 'Name' | TimeName> as Column<N>]: string | null
} & { [N in TimeName as `${Column<N>}_utc`]: string | null } & {
  [N in TimeName as `${Column<N>}_ticks`]: bigint | null
}

export const EVIDENCE_FIELD_NAMES = Object.keys(EVIDENCE_FIELDS) as readonly EvidenceFieldName[]
export const fieldOf = (name: EvidenceFieldName): EvidenceField => EVIDENCE_FIELDS[name]

type NameIn<S extends Section> = Having<{ readonly section: S }>

/** The fields of these sections, one section after the other. */
export const namesIn = <S extends Section>(...sections: readonly S[]) =>
  sections.flatMap((section) => EVIDENCE_FIELD_NAMES.filter((name) => fieldOf(name).section === section)) as NameIn<S>[]

/** The column of its value; of a time that of its text. */
export function valueColumnOf(name: EvidenceFieldName): string {
  const { kind, column } = fieldOf(name)
  return kind === 'time' ? `${column}_utc` : column
}

export const columnsOf = (name: EvidenceFieldName): readonly string[] =>
  fieldOf(name).kind === 'time' ? [valueColumnOf(name), `${fieldOf(name).column}_ticks`] : [valueColumnOf(name)]

export const { inputsOf, outputsOf } = fieldMembers(KINDS, EVIDENCE_FIELDS)
