/** The whole station out and in, and single packages of other stations, from the terminal (docs/decisions/0036). */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { ExportReport } from '../features/packages/export/export.service.ts'
import type { ImportReport } from '../features/packages/export/import-report.ts'
import type { Lists } from '../features/packages/export/lists.ts'
import { DATA, JSON_FLAG, note, one, out, row, settings, withProgress } from './arguments.ts'
import type { Command } from './command.ts'
import { UsageError } from './error-messages.ts'
import { formatBytes, oneLine } from './format.ts'
import { inStation } from './in-station.ts'

export const EXPORT_COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'export',
    {
      usage: 'export --to FOLDER [--json]',
      does: 'exports the whole station into an existing folder; run again after an interruption, it goes on, and a complete export is compared with the station; exit 1 when anything is changed, missing or untracked',
      run: exportStation,
    },
  ],
  [
    'import',
    {
      usage: 'import PATH --fingerprint FINGERPRINT [--json]',
      does: 'takes the export of another station into a new one, or a package of another station into any; verified first; exit 1 when it is refused, or anything is changed, missing or untracked',
      run: importPath,
    },
  ],
]

async function exportStation(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG, to: { type: 'string' } } })
  const to = values.to
  if (to === undefined) throw new UsageError('export needs --to FOLDER.')
  const report = (await withProgress((onProgress) =>
    inStation({
      settings: settings(values),
      command: 'export',
      args: { to: resolve(to) },
      onProgress,
      mustExist: true,
    }),
  )) as ExportReport
  if (values.json) out(JSON.stringify(report))
  else {
    if (report.compared)
      out('The export was complete already. It was read back and compared with the station as it is now.')
    out(
      `${report.packages} packages, ${report.blobs} files (${formatBytes(report.bytes)}), ${report.entries} entries of the ledger${report.resumed > 0 ? `; ${report.resumed} files were there from an interrupted run` : ''}.`,
    )
    if (report.atHeadquarters > 0)
      out(`NOT IN IT  ${report.atHeadquarters} files whose bytes are at headquarters only. Their records say so.`)
    for (const line of report.leftBehind) out(`NOT IN IT  ${line}`)
    printLists(report.lists)
    out(`The key’s fingerprint, for the paper: ${report.fingerprint}`)
    out(report.path)
  }
  return isEmpty(report.lists) ? 0 : 1
}

const isEmpty = (lists: Lists): boolean => NAMES.every((name) => lists[name].length === 0)
const NAMES = ['changed', 'missing', 'untracked'] as const
/** Lines of a list on the terminal; all are in the file, and in the result as JSON. */
const MOST_LINES = 100

function printLists(lists: Lists): void {
  for (const name of NAMES) {
    for (const line of lists[name].slice(0, MOST_LINES)) row(name.toUpperCase(), line)
    if (lists[name].length > MOST_LINES) out(`${name.toUpperCase()}  … and ${lists[name].length - MOST_LINES} more`)
  }
  out(NAMES.map((name) => `${name}: ${lists[name].length}`).join(', '))
}

async function importPath(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { ...DATA, ...JSON_FLAG, fingerprint: { type: 'string' } },
  })
  const path = resolve(one(positionals, 'import needs the folder of one export, or of one package.'))
  const fingerprint = values.fingerprint ?? null
  if (fingerprint !== null && !/^[0-9a-f]{64}$/i.test(fingerprint))
    throw new UsageError('--fingerprint is the fingerprint on the paper of the other station: 64 hexadecimal digits.')
  const report = (await withProgress((onProgress) =>
    inStation({ settings: settings(values), command: 'import', args: { path, fingerprint }, onProgress }),
  )) as ImportReport
  if (values.json) out(JSON.stringify(report))
  else print(report)
  return report.state === 'refused' || (report.lists !== null && !isEmpty(report.lists)) ? 1 : 0
}

function print(report: ImportReport): void {
  if (report.state === 'refused') {
    for (const { where, text } of report.problems) row('WRONG', where, text)
    note('REFUSED  Nothing was taken in.')
    return
  }
  const from = `${report.stationName} (${report.origin ?? ''})`
  if (report.state === 'here') out(oneLine(`It was taken in from ${from} before.`))
  else if (report.kind === 'station')
    out(
      oneLine(
        `Taken in from ${from}: ${report.people} people, ${report.cases} cases, ${report.evidence} evidence, ${report.files} files, ${report.entries} entries of its ledger beside ours.`,
      ),
    )
  else
    out(
      oneLine(
        `Taken in from ${from}: ${report.files} files, as evidence ${report.made.join(', ')}, with ${report.entries} entries of its ledger.`,
      ),
    )
  if (report.resumed > 0) out(`${report.resumed} files were here from an interrupted run.`)
  for (const { sourceId, evidenceId } of report.alreadyHere)
    out(`NOT AGAIN  evidence ${sourceId} of that station is here as evidence ${evidenceId}.`)
  for (const line of report.leftBehind) out(`NOT IN IT  ${line}`)
  if (report.lists !== null) printLists(report.lists)
}
