/** What the search page shows, whole, as it stands in the address. */
import { addressState, flag, id, list, oneOf, or, type Reader, type StateOf, text } from '../../client/address-state.ts'
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

const some = <Value>(one: Reader<Value>, most: number) => or(list(one, most), [] as Value[])
const words = (most: number) => or(text(most), '')

const customMembers = addressState({ name: words(256), value: words(1_000), from: words(64), to: words(64) })
export type CustomFilter = typeof customMembers.usual
const customFilter: Reader<CustomFilter> = (given) => {
  const filter = typeof given === 'object' && given !== null ? customMembers.read({ ...given }) : undefined
  return filter?.name === '' ? undefined : filter
}

const box: Reader<string> = (given) => (typeof given === 'string' && boxOf(given) !== null ? given : undefined)
const near: Reader<string> = (given) => (typeof given === 'string' && nearOf(given) !== null ? given : undefined)

const members = {
  q: words(1_000),
  types: some(oneOf(TYPES), TYPES.length),
  states: some(oneOf(SEARCH_STATES), SEARCH_STATES.length),
  media: some(oneOf(SEARCHED_MEDIA), SEARCHED_MEDIA.length),
  categories: some(id, 100),
  from: words(40),
  to: words(40),
  /** west,south,east,north */
  box: or(box, ''),
  /** latitude,longitude,metres */
  near: or(near, ''),
  /** What the place of `near` is called, for people. */
  place: words(200),
  /** Of a saved search that is to be shown: the page replaces it by what was saved. */
  saved: or(text(15, /^\d+$/), ''),
  custom: some(customFilter, 20),
  /** Evidence of one case, or by one device. */
  in: or(id, ''),
  device: or(text(32, /^[0-9a-f]{32}$/i), ''),
  free: or(flag, false),
  sort: or(oneOf(SEARCH_SORTS), 'relevance'),
  view: or(oneOf(['list', 'map']), 'list'),
}
export const searchSearch = addressState(members)
export type SearchState = StateOf<typeof members>
const EMPTY = searchSearch.usual

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

/** These leave no hits out. */
const BESIDE_FILTERS: ReadonlySet<string> = new Set(['q', 'sort', 'view', 'place', 'saved'])
/** Anything that leaves hits out, beside the words. */
export const isFiltered = (search: SearchState): boolean =>
  Object.keys(searchSearch.withoutUsual(search)).some((member) => !BESIDE_FILTERS.has(member))

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

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** A saved question as the page shows it; what it does not know any more is left out. */
export function stateOf(question: Readonly<Record<string, unknown>>, found: readonly HitType[]): Partial<SearchState> {
  const types = listIn(question['Types'])
  const box = listIn(question['BoundingBox'])
  const near = (question['Near'] ?? {}) as Readonly<Record<string, unknown>>
  const all = types.length === found.length && found.every((type) => types.includes(type))
  return searchSearch.withoutUsual(
    searchSearch.read({
      q: question['Query'] ?? '',
      types: all ? [] : types,
      states: listIn(question['States']),
      media: listIn(question['MediaTypes']),
      categories: listIn(question['CategoryIds']),
      from: question['FromUtc'] ?? '',
      to: question['ToUtc'] ?? '',
      box: box.join(','),
      near: [near['Latitude'], near['Longitude'], near['RadiusMeters']].join(','),
      place: near['Name'] ?? '',
      custom: listIn(question['CustomFields']).map((one) => {
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
