/** An empty database of SQLite with the schema of a version, to be filled with the rows of another one. */
import Sqlite from 'better-sqlite3'
import { stepsTo } from '../migrate.ts'
import { WORDS } from '../migrations/first-release/evidence-list.ts'
import {
  CASE_WORDS,
  DEVICE_WORDS,
  EVIDENCE_WORDS,
  INTO_WORDS,
  PRINCIPAL_WORDS,
} from '../migrations/first-release/search.ts'

export interface CopyTarget {
  readonly tables: readonly string[]
  columns(table: string): string[]
  /** Some steps insert rows themselves. */
  empty(table: string): void
  insert(table: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): void
  /** Makes the triggers, which must not run for rows that they made before. @param last numbers given by each table, so that none is given twice */
  finish(last: ReadonlyMap<string, bigint | null>): void
  close(): void
}

/** From the records, as the triggers make them (migrations/first-release). */
const MAKE_WORDS = [
  `INSERT OR REPLACE INTO evidence_words (rowid, words) SELECT id, words FROM (${WORDS})`,
  ...[CASE_WORDS, EVIDENCE_WORDS, PRINCIPAL_WORDS].map((words) => `${INTO_WORDS} ${words}`),
  DEVICE_WORDS,
]

/**
 * @param file must not exist
 * @param withWords whether the indexes of words are made too; nobody searches in a copy that is only verified
 * @throws DatabaseNewer, DatabaseBeforeRelease, SqliteError
 */
export function openCopyTarget(file: string, version: number, { withWords = false } = {}): CopyTarget {
  const steps = stepsTo(version)
  const db = new Sqlite(file)
  // The file is thrown away when the copy does not end.
  for (const pragma of ['foreign_keys = 0', 'synchronous = 0']) db.pragma(pragma)
  for (const step of steps) db.exec(step.sql)
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid").all() as {
    name: string
    sql: string
  }[]
  for (const { name } of triggers) db.exec(`DROP TRIGGER "${name}"`)
  return {
    tables: db
      .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name")
      .pluck()
      .all() as string[],
    columns: (table) => db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[],
    empty: (table) => void db.exec(`DELETE FROM "${table}"`),
    insert: (table, columns, rows) => {
      const insert = db.prepare(
        `INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      )
      db.transaction(() => {
        for (const row of rows) insert.run(row)
      })()
    },
    finish: (last) => {
      const numbered = db
        .prepare("SELECT name FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%'")
        .pluck()
        .all() as string[]
      db.exec('DELETE FROM sqlite_sequence')
      const insert = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)')
      for (const name of numbered) {
        const given = last.get(name) ?? null
        if (given !== null) insert.run(name, given)
      }
      if (withWords) for (const statement of MAKE_WORDS) db.exec(statement)
      for (const { sql } of triggers) db.exec(sql)
      db.pragma(`user_version = ${version}`)
      db.pragma('journal_mode = wal')
    },
    close: () => void db.close(),
  }
}
