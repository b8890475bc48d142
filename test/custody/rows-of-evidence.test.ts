/** I3+ for one evidence: which rows are its own, and what is said of them when somebody changed one beneath the station. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import { recordRows } from '../../server/features/integrity/verification/row-baseline.ts'
import { verifyEvidenceRows } from '../../server/features/integrity/verification/verify-rows.ts'
import { openDatabase } from '../../server/kernel/database/database.ts'
import { openRaw, type RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import type { ColumnInfo } from '../../server/kernel/database/row-coverage.ts'
import { COLUMNS_SQL } from '../../server/kernel/database/sqlite/row-text.ts'
import { makeWorld, officer, type World } from './world.ts'

/** Looked at, and another one beside it with the same kinds of rows. A case has the number of each. */
const OWN = 100
const OTHER = 200

let world: World
let columns: readonly ColumnInfo[]

/** Without rules: the rows are made from types alone, and no station would make them. */
function beneath<T>(work: (db: RawDatabase) => T): T {
  const db = openRaw(world.file)
  try {
    db.pragma('foreign_keys = 0')
    db.pragma('ignore_check_constraints = 1')
    const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all() as string[]
    for (const name of triggers) db.exec(`DROP TRIGGER "${name}"`)
    columns = db.prepare(COLUMNS_SQL).all() as ColumnInfo[]
    return work(db)
  } finally {
    db.close()
  }
}
function insert(db: RawDatabase, table: string, number: number, given: Readonly<Record<string, unknown>> = {}): void {
  const valueOf = (type: string): unknown =>
    type === 'TEXT' ? `t${number}` : type === 'BLOB' ? Buffer.from(`b${number}`) : number
  const all = columns.filter((column) => column.table === table)
  const row = { ...Object.fromEntries(all.map(({ name, type }) => [name, valueOf(type)])), ...given }
  const names = Object.keys(row)
  db.prepare(
    `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  ).run(Object.values(row))
}
const wrongWith = (evidenceId: number, from = 0) => {
  const db = openRaw(world.file, { readOnly: true })
  try {
    return verifyEvidenceRows(db, { evidenceId, from })
  } finally {
    db.close()
  }
}

beforeAll(async () => {
  world = await makeWorld()
  for (const what of ['case', 'evidence'] as const)
    for (const id of [OTHER, OWN])
      await world.ledger.record(officer(), {
        action: `${what}.created`,
        object: { type: what, id: String(id), name: '' },
        detail: { concurrencyId: `${what} ${id}` },
      })
  await world.close()
  beneath((db) => {
    for (const number of [OWN, OTHER]) {
      for (const table of ['evidence', 'cases', 'resources', 'resource_views', 'blobs', 'bookmarks', 'notes'])
        insert(db, table, number)
      insert(db, 'versions', number, { entity: 'evidence' })
      insert(db, 'versions', number + 1, { entity: 'resource', entity_id: number })
    }
  })
  const db = await openDatabase({ file: world.file })
  const ledger = createLedger({ ...world, db })
  expect(await recordRows(db, ledger, officer())).toBe(true)
  await ledger.stop()
  await db.close()
})
afterAll(() => world.remove())

describe('I3+ the rows of one evidence', () => {
  it('S19: nothing is wrong before anything is changed', () => {
    expect([wrongWith(OWN), wrongWith(OTHER)]).toEqual([null, null])
  })

  it.each([
    ['the evidence', 'evidence', 'name', 'evidence_id = 100', 'evidence 100'],
    ['a bookmark of it', 'bookmarks', 'title', 'bookmark_id = 100', 'bookmark 100'],
    ['a resource of it', 'resources', 'name', 'resource_id = 100', 'resource 100'],
    ['what was made of a resource', 'resource_views', 'mime_type', 'resource_id = 100', 'of resource_views'],
    ['the bytes of a resource', 'blobs', 'read_back', "sha256 = 't100'", 'blob t100'],
    ['a version of it', 'versions', 'state', "entity = 'evidence' AND entity_id = 100", 'of versions'],
    ['a version of a resource', 'versions', 'state', "entity = 'resource' AND entity_id = 100", 'of versions'],
  ])('S19: %s was changed', (_what, table, column, where, named) => {
    const set = (sql: string) => beneath((db) => db.prepare(`UPDATE ${table} SET ${sql} WHERE ${where}`).run().changes)
    expect(set(`"${column}" = 'x' || "${column}"`)).toBe(1)
    expect(wrongWith(OWN)?.problem).toMatch(new RegExp(`It says what .*${named} is, and the database holds something`))
    expect(wrongWith(OTHER)).toBeNull()
    expect(set(`"${column}" = substr("${column}", 2)`)).toBe(1)
    expect(wrongWith(OWN)).toBeNull()
  })

  it('S19: a row of which no entry speaks is no entry’s contradiction', () => {
    beneath((db) => insert(db, 'notes', 300, { evidence_id: OWN }))
    expect(wrongWith(OWN)).toBeNull()
    beneath((db) => db.exec('DELETE FROM notes WHERE note_id = 300'))
  })

  it('S19: the evidence is gone; another one, or a case of its number, is not it', () => {
    beneath((db) =>
      db.exec(`DELETE FROM cases WHERE case_id = ${OWN}; DELETE FROM evidence WHERE evidence_id = ${OTHER}`),
    )
    expect(wrongWith(OWN)).toBeNull()
    expect(wrongWith(OTHER)?.problem).toBe('It says that the evidence was made, and it is gone.')
    beneath((db) => db.exec(`DELETE FROM evidence WHERE evidence_id = ${OWN}`))
    expect(wrongWith(OWN)?.problem).toBe('It says that the evidence was made, and it is gone.')
  })
})
