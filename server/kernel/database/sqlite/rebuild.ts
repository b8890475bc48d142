/**
 * Creates a database with the station's own migrations and the rows of another one. The other one's `sqlite_schema` is compared but never
 * copied: a planted trigger, view or computed column would run with the station's own writes.
 */
import Sqlite from 'better-sqlite3'
import { stepsTo } from '../migrate.ts'
import type { SchemaDifference } from '../schema-difference.ts'
import { schemaDifferencesRaw } from './schema.ts'

/** @returns schema differences; with any, nothing was created, and without, `target` has every row @throws SqliteError, DatabaseNewer, DatabaseBeforeRelease */
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
    // Shadow tables of the full text search refuse ordinary writes.
    db.unsafeMode(true)
    db.exec('BEGIN')
    for (const step of stepsTo(version)) db.exec(step.sql)
    // Rows are copied unchanged. Rows that triggers made are among them already, so no trigger may run.
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

/** Tables with rows. The rows of a virtual table are in its shadow tables, which are included. */
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
  // The migrations insert some rows themselves.
  db.exec(`DELETE FROM main.${quoted(table)}`)
  db.exec(`INSERT INTO main.${quoted(table)} (${columns}) SELECT ${columns} FROM source.${quoted(table)}`)
}
