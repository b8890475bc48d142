/** What the board shows, as it stands in the address. */
import { addressState, id, oneOf, or, type StateOf, text } from '../../client/address-state.ts'
import { FOOTAGE_STATES } from '../../../shared/calls-board/footage.ts'

export const VIEWS = ['units', 'calls', 'weeks'] as const

const members = {
  /** Empty: the shift that is on now. */
  date: or(text(10, /^\d{4}-\d{2}-\d{2}$/), ''),
  /** Index, or `all` for the whole day. */
  shift: or(text(3, /^(?:all|\d{1,2})$/), ''),
  unit: or(text(256), ''),
  officer: or(id, ''),
  state: or(oneOf(FOOTAGE_STATES), ''),
  view: or(oneOf(VIEWS), 'units'),
  /** Of which the reason is shown. */
  call: or(id, ''),
  who: or(id, ''),
}
export const callsSearch = addressState(members)
export type CallsSearch = StateOf<typeof members>

export const isFiltered = ({ unit, officer, state }: CallsSearch): boolean =>
  unit !== '' || officer !== '' || state !== ''

/** As the station's board takes it. */
export const queryOf = ({ date, shift, unit, officer, state }: CallsSearch) => ({
  ...(date === '' ? {} : { date }),
  ...(shift === '' ? {} : { shift }),
  ...(unit === '' ? {} : { unit }),
  ...(officer === '' ? {} : { officer }),
  ...(state === '' ? {} : { state }),
})
