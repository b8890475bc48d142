/** What the list of cases shows, as it stands in the address. */
import { addressState, flag, oneOf, or, type StateOf, text } from '../../../client/address-state.ts'

export const STATES = ['Open', 'Closed'] as const
export const WHOSE = ['mine', 'following'] as const

const members = {
  q: or(text(256), ''),
  state: or(oneOf(STATES), ''),
  whose: or(oneOf(WHOSE), ''),
  category: or(text(19), ''),
  department: or(text(48), ''),
  from: or(text(40), ''),
  to: or(text(40), ''),
  bin: or(flag, false),
}

export const caseSearch = addressState(members)
export type CaseSearch = StateOf<typeof members>

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
