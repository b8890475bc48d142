/** Brings the schema of a PostgreSQL database up to date, with the numbered list of ../migrate.ts and a body of its own for each step. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { MIGRATIONS, newestSchema, refuseUnknown } from '../migrate.ts'
import { configOf, runOn } from './connections.ts'
import { stepStatements } from './schema/tables.ts'
import {
  createFirstRelease,
  createForwarding,
  createNodes,
  findNotes,
  createValidation,
  type Script,
  watchRows,
} from './schema/schema.ts'
import { FORGOTTEN, MAY_RUN } from './node-link.ts'
import { SCHEMA_LOCK, WRITE_LOCK } from './writer.ts'

/** By version. A step without a body here runs SQLite's statements in PostgreSQL's types, which is enough for tables, columns and indexes. */
const OWN_STEPS: Readonly<Record<number, (script: Script) => Promise<void>>> = {
  11: createFirstRelease,
  12: createForwarding,
  13: createNodes,
  20: findNotes,
  21: createValidation,
}

/** Settings without which an acknowledged commit may be lost, or the answers differ from SQLite's. */
const REQUIRED: Readonly<Record<string, { readonly value: RegExp; readonly why: string }>> = {
  fsync: { value: /^on$/, why: 'a power cut could lose acknowledged records' },
  synchronous_commit: {
    value: /^(on|remote_write|remote_apply)$/,
    why: 'an acknowledged record could be lost; use on, remote_write or remote_apply',
  },
  // Set for the database or the account it switches off the triggers of every session.
  session_replication_role: { value: /^origin$/, why: 'the triggers that protect the ledger would not run' },
  full_page_writes: { value: /^on$/, why: 'a power cut could leave half a page' },
  server_encoding: { value: /^UTF8$/, why: 'names of all scripts must be stored' },
}
const OLDEST = 150_000

/** The database cannot keep the promises of docs/guarantees.md. */
export class DatabaseUnsuitable extends Error {
  override readonly name = 'DatabaseUnsuitable'
  readonly code = 'DatabaseUnsuitable'
}

interface MigrateOptions {
  /** Compares the version, and changes nothing. */
  readonly readOnly: boolean
  /**
   * Takes a database that a newer program upgraded by steps that leave room for this one (`oldestProgram` of a step). Only for a node: what
   * copies rows must know every column.
   */
  readonly besideNewer?: boolean
  /** The version to which it is brought, for tests; the newest where it is left out. */
  readonly target?: number
}

/** @throws DatabaseUnsuitable, DatabaseNewer, DatabaseBeforeRelease, SqlFailure */
export async function migratePostgres(
  url: string,
  { readOnly, besideNewer = false, target = newestSchema() }: MigrateOptions,
): Promise<void> {
  const client = new pg.Client(configOf(url))
  await client.connect()
  try {
    const run = async (text: string, parameters: readonly unknown[] = []): Promise<readonly unknown[]> =>
      (await runOn(client, text, parameters)).rows
    await refuseUnsuitable(run)
    // Two nodes that start at once: the second one waits, and finds the steps done.
    await run(`SELECT pg_advisory_lock(${SCHEMA_LOCK})`)
    const { version: current, oldestProgram } = await schemaOf(run)
    refuseUnknown(current, besideNewer ? oldestProgram : current)
    if (readOnly) return
    for (const step of MIGRATIONS.filter(({ version }) => version > current && version <= target))
      await applyStep(run, step)
  } finally {
    await client.end()
  }
}

export type Run = (text: string, parameters?: readonly unknown[]) => Promise<readonly unknown[]>
type Step = (typeof MIGRATIONS)[number]

/** How long a step waits for a table. What reads it meanwhile waits behind the step. */
const TABLE_WAIT = '2s'
/** Milliseconds for which a step is tried again. A verification reads from all tables for minutes. */
const STEP_MS = 600_000
const PAUSE_MS = 1000

/** In one transaction with its number. Nodes that it leaves room for go on reading; what they write waits until it is done. */
async function applyStep(run: Run, step: Step): Promise<void> {
  for (const until = performance.now() + STEP_MS; ; await pause(PAUSE_MS)) {
    await run('BEGIN')
    try {
      // Before any table: a node that writes holds tables, and waits for others.
      await run(`SELECT pg_advisory_xact_lock(${WRITE_LOCK})`)
      await run(`SET LOCAL lock_timeout = '${TABLE_WAIT}'`)
      await requireNoOlderNode(run, step)
      await makeStep(run, step)
      await run('COMMIT')
      return
    } catch (error) {
      await run('ROLLBACK')
      if (error instanceof DatabaseUnsuitable) throw error
      if (isInUse(error) && performance.now() < until) continue
      const { version, name } = step
      throw new Error(`Migration ${version} (${name}) failed: ${(error as Error).message}`, { cause: error })
    }
  }
}

/** Another session holds a table for longer than the step waits, or each waits for the other. */
const isInUse = (error: unknown): boolean => ['55P03', '40P01'].includes((error as { code?: string }).code ?? '')

/** Makes it in the schema that names are found in. */
export async function makeStep(run: Run, { version, sql, oldestProgram = version }: Step): Promise<void> {
  const own = OWN_STEPS[version]
  if (own === undefined) for (const statement of stepStatements(sql)) await run(statement)
  else await own(run)
  await watchRows(run)
  await run(
    'CREATE TABLE IF NOT EXISTS schema_version (version bigint PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  )
  await run('ALTER TABLE schema_version ADD COLUMN IF NOT EXISTS oldest_program bigint')
  await run('INSERT INTO schema_version (version, oldest_program) VALUES ($1, $2)', [version, oldestProgram])
}

/** @throws DatabaseUnsuitable, naming the nodes whose program would not understand the schema after the step */
async function requireNoOlderNode(run: Run, { version, oldestProgram = version }: Step): Promise<void> {
  const [{ there = 0 } = {}] = (await run("SELECT to_regclass('nodes') IS NOT NULL AS there")) as { there: number }[]
  if (there === 0) return
  const rows = (await run(`SELECT name FROM nodes WHERE schema_version < $1 AND ${MAY_RUN} ORDER BY name`, [
    oldestProgram,
  ])) as { name: string }[]
  if (rows.length === 0) return
  throw new DatabaseUnsuitable(
    `This program changes the database in a way that these nodes do not understand: ${rows.map(({ name }) => name).join(', ')}. Stop them first. ${FORGOTTEN}`,
  )
}

/** `oldestProgram`: the oldest version whose programs may use the database as it is now. A new database has version 0. */
export async function schemaOf(run: Run): Promise<{ readonly version: number; readonly oldestProgram: number }> {
  const [table] = (await run("SELECT to_regclass('schema_version') IS NOT NULL AS there")) as { there: number }[]
  if (table?.there === 1) {
    // Databases of earlier versions have no column `oldest_program`: none of their steps leaves room for an older program.
    const [found] = (await run(
      `SELECT max(version) AS version, max(coalesce((to_jsonb(s) ->> 'oldest_program')::bigint, version)) AS "oldestProgram" FROM schema_version s`,
    )) as { version: number; oldestProgram: number }[]
    return found ?? { version: 0, oldestProgram: 0 }
  }
  const [others] = (await run(
    'SELECT count(*) AS n FROM information_schema.tables WHERE table_schema = current_schema()',
  )) as { n: number }[]
  if ((others?.n ?? 0) === 0) return { version: 0, oldestProgram: 0 }
  throw new DatabaseUnsuitable(
    'The database has tables, and none of them is Sallyport’s. Name an empty database, or the one that Sallyport made.',
  )
}

async function refuseUnsuitable(run: Script): Promise<void> {
  const [{ version = 0, readOnly = 0 } = {}] = (await run(
    `SELECT current_setting('server_version_num')::bigint AS version, pg_is_in_recovery() AS "readOnly"`,
  )) as { version: number; readOnly: number }[]
  if (version < OLDEST)
    throw new DatabaseUnsuitable(
      `The server is PostgreSQL ${Math.floor(version / 10_000)}; Sallyport needs 15 or newer.`,
    )
  if (readOnly === 1)
    throw new DatabaseUnsuitable('The server is a replica, on which nothing can be written. Name the primary.')
  const names = Object.keys(REQUIRED)
  const rows = (await run(
    `SELECT ${names.map((name) => `current_setting('${name}') AS "${name}"`).join(', ')}`,
  )) as Record<string, string>[]
  for (const name of names) {
    const { value, why } = REQUIRED[name] as (typeof REQUIRED)[string]
    const found = rows[0]?.[name] ?? ''
    if (!value.test(found)) throw new DatabaseUnsuitable(`The server has ${name} = ${found}: ${why}.`)
  }
  const [order] = (await run(
    'SELECT datcollate AS "collate", datctype AS ctype FROM pg_database WHERE datname = current_database()',
  )) as { collate: string; ctype: string }[]
  if (order?.collate !== 'C' || order.ctype !== 'C')
    throw new DatabaseUnsuitable(
      `The database sorts by ${order?.collate ?? '?'} and has the characters of ${order?.ctype ?? '?'}. Make it with: CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'.`,
    )
  const [pooled] = (await run('SELECT pg_backend_pid() AS pid')) as { pid: number }[]
  const [again] = (await run('SELECT pg_backend_pid() AS pid')) as { pid: number }[]
  if (pooled?.pid !== again?.pid)
    throw new DatabaseUnsuitable(
      'A pooler gives each transaction another session. Connect to the server itself, or through a pooler in session mode.',
    )
}

/** Whether the database has the tables of an older program. @throws DatabaseUnsuitable, SqlFailure */
export async function stepsAreDue(url: string): Promise<boolean> {
  const client = new pg.Client(configOf(url))
  await client.connect()
  try {
    const { version } = await schemaOf(async (text, parameters = []) => (await runOn(client, text, parameters)).rows)
    return version > 0 && version < newestSchema()
  } finally {
    await client.end()
  }
}

/** Whether the database has entries already. @throws SqlFailure */
export async function hasLedger(url: string): Promise<boolean> {
  const client = new pg.Client(configOf(url))
  await client.connect().catch((error: unknown) => {
    throw new DatabaseUnsuitable(`The database cannot be reached: ${(error as Error).message}.`)
  })
  try {
    const run = async (text: string): Promise<readonly unknown[]> => (await runOn(client, text, [])).rows
    const [{ there = 0 } = {}] = (await run("SELECT to_regclass('ledger') IS NOT NULL AS there")) as { there: number }[]
    if (there === 0) return false
    return (await run('SELECT 1 FROM ledger LIMIT 1')).length > 0
  } finally {
    await client.end()
  }
}
