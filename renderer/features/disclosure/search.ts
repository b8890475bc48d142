/** What the list of the station shows, as it stands in the address. */
import { addressState, oneOf, type StateOf } from '../../client/address-state.ts'
import { RECIPIENT_ROLES } from '../../../shared/disclosure/kinds.ts'

export const SHOWN = ['all', 'proposed', 'asked', 'due', 'waiting'] as const

const members = {
  /** Left out: all. */
  show: oneOf(SHOWN),
  /** Those to this kind of recipient; left out: to everybody. */
  to: oneOf(RECIPIENT_ROLES),
}
export const disclosureSearch = addressState(members)
export type DisclosureSearch = StateOf<typeof members>
