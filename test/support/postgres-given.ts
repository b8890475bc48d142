/**
 * Stations of tests on PostgreSQL: where SALLYPORT_TEST_POSTGRES names a server, each station gets a database of its own there, and the
 * suites over HTTP run as they are. What a suite reads past the station (`given.database`) goes through `psql`, which waits like SQLite does.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { ROW_CHANGES_TABLE } from '../../server/kernel/database/postgres/row-changes.ts'
import type { RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'

const SERVER = process.env['SALLYPORT_TEST_POSTGRES']
const TEMPLATE = `template_${process.env['SALLYPORT_TEST_TEMPLATE']?.replaceAll(/\W/g, '_') ?? 'none'}`

/** The wrapping key of every headquarters of a test. A real one is random. */
export const WRAPPING_KEY = Buffer.alloc(32, 'a wrapping key for tests').toString('base64url')

export interface GivenPostgres {
  readonly settings: { readonly databaseUrl: string }
  /** Reads as from the file of SQLite. Statements in words of SQLite's own fail. */
  readonly reader: RawDatabase
  drop(): Promise<void>
}

const at = (database: string): string => `${SERVER}/${database}`

async function administer(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: at('postgres') })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** Null on SQLite. @param fromTemplate a copy of the template's database */
export async function databaseOnPostgres(fromTemplate: boolean): Promise<GivenPostgres | null> {
  if (SERVER === undefined) return null
  const name = `station_${randomUUID().replaceAll('-', '')}`
  await administer(`CREATE DATABASE ${name} TEMPLATE ${fromTemplate ? TEMPLATE : 'template0'}`)
  const url = at(name)
  return {
    settings: { databaseUrl: url },
    reader: readerOf(url),
    drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

/** The settings of the station that becomes the template. */
export async function templateOnPostgres(): Promise<{ databaseUrl?: string }> {
  if (SERVER === undefined) return {}
  await administer(`CREATE DATABASE ${TEMPLATE} TEMPLATE template0`)
  return { databaseUrl: at(TEMPLATE) }
}

function literal(value: unknown): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'::bytea`
  return `'${String(value).replaceAll("'", "''")}'`
}

/** Bytes come as text in JSON. */
const valueOf = (value: unknown): unknown =>
  typeof value === 'string' && /^\\x(?:[0-9a-f]{2})*$/.test(value) ? Buffer.from(value.slice(2), 'hex') : value

const psql = (url: string, input: string): string =>
  execFileSync('psql', ['-X', '-qAt', '-v', 'ON_ERROR_STOP=1', url], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['pipe', 'pipe', 'pipe'],
  })

/** Writes past the station; the table that its triggers need is thrown away. @returns the id that was given last */
function written(
  url: string,
  text: string,
  parameters: readonly unknown[],
): { lastInsertRowid: number; changes: number } {
  let at = 0
  const bound = text.replaceAll('?', () => literal(parameters[at++]))
  const out = psql(
    url,
    `${ROW_CHANGES_TABLE}; CREATE FUNCTION pg_temp.last_id() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN lastval(); EXCEPTION WHEN OTHERS THEN RETURN '0'; END $$;
    BEGIN; ${bound}; SELECT pg_temp.last_id(); COMMIT;`,
  )
  return { lastInsertRowid: Number(out.trim().split('\n').at(-1)), changes: 1 }
}

function rowsOf(url: string, text: string, parameters: readonly unknown[]): Record<string, unknown>[] {
  let at = 0
  const bound = text.replaceAll('?', () => literal(parameters[at++]))
  const asked = `SELECT coalesce(json_agg(row_to_json(t)), '[]') FROM (${bound}) t`
  const rows = JSON.parse(psql(url, asked)) as Record<string, unknown>[]
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, valueOf(value)])))
}

function readerOf(url: string): RawDatabase {
  const prepare = (text: string, plucks = false): unknown => {
    const shaped = (rows: Record<string, unknown>[]): unknown[] =>
      plucks ? rows.map((row) => Object.values(row)[0]) : rows
    return {
      pluck: () => prepare(text, true),
      all: (...parameters: unknown[]) => shaped(rowsOf(url, text, parameters.flat())),
      run: (...parameters: unknown[]) => written(url, text, parameters.flat()),
      get: (...parameters: unknown[]) => shaped(rowsOf(url, text, parameters.flat()))[0],
    }
  }
  return { prepare, exec: (text: string) => void written(url, text, []) } as unknown as RawDatabase
}
