/** Arguments of the program. Switches of Chromium and Electron among them are ignored. */
import { parseArgs } from 'node:util'

export interface Given {
  /** A command of the command line with its arguments; null for the window. */
  readonly command: readonly string[] | null
  /** Settings of the station from the arguments; they take precedence over the environment. */
  readonly settings: Readonly<Record<string, string>>
  /** Starts in the tray, as a login item does. */
  readonly hidden: boolean
}

/** First words of the commands in server/bin/commands.ts, and help. They are repeated here, since importing them would load the server before the window. */
export const COMMANDS: ReadonlySet<string> = new Set([
  'access-review',
  'alarms',
  'backup',
  'checkpoints',
  'disclosure',
  'drill',
  'export',
  'headquarters',
  'help',
  'import',
  'ingest',
  'integration',
  'key',
  'ledger',
  'move',
  'nodes',
  'openapi',
  'package',
  'profile',
  'restore',
  'serve',
  'setup',
  'stations',
  'token',
  'user',
  'validate',
  'verify',
])

/** @param packaged false when the first argument is the program's folder */
export function readArguments(argv: readonly string[], packaged: boolean): Given {
  const { values, positionals } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      host: { type: 'string' },
      port: { type: 'string' },
      hidden: { type: 'boolean' },
    },
  })
  const words = packaged ? positionals : positionals.slice(1)
  const settings = Object.fromEntries(
    (['data', 'host', 'port'] as const).flatMap((name) => {
      const value = values[name]
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    }),
  )
  const first = words[0]
  const command = first !== undefined && COMMANDS.has(first) ? argv.slice(argv.indexOf(first)) : null
  return { command, settings, hidden: values['hidden'] === true }
}
