/** The columns of the reports. Page, CSV and PDF follow from this table. Pure. */
import type { ReportName } from '../../../../shared/reports/reports.ts'

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

const column = (key: string, kind: CellKind): ReportColumn => ({ key, kind })

export const COLUMNS: Readonly<Record<ReportName, readonly ReportColumn[]>> = {
  coverage: [
    column('officer', 'text'),
    column('units', 'text'),
    column('recordings', 'count'),
    column('hours', 'hours'),
    column('calls', 'count'),
    column('without', 'count'),
  ],
  uncategorized: [column('age', 'age'), column('evidence', 'count'), column('bytes', 'bytes')],
  access: [
    column('who', 'text'),
    column('act', 'word'),
    column('evidence', 'evidence'),
    column('file', 'text'),
    column('times', 'count'),
    column('first', 'time'),
    column('last', 'time'),
    column('bytes', 'bytes'),
  ],
  retention: [
    column('from', 'day'),
    column('evidence', 'count'),
    column('files', 'count'),
    column('bytes', 'bytes'),
    column('held', 'count'),
  ],
  storage: [column('from', 'day'), column('files', 'count'), column('bytes', 'bytes'), column('total', 'bytes')],
  cameras: [
    column('device', 'device'),
    column('serial', 'text'),
    column('officer', 'text'),
    column('docked', 'time'),
    column('days', 'count'),
  ],
  jobs: [
    column('kind', 'job'),
    column('evidence', 'evidence'),
    column('file', 'text'),
    column('finished', 'time'),
    column('attempts', 'count'),
    column('message', 'text'),
  ],
}

/** The columns of the list behind a line of `uncategorized`. */
export const UNCATEGORIZED_LIST: readonly ReportColumn[] = [
  column('evidence', 'evidence'),
  column('added', 'time'),
  column('bytes', 'bytes'),
  column('by', 'text'),
]
