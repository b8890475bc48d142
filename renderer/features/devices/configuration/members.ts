/**
 * A configuration member by member, as it is shown, compared and edited. Whatever stands in one is kept, also what no form knows: what is
 * no text, number or yes-or-no is edited as JSON. Pure.
 */
import { sameJson } from '../../../../shared/kernel/same-json.ts'

export type FreeForm = Readonly<Record<string, unknown>>
export type Kind = 'text' | 'number' | 'yesno' | 'json'

/** One value at the end of its path. */
export interface Member {
  readonly path: readonly string[]
  readonly kind: Kind
  /** As it is typed: JSON for all but text. */
  readonly text: string
}

/** Deeper ones are one value: a path that nobody can read helps nobody. */
const DEEPEST = 6

export const keyOf = (path: readonly string[]): string => JSON.stringify(path)

const isObject = (value: unknown): value is FreeForm =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function memberOf(path: readonly string[], value: unknown): Member {
  if (typeof value === 'string') return { path, kind: 'text', text: value }
  if (typeof value === 'boolean') return { path, kind: 'yesno', text: String(value) }
  if (typeof value === 'number') return { path, kind: 'number', text: String(value) }
  return { path, kind: 'json', text: JSON.stringify(value) }
}

export function membersOf(value: FreeForm, path: readonly string[] = []): readonly Member[] {
  return Object.entries(value).flatMap(([name, one]) => {
    const here = [...path, name]
    const goesOn = isObject(one) && Object.keys(one).length > 0 && here.length < DEEPEST
    return goesOn ? membersOf(one, here) : [memberOf(here, one)]
  })
}

/** @returns undefined where what is typed says nothing */
export function valueOf({ kind, text }: Pick<Member, 'kind' | 'text'>): unknown {
  if (kind === 'text') return text
  try {
    const value: unknown = JSON.parse(text)
    if (kind === 'json') return value
    return typeof value === (kind === 'number' ? 'number' : 'boolean') ? value : undefined
  } catch {
    return undefined
  }
}

/** Members that say nothing are left out; whoever saves asks first whether there are any. */
export function objectOf(members: readonly Member[]): FreeForm {
  const whole: Record<string, unknown> = {}
  for (const member of members) {
    const value = valueOf(member)
    if (value === undefined) continue
    let place = whole
    for (const name of member.path.slice(0, -1)) {
      const below = Object.hasOwn(place, name) ? place[name] : undefined
      const next: Record<string, unknown> = isObject(below) ? below : {}
      put(place, name, next)
      place = next
    }
    put(place, member.path.at(-1) ?? '', value)
  }
  return whole
}

/** Not an assignment: a member may be called `__proto__`. */
function put(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
}

/** Whether a member of that path would stand in the place of others, or below one that is a value. */
export const clashes = (path: readonly string[], members: readonly Member[]): boolean =>
  members.some(({ path: other }) => {
    const common = Math.min(path.length, other.length)
    return path.slice(0, common).every((name, at) => name === other[at])
  })

export type Difference = 'same' | 'changes' | 'added' | 'removed'

/** One member on the camera and as it is wanted. */
export interface Compared {
  readonly key: string
  readonly path: readonly string[]
  readonly has: Member | null
  readonly wanted: Member | null
  readonly difference: Difference
}

/** In the order of what is wanted, then what is on the camera alone. */
export function compared(has: readonly Member[], wanted: readonly Member[]): readonly Compared[] {
  const there = new Map(has.map((member) => [keyOf(member.path), member]))
  const here = new Set(wanted.map(({ path }) => keyOf(path)))
  return [
    ...wanted.map((member): Compared => {
      const key = keyOf(member.path)
      const other = there.get(key) ?? null
      const difference = other === null ? 'added' : sameMember(other, member) ? 'same' : 'changes'
      return { key, path: member.path, has: other, wanted: member, difference }
    }),
    ...has
      .filter(({ path }) => !here.has(keyOf(path)))
      .map((member): Compared => {
        return { key: keyOf(member.path), path: member.path, has: member, wanted: null, difference: 'removed' }
      }),
  ]
}

export const sameMember = (one: Member | null, other: Member | null): boolean => {
  if (one === null || other === null) return one === other
  return sameJson(valueOf(one), valueOf(other))
}
