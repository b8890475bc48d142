/** The reports: who may ask for each, what it takes and which columns it has. Page, CSV and PDF follow from this table. Pure. */
import type { SecurityPolicy } from '../kernel/permissions.ts'

export const REPORT_NAMES = ['coverage', 'uncategorized', 'access', 'retention', 'storage', 'cameras', 'jobs'] as const
export type ReportName = (typeof REPORT_NAMES)[number]

/**
 * How a value is written. `evidence`: an id, whose name is in the column `name`. `word`: a key of the catalogue. `age`: one of AGES.
 * Hours are a number of seconds.
 */
export type CellKind =
  | 'text'
  | 'count'
  | 'bytes'
  | 'hours'
  | 'time'
  | 'day'
  | 'evidence'
  | 'device'
  | 'job'
  | 'word'
  | 'age'

export interface ReportColumn {
  readonly key: string
  readonly kind: CellKind
}

export interface ReportDefinition {
  /** Whoever is in one of them. */
  readonly policies: readonly SecurityPolicy[]
  /** `period`: days from and until. `ahead`: days from today on. `days`: a number of days. `age`: one of AGES, for a list. */
  readonly takes: 'period' | 'ahead' | 'days' | 'age' | null
  readonly columns: readonly ReportColumn[]
}

const column = (key: string, kind: CellKind): ReportColumn => ({ key, kind })

export const REPORTS: Readonly<Record<ReportName, ReportDefinition>> = {
  coverage: {
    policies: ['AccessAuditTrail'],
    takes: 'period',
    columns: [
      column('officer', 'text'),
      column('units', 'text'),
      column('recordings', 'count'),
      column('hours', 'hours'),
      column('calls', 'count'),
      column('without', 'count'),
    ],
  },
  uncategorized: {
    policies: ['AccessUnassociatedFiles', 'ApproveDisposition'],
    takes: 'age',
    columns: [column('age', 'age'), column('evidence', 'count'), column('bytes', 'bytes')],
  },
  access: {
    policies: ['AccessAuditTrail'],
    takes: 'period',
    columns: [
      column('who', 'text'),
      column('act', 'word'),
      column('evidence', 'evidence'),
      column('file', 'text'),
      column('times', 'count'),
      column('first', 'time'),
      column('last', 'time'),
      column('bytes', 'bytes'),
    ],
  },
  retention: {
    policies: ['ApproveDisposition'],
    takes: 'ahead',
    columns: [
      column('from', 'day'),
      column('evidence', 'count'),
      column('files', 'count'),
      column('bytes', 'bytes'),
      column('held', 'count'),
    ],
  },
  storage: {
    policies: ['ManageConfiguration', 'ApproveDisposition'],
    takes: null,
    columns: [column('from', 'day'), column('files', 'count'), column('bytes', 'bytes'), column('total', 'bytes')],
  },
  cameras: {
    policies: ['ManageDevices'],
    takes: 'days',
    columns: [
      column('device', 'device'),
      column('serial', 'text'),
      column('officer', 'text'),
      column('docked', 'time'),
      column('days', 'count'),
    ],
  },
  jobs: {
    policies: ['ManageConfiguration'],
    takes: null,
    columns: [
      column('kind', 'job'),
      column('evidence', 'evidence'),
      column('file', 'text'),
      column('finished', 'time'),
      column('attempts', 'count'),
      column('message', 'text'),
    ],
  },
}

/** The columns of the list behind a line of `uncategorized`. */
export const UNCATEGORIZED_LIST: readonly ReportColumn[] = [
  column('evidence', 'evidence'),
  column('added', 'time'),
  column('bytes', 'bytes'),
  column('by', 'text'),
]

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
