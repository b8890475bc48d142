/** The nodes of a headquarters from the terminal (docs/operate/headquarters.md). */
import { parseArgs } from 'node:util'
import type { NodesOut } from '../features/nodes/index.ts'
import { DATA, JSON_FLAG, out, row, settings } from './arguments.ts'
import type { Command } from './command.ts'
import { inStation } from './in-station.ts'

export const NODE_COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'nodes',
    {
      usage: 'nodes',
      does: 'lists the processes that share the PostgreSQL database; exit 1 when one is lost or has a wrong clock',
      run: nodes,
    },
  ],
]

async function nodes(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG } })
  const found = (await inStation({
    settings: settings(values),
    command: 'nodes',
    args: {},
    mustExist: true,
  })) as NodesOut
  if (values.json) out(JSON.stringify(found))
  else
    for (const {
      Name,
      Address,
      Version,
      SchemaVersion,
      State,
      LastSeenTimeUtc,
      ClockOffsetMilliseconds,
    } of found.Nodes)
      row(
        State,
        Name,
        Address === '' ? 'not listening' : Address,
        `version ${Version}, schema ${SchemaVersion}`,
        `seen ${LastSeenTimeUtc}`,
        `clock ${ClockOffsetMilliseconds} ms`,
      )
  return found.Nodes.some(({ State }) => State === 'lost' || State === 'wrong-clock') ? 1 : 0
}
