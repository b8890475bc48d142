import { describe, expect, it } from 'vitest'
import { openInMemory } from '../../../kernel/database/sqlite/raw.ts'
import { MIGRATIONS } from '../../../kernel/database/migrate.ts'
import { CARRIED, NOT_CARRIED, seeRows } from './carried.ts'
import { boundValue, type JsonRow, jsonValue, readRowLine, rowLine } from './row-lines.ts'

const db = openInMemory()
for (const { sql } of MIGRATIONS) db.exec(sql)
const tables = db
  .prepare(
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
  )
  .pluck()
  .all() as string[]

describe('C8 every table of the schema', () => {
  it('is carried, or left out with a reason', () => {
    const virtual = ['evidence_words', 'search_words']
    const decided = [...Object.keys(CARRIED), ...Object.keys(NOT_CARRIED)].filter((name) => !virtual.includes(name))
    expect(decided.toSorted()).toEqual(tables.toSorted())
  })

  it('comes behind the tables that it refers to', () => {
    const order = Object.keys(CARRIED)
    const late = order.flatMap((table, at) => {
      const named = db.prepare('SELECT "table" FROM pragma_foreign_key_list(?)').pluck().all(table) as string[]
      return named.filter((other) => order.indexOf(other) > at).map((other) => `${table} before ${other}`)
    })
    expect(late).toEqual([])
  })

  it('that refers to itself is written in the order of its numbers', () => {
    const own = Object.keys(CARRIED).filter((table) =>
      (db.prepare('SELECT "table" FROM pragma_foreign_key_list(?)').pluck().all(table) as string[]).includes(table),
    )
    expect(own.toSorted()).toEqual(
      Object.keys(CARRIED)
        .filter((table) => CARRIED[table]?.order !== undefined)
        .toSorted(),
    )
  })

  it('whose columns hold what only the keys of the station open, or passwords, gives them to nobody', () => {
    const secret = Object.keys(CARRIED).flatMap((table) =>
      (db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[])
        .filter((column) => /sealed|password_hash|secret|token|key_hash/.test(column))
        .filter((column) => !(CARRIED[table]?.without ?? []).includes(column))
        .map((column) => `${table}.${column}`),
    )
    expect(secret).toEqual([])
  })
})

describe('C8 a row', () => {
  const { isCarried } = seeRows()
  const carried = (table: string, ...rows: readonly JsonRow[]): boolean[] => rows.map((row) => isCarried(table, row))

  it('of what was not ended when the export began stays behind, with all that names it', () => {
    expect(carried('resources', { resource_id: 1, sha256: 'a', state: 'UserCompleted' })).toEqual([true])
    expect(carried('resources', { resource_id: 2, sha256: null, state: 'None' })).toEqual([false])
    expect(carried('search_exif', { resource_id: 1 }, { resource_id: 2 })).toEqual([true, false])
    const packages = [
      { package_id: 7, state: 'Made' },
      { package_id: 8, state: 'Making' },
    ]
    expect(carried('packages', ...packages)).toEqual([true, false])
    for (const table of ['package_exports', 'package_witnesses', 'package_orders', 'package_items'])
      expect(carried(table, { package_id: 7 }, { package_id: 8 })).toEqual([true, false])
    expect(carried('dock_sessions', { session_id: 3, ended: 1 }, { session_id: 4, ended: 0 })).toEqual([true, false])
    expect(carried('dock_recordings', { session_id: 3 }, { session_id: 4 })).toEqual([true, false])
    expect(carried('imports', { state: 'Made' }, { state: 'Receiving' })).toEqual([true, false])
  })

  it('of a version stays behind where what it is a version of does', () => {
    const { isCarried: isVersionCarried } = seeRows()
    isVersionCarried('cases', { case_id: 1 })
    expect(isVersionCarried('versions', { entity: 'case', entity_id: 1 })).toBe(true)
    expect(isVersionCarried('versions', { entity: 'case', entity_id: 2 })).toBe(false)
  })
})

describe('C8 a row as a line', () => {
  it.each([null, 'text\nwith a line', 7n, -(2n ** 62n), 1.5, Buffer.from([0, 255, 10])])('keeps %s', (value) => {
    const line = rowLine({ a: jsonValue(value) })
    expect(line.split('\n')).toHaveLength(2)
    const read = boundValue(readRowLine(line.slice(0, -1))['a'] ?? null)
    expect(typeof value === 'bigint' && typeof read === 'number' ? BigInt(read) : read).toEqual(value)
  })

  it.each(['[]', 'null', '7', '"a"'])('that is %s is no row', (line) =>
    expect(() => readRowLine(line)).toThrow('It is no row.'),
  )

  it.each([
    '{}',
    'true',
    '[1]',
    '{"$int":"1e9"}',
    '{"$int":7}',
    '{"$int":"7","b":1}',
    '{"$bytes":"?"}',
    '{"$bytes":7}',
    '{"$other":"QQ=="}',
  ])('with %s in it is refused', (value) => expect(() => readRowLine(`{"a":${value}}`)).toThrow('a is no value.'))

  it('that is no JSON is refused', () => expect(() => readRowLine('{')).toThrow())
})
