/**
 * What SQLite itself takes for the two rows of a new case: better-sqlite3 commits a row of `cases` and one of `ledger` at a time, in tables
 * of the product's columns without indexes and triggers, with the settings of the station's writer (WAL, synchronous FULL).
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'

/** @param file database of a station that has a case @returns commits a second */
export function rawCommitsPerSecond(file: string, seconds: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-raw-'))
  try {
    const source = openRaw(file, { readOnly: true })
    const rows = { cases: lastRow(source, 'cases'), ledger: lastRow(source, 'ledger') }
    source.close()
    const db = openRaw(join(folder, 'raw.db'))
    const inserts = Object.entries(rows).map(([table, row]) => {
      const [key, ...columns] = Object.keys(row)
      db.exec(`CREATE TABLE "${table}" ("${key}" INTEGER PRIMARY KEY, ${columns.map((one) => `"${one}"`).join(', ')})`)
      const names = columns.map((one) => `"${one}"`).join(', ')
      const statement = db.prepare(
        `INSERT INTO "${table}" (${names}) VALUES (${columns.map((one) => `@${one}`).join(', ')})`,
      )
      return { statement, row }
    })
    const begin = db.prepare('BEGIN IMMEDIATE')
    const commit = db.prepare('COMMIT')
    const from = performance.now()
    let commits = 0
    for (; performance.now() - from < seconds * 1000; commits++) {
      begin.run()
      for (const { statement, row } of inserts)
        statement.run('hash' in row ? { ...row, hash: randomBytes(32), leaf: randomBytes(32) } : row)
      commit.run()
    }
    const rate = commits / ((performance.now() - from) / 1000)
    db.close()
    return rate
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Row = Record<string, unknown>

function lastRow(db: ReturnType<typeof openRaw>, table: string): Row {
  const [row] = db.prepare(`SELECT * FROM "${table}" ORDER BY rowid DESC LIMIT 1`).all([]) as Row[]
  if (row === undefined) throw new Error(`There is no row in ${table} to be written again`)
  return row
}
