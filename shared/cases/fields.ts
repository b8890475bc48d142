/**
 * The fields that describe a case, each of them once (house rule 8): contract, columns, form, facts, changes, list, export and the pages that
 * rename and prefill fields follow from this table. The place (LocationWKT, Location) and CustomFields have a form of their own and are
 * written out beside it.
 */
import { z } from 'zod'
import {
  DepartmentIdMember,
  type Field,
  FIELD_KINDS,
  fieldMembers,
  OffsetTime,
  tags,
  trimmedLine,
} from '../kernel/fields.ts'
import type { cases } from './messages.en.ts'

/** Of a time `…_on` holds the text, as it was sent. */
export interface CaseField extends Field<keyof typeof KINDS> {
  /** Where it stands. `about` and `references` take any number of lines and texts; the others are drawn for the fields in them. */
  readonly section: Section
  /** Its name where the template gives it none. */
  readonly label: Extract<keyof typeof cases, `field${string}`>
  /** Its id in the template (decisions 7), where that is not its member. */
  readonly templateId?: string
  /** A further id under which templates name it. */
  readonly alias?: string
  /** Dispatch fills it (decisions 8): by its event, or by a text of the message that the station's mapping names. */
  readonly dispatch?: {
    readonly from: 'event' | 'mapping'
    /** Under which what dispatch wrote is remembered. Stored. */
    readonly slot: string
  }
  /** Stands in the list of cases and its export. */
  readonly listed?: true
  /** Lines of its input; without it there is one. */
  readonly rows?: number
}

type Section = 'title' | 'about' | 'category' | 'department' | 'times' | 'incident' | 'references' | 'place' | 'tags'

const output = z.string().nullable()

/** What is sent, and what goes out. All but the title may be absent or null. */
const KINDS = {
  title: { input: trimmedLine, output: z.string() },
  ...FIELD_KINDS,
  /** Says who has access too: the service sets it, and asks for Manage. */
  department: { input: () => DepartmentIdMember.nullish(), output },
  time: { input: () => OffsetTime.nullish(), output },
  tags: { input: (most: number) => tags(most).nullish(), output: z.array(z.string()) },
} satisfies Record<string, { readonly input: (most: number) => z.ZodType; readonly output: z.ZodType }>

export const CASE_FIELDS = {
  Title: {
    kind: 'title',
    column: 'title',
    most: 256,
    section: 'title',
    label: 'fieldTitle',
    dispatch: { from: 'mapping', slot: 'title' },
    listed: true,
  },
  Description: {
    kind: 'text',
    column: 'description',
    most: 65_536,
    section: 'about',
    label: 'fieldDescription',
    dispatch: { from: 'mapping', slot: 'description' },
    rows: 7,
  },
  CategoryId: {
    kind: 'id',
    column: 'category_id',
    section: 'category',
    label: 'fieldCategory',
    templateId: 'Category',
    dispatch: { from: 'mapping', slot: 'category' },
    listed: true,
  },
  DepartmentId: {
    kind: 'department',
    column: 'department_id',
    section: 'department',
    label: 'fieldDepartment',
    templateId: 'Department',
    listed: true,
  },
  OccurredOn: {
    kind: 'time',
    column: 'occurred',
    section: 'times',
    label: 'fieldOccurred',
    dispatch: { from: 'event', slot: 'occurred' },
    listed: true,
  },
  EndedOn: {
    kind: 'time',
    column: 'ended',
    section: 'times',
    label: 'fieldEnded',
    dispatch: { from: 'event', slot: 'ended' },
    listed: true,
  },
  ExternalReferenceId1: {
    kind: 'line',
    column: 'external_reference_1',
    most: 256,
    description: 'the record number',
    section: 'references',
    label: 'fieldRecord',
    templateId: 'RecordNumber',
    dispatch: { from: 'mapping', slot: 'reference1' },
    listed: true,
  },
  ExternalReferenceId2: {
    kind: 'line',
    column: 'external_reference_2',
    most: 256,
    description: 'the incident number',
    section: 'incident',
    label: 'fieldIncident',
    templateId: 'IncidentNumber',
    alias: 'CadNumberTitle',
    dispatch: { from: 'event', slot: 'reference2' },
    listed: true,
  },
  LocationText: {
    kind: 'text',
    column: 'location_text',
    most: 4096,
    section: 'place',
    label: 'fieldLocation',
    templateId: 'Location',
    listed: true,
  },
  Tags: {
    kind: 'tags',
    column: 'tags',
    most: 100,
    section: 'tags',
    label: 'fieldTags',
    templateId: 'TagsTitle',
    listed: true,
  },
} as const satisfies Readonly<Record<string, CaseField>>

type Fields = typeof CASE_FIELDS
export type CaseFieldName = keyof Fields
type Having<Property> = { [N in CaseFieldName]: Fields[N] extends Property ? N : never }[CaseFieldName]
type OfKind<Kind extends CaseField['kind']> = Having<{ readonly kind: Kind }>
type Column<N extends CaseFieldName> = Fields[N]['column']

/** The columns of the fields, as the table `cases` has them. */
export type CaseFieldColumns = { [N in OfKind<'title' | 'tags'> as Column<N>]: string } & {
  [N in OfKind<'line' | 'text'> as Column<N>]: string | null
} & { [N in OfKind<'id' | 'department'> as Column<N>]: number | null } & {
  [N in OfKind<'time'> as `${Column<N>}_on`]: string | null
} & { [N in OfKind<'time'> as `${Column<N>}_ticks`]: bigint | null }

export const CASE_FIELD_NAMES = Object.keys(CASE_FIELDS) as readonly CaseFieldName[]
export const isCaseField = (name: string): name is CaseFieldName => Object.hasOwn(CASE_FIELDS, name)
export const fieldOf = (name: CaseFieldName): CaseField => CASE_FIELDS[name]
export const templateIdOf = (name: CaseFieldName): string => fieldOf(name).templateId ?? name

/** The fields that dispatch fills. A category is sent by its name, and looked up. */
export const DISPATCHED_NAMES = CASE_FIELD_NAMES.filter((name) => fieldOf(name).dispatch !== undefined)
export type MappedName = Having<{ readonly dispatch: { readonly from: 'mapping' } }> & OfKind<'title' | 'line' | 'text'>
/** The fields that take a text of the message as it is. */
export const MAPPED_NAMES = DISPATCHED_NAMES.filter(
  (name): name is MappedName => fieldOf(name).dispatch?.from === 'mapping' && fieldOf(name).kind !== 'id',
)

/** The column of its value; of a time that of its text. */
export function valueColumnOf(name: CaseFieldName): string {
  const { kind, column } = fieldOf(name)
  return kind === 'time' ? `${column}_on` : column
}

export function columnsOf(name: CaseFieldName): readonly string[] {
  const { kind, column } = fieldOf(name)
  return kind === 'time' ? [`${column}_on`, `${column}_ticks`] : [column]
}

type NameIn<S extends Section> = Having<{ readonly section: S }>

/** The fields of these sections, one section after the other. */
export const namesIn = <S extends Section>(...sections: readonly S[]) =>
  sections.flatMap((section) => CASE_FIELD_NAMES.filter((name) => fieldOf(name).section === section)) as NameIn<S>[]

export const listedIn = <S extends Section>(...sections: readonly S[]) =>
  namesIn(...sections).filter((name) => fieldOf(name).listed) as (NameIn<S> & Having<{ readonly listed: true }>)[]

export const { inputsOf, outputsOf } = fieldMembers(KINDS, CASE_FIELDS)
