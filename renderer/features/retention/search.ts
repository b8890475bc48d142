/** What the page shows, as it stands in the address. */
import { addressState, oneOf, type StateOf, text } from '../../client/address-state.ts'

export const VIEWS = ['due', 'bin', 'certificates', 'quarantine'] as const
export type View = (typeof VIEWS)[number]

const members = {
  view: oneOf(VIEWS),
  /** Which certificate is open beside the list. */
  open: text(256),
}
export const dispositionSearch = addressState(members)
export type DispositionSearch = StateOf<typeof members>
