/** Who holds which right, what somebody is about to change, and what the station is sent. Pure. */
import type { z } from 'zod'
import type * as contract from '../../../../shared/identity/policies.contract.ts'
import { LEVELS, type SecurityPolicy } from '../../../../shared/kernel/permissions.ts'

export type Policy = z.output<typeof contract.PolicyModel>
export type Member = Policy['Members'][number]

/** A person, group or integration: one column. */
export interface Holder {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly guest: boolean
  /** Account Administrators: in every right, whatever anybody does. */
  readonly builtIn: boolean
}

/** `held` without a level; the level where the right carries one; null: not in it. */
export type Held = string | null
export const HELD = 'held'

/** By right and holder; only what differs from what the station holds. */
export type Changes = ReadonlyMap<string, Held>
export const cellKey = (policy: string, holder: string): string => `${policy} ${holder}`

export const heldDirectly = ({ Members }: Policy, holder: string): Held => {
  const member = Members.find(({ PrincipalId }) => PrincipalId === holder)
  return member === undefined ? null : (member.Level ?? HELD)
}

/** What is or will be held, with the change where there is one. */
export const heldNow = (policy: Policy, holder: string, changes: Changes): Held => {
  const key = cellKey(policy.Policy, holder)
  return changes.has(key) ? (changes.get(key) ?? null) : heldDirectly(policy, holder)
}

/** One more press; what comes out as it stands at the station is no change. */
export function changed(changes: Changes, policy: Policy, holder: string, held: Held): Changes {
  const next = new Map(changes)
  const key = cellKey(policy.Policy, holder)
  if (held === heldDirectly(policy, holder)) next.delete(key)
  else next.set(key, held)
  return next
}

/** After the station's state moved on: what it holds by now is no change any more. */
export function stillOpen(changes: Changes, policies: readonly Policy[]): Changes {
  const open = [...changes].filter(([key, held]) => {
    const [name = '', holder = ''] = key.split(' ')
    const policy = policies.find(({ Policy: one }) => one === name)
    return policy !== undefined && heldDirectly(policy, holder) !== held
  })
  return open.length === changes.size ? changes : new Map(open)
}

/** The rights that a save replaces, in the order of the list. */
export const touched = (policies: readonly Policy[], changes: Changes): readonly Policy[] =>
  policies.filter(({ Policy: name }) => [...changes.keys()].some((key) => key.startsWith(`${name} `)))

/** All members as they shall be: the changes on top of what the station holds now. */
export function membersAfter(policy: Policy, changes: Changes): { PrincipalId: string; Level?: string }[] {
  const ids = new Set(policy.Members.flatMap(({ PrincipalId }) => PrincipalId ?? []))
  for (const key of changes.keys()) {
    const [name, holder = ''] = key.split(' ')
    if (name === policy.Policy) ids.add(holder)
  }
  return [...ids].flatMap((id) => {
    const held = heldNow(policy, id, changes)
    if (held === null) return []
    return [{ PrincipalId: id, ...(policy.WithLevel && held !== HELD ? { Level: held } : {}) }]
  })
}

export interface GroupMembers {
  readonly id: string
  readonly members: readonly string[]
}

/** What somebody holds through groups: the highest of them; a guest holds nothing so (decisions 3). */
export function heldThroughGroups(
  policy: Policy,
  holder: Holder,
  groups: readonly GroupMembers[],
  changes: Changes,
): Held {
  if (holder.type === 'group' || holder.guest) return null
  const held = groups
    .filter(({ members }) => members.includes(holder.id))
    .map(({ id }) => heldNow(policy, id, changes))
    .filter((one) => one !== null)
  return held.reduce<Held>((best, one) => (best === null || rank(one) > rank(best) ? one : best), null)
}
const rank = (held: string): number => (LEVELS as readonly string[]).indexOf(held)

/** Groups first, then people, then integrations; each by name. Account Administrators lead. */
const KINDS = ['group', 'user', 'service']
export function holdersOf(
  policies: readonly Policy[],
  added: readonly Holder[],
  builtIn: ReadonlySet<string>,
  nameOf: (member: Member) => string,
): readonly Holder[] {
  const holders = new Map(added.map((holder) => [holder.id, holder]))
  for (const member of policies.flatMap(({ Members }) => Members)) {
    const id = member.PrincipalId ?? ''
    holders.set(id, {
      id,
      type: member.PrincipalType ?? 'user',
      name: nameOf(member),
      guest: member.Guest,
      builtIn: builtIn.has(id),
    })
  }
  return [...holders.values()].sort(
    (one, other) =>
      Number(other.builtIn) - Number(one.builtIn) ||
      KINDS.indexOf(one.type) - KINDS.indexOf(other.type) ||
      one.name.localeCompare(other.name),
  )
}

/** The column that stands for all people: how many of them hold a right of their own. */
export const PEOPLE = 'people'
export type MatrixColumn = Holder | typeof PEOPLE

export const peopleOf = (holders: readonly Holder[]): readonly Holder[] => holders.filter(({ type }) => type === 'user')

/** Groups and integrations; then the people as one column, and each of them only while that is open. */
export function columnsOf(holders: readonly Holder[], open: boolean): readonly MatrixColumn[] {
  const people = peopleOf(holders)
  if (people.length === 0) return holders
  return [...holders.filter(({ type }) => type !== 'user'), PEOPLE, ...(open ? people : [])]
}

export const mayHold = (policy: SecurityPolicy, { guest }: Holder): boolean => !guest || policy === 'CreateCases'
