/**
 * How a message of a dispatch system is read (decisions 8): from where in it each member of the event comes, and where the rest goes in the
 * case. Pure, and data: an administrator changes it and looks first what it would make of real messages.
 */
import { fieldOf, MAPPED_NAMES, type MappedName } from '../cases/fields.ts'

export const EVENT_MEMBERS = [
  'eventId',
  'eventStartTimeUtc',
  'eventEndTimeUtc',
  'transactionId',
  'transactionDateUtc',
  'name',
  'description',
  'type',
  'state',
  'priority',
  'statusCode',
  'district',
  'beat',
  'category',
  'location',
  'involvedResources',
  'extended',
] as const
export type EventMember = (typeof EVENT_MEMBERS)[number]

/** Where in a case the text of a member may go. */
export const FIELD_TARGETS = [...MAPPED_NAMES, 'Category', 'Tag', 'CustomField'] as const
export type FieldTarget = (typeof FIELD_TARGETS)[number]

export interface CadMapping {
  /** From where a member is read: paths of names with dots between them, the first that holds something. Else from the member of its own name. */
  readonly members: Readonly<Partial<Record<EventMember, readonly string[]>>>
  /** Further texts of the message, or of members, and where they go. A custom field has a name. */
  readonly fields: readonly { readonly from: string; readonly to: FieldTarget; readonly name?: string | undefined }[]
  /** Whether what stands under `extended` goes into custom fields by its own names. */
  readonly keepExtended: boolean
  /** Whether officers whom an event assigns get View on its case; left out in mappings that are older than this rule: they do. */
  readonly assignedMayView?: boolean
}

/** Decisions 8. */
export const USUAL_MAPPING: CadMapping = {
  members: {},
  fields: [
    { from: 'name', to: 'Title' },
    { from: 'description', to: 'Description' },
    { from: 'category', to: 'Category' },
    { from: 'district', to: 'CustomField', name: 'District' },
    { from: 'beat', to: 'CustomField', name: 'Beat' },
    { from: 'priority', to: 'CustomField', name: 'Priority' },
    { from: 'statusCode', to: 'CustomField', name: 'Status code' },
    { from: 'type', to: 'CustomField', name: 'Type' },
    { from: 'state', to: 'CustomField', name: 'State' },
  ],
  keepExtended: true,
  assignedMayView: true,
}

type Members = Readonly<Record<string, unknown>>
export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null and what is not there say nothing, as an empty text does. */
const says = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** What lies at a path. Only own members are looked at: a message must not reach into anything that is not its own. */
export function valueAt(message: unknown, path: string): unknown {
  let value: unknown = message
  for (const name of path.split('.')) {
    if (Array.isArray(value) && /^\d{1,4}$/.test(name)) value = (value as unknown[])[Number(name)]
    else if (isMembers(value) && Object.hasOwn(value, name)) value = value[name]
    else return undefined
  }
  return value
}

/** The message under the names of the specification. Members that say nothing are left out. */
export function eventIn(message: Members, { members }: CadMapping): Readonly<Record<string, unknown>> {
  const found = EVENT_MEMBERS.flatMap((member) => {
    const value = (members[member] ?? [member]).map((path) => valueAt(message, path)).find(says)
    return says(value) ? [[member, value] as const] : []
  })
  return Object.fromEntries(found)
}

/** One line of text of what may be a text, a number or a truth value; of anything else its JSON. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Texts for custom fields: `extended` is free members, or a list of { key, value }. */
export function extendedTexts(extended: unknown): [string, string][] {
  if (Array.isArray(extended))
    return extended.flatMap((one: unknown) =>
      isMembers(one) && typeof one['key'] === 'string' && says(one['value'])
        ? [[one['key'], textOf(one['value'])] as [string, string]]
        : [],
    )
  if (!isMembers(extended)) return []
  if (typeof extended['key'] === 'string' && Object.keys(extended).every((name) => name === 'key' || name === 'value'))
    return says(extended['value']) ? [[extended['key'], textOf(extended['value'])]] : []
  return Object.entries(extended).flatMap(([name, value]) => (says(value) ? [[name, textOf(value)]] : []))
}

export interface FieldTexts {
  readonly members: Readonly<Partial<Record<MappedName, string>>>
  readonly category: string | undefined
  readonly tags: readonly string[]
  readonly custom: Readonly<Record<string, string>>
}

/** @param event as `eventIn` has it: paths are looked for among its members first, then in the message itself */
export function textsOf(message: Members, event: Members, { fields, keepExtended }: CadMapping): FieldTexts {
  const texts = new Map<FieldTarget, string[]>()
  const custom = new Map<string, string>()
  if (keepExtended) for (const [name, value] of extendedTexts(event['extended'])) custom.set(name, value)
  for (const { from, to, name } of fields) {
    const own = valueAt(event, from)
    const value = says(own) ? own : valueAt(message, from)
    if (!says(value)) continue
    if (to === 'CustomField') custom.set(name ?? from, textOf(value))
    else texts.set(to, [...(texts.get(to) ?? []), textOf(value)])
  }
  const members = MAPPED_NAMES.flatMap((name) => {
    const given = texts.get(name)
    return given === undefined ? [] : [[name, fieldOf(name).kind === 'text' ? given.join('\n') : given[0]]]
  })
  return {
    members: Object.fromEntries(members) as FieldTexts['members'],
    category: texts.get('Category')?.[0],
    tags: texts.get('Tag') ?? [],
    // Not Object.fromEntries alone: a field called __proto__ is a name like any other.
    custom: Object.fromEntries(custom),
  }
}
