/** What the search page shows, whole, as it stands in the address. */
import { z } from 'zod'
import type { Box } from '../../../shared/search/cells.ts'
import {
  LEAST_RADIUS,
  MOST_RADIUS,
  SEARCH_SORTS,
  SEARCH_STATES,
  SEARCHED_MEDIA,
} from '../../../shared/search/search-values.ts'

/** Devices are not among them: there are none yet. */
export const TYPES = ['Case', 'Evidence', 'User', 'Group', 'Device'] as const
export type HitType = (typeof TYPES)[number]

const some = <T extends z.ZodType>(one: T, most: number) => z.array(one).max(most).catch([]).default([])
const text = (most: number) => z.coerce.string().max(most).catch('').default('')

export const customFilter = z.object({
  name: z.coerce.string().min(1).max(256),
  value: text(1_000),
  from: text(64),
  to: text(64),
})
export type CustomFilter = z.output<typeof customFilter>

export const searchSearch = z.object({
  q: text(1_000),
  types: some(z.enum(TYPES), TYPES.length),
  states: some(z.enum(SEARCH_STATES), SEARCH_STATES.length),
  media: some(z.enum(SEARCHED_MEDIA), SEARCHED_MEDIA.length),
  categories: some(z.coerce.string().regex(/^\d{1,19}$/), 100),
  from: text(40),
  to: text(40),
  /** west,south,east,north */
  box: z
    .string()
    .refine((given) => boxOf(given) !== null)
    .catch('')
    .default(''),
  /** latitude,longitude,metres */
  near: z
    .string()
    .refine((given) => nearOf(given) !== null)
    .catch('')
    .default(''),
  /** What the place of `near` is called, for people. */
  place: text(200),
  /** Of a saved search that is to be shown: the page replaces it by what was saved. */
  saved: z.coerce
    .string()
    .regex(/^\d{1,15}$/)
    .or(z.literal(''))
    .catch('')
    .default(''),
  custom: some(customFilter, 20),
  /** Evidence of one case, or by one device. */
  in: z.coerce
    .string()
    .regex(/^\d{1,19}$/)
    .or(z.literal(''))
    .catch('')
    .default(''),
  device: z.coerce
    .string()
    .regex(/^[0-9a-f]{32}$/i)
    .or(z.literal(''))
    .catch('')
    .default(''),
  free: z.boolean().catch(false).default(false),
  sort: z.enum(SEARCH_SORTS).catch('relevance').default('relevance'),
  view: z.enum(['list', 'map']).catch('list').default('list'),
})
export type SearchState = z.output<typeof searchSearch>
export const EMPTY: SearchState = searchSearch.parse({})

export interface Near {
  readonly latitude: number
  readonly longitude: number
  readonly metres: number
}

export function nearOf(given: string): Near | null {
  const parts = given.split(',').map(Number)
  const [latitude, longitude, metres] = parts
  if (given === '' || parts.length !== 3 || !parts.every(Number.isFinite)) return null
  if (latitude === undefined || longitude === undefined || metres === undefined) return null
  const inRange = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  return inRange && metres >= LEAST_RADIUS && metres <= MOST_RADIUS ? { latitude, longitude, metres } : null
}

export function boxOf(given: string): Box | null {
  const parts = given.split(',').map(Number)
  const [west, south, east, north] = parts
  if (parts.length !== 4 || !parts.every(Number.isFinite)) return null
  if (west === undefined || south === undefined || east === undefined || north === undefined) return null
  const inRange = Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90 && south <= north
  return inRange ? [west, south, east, north] : null
}

const isUsual = (value: unknown, usual: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : value === usual

/** What is as usual does not stand in the address. */
export function withoutUsual(search: SearchState): Partial<SearchState> {
  const said = Object.entries(search).filter(([member, value]) => !isUsual(value, EMPTY[member as keyof SearchState]))
  return Object.fromEntries(said) as Partial<SearchState>
}

/** Anything that leaves hits out, beside the words. */
export const isFiltered = ({
  q: _q,
  sort: _sort,
  view: _view,
  place: _place,
  saved: _saved,
  ...filters
}: SearchState): boolean =>
  Object.entries(filters).some(([member, value]) => !isUsual(value, EMPTY[member as keyof SearchState]))

export const WITHOUT_FILTERS: Partial<SearchState> = (({ q: _q, sort: _sort, view: _view, ...filters }) => filters)(
  EMPTY,
)

/** Nothing is asked yet. */
export const isBlank = (search: SearchState): boolean => search.q.trim() === '' && !isFiltered(search)

/**
 * As the station takes it: the question that can be saved too.
 * @param found what is looked for where no kind was chosen
 */
export function questionOf(search: SearchState, found: readonly HitType[]) {
  const { q, types, states, media, categories, from, to, box, custom, in: inCase, device, free, sort } = search
  const about = nearOf(search.near)
  const given = boxOf(box)
  const lists = {
    ...(states.length === 0 ? {} : { States: states }),
    ...(media.length === 0 ? {} : { MediaTypes: media }),
    ...(categories.length === 0 ? {} : { CategoryIds: categories }),
  }
  return {
    Query: q,
    Types: types.length === 0 ? [...found] : types,
    ...lists,
    ...(from === '' ? {} : { FromUtc: from }),
    ...(to === '' ? {} : { ToUtc: to }),
    ...(given === null ? {} : { BoundingBox: [...given] as [number, number, number, number] }),
    ...(about === null
      ? {}
      : {
          Near: {
            Latitude: about.latitude,
            Longitude: about.longitude,
            RadiusMeters: about.metres,
            ...(search.place === '' ? {} : { Name: search.place }),
          },
        }),
    ...(custom.length === 0
      ? {}
      : {
          CustomFields: custom.map(({ name, value, from: least, to: most }) => ({
            Name: name,
            ...(value === '' ? {} : { Value: value }),
            ...(least === '' ? {} : { From: least }),
            ...(most === '' ? {} : { To: most }),
          })),
        }),
    ...(inCase === '' ? {} : { CaseId: inCase }),
    ...(device === '' ? {} : { DeviceId: device }),
    ...(free ? { Unassociated: true } : {}),
    Sort: sort,
  }
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** A saved question as the page shows it; what it does not know any more is left out. */
export function stateOf(question: Readonly<Record<string, unknown>>, found: readonly HitType[]): Partial<SearchState> {
  const types = list(question['Types'])
  const box = list(question['BoundingBox'])
  const near = (question['Near'] ?? {}) as Readonly<Record<string, unknown>>
  const all = types.length === found.length && found.every((type) => types.includes(type))
  return withoutUsual(
    searchSearch.parse({
      q: question['Query'] ?? '',
      types: all ? [] : types,
      states: list(question['States']),
      media: list(question['MediaTypes']),
      categories: list(question['CategoryIds']),
      from: question['FromUtc'] ?? '',
      to: question['ToUtc'] ?? '',
      box: box.join(','),
      near: [near['Latitude'], near['Longitude'], near['RadiusMeters']].join(','),
      place: near['Name'] ?? '',
      custom: list(question['CustomFields']).map((one) => {
        const { Name, Value, From, To } = one as Record<string, unknown>
        return { name: Name, value: Value ?? '', from: From ?? '', to: To ?? '' }
      }),
      in: question['CaseId'] ?? '',
      device: question['DeviceId'] ?? '',
      free: question['Unassociated'] === true,
      sort: question['Sort'] ?? EMPTY.sort,
    }),
  )
}
