/** The view's state as it stands in the address: which version is looked at, timeline or map, which tab. */
import { z } from 'zod'

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

export const pageSearch = z.object({
  /** ConcurrencyId of a version of the past; empty: now. */
  v: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .catch('')
    .default(''),
  view: z.enum(FACES).catch('timeline').default('timeline'),
  side: z.enum(SIDES).catch('').default(''),
})

export type PageSearch = z.output<typeof pageSearch>
export type Face = PageSearch['view']
const USUAL: PageSearch = pageSearch.parse({})

/** What is as usual does not stand in the address. */
export const withoutUsualView = (search: PageSearch): Partial<PageSearch> =>
  Object.fromEntries(
    Object.entries(search).filter(([member, value]) => value !== USUAL[member as keyof PageSearch]),
  ) as Partial<PageSearch>

/** @param said as the router has it: what `withoutUsualView` left out still stands there as somebody typed it */
export const wholeView = (said: Readonly<Record<string, unknown>>): PageSearch => pageSearch.parse(said)
