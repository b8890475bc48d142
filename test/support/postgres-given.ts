/**
 * Stations of tests on PostgreSQL. With SALLYPORT_TEST_DATABASE=postgres each station gets a database of its own on one server, and suites run
 * as they are. The run starts the server before its first file, unless SALLYPORT_TEST_POSTGRES names one.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeEach } from 'vitest'
import type { RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import { meddleWithPostgres, readerOf } from './postgres-reader.ts'

/** An address without a database, from postgres-setup.ts. */
const SERVER = process.env['SALLYPORT_TEST_POSTGRES']
export const isOnPostgres = SERVER !== undefined
const TEMPLATE = `template_${process.env['SALLYPORT_TEST_TEMPLATE']?.replaceAll(/\W/g, '_') ?? 'none'}`

/** The wrapping key of every headquarters of a test. A real one is random. */
export const WRAPPING_KEY = Buffer.alloc(32, 'a wrapping key for tests').toString('base64url')

/** For a suite, or the part of one, that is about a database in a file. @param reason why it cannot be of both */
export const skipOnPostgres = (reason: string): void =>
  beforeEach(({ skip }) => skip(isOnPostgres, `on PostgreSQL: ${reason}`))

export interface GivenPostgres {
  readonly settings: { readonly databaseUrl: string }
  readonly reader: RawDatabase
  meddle<T>(work: (db: RawDatabase) => T): Promise<T>
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
    meddle: (work) => meddleWithPostgres(url, work),
    drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

/** The settings of the station that becomes the template. */
export async function templateOnPostgres(): Promise<{ databaseUrl?: string }> {
  if (SERVER === undefined) return {}
  await administer(`CREATE DATABASE ${TEMPLATE} TEMPLATE template0`)
  return { databaseUrl: at(TEMPLATE) }
}
