import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  countedCube,
  countedHits,
  type FacetFilter,
  hitsByPlace,
  type SearchFilter,
  type Seeker,
} from '../../server/features/search/search.store.ts'
import type { Database } from '../../server/kernel/database/database.ts'
import { NO_FILTER, openPlans, type Plans } from '../support/plans.ts'

/** How SQLite reads a search without words (promise L4) of somebody who views much: the newest rows, until there are enough of them. */
let plans: Plans
let db: Database
beforeAll(async () => {
  plans = await openPlans()
  db = plans.db
})
afterAll(() => plans?.close())
const planOf = (query: CompiledQuery): string => plans.planOf(query)

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

describe('L4: a search without words at a million', () => {
  const asked: readonly (readonly [name: string, filter: SearchFilter, facets: FacetFilter])[] = [
    ['anything', NO_FILTER, FACETS],
    ['a custom field', { ...NO_FILTER, fields: { Case: WEATHER, Evidence: WEATHER } }, FACETS],
    ['what is in no case', { ...NO_FILTER, unassociated: true }, FACETS],
    ['a category', NO_FILTER, { ...FACETS, categories: [10] }],
    ['what is protected', NO_FILTER, { ...FACETS, states: ['Protected'] }],
    ['pictures', NO_FILTER, { ...FACETS, media: [2] }],
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
    const plan = planOf(countedHits(db.read, 'station', SEEKER, NO_FILTER, { ...FACETS, types: ['User'] }, 10_001))
    expect(plan).toMatch(/SEARCH s USING INDEX search_list_by_object \(kind=\?\)/)
  })

  it('of somebody who views few: begins at these', () => {
    const few: Seeker = { ...SEEKER, unassociated: 'None', few: true }
    const plan = planOf(countedCube(db.read, 'station', few, NO_FILTER, 10_001))
    expect(plan).toMatch(/SEARCH s USING INDEX search_list_by_object \(kind=\? AND object_id=\?\)/)
  })
})
