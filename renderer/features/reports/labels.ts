/** Values of reports as people read them. */
import type { Translate } from '../../client/translate.ts'
import { jobLabelKey } from '../../../shared/reports/job-label.ts'
import type { Format } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import type { Report } from './queries.ts'

type Kind = Report['Columns'][number]['Kind']
type Value = Report['Rows'][number][string] | undefined

export interface Say {
  readonly t: (key: string, values?: Readonly<Record<string, string | number>>) => string
  /** Of the page of an evidence. */
  readonly page: (key: string) => string
  readonly format: Format
}

/** A day without a time, at noon of whichever zone. */
export const dayText = (day: string, format: Format): string => format.day(`${day}T12:00:00Z`)

export function cellText(kind: Kind, value: Value, name: Value, { t, page, format }: Say): string {
  if (value === null || value === undefined) return '–'
  switch (kind) {
    case 'count':
      return format.count(Number(value))
    case 'bytes':
      return format.bytes(Number(value))
    case 'hours':
      return format.duration(Number(value))
    case 'time':
      return format.instant(String(value), { precision: 'minute' })
    case 'day':
      return dayText(String(value), format)
    case 'word':
      return page(String(value))
    case 'job':
      return page(jobLabelKey(String(value)) ?? String(value))
    case 'age':
      return t(`age_${value}`)
    case 'evidence':
      return visible(typeof name === 'string' ? name : `${value}`)
    case 'device':
      return visible(typeof name === 'string' ? name : `${value}`)
    default:
      return visible(String(value))
  }
}

/** What stands where nothing is known. */
export function textIn(report: Report, row: Report['Rows'][number], key: string, kind: Kind, say: Say): string {
  if (row[key] === null && report.Report === 'coverage' && key === 'officer') return say.t('noOfficer')
  if (row[key] === null && report.Report === 'cameras' && key === 'docked') return say.t('neverDocked')
  return cellText(kind, row[key], row[`${key}Name`], say)
}

export const isAmount = (kind: Kind): boolean => kind === 'count' || kind === 'bytes' || kind === 'hours'
export type Words = Translate<'reports'>
