/**
 * Stations of tests on PostgreSQL: where SALLYPORT_TEST_POSTGRES names a server, each station gets a database of its own there, and the
 * suites over HTTP run as they are. What a suite reads past the station (`given.database`) is SQLite's alone.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import pg from 'pg'

const SERVER = process.env['SALLYPORT_TEST_POSTGRES']
const TEMPLATE = `template_${process.env['SALLYPORT_TEST_TEMPLATE']?.replaceAll(/\W/g, '_') ?? 'none'}`

export interface GivenPostgres {
  readonly settings: { readonly databaseUrl: string }
  /** Bodies of entries after a number. */
  ledger(after: number): Uint8Array[]
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
    ledger: (after) =>
      execFileSync(
        'psql',
        ['-X', '-At', '-c', `SELECT encode(body, 'hex') FROM ledger WHERE seq > ${after} ORDER BY seq`, url],
        { encoding: 'utf8', maxBuffer: 2 ** 30 },
      )
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => Buffer.from(line, 'hex')),
    drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

/** The settings of the station that becomes the template. */
export async function templateOnPostgres(): Promise<{ databaseUrl?: string }> {
  if (SERVER === undefined) return {}
  await administer(`CREATE DATABASE ${TEMPLATE} TEMPLATE template0`)
  return { databaseUrl: at(TEMPLATE) }
}
