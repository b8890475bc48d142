import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { settingsFromEnvironment } from '../config/environment.ts'
import { claimPrivateFile } from '../platform/files/private-file.ts'
import { formatBytes, progressLine } from './format.ts'
import { inStation } from './in-station.ts'
import { UsageError } from './problems.ts'
import { serve } from './serve.ts'
import { fetchToken } from './token-client.ts'
import type { VerifyReport } from '../custody/verify.ts'
import type { IngestReport } from '../evidence/ingest/folder.ts'

export interface Command {
  readonly usage: string
  readonly does: string
  /** @returns the exit code. */
  readonly run: (argv: string[]) => Promise<number>
}

const DATA = { data: { type: 'string' } } as const
const JSON_FLAG = { json: { type: 'boolean', default: false } } as const

const out = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
const note = (text: string): void => {
  process.stderr.write(`${text}\n`)
}
const list = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'serve',
    {
      usage: 'serve [--data DIR] [--host 127.0.0.1] [--port 7460]',
      does: 'runs the station without a window',
      run: serve,
    },
  ],
  ['setup', { usage: 'setup --username U --password-stdin', does: 'makes the first administrator', run: setup }],
  [
    'user create',
    {
      usage: 'user create U --password-stdin [--group G] [--policies A,B] [--guest]',
      does: 'makes a user',
      run: userCreate,
    },
  ],
  [
    'user unlock',
    notYet('user unlock U', 'frees a locked user', 'Accounts do not lock yet: people sign in with a later version.'),
  ],
  [
    'user reset',
    notYet('user reset U --password-stdin', 'gives a user a new password', 'People sign in with a later version.'),
  ],
  [
    'integration create',
    {
      usage: 'integration create NAME [--policies A,B] [--group G] --base-url URL --out config.json',
      does: 'makes a service principal and its connection file',
      run: integrationCreate,
    },
  ],
  [
    'token',
    { usage: 'token --config config.json', does: 'prints an access token of an integration, for curl', run: token },
  ],
  [
    'ingest',
    {
      usage: 'ingest PATH… [--case ID]',
      does: 'files into evidence, through the same pipeline as the dock',
      run: ingest,
    },
  ],
  [
    'verify',
    {
      usage: 'verify [--fast] [--json]',
      does: 're-reads the ledger and every blob; exit 1 when anything is changed, missing or untracked',
      run: verify,
    },
  ],
  ['openapi', { usage: 'openapi', does: 'prints the OpenAPI document', run: openapi }],
  ['camera', notYet('camera …', 'the camera simulator', 'The camera simulator comes with the dock.')],
  ...(['backup', 'restore', 'drill', 'export'] as const).map((name): [string, Command] => [
    name,
    notYet(name, 'comes later', `"${name}" is not built yet.`),
  ]),
])

function notYet(usageText: string, does: string, sentence: string): Command {
  return {
    usage: usageText,
    does,
    run: async () => {
      note(sentence)
      return 2
    },
  }
}

export function usage(): string {
  const rows = [...COMMANDS.values()].map(({ usage: text, does }) => `  ${text}\n      ${does}`)
  return `npm run -s sallyport -- COMMAND\n\n${rows.join('\n')}\n\n--data DIR or SALLYPORT_DATA names the station's folder. --json gives results as JSON.\n`
}

async function setup(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      ...DATA,
      ...JSON_FLAG,
      username: { type: 'string' },
      'password-stdin': { type: 'boolean', default: false },
    },
  })
  const username = values.username
  if (username === undefined) throw new UsageError('setup needs --username and --password-stdin.')
  const made = (await inStation(settings(values), 'setup', {
    username,
    password: await passwordFromStdin(values['password-stdin']),
  })) as { principalId: string; username: string }
  out(
    values.json ? JSON.stringify(made) : `${made.username} is the first administrator (principal ${made.principalId}).`,
  )
  return 0
}

async function userCreate(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      ...DATA,
      ...JSON_FLAG,
      'password-stdin': { type: 'boolean', default: false },
      group: { type: 'string' },
      policies: { type: 'string' },
      guest: { type: 'boolean', default: false },
    },
  })
  const username = one(positionals, 'user create needs one user name.')
  const made = (await inStation(settings(values), 'user.create', {
    username,
    password: await passwordFromStdin(values['password-stdin']),
    group: values.group ?? null,
    policies: list(values.policies),
    guest: values.guest,
  })) as { principalId: string; username: string }
  out(values.json ? JSON.stringify(made) : `User ${made.username} is made (principal ${made.principalId}).`)
  return 0
}

async function integrationCreate(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      ...DATA,
      ...JSON_FLAG,
      policies: { type: 'string' },
      group: { type: 'string' },
      'base-url': { type: 'string' },
      out: { type: 'string' },
    },
  })
  const name = one(positionals, 'integration create needs one name.')
  if (values['base-url'] === undefined || values.out === undefined)
    throw new UsageError('integration create needs --base-url and --out.')
  const target = resolve(values.out)
  const file = await claimPrivateFile(target).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? new Error(`${target} is there already. Name another file: a connection file is never replaced.`)
      : error
  })
  let made: { principalId: string; connection: unknown }
  try {
    made = (await inStation(settings(values), 'integration.create', {
      name,
      policies: list(values.policies),
      group: values.group ?? null,
      baseUrl: values['base-url'],
    })) as typeof made
  } catch (error) {
    await file.abandon()
    throw error
  }
  await file.write(`${JSON.stringify(made.connection, null, 2)}\n`)
  out(
    values.json
      ? JSON.stringify({ principalId: made.principalId, file: target })
      : `Integration ${name} is made (principal ${made.principalId}). Its keys are in ${target} and nowhere else.`,
  )
  return 0
}

async function token(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...JSON_FLAG, config: { type: 'string' } } })
  if (values.config === undefined) throw new UsageError('token needs --config.')
  const { readText } = await import('../platform/files/read-text.ts')
  const answer = await fetchToken(JSON.parse(await readText(resolve(values.config))))
  out(values.json ? JSON.stringify(answer) : answer.access_token)
  return 0
}

async function ingest(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { ...DATA, ...JSON_FLAG, case: { type: 'string' } },
  })
  if (positionals.length === 0) throw new UsageError('ingest needs at least one path.')
  const show = progressLine()
  const report = (await inStation(
    settings(values),
    'ingest',
    { paths: positionals.map((path) => resolve(path)), case: values.case ?? null },
    (value) => show(value as string),
  )) as IngestReport
  show(null)
  if (values.json) out(JSON.stringify(report))
  else {
    for (const item of report.ingested) out(`evidence ${item.evidenceId}  ${item.sha256}  ${item.path}`)
    for (const item of report.alreadyHere) out(`evidence ${item.evidenceId}  here already  ${item.path}`)
    for (const item of report.skipped) note(`skipped  ${item.path}: ${item.reason}`)
    for (const item of report.failed) note(`FAILED  ${item.path}: ${item.reason}`)
    note(
      `${report.ingested.length} taken in (${formatBytes(report.bytes)}), ${report.alreadyHere.length} here already, ${report.skipped.length} skipped, ${report.failed.length} failed.`,
    )
  }
  return report.failed.length > 0 ? 1 : 0
}

async function verify(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { ...DATA, ...JSON_FLAG, fast: { type: 'boolean', default: false } },
  })
  const show = progressLine()
  const report = (await inStation(settings(values), 'verify', { fast: values.fast }, (value) =>
    show(value as string),
  )) as VerifyReport
  show(null)
  if (values.json) out(JSON.stringify(report))
  else {
    for (const problem of report.problems) out(`${problem.kind}  ${problem.what}: ${problem.message}`)
    out(report.summary)
  }
  return report.problems.length === 0 ? 0 : 1
}

async function openapi(): Promise<number> {
  const { openApiText } = await import('../openapi.ts')
  out(openApiText())
  return 0
}

function settings(values: { data?: string | undefined }) {
  return settingsFromEnvironment(values.data === undefined ? {} : { data: resolve(values.data) })
}

function one(positionals: readonly string[], message: string): string {
  const [first, ...more] = positionals
  if (first === undefined || more.length > 0) throw new UsageError(message)
  return first
}

/** Only from a pipe: a password on the command line is read by everybody on the machine. */
async function passwordFromStdin(flag: boolean): Promise<string> {
  if (!flag) throw new UsageError('The password is read from standard input: give --password-stdin and pipe it in.')
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}
