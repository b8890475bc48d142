/** What the page shows, as it stands in the address. */
import { addressState, oneOf, type StateOf, text, whole } from '../../client/address-state.ts'
import { AGES, REPORT_NAMES } from '../../../shared/reports/reports.ts'

export const VIEWS = [...REPORT_NAMES, 'calendar'] as const
export type View = (typeof VIEWS)[number]

const day = text(10, /^\d{4}-\d{2}-\d{2}$/)

const members = {
  report: oneOf(VIEWS),
  from: day,
  until: day,
  days: whole(1, 366),
  age: oneOf(AGES),
  /** Of the calendar. */
  month: text(7, /^\d{4}-\d{2}$/),
  /** The day of the calendar that is open. */
  day,
}
export const reportsSearch = addressState(members)
export type ReportsSearch = StateOf<typeof members>

/** Of every view: what the address says, and how it is changed. */
export interface ViewProps {
  readonly search: ReportsSearch
  readonly change: (what: Partial<ReportsSearch>) => void
}
