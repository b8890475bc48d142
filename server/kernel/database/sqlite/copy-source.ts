/** The rows of a file of SQLite in one consistent state, while it may be in use. */
import {
  type DatabasePlace,
  MARKS_OF_PLACE,
  OF_A_PLACE,
  type MarksOfDatabase,
  type RowSource,
  type RowValue,
} from '../row-copy.ts'
import { openRaw, openToInspect } from './raw.ts'

const ROWS_AT_ONCE = 500
const MARKS = `name NOT IN (${MARKS_OF_PLACE.map((name) => `'${name}'`).join(', ')})`

/** The indexes of words have shadow tables, which are no tables of their own. */
const TABLES = `SELECT name FROM pragma_table_list
  WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`

export function openSqliteSource({ file }: Extract<DatabasePlace, { kind: 'sqlite' }>): RowSource {
  const db = openRaw(file, { readOnly: true })
  // Times in ticks are beyond what a number of JavaScript holds.
  db.defaultSafeIntegers(true)
  db.exec('BEGIN')
  return {
    version: Number(db.pragma('user_version', { simple: true })),
    tables: (db.prepare(TABLES).pluck().all() as string[]).filter((name) => !OF_A_PLACE.has(name)),
    entries: async () => Number(db.prepare('SELECT coalesce(max(seq), 0) FROM ledger').pluck().get()),
    columns: async (table) => db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[],
    rows: async function* (table, columns, order) {
      const where = table === 'station' ? ` WHERE ${MARKS}` : ''
      const names = columns.map((name) => `"${name}"`).join(', ')
      const sorted = order === undefined ? '' : ` ORDER BY "${order}"`
      const all = db.prepare(`SELECT ${names} FROM "${table}"${where}${sorted}`).raw()
      let group: RowValue[][] = []
      for (const row of all.iterate() as Iterable<RowValue[]>) {
        group.push(row)
        if (group.length < ROWS_AT_ONCE) continue
        yield group
        group = []
      }
      if (group.length > 0) yield group
    },
    counters: async () => {
      const rows = db.prepare('SELECT name, seq FROM sqlite_sequence').all() as { name: string; seq: bigint }[]
      return new Map(rows.map(({ name, seq }) => [name, seq]))
    },
    close: async () => void db.close(),
  }
}

/** What lies in a file, without changing it. @throws Error when it is no database */
export function marksInSqlite(file: string): MarksOfDatabase {
  const db = openToInspect(file)
  try {
    const there = db.prepare("SELECT count(*) FROM sqlite_schema WHERE name IN ('station', 'ledger')").pluck().get()
    if (there !== 2) return { origin: null, entries: 0, arriving: null, moved: null }
    const value = (name: string): string | null =>
      (db.prepare('SELECT value FROM station WHERE name = ?').pluck().get(name) as string | undefined) ?? null
    return {
      origin: value('origin'),
      entries: db.prepare('SELECT count(*) FROM ledger').pluck().get() as number,
      arriving: value('arriving'),
      moved: value('moved'),
    }
  } finally {
    db.close()
  }
}
