/** What the pages of devices show, as it stands in the address. */
import { addressState, id, oneOf, type StateOf, text } from '../../client/address-state.ts'
import { DEVICE_STATES } from '../../../shared/devices/contract.ts'

const members = {
  q: text(256),
  state: oneOf(DEVICE_STATES),
  type: text(256),
  /** Id of an officer, and the name to show before it is looked up. */
  officer: id,
  name: text(256),
}
export const devicesSearch = addressState(members)
export type DevicesSearch = StateOf<typeof members>

export const TABS = ['overview', 'officers', 'configuration', 'negotiations'] as const
export type Tab = (typeof TABS)[number]
export const deviceSearch = addressState({ tab: oneOf(TABS) })

export const typesSearch = addressState({ open: text(256) })
