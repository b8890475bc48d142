import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import { recordRows } from '../../server/features/integrity/verification/row-baseline.ts'
import type { Problem } from '../../server/features/integrity/verification/verify.types.ts'
import { verifyRows } from '../../server/features/integrity/verification/verify-rows.ts'
import { openDatabase } from '../../server/kernel/database/database.ts'
import { COLUMNS_SQL } from '../../server/kernel/database/sqlite/row-text.ts'
import { openRaw, type RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import {
  type ColumnInfo,
  COVERED_TABLES,
  coverageOf,
  type TableCoverage,
} from '../../server/kernel/database/row-coverage.ts'
import { makeWorld, officer, type World } from './world.ts'

/**
 * I3+ for every covered table and column, whatever they are. Rows are made from the schema alone, one for each column and two more, and
 * taken into the ledger. Then each column is changed in its own row, one row is deleted, one is put in: all beneath the station.
 */
let world: World
let columns: readonly ColumnInfo[]
let before: readonly Problem[]
let found: ReadonlyMap<string, string>

type Row = Record<string, unknown>
const TABLES = Object.keys(COVERED_TABLES).filter((table) => table !== 'station')

const columnsOf = (table: string): ColumnInfo[] => columns.filter((column) => column.table === table)
const valueOf = (type: string, number: number): unknown =>
  type === 'TEXT' ? `t${number}` : type === 'BLOB' ? Buffer.from(`b${number}`) : number
const rowOf = (table: string, number: number): Row =>
  Object.fromEntries(columnsOf(table).map(({ name, type }) => [name, valueOf(type, number)]))

function insert(db: RawDatabase, table: string, row: Row): void {
  const names = Object.keys(row)
  db.prepare(
    `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  ).run(Object.values(row))
}

/** Without rules: the rows are made from types alone, and no station would make them. */
function beneath(work: (db: RawDatabase) => void): void {
  const db = openRaw(world.file)
  db.pragma('foreign_keys = 0')
  db.pragma('ignore_check_constraints = 1')
  const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all() as string[]
  for (const name of triggers) db.exec(`DROP TRIGGER "${name}"`)
  columns = db.prepare(COLUMNS_SQL).all() as ColumnInfo[]
  work(db)
  db.close()
}

const FIRST = 100
/** Of the row that is deleted, and of the one that is put in. */
const DELETED = 900
const PUT_IN = 901

const keyOf = ({ keyColumns, table }: TableCoverage, number: number): string => {
  const values = keyColumns.map((name) =>
    valueOf(columnsOf(table).find((column) => column.name === name)?.type ?? '', number),
  )
  return values.length === 1 ? String(values[0]) : JSON.stringify(values)
}

function tamper(db: RawDatabase): void {
  for (const covered of coverageOf(columns).filter(({ table }) => TABLES.includes(table))) {
    const { table, keyColumns } = covered
    const where = keyColumns.map((name) => `"${name}" = ?`).join(' AND ')
    const key = (number: number): unknown[] => keyColumns.map((name) => rowOf(table, number)[name])
    for (const [index, { name, type }] of columnsOf(table).entries())
      db.prepare(`UPDATE "${table}" SET "${name}" = ? WHERE ${where}`).run(
        valueOf(type, 5000 + index),
        ...key(FIRST + index),
      )
    db.prepare(`DELETE FROM "${table}" WHERE ${where}`).run(...key(DELETED))
    insert(db, table, rowOf(table, PUT_IN))
  }
  db.exec("UPDATE station SET value = 'another' WHERE name = 'origin'; DELETE FROM station WHERE name = 'tenant-key'")
  db.exec(
    "UPDATE station SET value = 'longer' WHERE name = 'waiver-backup'; DELETE FROM station WHERE name = 'waiver-clock'",
  )
  insert(db, 'station', { name: 'waiver-checkpoints', value: 'x' })
}

const problemsOf = (): readonly Problem[] => {
  const db = openRaw(world.file, { readOnly: true })
  try {
    return verifyRows(db, () => {}, 100_000).problems
  } finally {
    db.close()
  }
}

beforeAll(async () => {
  world = await makeWorld()
  await world.close()
  beneath((db) => {
    for (const table of TABLES) {
      for (const [index] of columnsOf(table).entries()) insert(db, table, rowOf(table, FIRST + index))
      insert(db, table, rowOf(table, DELETED))
    }
    for (const name of ['origin', 'tenant-key', 'waiver-backup', 'waiver-clock'])
      insert(db, 'station', { name, value: 'x' })
  })
  const db = await openDatabase({ file: world.file })
  const ledger = createLedger({ ...world, db })
  expect(await recordRows(db, ledger, officer())).toBe(true)
  // What the ledger has recorded is not recorded again, whatever became of it.
  expect(await recordRows(db, ledger, officer())).toBe(false)
  await ledger.stop()
  await db.close()
  before = problemsOf()
  beneath(tamper)
  found = new Map(problemsOf().map(({ what, message }) => [what, message]))
})
afterAll(() => world.remove())

const NAMES: Readonly<Record<string, string>> = {
  evidence: 'evidence',
  resources: 'resource',
  cases: 'case',
  notes: 'note',
  bookmarks: 'bookmark',
  principals: 'principal',
  categories: 'category',
  departments: 'department',
  devices: 'device',
  blobs: 'blob',
}
const named = (table: string, key: string): string | undefined =>
  found.get(NAMES[table] === undefined ? `row ${key} of ${table}` : `${NAMES[table]} ${key}`)

const CHANGED = /It is not what entry \d+ says: it was changed in the database\./
const GONE = /Entry \d+ says that it is there, and it is gone\./
const STRANGE = /No entry says that it was made: it was put into the database\./

describe(`I3+ rows of ${Object.keys(COVERED_TABLES).length} tables, changed beneath the station`, () => {
  it('no change is reported before one is made', () => {
    const said = before.filter(({ message }) => [CHANGED, GONE, STRANGE].some((kind) => kind.test(message)))
    expect(said).toEqual([])
  })

  it.each(TABLES)('%s: each covered column, a row gone, and a row put in', (table) => {
    const covered = coverageOf(columns).find((one) => one.table === table) as TableCoverage
    for (const [index, { name, pk }] of columnsOf(table).entries()) {
      const said = named(table, keyOf(covered, FIRST + index))
      const expected = pk > 0 ? GONE : covered.columns.includes(name) ? CHANGED : null
      expect([name, said]).toEqual([name, expected === null ? undefined : expect.stringMatching(expected)])
    }
    expect(named(table, keyOf(covered, DELETED))).toMatch(GONE)
    expect(named(table, keyOf(covered, PUT_IN))).toMatch(STRANGE)
  })

  it('station: its name in checkpoints, and its key of encrypted uploads', () => {
    expect(named('station', 'origin')).toMatch(CHANGED)
    expect(named('station', 'tenant-key')).toMatch(GONE)
  })

  it('station: waivers of its warnings', () => {
    expect(named('station', 'waiver-backup')).toMatch(CHANGED)
    expect(named('station', 'waiver-clock')).toMatch(GONE)
    expect(named('station', 'waiver-checkpoints')).toMatch(STRANGE)
  })
})
