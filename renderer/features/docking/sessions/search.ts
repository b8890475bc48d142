/** What the history of the dock shows, as it stands in the address. */
import { addressState, id, oneOf, or, type StateOf, text } from '../../../client/address-state.ts'
import { DOCK_STATES } from '../../../../shared/docking/docking.ts'

const members = {
  serial: or(text(256), ''),
  state: or(oneOf(DOCK_STATES), ''),
  officer: or(id, ''),
  device: or(text(64), ''),
  from: or(text(40), ''),
  to: or(text(40), ''),
}
export const sessionsSearch = addressState(members)
export type SessionsSearch = StateOf<typeof members>

export const isFiltered = (search: SessionsSearch): boolean =>
  Object.keys(sessionsSearch.withoutUsual(search)).length > 0

/** As the station's list takes it. */
export const queryOf = ({ serial, state, officer, device, from, to }: SessionsSearch) => ({
  ...(serial.trim() === '' ? {} : { serial: serial.trim() }),
  ...(state === '' ? {} : { state }),
  ...(officer === '' ? {} : { officer }),
  ...(device === '' ? {} : { deviceId: device }),
  ...(from === '' ? {} : { from }),
  ...(to === '' ? {} : { to }),
})

export const TABS = ['files', 'recordings'] as const
export const sessionSearch = addressState({ tab: oneOf(TABS) })
/** What the picture on the paper brings. */
export const receiptSearch = addressState({ entry: text(20), sha256: text(128) })
