/** A history as people read it: what each version changed, with what stood there before. Pure. */
import type { z } from 'zod'
import type { HistoryModel } from '../../../../shared/cases/contract.ts'
import { namesIn } from '../../../../shared/cases/fields.ts'
import type { PatchOperation } from '../../../../shared/kernel/json-patch.ts'
import { positionText } from '../../../client/position.ts'
import type { FieldName } from '../labels.ts'

export type HistoryEntry = z.output<typeof HistoryModel>['Entries'][number]
type Members = Readonly<Record<string, unknown>>

/** Whose field it is: one that has a label, one of the station's own, or a fact that the station keeps. */
export type ChangedField =
  | { readonly field: FieldName }
  | { readonly custom: string }
  | { readonly fact: 'people' | 'evidence' | 'address' | 'notes' | 'deletion' | 'protection' }

export type Change =
  | { readonly of: ChangedField; readonly kind: 'value'; readonly was: string; readonly now: string }
  | {
      readonly of: ChangedField
      readonly kind: 'list'
      readonly added: readonly string[]
      readonly gone: readonly string[]
    }
  | {
      readonly of: ChangedField
      readonly kind: 'person'
      readonly id: string
      /** The user name, as then. */
      readonly who: string
      readonly was: Access
      readonly now: Access
    }

/** What somebody may with the case: null, nothing. */
export interface Access {
  readonly level: string | null
  readonly until: string | null
  readonly role: string | null
}

export interface Told {
  readonly entry: HistoryEntry
  /** null where the history does not say (an administrator without Manage), or where what was before is not loaded. */
  readonly changes: readonly Change[] | null
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One member after the other; what lies below an array is never named by a history. */
export function patched(state: Members, operations: readonly PatchOperation[]): Members {
  return operations.reduce<Members>((whole, operation) => {
    const steps = operation.path
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    return put(whole, steps, operation)
  }, state)
}

function put(members: Members, [name, ...rest]: readonly string[], operation: PatchOperation): Members {
  if (name === undefined) return operation.op === 'remove' || !isMembers(operation.value) ? {} : operation.value
  if (rest.length > 0) {
    const inner = Object.hasOwn(members, name) ? members[name] : {}
    return withMember(members, name, put(isMembers(inner) ? inner : {}, rest, operation))
  }
  if (operation.op !== 'remove') return withMember(members, name, operation.value)
  return Object.fromEntries(Object.entries(members).filter(([member]) => member !== name))
}

/** Also for a member that is called `__proto__`: it is one like any other. */
const withMember = (members: Members, name: string, value: unknown): Members =>
  Object.fromEntries([...Object.entries(members).filter(([member]) => member !== name), [name, value]])

/** @param entries newest first, as the station gives them @param whole they go back to the first version */
export function told(entries: readonly HistoryEntry[], whole: boolean): readonly Told[] {
  const lines: Told[] = []
  let state: Members | null = whole ? {} : null
  for (const entry of [...entries].reverse()) {
    if (state === null || entry.Changes === null) {
      lines.push({ entry, changes: null })
      continue
    }
    const next = patched(state, entry.Changes as readonly PatchOperation[])
    // The first version is all new: it is no list of differences.
    lines.push({ entry, changes: lines.length === 0 ? [] : changesBetween(state, next) })
    state = next
  }
  return lines.reverse()
}

const FIELDS = namesIn('title', 'about', 'category', 'department', 'times', 'incident', 'references', 'place')
const FACTS: readonly (readonly [member: string, fact: 'deletion' | 'protection'])[] = [
  ['ScheduledDeletionUtc', 'deletion'],
  ['ProtectedUntil', 'protection'],
]

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

export function changesBetween(before: Members, after: Members): readonly Change[] {
  const value = (of: ChangedField, was: string, now: string): Change[] =>
    was === now ? [] : [{ of, kind: 'value', was, now }]
  const list = (of: ChangedField, was: readonly string[], now: readonly string[]): Change[] => {
    const added = now.filter((one) => !was.includes(one))
    const gone = was.filter((one) => !now.includes(one))
    return added.length + gone.length === 0 ? [] : [{ of, kind: 'list', added, gone }]
  }
  const place = (state: Members, name: string): string =>
    isMembers(state['Location']) ? textOf(state['Location'][name]) : ''
  const position = (state: Members): string => positionText(textOf(state['LocationWKT']) || null)
  return [
    ...FIELDS.flatMap((field) => value({ field }, textOf(before[field]), textOf(after[field]))),
    ...value({ field: 'Position' }, position(before), position(after)),
    ...value({ fact: 'address' }, place(before, 'Address'), place(after, 'Address')),
    ...value({ fact: 'notes' }, place(before, 'Notes'), place(after, 'Notes')),
    ...list({ field: 'Tags' }, textsOf(before['Tags']), textsOf(after['Tags'])),
    ...customChanges(before['CustomFields'], after['CustomFields']),
    ...peopleChanges(before, after),
    ...list({ fact: 'evidence' }, textsOf(before['EvidenceIds']), textsOf(after['EvidenceIds'])),
    ...FACTS.flatMap(([member, fact]) => value({ fact }, textOf(before[member]), textOf(after[member]))),
  ]
}

function customChanges(before: unknown, after: unknown): readonly Change[] {
  const [was, now] = [isMembers(before) ? before : {}, isMembers(after) ? after : {}]
  const of = (members: Members, name: string): string => (Object.hasOwn(members, name) ? textOf(members[name]) : '')
  const names = [...new Set([...Object.keys(was), ...Object.keys(now)])].sort()
  return names.flatMap((custom): Change[] => {
    const [one, other] = [of(was, custom), of(now, custom)]
    return one === other ? [] : [{ of: { custom }, kind: 'value', was: one, now: other }]
  })
}

const NOTHING: Access = { level: null, until: null, role: null }

/** Policies and assignments of a version together, by principal. */
function peopleIn(state: Members): ReadonlyMap<string, { readonly name: string; readonly access: Access }> {
  const people = new Map<string, { readonly name: string; readonly access: Access }>()
  const entries = (member: string): readonly Members[] => {
    const value = state[member]
    return Array.isArray(value) ? value.filter(isMembers) : []
  }
  for (const policy of entries('AccessPolicies')) {
    const access = {
      ...NOTHING,
      level: textOf(policy['Permissions']),
      until: textOf(policy['ExpirationDateUtc']) || null,
    }
    people.set(textOf(policy['PrincipalId']), { name: textOf(policy['Username']), access })
  }
  for (const one of entries('PersonnelRelations')) {
    const id = textOf(one['PrincipalId'])
    const found = people.get(id)
    const name = textOf(one['Username']) || textOf(one['Name'])
    people.set(id, { name, access: { ...(found?.access ?? NOTHING), role: textOf(one['Role']) } })
  }
  return people
}

function peopleChanges(before: Members, after: Members): readonly Change[] {
  const [was, now] = [peopleIn(before), peopleIn(after)]
  return [...new Set([...was.keys(), ...now.keys()])].flatMap((id): Change[] => {
    const [one, other] = [was.get(id), now.get(id)]
    const [had, has] = [one?.access ?? NOTHING, other?.access ?? NOTHING]
    if (had.level === has.level && had.until === has.until && had.role === has.role) return []
    return [{ of: { fact: 'people' }, kind: 'person', id, who: other?.name ?? one?.name ?? id, was: had, now: has }]
  })
}
