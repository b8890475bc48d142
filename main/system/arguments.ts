/** What the program was started with. Chromium and Electron have switches of their own among ours; those are left alone. */
import { parseArgs } from 'node:util'

export interface Given {
  /** A command of the command line with its arguments; null for the window. */
  readonly command: readonly string[] | null
  /** Settings of the station that were given here; they win over the environment. */
  readonly settings: Readonly<Record<string, string>>
  /** Starts in the tray, as a login item does. */
  readonly hidden: boolean
}

/** First words of the commands in server/bin/commands.ts, and help. The command line would load the server before the window. */
export const COMMANDS: ReadonlySet<string> = new Set([
  'access-review',
  'alarms',
  'backup',
  'checkpoints',
  'drill',
  'export',
  'help',
  'ingest',
  'integration',
  'key',
  'ledger',
  'openapi',
  'profile',
  'restore',
  'serve',
  'setup',
  'token',
  'user',
  'verify',
])

/** @param packaged a packaged program has no folder as its first argument. */
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
  const own = packaged ? positionals : positionals.slice(1)
  const settings = Object.fromEntries(
    (['data', 'host', 'port'] as const).flatMap((name) => {
      const value = values[name]
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    }),
  )
  const first = own[0]
  const command = first !== undefined && COMMANDS.has(first) ? argv.slice(argv.indexOf(first)) : null
  return { command, settings, hidden: values['hidden'] === true }
}
