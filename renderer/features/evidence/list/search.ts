/** What the list shows, as it stands in the address: values of one filter with commas between them, as somebody would type them. */
import {
  addressState,
  flag,
  id,
  list,
  oneOf,
  or,
  type Reader,
  type StateOf,
  text,
} from '../../../client/address-state.ts'

export const TYPES = ['video', 'audio', 'image', 'document', 'text', 'other'] as const
export const STATUSES = ['verified', 'working', 'waiting', 'attention', 'differs', 'danger', 'open', 'sealed'] as const
export const SORTS = ['recorded', 'created', 'name', 'length', 'type', 'deleted'] as const
/** Times that move with the clock; the server's shifts are those of *Calls and footage*. */
export const PERIODS = ['today', 'shift', 'lastShift', 'week', 'month'] as const
export type Period = (typeof PERIODS)[number]
/** What a row has or is; each of them must hold. */
export const HAS = ['noCase', 'notes', 'marks', 'protected', 'unfinished'] as const
export type Has = (typeof HAS)[number]

/** Texts of the address: one alone, several with commas, or a list as earlier versions wrote it. Numbers are read as texts. */
const texts = (given: unknown): unknown => {
  if (typeof given === 'number') return [String(given)]
  if (typeof given === 'string') return given.split(',').filter((one) => one !== '')
  return Array.isArray(given) ? given.map((one) => (typeof one === 'number' ? String(one) : one)) : given
}
const several = <Value extends string>(one: Reader<Value>, most = 20) => {
  const read = list(one, most)
  return or((given) => read(texts(given)), [] as Value[])
}
const bytes = or(text(15, /^\d+$/), '')

const members = {
  q: or(text(256), ''),
  type: several(oneOf(TYPES)),
  status: several(oneOf(STATUSES)),
  tag: several(text(64)),
  officer: several(id),
  device: several(text(32, /^[0-9a-f]{32}$/)),
  category: several(id, 50),
  has: several(oneOf(HAS)),
  min: bytes,
  max: bytes,
  /** Id of a case: what is in it. */
  case: or(id, ''),
  when: or(oneOf(PERIODS), ''),
  from: or(text(40), ''),
  to: or(text(40), ''),
  sort: or(oneOf(SORTS), 'recorded'),
  dir: or(oneOf(['asc', 'desc']), 'desc'),
  /** The recycle bin instead. */
  bin: or(flag, false),
  view: or(oneOf(['list', 'grid']), 'list'),
  /** Columns that the address asks for; none: those of the person. */
  cols: several(text(20)),
}
const listSearch = addressState(members)

export type ListSearch = StateOf<typeof members>
/** As the address has it. */
export type ListAddress = { readonly [Member in keyof ListSearch]?: string | number | boolean | readonly string[] }

/** Of the address: files on their way were a flag of their own before they were one of several. */
export function readSearch(given: Record<string, unknown>): ListSearch {
  const search = listSearch.read(given)
  const unfinished = given['unfinished'] === true && !search.has.includes('unfinished')
  return unfinished ? { ...search, has: [...search.has, 'unfinished'] } : search
}

/** What is as usual does not stand in the address. */
export function toAddress(search: ListSearch): ListAddress {
  const said = Object.entries(listSearch.withoutUsual(search))
  return Object.fromEntries(said.map(([member, value]) => [member, written(value)]))
}

/** A value that holds a comma itself keeps its list; a number stands without the quotes that a text of digits would need. */
function written(value: string | boolean | readonly string[]): string | number | boolean | readonly string[] {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return value.some((one) => one.includes(',')) ? value : written(value.join(','))
  return /^[1-9]\d{0,14}$/.test(value) ? Number(value) : value
}

/** As the station's list takes it. */
export function queryOf(search: ListSearch) {
  const { q, type, status, tag, officer, device, category, has, min, max, case: inCase, sort, dir, bin } = search
  const { when, from, to } = search
  const flags = Object.fromEntries(has.map((one) => [one, 'true' as const])) as { readonly [One in Has]?: 'true' }
  return {
    ...(q.trim() === '' ? {} : { text: q.trim() }),
    ...(type.length === 0 ? {} : { type }),
    ...(status.length === 0 ? {} : { status }),
    ...(tag.length === 0 ? {} : { tag }),
    ...(officer.length === 0 ? {} : { officer }),
    ...(device.length === 0 ? {} : { device }),
    ...(category.length === 0 ? {} : { category }),
    ...flags,
    ...(min === '' ? {} : { minLength: min }),
    ...(max === '' ? {} : { maxLength: max }),
    ...(inCase === '' ? {} : { case: inCase }),
    ...(when === '' ? {} : { period: when }),
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
    ...(bin ? { deleted: 'true' as const } : {}),
    // An address that somebody wrote: outside the recycle bin nothing has a time of deletion.
    sort: sort === 'deleted' && !bin ? ('recorded' as const) : sort,
    direction: dir,
  }
}

export const NO_FILTERS = {
  q: '',
  type: [],
  status: [],
  tag: [],
  officer: [],
  device: [],
  category: [],
  has: [],
  min: '',
  max: '',
  case: '',
  when: '',
  from: '',
  to: '',
} as const satisfies Partial<ListSearch>

/** Anything that leaves evidence out; the recycle bin is another list, not a filter. */
export const isFiltered = (search: ListSearch): boolean =>
  Object.keys(NO_FILTERS).some((name) => search[name as keyof typeof NO_FILTERS].length > 0) && !isBlank(search)

/** Blanks in the field find everything. */
const isBlank = (search: ListSearch): boolean =>
  Object.keys(NO_FILTERS).every((name) => name === 'q' || search[name as keyof typeof NO_FILTERS].length === 0) &&
  search.q.trim() === ''
