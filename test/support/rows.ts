/**
 * The database of a test below HTTP, or of a station beside it: a file of SQLite or, with SALLYPORT_TEST_DATABASE=postgres, a database on the
 * server of the run. A test names it by its file on either; the same file is the same database.
 */
import { randomUUID } from 'node:crypto'
import { openDatabase, type Database, type DatabaseOptions } from '../../server/kernel/database/database.ts'
import { openPostgres } from '../../server/kernel/database/postgres/database.ts'
import { copyToSqlite } from '../../server/kernel/database/postgres/snapshot.ts'
import { openRaw, type RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import { addressFor, addressOf, isOnPostgres } from './postgres-given.ts'
import { readerOf } from './postgres-reader.ts'

/** As `openDatabase`; what is about a file and a disk has no effect on PostgreSQL. */
export async function openTestDatabase(options: DatabaseOptions): Promise<Database> {
  if (!isOnPostgres) return openDatabase(options)
  const { file, padding: _, ...others } = options
  return openPostgres({ ...others, url: await addressFor(file) })
}

/** Rows beside whoever has the database open, with waiting calls. @param file of a station, or of a database that was opened before */
export function openTestRows(file: string, options: { readOnly?: boolean } = {}): RawDatabase {
  return isOnPostgres ? readerOf(addressOf(file)) : openRaw(file, options)
}

/** Takes away the triggers of a table, those that refuse changes among them: as whoever may change the schema. @returns puts them back */
export function dropTriggers(db: RawDatabase, table: string): () => void {
  if (isOnPostgres) {
    db.exec(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
    return () => db.exec(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
  }
  const triggers = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?")
    .all(table) as { name: string; sql: string }[]
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`)
  return () => {
    for (const { sql } of triggers) db.exec(sql)
  }
}

/** SQL: bytes in a column as text, and text as bytes. */
export const textOfBytes = (bytes: string): string =>
  isOnPostgres ? `convert_from(${bytes}, 'UTF8')` : `CAST(${bytes} AS TEXT)`
export const bytesOfText = (text: string): string =>
  isOnPostgres ? `convert_to(${text}, 'UTF8')` : `CAST(${text} AS BLOB)`

interface Trigger {
  readonly name: string
  readonly table: string
  /** That gets a value; without one, a new row. */
  readonly column?: string
  readonly when?: string
  /** A statement that changes rows; one that only reads is an error on PostgreSQL. */
  readonly does: string
}

/** Changes rows in the moment in which a row comes, or a column of it gets a value: between two steps of the station. */
export function createTrigger(db: RawDatabase, { name, table, column, when = 'TRUE', does }: Trigger): void {
  const event = `AFTER ${column === undefined ? 'INSERT' : `UPDATE OF ${column}`} ON ${table}`
  if (isOnPostgres)
    db.exec(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${does}; RETURN NULL; END $$;
      CREATE TRIGGER ${name} ${event} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}()`)
  else db.exec(`CREATE TRIGGER ${name} ${event} WHEN ${when} BEGIN ${does}; END`)
}

export function dropTrigger(db: RawDatabase, name: string, table: string): void {
  db.exec(isOnPostgres ? `DROP TRIGGER ${name} ON ${table}; DROP FUNCTION ${name}()` : `DROP TRIGGER ${name}`)
}

/** A file of SQLite with the rows: of PostgreSQL a copy beside it, as verification makes one. */
export async function fileOfRows(file: string): Promise<string> {
  if (!isOnPostgres) return file
  const copy = `${file}-${randomUUID()}`
  await copyToSqlite(addressOf(file), copy)
  return copy
}
