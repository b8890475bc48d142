import { parseArgs } from 'node:util'
import type { MoveReport } from '../app/move/move.ts'
import type { Command } from './command.ts'
import { DATA, JSON_FLAG, out, settings, withProgress } from './arguments.ts'
import { UsageError } from './error-messages.ts'
import { formatBytes } from './format.ts'
import { inStation } from './in-station.ts'

export const MOVE_COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'move',
    {
      usage: 'move [--database postgres://… | sqlite] [--blobs s3://… | folder] [--json]',
      does: 'moves the station to another database and other blobs, running or stopped; run again after an interruption, it goes on',
      run: move,
    },
  ],
]

async function move(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { ...DATA, ...JSON_FLAG, database: { type: 'string' }, blobs: { type: 'string' } },
  })
  if (values.database === undefined && values.blobs === undefined)
    throw new UsageError('move needs --database, --blobs, or both.')
  const args = { database: values.database ?? null, blobs: values.blobs ?? null }
  const report = (await withProgress((onProgress) =>
    inStation({ settings: settings(values), command: 'move', args, onProgress, mustExist: true }),
  )) as MoveReport
  if (values.json) out(JSON.stringify(report))
  else {
    out(`The station moved to the database ${report.database} and the blobs ${report.blobs}.`)
    if (report.rows !== null)
      out(
        `${report.rows.rows} rows of ${report.rows.tables} tables are equal on both sides, after ${report.entries} entries.`,
      )
    if (report.copied !== null)
      out(
        `${report.copied.blobs} blobs were copied (${formatBytes(report.copied.bytes)}), ${report.copied.present} were there already; each was read there and has its hash.`,
      )
    if (report.blocks !== null && report.blocks.copied + report.blocks.present > 0)
      out(
        `${report.blocks.copied} blocks of uploads under way were copied, ${report.blocks.present} were there already. Their senders go on at the new home.`,
      )
    out(report.keys)
    out(`Start it ${report.start}. Here it can still be read, and takes no writes.`)
  }
  return 0
}
