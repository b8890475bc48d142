/** The view's state as it stands in the address: which version is looked at, timeline or map, which tab. */
import { addressState, oneOf, or, type StateOf, text } from '../../../client/address-state.ts'

export const FACES = ['timeline', 'map'] as const
/** Empty: whichever is first where it is looked at. */
export const SIDES = [
  '',
  'evidence',
  'timeline',
  'facts',
  'people',
  'tasks',
  'notes',
  'packages',
  'disclosure',
  'dispatch',
  'history',
] as const

const members = {
  /** ConcurrencyId of a version of the past; empty: now. */
  v: or(text(40, /^[0-9a-f]{40}$/), ''),
  view: or(oneOf(FACES), 'timeline'),
  side: or(oneOf(SIDES), ''),
}

export const pageSearch = addressState(members)
export type PageSearch = StateOf<typeof members>
export type Face = PageSearch['view']

/** @param said as the router has it: what is as usual still stands there as somebody typed it */
export const wholeView = pageSearch.read
