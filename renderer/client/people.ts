/** What people are called, beside answers that name them by user name. */
import type { z } from 'zod'
import type { PersonName } from '../../shared/kernel/people.contract.ts'
import { initials, person } from '../ui/format/format.ts'

export type Named = z.output<typeof PersonName>
/** By id; groups and integrations are not among them. */
export type People = ReadonlyMap<string, Named>

export const NOBODY: People = new Map()

export const peopleAmong = (named: readonly Named[]): People => new Map(named.map((one) => [one.PrincipalId, one]))

/** As models of the station name somebody. */
interface Mentioned {
  readonly PrincipalId?: string | null
  readonly Name?: string | null
  readonly Username?: string | null
}

/** `D. Okafor`; whoever is no user, or none any more, is called by the user name. null: there is no name. */
export function calledIn(people: People, { PrincipalId, Name, Username }: Mentioned): string | null {
  const known = people.get(PrincipalId ?? '')
  const called = [...(known === undefined ? [] : [person(known)]), Username, Name]
  return called.find((one) => typeof one === 'string' && one.trim() !== '') ?? null
}

/** Two letters for the round mark. */
export function markIn(people: People, who: Mentioned): string {
  const known = people.get(who.PrincipalId ?? '')
  const letters = known === undefined ? '' : initials(known)
  if ([...letters].length > 1) return letters
  const parts = (calledIn(people, who) ?? '').split(/[\s.,_-]+/).filter((part) => part !== '')
  const two =
    parts.length > 1 ? [parts[0], parts.at(-1)].map((part) => [...(part ?? '')][0]) : [...(parts[0] ?? '')].slice(0, 2)
  return two.join('').toLocaleUpperCase()
}
