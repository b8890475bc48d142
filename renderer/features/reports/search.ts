/** What the page shows, as it stands in the address. */
import { z } from 'zod'
import { AGES, REPORT_NAMES } from '../../../shared/reports/reports.ts'

export const VIEWS = [...REPORT_NAMES, 'calendar'] as const
export type View = (typeof VIEWS)[number]

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .optional()
  .catch(undefined)

export const reportsSearch = z.object({
  report: z.enum(VIEWS).optional().catch(undefined),
  from: day,
  until: day,
  days: z.coerce.number().int().min(1).max(366).optional().catch(undefined),
  age: z.enum(AGES).optional().catch(undefined),
  /** Of the calendar. */
  month: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .optional()
    .catch(undefined),
  /** The day of the calendar that is open. */
  day,
})
export type ReportsSearch = z.output<typeof reportsSearch>

/** Of every view: what the address says, and how it is changed. */
export interface ViewProps {
  readonly search: ReportsSearch
  readonly change: (what: Partial<ReportsSearch>) => void
}
