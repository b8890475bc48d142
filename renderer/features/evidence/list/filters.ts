/** The filters of the list: what each is called, whether it is set, and what takes it off. */
import { STATUS_STATES } from '../../../client/evidence-status.ts'
import type { Translate } from '../../../client/translate.ts'
import type { ListSearch } from './search.ts'

export type Words = Translate<'evidenceList'>

/** In the order in which they are offered. */
export const FILTERS = [
  'recorded',
  'officer',
  'device',
  'type',
  'status',
  'category',
  'tag',
  'case',
  'size',
  'has',
] as const
export type FilterName = (typeof FILTERS)[number]

export const FILTER_WORDS = {
  recorded: 'filterRecorded',
  officer: 'filterOfficer',
  device: 'filterDevice',
  type: 'filterType',
  status: 'filterStatus',
  category: 'filterCategory',
  tag: 'filterTag',
  case: 'filterCase',
  size: 'columnSize',
  has: 'filterHas',
} as const satisfies Readonly<Record<FilterName, string>>

/** What takes each off; what of the search it is made of. */
export const WITHOUT = {
  recorded: { when: '', from: '', to: '' },
  officer: { officer: [] },
  device: { device: [] },
  type: { type: [] },
  status: { status: [] },
  category: { category: [] },
  tag: { tag: [] },
  case: { case: '' },
  size: { min: '', max: '' },
  has: { has: [] },
} as const satisfies Readonly<Record<FilterName, Partial<ListSearch>>>

export const isSet = (name: FilterName, search: ListSearch): boolean =>
  Object.keys(WITHOUT[name]).some((member) => search[member as 'q'].length > 0)

/** What needs a person: the states that say so. */
export const NEEDS_A_LOOK = [
  'attention',
  'differs',
  'danger',
] as const satisfies readonly (keyof typeof STATUS_STATES)[]

export const PERIOD_WORDS = {
  today: 'periodToday',
  shift: 'periodShift',
  lastShift: 'periodLastShift',
  week: 'periodWeek',
  month: 'periodMonth',
} as const

export const HAS_WORDS = {
  noCase: 'hasNoCase',
  notes: 'hasNotes',
  marks: 'hasMarks',
  protected: 'hasProtected',
  unfinished: 'unfinished',
} as const

const MEGABYTE = 1_000_000
/** From how many bytes on, and up to how many. */
export const SIZES = [
  { id: 'small', min: '', max: String(10 * MEGABYTE) },
  { id: 'large', min: String(100 * MEGABYTE), max: '' },
  { id: 'veryLarge', min: String(1000 * MEGABYTE), max: '' },
] as const
