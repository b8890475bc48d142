/** A mapping while somebody works on it, and what is not right in it yet. Pure. */
import { MappedName, MappingPath } from '../../../../../shared/dispatch/cad.contract.ts'
import {
  EVENT_MEMBERS,
  type EventMember,
  type FieldTarget,
  isMembers,
} from '../../../../../shared/dispatch/cad-mapping.ts'
import type { Mapping } from '../queries.ts'

export interface TypedPath {
  readonly key: string
  readonly path: string
}
export interface TypedField {
  readonly key: string
  readonly from: string
  readonly to: FieldTarget
  readonly name: string
}
export interface MappingDraft {
  /** Only those that are read from elsewhere than their own name; an empty path counts as none. */
  readonly members: readonly { readonly member: EventMember; readonly paths: readonly TypedPath[] }[]
  readonly fields: readonly TypedField[]
  readonly keepExtended: boolean
  readonly assignedMayView: boolean
}

/** Without these no message can be read: they are always in sight. */
export const NEEDED: readonly EventMember[] = ['eventId', 'eventStartTimeUtc']

export function mappingDraft({ members, fields, keepExtended, assignedMayView = true }: Mapping): MappingDraft {
  return {
    members: EVENT_MEMBERS.filter((member) => NEEDED.includes(member) || members[member] !== undefined).map(
      (member) => ({
        member,
        // Keys that are the same for the same mapping: a draft is compared with what it began from.
        paths: (members[member] ?? ['']).map((path, at) => ({ key: `${member} ${at}`, path })),
      }),
    ),
    fields: fields.map(({ from, to, name }, at) => ({ key: `field ${at}`, from, to, name: name ?? '' })),
    keepExtended,
    assignedMayView,
  }
}

export function mappingOf({ members, fields, keepExtended, assignedMayView }: MappingDraft): Mapping {
  const mapped = members.flatMap(({ member, paths }) => {
    const said = paths.map(({ path }) => path.trim()).filter((path) => path !== '')
    return said.length === 0 ? [] : [[member, said] as const]
  })
  return {
    members: Object.fromEntries(mapped) as Mapping['members'],
    fields: fields.map(({ from, to, name }) => ({
      from: from.trim(),
      to,
      ...(to === 'CustomField' ? { name: name.trim() } : {}),
    })),
    keepExtended,
    assignedMayView,
  }
}

export type Wrong = 'pathMissing' | 'pathWrong' | 'nameMissing' | 'nameWrong' | 'nameTwice'

const isPath = (path: string): boolean => MappingPath.safeParse(path).success

/** By the key of a path or of a line. */
export function wrongIn({ members, fields }: MappingDraft): ReadonlyMap<string, Wrong> {
  const wrong = new Map<string, Wrong>()
  for (const { key, path } of members.flatMap(({ paths }) => paths))
    if (path.trim() !== '' && !isPath(path.trim())) wrong.set(key, 'pathWrong')
  const names = new Set<string>()
  for (const { key, from, to, name } of fields) {
    const path = from.trim()
    if (path === '') wrong.set(key, 'pathMissing')
    else if (!isPath(path)) wrong.set(key, 'pathWrong')
    else if (to === 'CustomField' && name.trim() === '') wrong.set(key, 'nameMissing')
    else if (to === 'CustomField' && !MappedName.safeParse(name.trim()).success) wrong.set(key, 'nameWrong')
    else if (to === 'CustomField' && names.has(name.trim())) wrong.set(key, 'nameTwice')
    if (to === 'CustomField') names.add(name.trim())
  }
  return wrong
}

export interface Place {
  readonly path: string
  readonly value: string
}

export const MOST_PLACES = 300
const MOST_DEEP = 8
const MOST_OF_A_LIST = 3
const MOST_SHOWN = 80

/** Where something stands in a message; null: it is no JSON, or longer than what is here. */
export function placesIn(body: string): readonly Place[] | null {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return null
  }
  const found: Place[] = []
  const walk = (at: unknown, path: readonly string[]): void => {
    if (found.length >= MOST_PLACES) return
    const inside: readonly (readonly [string, unknown])[] = Array.isArray(at)
      ? at.slice(0, MOST_OF_A_LIST).map((one: unknown, index) => [String(index), one] as const)
      : isMembers(at)
        ? Object.entries(at)
        : []
    if (path.length > 0 && inside.length === 0) {
      const text = typeof at === 'string' ? at : JSON.stringify(at)
      found.push({ path: path.join('.'), value: text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text })
    }
    if (path.length === MOST_DEEP) return
    // A name with a dot in it cannot be reached by a path.
    for (const [name, one] of inside) if (!name.includes('.') && isPath(name)) walk(one, [...path, name])
  }
  walk(value, [])
  return found
}
