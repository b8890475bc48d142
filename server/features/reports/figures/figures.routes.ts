import * as contract from '../../../../shared/reports/contract.ts'
import type { Report } from '../../../../shared/reports/contract.ts'
import type { BytesAnswer, BytesRequest } from '../../../http/bytes.ts'
import { checked, queryMembers } from '../../../http/checked-answer.ts'
import type { Column, Export } from '../../../http/exports.ts'
import { type BoundRoute, bytes, type HttpCall, json } from '../../../http/handlers.ts'
import type { ReachCase } from '../../../kernel/cases/reach-case.ts'
import type { Print } from '../documents/printing.ts'
import { type FigureDeps, wallIn } from './asking.ts'
import { createFigures } from './figures.service.ts'
import { holdsOfCase } from './holds.ts'
import { drawReport, periodText, reportWords } from './report-pdf.ts'
import { retentionCalendar } from './retention.ts'

interface Deps extends FigureDeps {
  readonly exporting: Export
  readonly print: Print
  readonly reachCase: ReachCase
  readonly stationName: string
}

export function figureRoutes(deps: Deps): BoundRoute[] {
  const figures = createFigures(deps)
  const wall = wallIn(deps.timeZone)
  return [
    json(contract.getReport, async ({ params, query, call, signal }) => {
      const report = await figures.report(call, call.tenant, params.report, query, signal)
      call.describeRead({ id: params.report, detail: detailOf(report) })
      return report
    }),
    bytes(contract.exportReport, async (request, call) => {
      const { report: name } = checked(contract.exportReport.params, request.params)
      const { format, language, paper, ...asked } = checked(contract.exportReport.query, queryMembers(request.url))
      const report = await figures.report(call, call.tenant, name, asked, request.signal)
      return format === 'pdf'
        ? printed(deps, request, call, report, { language, paper })
        : file(deps, request, call, report, format)
    }),
    json(contract.getRetentionCalendar, async ({ query, call, signal }) => {
      const asked = { tenant: call.tenant, month: query.month, now: deps.clock.now(), wall, signal }
      const out = await retentionCalendar(deps, asked)
      call.describeRead({ id: 'retentionCalendar', detail: { month: out.Month } })
      return out
    }),
    json(contract.getCaseHolds, async ({ params, call, signal }) => {
      const row = await deps.reachCase(deps.db.read, call, call.tenant, params.caseId, 'View')
      const out = await holdsOfCase(deps, call, row, signal)
      call.describeRead({ name: row.title, detail: { report: 'holds', returned: out.Items.length } })
      return out
    }),
  ]
}

const objectOf = ({ Report: id }: Report) => ({ type: 'report', id, name: '' })

const detailOf = ({ From, Until, Days, Age, Rows }: Report) => ({
  ...(From === null ? {} : { from: From, until: Until }),
  ...(Days === null ? {} : { days: Days }),
  ...(Age === null ? {} : { age: Age }),
  returned: Rows.length,
})

function file(
  { exporting }: Deps,
  request: BytesRequest,
  call: HttpCall,
  report: Report,
  format: 'csv' | 'json',
): Promise<BytesAnswer> {
  async function* pages() {
    yield report.Rows
  }
  return exporting(request, call, format, {
    name: `report ${report.Report}`,
    columns: report.Columns.flatMap(({ Key, Kind }): Column<Report['Rows'][number]>[] => [
      [Key, (row) => row[Key]],
      ...(Kind === 'evidence' || Kind === 'device'
        ? [[`${Key}Name`, (row: Report['Rows'][number]) => row[`${Key}Name`]] as const]
        : []),
    ]),
    pages: pages(),
    object: objectOf(report),
    detail: detailOf(report),
  })
}

interface Paper {
  readonly language: 'en' | 'fr'
  readonly paper: 'a4' | 'letter'
}

function printed(
  { print, stationName, timeZone }: Deps,
  request: BytesRequest,
  call: HttpCall,
  report: Report,
  { language, paper }: Paper,
): Promise<BytesAnswer> {
  const words = reportWords(language, timeZone)
  const title = words.say(`title_${report.Report}`)
  return print(request, call, {
    title: [title, periodText(report, words)].filter((part) => part !== '').join(', '),
    fileName: `Report ${report.Report}`,
    language,
    paper,
    object: objectOf(report),
    detail: { document: 'report', language, ...detailOf(report) },
    foot: (page) => words.say('page', { title, station: stationName, page }),
    draw: async (sheet) => {
      await drawReport(sheet, words, report, { station: stationName, by: call.actor.name })
      return {}
    },
  })
}
