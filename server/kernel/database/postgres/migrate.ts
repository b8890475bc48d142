/** Brings the schema of a PostgreSQL database up to date, with the numbered list of ../migrate.ts and a body of its own for each step. */
import pg from 'pg'
import { MIGRATIONS, refuseUnknown } from '../migrate.ts'
import { configOf, runOn } from './connections.ts'
import { stepStatements } from './schema/tables.ts'
import { createFirstRelease, createForwarding, createNodes, type Script, watchRows } from './schema/schema.ts'
import { SCHEMA_LOCK } from './writer.ts'

/** By version. A step without a body here runs SQLite's statements in PostgreSQL's types, which is enough for tables, columns and indexes. */
const OWN_STEPS: Readonly<Record<number, (script: Script) => Promise<void>>> = {
  11: createFirstRelease,
  12: createForwarding,
  13: createNodes,
}

/** Settings without which an acknowledged commit may be lost, or the answers differ from SQLite's. */
const REQUIRED: Readonly<Record<string, { readonly value: RegExp; readonly why: string }>> = {
  fsync: { value: /^on$/, why: 'a power cut could lose acknowledged records' },
  synchronous_commit: {
    value: /^(on|remote_write|remote_apply)$/,
    why: 'an acknowledged record could be lost; use on, remote_write or remote_apply',
  },
  full_page_writes: { value: /^on$/, why: 'a power cut could leave half a page' },
  server_encoding: { value: /^UTF8$/, why: 'names of all scripts must be stored' },
}
const OLDEST = 150_000

/** The database cannot keep the promises of docs/guarantees.md. */
export class DatabaseUnsuitable extends Error {
  override readonly name = 'DatabaseUnsuitable'
  readonly code = 'DatabaseUnsuitable'
}

/**
 * @param readOnly compares the version, and changes nothing
 * @throws DatabaseUnsuitable, DatabaseNewer, DatabaseBeforeRelease, SqlFailure
 */
export async function migratePostgres(url: string, { readOnly }: { readOnly: boolean }): Promise<void> {
  const client = new pg.Client(configOf(url))
  await client.connect()
  try {
    const run = async (text: string, parameters: readonly unknown[] = []): Promise<readonly unknown[]> =>
      (await runOn(client, text, parameters)).rows
    await refuseUnsuitable(run)
    // Two nodes that start at once: the second one waits, and finds the steps done.
    await run(`SELECT pg_advisory_lock(${SCHEMA_LOCK})`)
    const current = await currentVersion(run)
    refuseUnknown(current)
    if (readOnly) return
    for (const { version, name, sql } of MIGRATIONS.filter((step) => step.version > current)) {
      await run('BEGIN')
      try {
        const own = OWN_STEPS[version]
        if (own === undefined) for (const statement of stepStatements(sql)) await run(statement)
        else await own(run)
        await watchRows(run)
        await run(
          'CREATE TABLE IF NOT EXISTS schema_version (version bigint PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
        )
        await run('INSERT INTO schema_version (version) VALUES ($1)', [version])
        await run('COMMIT')
      } catch (error) {
        await run('ROLLBACK')
        throw new Error(`Migration ${version} (${name}) failed: ${(error as Error).message}`, { cause: error })
      }
    }
  } finally {
    await client.end()
  }
}

async function currentVersion(run: Script): Promise<number> {
  const [table] = (await run("SELECT to_regclass('schema_version') IS NOT NULL AS there")) as { there: number }[]
  if (table?.there === 1) {
    const [found] = (await run('SELECT max(version) AS version FROM schema_version')) as { version: number }[]
    return found?.version ?? 0
  }
  const [others] = (await run(
    'SELECT count(*) AS n FROM information_schema.tables WHERE table_schema = current_schema()',
  )) as { n: number }[]
  if ((others?.n ?? 0) === 0) return 0
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
