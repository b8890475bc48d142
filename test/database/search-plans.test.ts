import type { CompiledQuery } from 'kysely'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  countedCube,
  countedHits,
  type FacetFilter,
  hitsByPlace,
  type SearchFilter,
  type Seeker,
} from '../../server/features/search/search.store.ts'
import { type Database, openDatabase } from '../../server/kernel/database/database.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'

/** How SQLite reads a search without words (promise L4) of somebody who views much: the newest rows, until there are enough of them. */
let folder: string
let db: Database
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sallyport-plans-'))
  db = await openDatabase({ file: path.join(folder, 'a.db') })
})
afterAll(async () => {
  await db?.close()
  rmSync(folder, { recursive: true })
})

const SEEKER: Seeker = {
  self: 1,
  identities: new Set([1]),
  unassociated: 'View',
  fromMyDevice: 'None',
  nowTicks: 0n,
  few: false,
  kinds: ['Case', 'Evidence', 'User', 'Group', 'Device'],
  devices: 'own',
  deleted: false,
}
const FILTER: SearchFilter = {
  match: { all: null, named: null, without: null },
  fromTicks: null,
  toTicks: null,
  deviceId: null,
  inCases: [],
  unassociated: false,
  inCategories: [],
  fields: null,
  box: null,
  near: null,
  apart: [],
  rows: null,
}
const FACETS: FacetFilter = { types: null, categories: null, states: null, media: null }
const STRETCH = {
  match: null,
  notMatch: null,
  only: null,
  not: [],
  direction: 'desc',
  after: null,
  count: 51,
  gather: false,
} as const
const WEATHER = [{ kind: 'text', name: 'Weather', value: 'fog' }] as const

function planOf({ sql, parameters }: CompiledQuery): string {
  const raw = openRaw(path.join(folder, 'a.db'), { readOnly: true })
  try {
    const rows = raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(parameters as never[])) as { detail: string }[]
    return rows.map(({ detail }) => detail).join('\n')
  } finally {
    raw.close()
  }
}

describe('L4: a search without words at a million', () => {
  const asked: readonly (readonly [name: string, filter: SearchFilter, facets: FacetFilter])[] = [
    ['anything', FILTER, FACETS],
    ['a custom field', { ...FILTER, fields: { Case: WEATHER, Evidence: WEATHER } }, FACETS],
    ['what is in no case', { ...FILTER, unassociated: true }, FACETS],
    ['a category', FILTER, { ...FACETS, categories: [10] }],
    ['what is protected', FILTER, { ...FACETS, states: ['Protected'] }],
    ['pictures', FILTER, { ...FACETS, media: [2] }],
  ]
  it.each(asked)('%s: the newest rows are read in their order, and none are sorted', (_name, filter, facets) => {
    for (const query of [
      countedCube(db.read, 'station', SEEKER, filter, 10_001),
      countedHits(db.read, 'station', SEEKER, filter, facets, 10_001),
      hitsByPlace(db.read, 'station', SEEKER, filter, facets, STRETCH),
    ]) {
      const plan = planOf(query)
      expect(plan).toMatch(/^(?:CO-ROUTINE \w+\n)?SCAN s$/m)
      expect(plan).not.toMatch(/MULTI-INDEX OR|USE TEMP B-TREE FOR ORDER BY/)
    }
  })

  it('people: few rows of an index', () => {
    const plan = planOf(countedHits(db.read, 'station', SEEKER, FILTER, { ...FACETS, types: ['User'] }, 10_001))
    expect(plan).toMatch(/SEARCH s USING INDEX search_list_by_object \(kind=\?\)/)
  })

  it('of somebody who views few: begins at these', () => {
    const few: Seeker = { ...SEEKER, unassociated: 'None', few: true }
    const plan = planOf(countedCube(db.read, 'station', few, FILTER, 10_001))
    expect(plan).toMatch(/SEARCH s USING INDEX search_list_by_object \(kind=\? AND object_id=\?\)/)
  })
})
