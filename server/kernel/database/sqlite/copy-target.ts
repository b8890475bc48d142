/** An empty database of SQLite with the schema of a version, to be filled with the rows of another one. */
import Sqlite from 'better-sqlite3'
import { stepsTo } from '../migrate.ts'

export interface CopyTarget {
  readonly tables: readonly string[]
  columns(table: string): string[]
  /** Empties the table first, since the steps insert some rows themselves. @returns a function that inserts rows in the order of `columns` */
  inserter(table: string): (rows: readonly (readonly unknown[])[]) => void
  /** Makes the triggers, which must not run for rows that they made before. @param last numbers given by each table, so that none is given twice */
  finish(last: ReadonlyMap<string, bigint | null>): void
  close(): void
}

/** @param file must not exist @throws DatabaseNewer, DatabaseBeforeRelease, SqliteError */
export function openCopyTarget(file: string, version: number): CopyTarget {
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
  const columns = (table: string): string[] =>
    db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[]
  return {
    tables: db
      .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name")
      .pluck()
      .all() as string[],
    columns,
    inserter: (table) => {
      const names = columns(table)
      db.exec(`DELETE FROM "${table}"`)
      const insert = db.prepare(
        `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      )
      return db.transaction((rows: readonly (readonly unknown[])[]) => {
        for (const row of rows) insert.run(row)
      })
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
      for (const { sql } of triggers) db.exec(sql)
      db.pragma(`user_version = ${version}`)
      db.pragma('journal_mode = wal')
    },
    close: () => void db.close(),
  }
}
