/**
 * A database of our own migrations with the rows of another one. What stands in the other one's `sqlite_schema` is compared and never
 * taken over: a trigger, a view or a computed column that somebody planted in it would run with the station's own writes.
 */
import Sqlite from 'better-sqlite3'
import { stepsTo } from '../migrate.ts'
import { type SchemaDifference, schemaDifferencesRaw } from './schema.ts'

/** @returns what is not as the migrations make it; then nothing was made. None: `target` holds every row. @throws SqliteError, DatabaseNewer, DatabaseBeforeRelease */
export function rebuildDatabase(source: string, target: string): SchemaDifference[] {
  const foreign = new Sqlite(source, { readonly: true, fileMustExist: true })
  let version: number
  try {
    foreign.pragma('trusted_schema = 0')
    foreign.pragma('cell_size_check = 1')
    const differences = schemaDifferencesRaw(foreign)
    if (differences.length > 0) return differences
    version = Number(foreign.pragma('user_version', { simple: true }))
  } finally {
    foreign.close()
  }
  const db = new Sqlite(target)
  try {
    for (const pragma of ['trusted_schema = 0', 'cell_size_check = 1', 'foreign_keys = 0', 'synchronous = 0'])
      db.pragma(pragma)
    // The tables in which the full text search keeps its rows are closed to ordinary writes.
    db.unsafeMode(true)
    db.exec('BEGIN')
    for (const step of stepsTo(version)) db.exec(step.sql)
    // Rows arrive as they were; what a trigger made of them is among them already.
    const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid").all() as {
      name: string
      sql: string
    }[]
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${quoted(name)}`)
    db.exec('COMMIT')
    db.prepare('ATTACH ? AS source').run(source)
    db.exec('BEGIN')
    for (const table of tablesOf(db)) copyRows(db, table)
    db.exec(
      'DELETE FROM main.sqlite_sequence; INSERT INTO main.sqlite_sequence (name, seq) SELECT name, seq FROM source.sqlite_sequence',
    )
    for (const { sql } of triggers) db.exec(sql)
    db.pragma(`user_version = ${version}`)
    db.exec('COMMIT')
    db.exec('DETACH source')
    return []
  } finally {
    db.close()
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Those that hold rows: a virtual table keeps its own in other tables, which are among them. */
function tablesOf(db: Sqlite.Database): string[] {
  return db
    .prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .pluck()
    .all() as string[]
}

function copyRows(db: Sqlite.Database, table: string): void {
  const columns = (db.prepare("SELECT name FROM pragma_table_info(?, 'main')").pluck().all(table) as string[])
    .map(quoted)
    .join(', ')
  // The migrations put some rows in themselves.
  db.exec(`DELETE FROM main.${quoted(table)}`)
  db.exec(`INSERT INTO main.${quoted(table)} (${columns}) SELECT ${columns} FROM source.${quoted(table)}`)
}
