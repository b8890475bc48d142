/**
 * Stations of tests on PostgreSQL. With SALLYPORT_TEST_DATABASE=postgres each station gets a database of its own on one server, and suites run
 * as they are. The run starts the server before its first file, unless SALLYPORT_TEST_POSTGRES names one.
 */
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import pg from 'pg'
import { migratePostgres } from '../../server/kernel/database/postgres/migrate.ts'
import type { RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import { meddleWithPostgres, readerOf } from './postgres-reader.ts'

/** An address without a database, from postgres-setup.ts. */
const SERVER = process.env['SALLYPORT_TEST_POSTGRES']
export const isOnPostgres = SERVER !== undefined
const TEMPLATE = `template_${process.env['SALLYPORT_TEST_TEMPLATE']?.replaceAll(/\W/g, '_') ?? 'none'}`

/** The wrapping key of every headquarters of a test. A real one is random. */
export const WRAPPING_KEY = Buffer.alloc(32, 'a wrapping key for tests').toString('base64url')

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

/** Of databases that stand for a file of SQLite. */
const addresses = new Map<string, string>()

/** @throws Error where nothing was opened by this name */
export function addressOf(file: string): string {
  const url = addresses.get(path.resolve(file))
  if (url === undefined) throw new Error(`No database on PostgreSQL stands for ${file}`)
  return url
}

async function create(template: string): Promise<string> {
  const name = `station_${randomUUID().replaceAll('-', '')}`
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  return name
}

/** With the newest schema and no rows, made by the first that needs one: steps of the schema take longer than a copy. */
let schema: Promise<string> | null = null
async function createSchema(): Promise<string> {
  const name = await create('template0')
  await migratePostgres(at(name), { readOnly: false })
  return name
}

/** The database that stands for this file; an empty one with the newest schema where there is none yet. */
export async function addressFor(file: string): Promise<string> {
  const known = addresses.get(path.resolve(file))
  if (known !== undefined) return known
  schema ??= createSchema()
  const url = at(await create(await schema))
  addresses.set(path.resolve(file), url)
  return url
}

/** Null on SQLite. @param fromTemplate a copy of the template's database */
export async function databaseOnPostgres(file: string, fromTemplate: boolean): Promise<GivenPostgres | null> {
  if (SERVER === undefined) return null
  const name = await create(fromTemplate ? TEMPLATE : 'template0')
  const url = at(name)
  addresses.set(path.resolve(file), url)
  return {
    settings: { databaseUrl: url },
    reader: readerOf(url),
    meddle: (work) => meddleWithPostgres(url, work),
    drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

/**
 * Settings of a station that a test starts by itself, without `givenStation`: where its rows are. For the same folder it is the same database,
 * at first an empty one. Nothing on SQLite.
 */
export async function settingsOfRows(data: string): Promise<{ databaseUrl?: string; wrappingKey?: string }> {
  if (SERVER === undefined) return {}
  const file = path.join(data, 'sallyport.db')
  if (!addresses.has(path.resolve(file))) await databaseOnPostgres(file, false)
  return { databaseUrl: addressOf(file), wrappingKey: WRAPPING_KEY }
}

/** The settings of the station that becomes the template. */
export async function templateOnPostgres(): Promise<{ databaseUrl?: string }> {
  if (SERVER === undefined) return {}
  await administer(`CREATE DATABASE ${TEMPLATE} TEMPLATE template0`)
  return { databaseUrl: at(TEMPLATE) }
}
