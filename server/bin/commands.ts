import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isStationFolder } from '../platform/control/control.ts'
import { claimPrivateFile } from '../platform/files/private-file.ts'
import { makeTemporaryFolder } from '../platform/files/trees.ts'
import { formatBytes, oneLine } from './format.ts'
import { inStation } from './in-station.ts'
import { PROFILE_COMMANDS } from './profile-commands.ts'
import { FORWARDING_COMMANDS } from './forwarding-commands.ts'
import { STATION_COMMANDS } from './station-commands.ts'
import { NODE_COMMANDS } from './node-commands.ts'
import { WRAPPING_COMMANDS } from './wrapping-commands.ts'
import { PACKAGE_COMMANDS } from './package-commands.ts'
import { EXPORT_COMMANDS } from './export-commands.ts'
import { DISCLOSURE_COMMANDS } from './disclosure-commands.ts'
import { VALIDATION_COMMANDS } from './validation-command.ts'
import { INTEGRITY_COMMANDS, publicKeyOf, publicKeyText } from './integrity-commands.ts'
import { MOVE_COMMANDS } from './move-command.ts'
import { UsageError } from './error-messages.ts'
import { DATA, fromStdin, JSON_FLAG, note, one, out, row, settings, withProgress } from './arguments.ts'
import type { VerifyReport } from '../features/integrity/verification/verify.ts'
import type { IngestReport } from '../features/uploads/ingest/folder.ts'
import type { Command } from './command.ts'
export type { Command } from './command.ts'

const list = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'serve',
    {
      usage: 'serve [--host 127.0.0.1] [--port 7460] [--lan] [--lan-port 7443] [--dock-root DIR]',
      does: 'runs the station without a window',
      run: async (argv) => (await import('./serve.ts')).serve(argv),
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
    {
      usage: 'user unlock U',
      does: 'frees a user whom failed sign-ins locked',
      run: userAct('unlock', 'can sign in again'),
    },
  ],
  [
    'user reset',
    {
      usage: 'user reset U --password-stdin',
      does: 'gives a user a new password, which they change at their next sign-in, and signs them out everywhere',
      run: userReset,
    },
  ],
  [
    'user reset-second-step',
    {
      usage: 'user reset-second-step U',
      does: 'takes away the second step of a user who lost phone and recovery codes',
      run: userAct('reset-second-step', 'signs in with the password alone until a new second step is set up'),
    },
  ],
  [
    'user reset-passkeys',
    {
      usage: 'user reset-passkeys U',
      does: 'takes away every passkey of a user, whose device was lost for example',
      run: userAct('reset-passkeys', 'has no passkey any more'),
    },
  ],
  [
    'user disable',
    {
      usage: 'user disable U',
      does: 'signs a user out everywhere and lets them in no more',
      run: userAct('disable', 'is disabled'),
    },
  ],
  [
    'user contain',
    {
      usage: 'user contain U --reason TEXT',
      does: 'ends everything by which a compromised account is used: disables it and removes password, second step and passkeys',
      run: userContain,
    },
  ],
  [
    'user enable',
    { usage: 'user enable U', does: 'lets a disabled user in again', run: userAct('enable', 'is enabled') },
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
      usage: 'verify [--fast] [--checkpoints DIR] [--json]',
      does: 're-reads the ledger and every blob; exit 1 when anything is changed, missing or untracked',
      run: verify,
    },
  ],
  [
    'access-review',
    {
      usage: 'access-review [--json]',
      does: 'lists uses of evidence by people and integrations that held no level on it; reads only; exit 1 when there are any',
      run: accessReview,
    },
  ],
  [
    'key rotate-tenant',
    {
      usage: 'key rotate-tenant',
      does: 'gives out another key for encrypted uploads; those under way are still opened by the old one',
      run: async (argv) => (await import('./tenant-key.ts')).rotateTenantKey(argv),
    },
  ],
  ['openapi', { usage: 'openapi', does: 'prints the OpenAPI document', run: openapi }],
  ...PROFILE_COMMANDS,
  ...INTEGRITY_COMMANDS,
  ...WRAPPING_COMMANDS,
  ...FORWARDING_COMMANDS,
  ...PACKAGE_COMMANDS,
  ...DISCLOSURE_COMMANDS,
  ...VALIDATION_COMMANDS,
  ...STATION_COMMANDS,
  ...NODE_COMMANDS,
  ...MOVE_COMMANDS,
  ...EXPORT_COMMANDS,
])

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
  const made = (await inStation({
    settings: settings(values),
    command: 'setup',
    args: { username, password: await passwordFromStdin(values['password-stdin']) },
  })) as { principalId: string; username: string }
  out(
    values.json ? JSON.stringify(made) : `${made.username} is the first administrator (principal ${made.principalId}).`,
  )
  if (!values.json) out(publicKeyText(await publicKeyOf(settings(values))))
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
  const made = (await inStation({
    settings: settings(values),
    command: 'user.create',
    args: {
      username,
      password: await passwordFromStdin(values['password-stdin']),
      group: values.group ?? null,
      policies: list(values.policies),
      guest: values.guest,
    },
  })) as { principalId: string; username: string }
  out(values.json ? JSON.stringify(made) : `User ${made.username} is made (principal ${made.principalId}).`)
  return 0
}

/** What needs a name alone. */
function userAct(
  act: 'unlock' | 'disable' | 'enable' | 'reset-second-step' | 'reset-passkeys',
  done: string,
): Command['run'] {
  return async (argv) => {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { ...DATA, ...JSON_FLAG },
    })
    const username = one(positionals, `user ${act} needs one user name.`)
    const about = (await inStation({
      settings: settings(values),
      command: `user.${act}`,
      args: { username },
      mustExist: true,
    })) as { principalId: string; username: string }
    out(values.json ? JSON.stringify(about) : `User ${about.username} ${done} (principal ${about.principalId}).`)
    return 0
  }
}

async function userContain(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { ...DATA, ...JSON_FLAG, reason: { type: 'string' } },
  })
  const username = one(positionals, 'user contain needs one user name.')
  if (values.reason === undefined || values.reason.trim() === '')
    throw new UsageError('user contain needs --reason TEXT: it is kept in the ledger.')
  const about = (await inStation({
    settings: settings(values),
    command: 'user.contain',
    args: { username, reason: values.reason },
    mustExist: true,
  })) as { principalId: string; username: string; ended: Record<string, number | boolean> }
  const { Sessions, Programs, Passkeys, Uploads } = about.ended
  out(
    values.json
      ? JSON.stringify(about)
      : `User ${about.username} is contained (principal ${about.principalId}): ${Sessions} sessions, ${Programs} programs, ${Passkeys} passkeys and ${Uploads} uploads ended.`,
  )
  return 0
}

async function userReset(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { ...DATA, ...JSON_FLAG, 'password-stdin': { type: 'boolean', default: false } },
  })
  const username = one(positionals, 'user reset needs one user name.')
  const about = (await inStation({
    settings: settings(values),
    command: 'user.reset',
    args: { username, password: await passwordFromStdin(values['password-stdin']) },
    mustExist: true,
  })) as { principalId: string; username: string }
  out(
    values.json ? JSON.stringify(about) : `User ${about.username} has a new password (principal ${about.principalId}).`,
  )
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
      : new Error(`${target} cannot be written, so nothing was made: ${error.message}.`)
  })
  let made: { principalId: string; connection: unknown }
  try {
    made = (await inStation({
      settings: settings(values),
      command: 'integration.create',
      args: { name, policies: list(values.policies), group: values.group ?? null, baseUrl: values['base-url'] },
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
  const { values } = parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG, config: { type: 'string' } } })
  if (values.config === undefined) throw new UsageError('token needs --config.')
  const file = resolve(values.config)
  const connection = await connectionFile(file)
  const { fetchToken, TokenRefused } = await import('./token-client.ts')
  const answer = await fetchToken(connection).catch((error: Error) => {
    if (error instanceof TokenRefused || error.cause === undefined) throw error
    throw new Error(`Nobody answers at the address in ${file}. Is the station running? (${String(error.cause)})`)
  })
  out(values.json ? JSON.stringify(answer) : answer.access_token)
  return 0
}

async function connectionFile(file: string): Promise<unknown> {
  const { readText } = await import('../platform/files/read-text.ts')
  const text = await readText(file)
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${file} is no connection file.`)
  }
}

async function ingest(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { ...DATA, ...JSON_FLAG, case: { type: 'string' } },
  })
  if (positionals.length === 0) throw new UsageError('ingest needs at least one path.')
  const paths = positionals.map((path) => resolve(path))
  const report = (await withProgress((onProgress) =>
    inStation({
      settings: settings(values),
      command: 'ingest',
      args: { paths, case: values.case ?? null },
      onProgress,
      tellsWhenNew: true,
    }),
  )) as IngestReport & { readonly finished: boolean }
  const left = leftOut(report, paths)
  if (values.json) out(JSON.stringify(report))
  else {
    for (const item of report.ingested) row(`evidence ${item.evidenceId}`, item.sha256, item.path)
    for (const item of report.alreadyHere) row(`evidence ${item.evidenceId}`, 'here already', item.path)
  }
  for (const item of report.skipped) note(oneLine(`skipped  ${item.path}: ${item.reason}`))
  for (const item of report.failed) note(oneLine(`FAILED  ${item.path}: ${item.reason}`))
  if (!report.finished)
    note(
      'Stopped before everything was made of these files. They are in; the rest goes on with the station or the next command.',
    )
  note(
    `${report.ingested.length} taken in (${formatBytes(report.bytes)}), ${report.alreadyHere.length} here already, ${report.skipped.length} skipped, ${report.failed.length} failed.`,
  )
  return left > 0 || !report.finished ? 1 : 0
}

/** By nature no file: nobody would look for it among the evidence. */
const NO_FILE = /^It is (a|no) /

/** How much of what was asked for was not taken in: what failed or could not be looked at, and what was named and passed over. */
function leftOut({ failed, skipped }: IngestReport, named: readonly string[]): number {
  return failed.length + skipped.filter(({ path, reason }) => named.includes(path) || !NO_FILE.test(reason)).length
}

async function verify(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { ...DATA, ...JSON_FLAG, fast: { type: 'boolean', default: false }, checkpoints: { type: 'string' } },
  })
  const report = (await withProgress((onProgress) =>
    inStation({
      settings: settings(values),
      command: 'verify',
      args: {
        fast: values.fast,
        checkpoints: values.checkpoints === undefined ? null : resolve(values.checkpoints),
      },
      onProgress,
      mustExist: true,
    }),
  )) as VerifyReport
  if (values.json) out(JSON.stringify(report))
  else {
    for (const problem of report.problems) row(problem.kind, `${problem.what}: ${problem.message}`)
    out(report.summary)
  }
  return report.problems.length === 0 ? 0 : 1
}

async function accessReview(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG } })
  const { data, databaseUrl } = settings(values)
  if (databaseUrl === undefined) {
    if (!(await isStationFolder(data)))
      throw new Error(`There is no station in ${data}. Name its folder with --data or SALLYPORT_DATA.`)
    return await printAccessReview(join(data, 'sallyport.db'), values.json)
  }
  // The review reads a copy in one file, as verify does: one consistent state, read by the same code.
  const { withCopyInSqlite } = await import('../kernel/database/postgres/snapshot.ts')
  note('Copies the records from PostgreSQL.')
  return await withCopyInSqlite(databaseUrl, await makeTemporaryFolder('review'), (file) =>
    printAccessReview(file, values.json),
  )
}

async function printAccessReview(file: string, asJson: boolean): Promise<number> {
  const { openRaw } = await import('../kernel/database/sqlite/raw.ts')
  const { reviewAccess } = await import('../features/integrity/verification/access-review.ts')
  const db = openRaw(file, { readOnly: true })
  try {
    const { Reviewed, Unexplained, NotJudged, Notes } = reviewAccess(db)
    if (asJson) out(JSON.stringify({ Reviewed, Unexplained, NotJudged, Notes }))
    else {
      for (const use of Unexplained)
        row(
          String(use.Seq),
          use.TimeUtc,
          `${use.Kind} ${use.PrincipalId} ${use.Name}`,
          use.Action,
          `evidence ${use.EvidenceId}${use.ResourceId === null ? '' : `, resource ${use.ResourceId}`}`,
          use.Source,
        )
      out(`${Reviewed} uses reviewed, ${Unexplained.length} without a recorded level, ${NotJudged} not judged.`)
      for (const text of Notes) note(text)
    }
    return Unexplained.length === 0 ? 0 : 1
  } finally {
    db.close()
  }
}

async function openapi(argv: string[]): Promise<number> {
  parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG } })
  const { openApiText } = await import('../openapi.ts')
  out(openApiText())
  return 0
}

/** Only from a pipe: a password on the command line is read by everybody on the machine. */
function passwordFromStdin(flag: boolean): Promise<string> {
  if (!flag) throw new UsageError('The password is read from standard input: give --password-stdin and pipe it in.')
  return fromStdin()
}
