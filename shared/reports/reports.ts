/** The reports: who may ask for each, and what it takes. Their columns are the server's (columns.ts), which names them in its answer. Pure. */
import type { SecurityPolicy } from '../kernel/permissions.ts'

export const REPORT_NAMES = ['coverage', 'uncategorized', 'access', 'retention', 'storage', 'cameras', 'jobs'] as const
export type ReportName = (typeof REPORT_NAMES)[number]

export interface ReportDefinition {
  /** Whoever is in one of them. */
  readonly policies: readonly SecurityPolicy[]
  /** `period`: days from and until. `ahead`: days from today on. `days`: a number of days. `age`: one of AGES, for a list. */
  readonly takes: 'period' | 'ahead' | 'days' | 'age' | null
}

export const REPORTS: Readonly<Record<ReportName, ReportDefinition>> = {
  coverage: { policies: ['AccessAuditTrail'], takes: 'period' },
  uncategorized: { policies: ['AccessUnassociatedFiles', 'ApproveDisposition'], takes: 'age' },
  access: { policies: ['AccessAuditTrail'], takes: 'period' },
  retention: { policies: ['ApproveDisposition'], takes: 'ahead' },
  storage: { policies: ['ManageConfiguration', 'ApproveDisposition'], takes: null },
  cameras: { policies: ['ManageDevices'], takes: 'days' },
  jobs: { policies: ['ManageConfiguration'], takes: null },
}

/** Days since it was added. */
export const AGES = ['0-7', '8-30', '31-90', '91-'] as const
export type Age = (typeof AGES)[number]

/** Days; the second one is outside, null: there is no end. */
export const AGE_DAYS: Readonly<Record<Age, readonly [number, number | null]>> = {
  '0-7': [0, 8],
  '8-30': [8, 31],
  '31-90': [31, 91],
  '91-': [91, null],
}

export const MOST_DAYS = 366
/** Of `access`: further back the ledger is read by `custody` of an evidence. */
export const MOST_ROWS = 5_000

/** Monday of the week in which the day lies, both `2026-11-20`. */
export const weekOf = (day: string): string => {
  const at = Date.parse(`${day}T00:00:00Z`)
  const weekday = (new Date(at).getUTCDay() + 6) % 7
  return new Date(at - weekday * 86_400_000).toISOString().slice(0, 10)
}
