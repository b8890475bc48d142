/** What the list of cases shows, as it stands in the address. */
import { z } from 'zod'

export const STATES = ['Open', 'Closed'] as const
export const WHOSE = ['mine', 'following'] as const

export const caseSearch = z.object({
  q: z.string().max(256).catch('').default(''),
  state: z.enum(STATES).or(z.literal('')).catch('').default(''),
  whose: z.enum(WHOSE).or(z.literal('')).catch('').default(''),
  category: z.coerce.string().max(19).catch('').default(''),
  department: z.coerce.string().max(48).catch('').default(''),
  from: z.string().max(40).catch('').default(''),
  to: z.string().max(40).catch('').default(''),
  bin: z.boolean().catch(false).default(false),
})

export type CaseSearch = z.output<typeof caseSearch>
const USUAL: CaseSearch = caseSearch.parse({})

/** What is as usual does not stand in the address. */
export function withoutUsual(search: CaseSearch): Partial<CaseSearch> {
  const said = Object.entries(search).filter(([member, value]) => value !== USUAL[member as keyof CaseSearch])
  return Object.fromEntries(said) as Partial<CaseSearch>
}

/** As the station's list takes it. */
export const queryOf = ({ q, state, whose, category, department, from, to, bin }: CaseSearch) => ({
  ...(q.trim() === '' ? {} : { text: q.trim() }),
  ...(state === '' ? {} : { state }),
  ...(whose === '' ? {} : { [whose]: 'true' as const }),
  ...(category === '' ? {} : { category }),
  ...(department === '' ? {} : { department }),
  ...(from === '' ? {} : { from }),
  ...(to === '' ? {} : { to }),
  ...(bin ? { deleted: 'true' as const } : {}),
})

export type CaseQuery = ReturnType<typeof queryOf>

/** Anything that leaves cases out; the recycle bin is another list, not a filter. */
export const isFiltered = ({ q, state, whose, category, department, from, to }: CaseSearch): boolean =>
  [q.trim(), state, whose, category, department, from, to].some((said) => said !== '')

export const WITHOUT_FILTERS: Partial<CaseSearch> = {
  q: '',
  state: '',
  whose: '',
  category: '',
  department: '',
  from: '',
  to: '',
}
