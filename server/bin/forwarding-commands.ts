/** Headquarters from the terminal (docs/operate/forwarding.md). */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { HeadquartersOut } from '../features/forwarding/headquarters.ts'
import { DATA, JSON_FLAG, one, out, settings } from './arguments.ts'
import type { Command } from './command.ts'
import { connectionFileAt } from './connection-file.ts'
import { formatBytes, oneLine } from './format.ts'
import { inStation } from './in-station.ts'

export const FORWARDING_COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'headquarters import',
    {
      usage: 'headquarters import config.json',
      does: 'imports the connection file of headquarters, signs in there and presents this station',
      run: importFile,
    },
  ],
  [
    'headquarters status',
    {
      usage: 'headquarters status',
      does: 'prints the connection and what waits; exit 1 when headquarters refuses this station or an item failed',
      run: status,
    },
  ],
]

async function importFile(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    options: { ...DATA, ...JSON_FLAG },
    allowPositionals: true,
  })
  const file = resolve(one(positionals, 'headquarters import needs one connection file.'))
  const found = (await inStation({
    settings: settings(values),
    command: 'headquarters.import',
    args: { connection: await connectionFileAt(file) },
    mustExist: true,
  })) as HeadquartersOut
  out(
    values.json
      ? JSON.stringify(found)
      : oneLine(`This station forwards to ${found.Address ?? ''}. Say what is forwarded on the page Headquarters.`),
  )
  return 0
}

async function status(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG } })
  const found = (await inStation({
    settings: settings(values),
    command: 'headquarters.status',
    args: {},
    mustExist: true,
  })) as HeadquartersOut
  if (values.json) out(JSON.stringify(found))
  else for (const text of linesOf(found)) out(oneLine(text))
  return found.State === 'refused' || found.Backlog.Failed > 0 ? 1 : 0
}

function linesOf({ State, Address, Problem, LastContactUtc, NextTryUtc, Backlog, Cleared }: HeadquartersOut): string[] {
  if (Address === null) return ['No headquarters is set.']
  return [
    `${Address}: ${State}${Problem === null ? '' : `. ${Problem}`}`,
    `last contact: ${LastContactUtc ?? 'never'}${NextTryUtc === null ? '' : `, next attempt: ${NextTryUtc}`}`,
    `waiting: ${Backlog.Waiting} (${formatBytes(Backlog.WaitingBytes)}), done about ${Backlog.DoneTimeUtc ?? 'unknown'}`,
    `failed: ${Backlog.Failed}, to decide: ${Backlog.Questions}, forwarded: ${Backlog.Done}`,
    `at headquarters only: ${Cleared.Blobs} (${formatBytes(Cleared.Bytes)})`,
  ]
}
