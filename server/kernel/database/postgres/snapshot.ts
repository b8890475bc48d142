/**
 * Copies a PostgreSQL database into a file of SQLite with the same schema version: one consistent state, row by row. `verify` and custody
 * checks read the copy with the same code as a station's own file, and so does a person with SQLite's tools.
 */
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { stepsTo } from '../migrate.ts'
import { configOf } from './connections.ts'

const ROWS_AT_ONCE = 2000
/** Indexes of words have another form on each engine; they are made from the records and are not copied. */
const NOT_COPIED = /^(evidence_words|search_words|sqlite_)/

/** Whole numbers stay whole: times in ticks are beyond what a JavaScript number holds. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 20 && format !== 'binary' ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format as 'text'),
}

/** @param file must not exist @returns the number of rows of each table */
export async function copyToSqlite(url: string, file: string, signal?: AbortSignal): Promise<Map<string, number>> {
  const client = new pg.Client({ ...configOf(url), types })
  client.on('error', () => {})
  await client.connect()
  const db = new Sqlite(file)
  try {
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { rows } = await client.query('SELECT max(version) AS version FROM schema_version')
    const version = Number((rows[0] as { version: bigint }).version)
    const triggers = makeSchema(db, version)
    const copied = new Map<string, number>()
    for (const table of tablesOf(db)) {
      signal?.throwIfAborted()
      copied.set(table, await copyTable(client, db, table, signal))
    }
    await copyCounters(client, db)
    for (const trigger of triggers) db.exec(trigger)
    db.pragma(`user_version = ${version}`)
    db.pragma('journal_mode = wal')
    return copied
  } finally {
    db.close()
    await client.end()
  }
}

/** The tables of the version, without triggers: rows that they made are among the rows. @returns the triggers, for afterwards */
function makeSchema(db: Sqlite.Database, version: number): string[] {
  for (const pragma of ['foreign_keys = 0', 'synchronous = 0']) db.pragma(pragma)
  for (const step of stepsTo(version)) db.exec(step.sql)
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid").all() as {
    name: string
    sql: string
  }[]
  for (const { name } of triggers) db.exec(`DROP TRIGGER "${name}"`)
  return triggers.map(({ sql }) => sql)
}

const tablesOf = (db: Sqlite.Database): string[] =>
  (
    db
      .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name")
      .pluck()
      .all() as string[]
  ).filter((name) => !NOT_COPIED.test(name))

async function copyTable(client: pg.Client, db: Sqlite.Database, table: string, signal?: AbortSignal): Promise<number> {
  const columns = db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[]
  const names = columns.map((name) => `"${name}"`).join(', ')
  // The steps insert some rows themselves.
  db.exec(`DELETE FROM "${table}"`)
  const insert = db.prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`)
  const insertAll = db.transaction((all: readonly unknown[][]) => {
    for (const row of all) insert.run(row)
  })
  await client.query(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${names} FROM "${table}"`)
  let count = 0
  for (;;) {
    signal?.throwIfAborted()
    const { rows } = await client.query<unknown[]>({ text: `FETCH ${ROWS_AT_ONCE} FROM copied`, rowMode: 'array' })
    if (rows.length === 0) break
    insertAll(rows)
    count += rows.length
  }
  await client.query('CLOSE copied')
  return count
}

/** The last numbers that were given, so that none is ever given twice. */
async function copyCounters(client: pg.Client, db: Sqlite.Database): Promise<void> {
  const { rows } = await client.query<{ table: string; last: bigint | null }>(
    `SELECT c.table_name AS "table", pg_sequence_last_value(pg_get_serial_sequence(format('%I', c.table_name), c.column_name)::regclass) AS last
     FROM information_schema.columns c WHERE c.table_schema = current_schema() AND c.is_identity = 'YES'`,
  )
  const numbered = new Set(db.prepare("SELECT name FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%'").pluck().all())
  db.exec('DELETE FROM sqlite_sequence')
  const insert = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)')
  for (const { table, last } of rows) if (last !== null && numbered.has(table)) insert.run(table, last)
}
