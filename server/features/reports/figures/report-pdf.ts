/** A report on paper: its figures, then its table. */
import type { Report } from '../../../../shared/reports/contract.ts'
import { reports as en } from '../../../../shared/reports/messages.en.ts'
import { reports as fr } from '../../../../shared/reports/messages.fr.ts'
import { evidencePage as pageEn } from '../../../../shared/evidence/page.messages.en.ts'
import { evidencePage as pageFr } from '../../../../shared/evidence/page.messages.fr.ts'
import { jobLabelKey } from '../../../../shared/reports/job-label.ts'
import type { CellKind } from './columns.ts'
import type { Cell, Sheet } from '../../../platform/pdf/sheet.ts'
import { type Language, type PaperWords, paperWords } from '../../../platform/pdf/paper-words.ts'

export interface ReportWords extends PaperWords {
  /** Words of the page of an evidence, for acts and jobs. */
  readonly page: (key: string) => string
}

export function reportWords(language: Language, zone: string): ReportWords {
  const french = language === 'fr'
  return {
    ...paperWords(french ? fr : en, language, zone),
    page: paperWords(french ? pageFr : pageEn, language, zone).say,
  }
}

type Value = string | number | null | undefined

/** As people read it; the name of what has one. */
export function cellText(kind: CellKind, value: Value, name: Value, words: ReportWords): string {
  if (value === null || value === undefined) return '–'
  switch (kind) {
    case 'count':
      return words.count(Number(value))
    case 'bytes':
      return words.bytes(Number(value))
    case 'hours':
      return words.length(Number(value) * 1000)
    case 'time':
      return words.time(String(value))
    case 'day':
      return words.day(`${value}T12:00:00Z`)
    case 'word':
      return words.page(String(value))
    case 'job':
      return words.page(jobLabelKey(String(value)) ?? String(value))
    case 'age':
      return words.say(`age_${value}`)
    case 'evidence':
    case 'device':
      return typeof name === 'string' ? (kind === 'evidence' ? `${value} · ${name}` : name) : String(value)
    default:
      return String(value)
  }
}

const NUMBERS: ReadonlySet<CellKind> = new Set(['count', 'bytes', 'hours'])
/** How much of the width a column takes. */
const SHARE: Readonly<Partial<Record<CellKind, number>>> = {
  evidence: 2,
  text: 1.6,
  device: 1.5,
  time: 1.5,
  word: 1.3,
  job: 1.3,
}

export async function drawReport(
  sheet: Sheet,
  words: ReportWords,
  report: Report,
  made: { readonly station: string; readonly by: string },
): Promise<void> {
  const { say, time } = words
  sheet.words(say(`title_${report.Report}`), { size: 18, bold: true })
  const about = periodText(report, words)
  if (about !== '') sheet.words(about, { size: 10, bold: true })
  sheet.words([made.station, say('madeBy', { time: time(report.TimeUtc), who: made.by })].join(' · '), { second: true })
  sheet.words(say(`about_${report.Report}`), { size: 8, second: true, gap: 4 })
  sheet.rule()
  sheet.facts(
    report.Figures.map(({ Key, Kind, Value }) => [
      say(`figure_${Key}`),
      Value === null ? noFigure(Key, words) : cellText(Kind, Value, null, words),
    ]),
  )
  for (const note of report.Notes) sheet.words(say(`note_${note}`), { bold: true, size: 8.5 })
  if (report.More) sheet.words(say('limit', { most: words.count(report.Most) }), { bold: true, size: 8.5 })
  sheet.y += 4
  if (report.Rows.length === 0) {
    sheet.words(say(`empty_${report.Report}`))
    return
  }
  const shares = report.Columns.map(({ Kind }) => SHARE[Kind] ?? 1)
  const whole = shares.reduce((sum, share) => sum + share, 0)
  await sheet.table(
    report.Columns.map(({ Key, Kind }, at) => ({
      label: say(`column_${Key}`),
      width: (sheet.width * (shares[at] ?? 1)) / whole,
      end: NUMBERS.has(Kind),
    })),
    report.Rows.map((row): readonly Cell[] =>
      report.Columns.map(({ Key, Kind }) => ({ text: textIn(report, row, Key, Kind, words) })),
    ),
  )
  if (sheet.lacked) sheet.words(say('lacked'), { size: 8 })
}

const noFigure = (key: string, { say }: ReportWords): string =>
  key.startsWith('full') ? say('notWithinTenYears') : '–'

/** An officer that nobody is stands for recordings without one. */
export const textIn = (
  report: Report,
  row: Report['Rows'][number],
  key: string,
  kind: CellKind,
  words: ReportWords,
): string =>
  report.Report === 'coverage' && key === 'officer' && row[key] === null
    ? words.say('noOfficer')
    : report.Report === 'cameras' && key === 'docked' && row[key] === null
      ? words.say('neverDocked')
      : cellText(kind, row[key], row[`${key}Name`], words)

export function periodText(report: Report, { say, day }: ReportWords): string {
  const on = (date: string): string => day(`${date}T12:00:00Z`)
  if (report.From !== null && report.Until !== null)
    return say('period', { from: on(report.From), until: on(report.Until) })
  if (report.Days !== null) return say('sinceDays', { count: report.Days })
  return report.Age === null ? '' : say(`age_${report.Age}`)
}
