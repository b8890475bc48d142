// @module-tag counted
/** Windows of the newest rows, by which frequent words are found on PostgreSQL: answers are those of a search of all rows. */
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findPage } from '../../server/features/evidence/list.page.ts'
import { questionOf as askedOf } from '../../server/features/search/search.ask.ts'
import { createFinder, type Find } from '../../server/features/search/search.find.ts'
import { LEAST_SAMPLED } from '../../server/kernel/database/newest-rows.ts'
import type { Question, Sort } from '../../server/features/search/search.question.ts'
import {
  countMatches,
  countNewest,
  type FacetFilter,
  KINDS,
  type NamedCounts,
  rowsTouching,
  type SearchFilter,
  type Seeker,
} from '../../server/features/search/search.store.ts'
import type { HttpCall } from '../../server/http/handlers.ts'
import type { Access } from '../../server/kernel/access/access.ts'
import type { Viewer } from '../../server/kernel/access/viewable.store.ts'
import type { Database } from '../../server/kernel/database/database.ts'
import { openPostgres } from '../../server/kernel/database/postgres/database.ts'
import type { ListPage } from '../../server/kernel/evidence/list.store.ts'
import { SearchBody } from '../../shared/search/contract.ts'
import { matchOf, parseSearch } from '../../shared/search/search-query.ts'
import { COMMAND, OFFICER, timeAt, writePostgresStation } from '../bench/postgres-rows.ts'
import { givenStation } from '../support/given.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { scale } from '../support/scale.ts'

const EVIDENCES = 4_000
/** Limits that a few thousand rows go beyond. */
const LIMITS = { namesLookedAt: 200, fewMatches: 300, mostLooked: 10, exactTo: 150 }
const SAMPLED = 800
const QUESTIONS = scale(200, 2_000, 60)

let server: PostgresServer
let db: Database
let command: number
/** Who views few of them. */
let officer: number
/** Statements that asked row by row. */
let byRow = 0
const missing = await postgresMissing()
beforeAll(async () => {
  if (missing !== null) return
  server = await startPostgres()
  const url = await server.create('station')
  const given = await givenStation({ fresh: true, settings: { databaseUrl: url } })
  await given.close()
  await writePostgresStation(url, EVIDENCES, () => {})
  const opened = await openPostgres({ url })
  db = {
    ...opened,
    read: opened.read,
    longRead: (query, ...others) => {
      if (query.sql.includes('IS TRUE')) byRow++
      return opened.longRead(query, ...others)
    },
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const idOf = async (name: string): Promise<number> =>
    Number((await client.query('SELECT principal_id AS id FROM principals WHERE name = $1', [name])).rows[0].id)
  command = await idOf(COMMAND)
  officer = await idOf(OFFICER)
  await client.end()
}, 400_000)
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
afterAll(async () => {
  await db?.close()
  await server?.stop()
})

const NO_FACETS: FacetFilter = { types: null, categories: null, states: null, media: null }
const seekerOf = (unassociated: Seeker['unassociated']): Seeker => ({
  self: 0,
  identities: new Set([command]),
  unassociated,
  fromMyDevice: 'None',
  nowTicks: 0n,
  few: false,
  kinds: KINDS,
  devices: 'all',
  deleted: false,
})

interface Asked {
  readonly query: string
  readonly facets?: FacetFilter
  readonly sort?: Sort
  readonly unassociated?: boolean
  readonly viewsUnassociated?: boolean
  /** Parts of the time of all evidence. */
  readonly time?: readonly [number, number] | null
  readonly count?: number
}

const ticksOf = (part: number): bigint => BigInt(Date.parse(timeAt(part))) * 10_000n

/** @param newest null: without windows, as on a small station */
async function questionOf(asked: Asked, newest: NamedCounts | null, after: Question['after']): Promise<Question> {
  const match = matchOf(parseSearch(asked.query))
  const time = asked.time ?? null
  const times = { fromTicks: time === null ? null : ticksOf(time[0]), toTicks: time === null ? null : ticksOf(time[1]) }
  const rows = time === null || newest === null ? null : await rowsTouching(db, 'station', times)
  const filter: SearchFilter = {
    match,
    ...times,
    rows: rows === null ? null : { ...rows, each: true },
    deviceId: null,
    inCases: [],
    unassociated: asked.unassociated === true,
    inCategories: [],
    fields: null,
    box: null,
    near: null,
    apart: [],
  }
  return {
    tenant: 'station',
    seeker: seekerOf(asked.viewsUnassociated === false ? 'None' : 'View'),
    filter,
    isRough: false,
    matches: match.all === null ? null : await countMatches(db, match.all, LIMITS.fewMatches),
    newest,
    facets: asked.facets ?? NO_FACETS,
    exact: [],
    sort: asked.sort ?? 'relevance',
    after,
    count: asked.count ?? 20,
    signal: undefined,
  }
}

const newestOf = async ({ query }: Asked): Promise<NamedCounts | null> =>
  countNewest(db, matchOf(parseSearch(query)), SAMPLED)

/** The first pages of a question, as a person turns them. */
async function pagesOf(find: Find, asked: Asked, newest: NamedCounts | null): Promise<Awaited<ReturnType<Find>>[]> {
  const pages: Awaited<ReturnType<Find>>[] = []
  let after: Question['after'] = null
  for (let page = 0; page < 3; page++) {
    const question: Question = await questionOf(asked, newest, after)
    const [counts, rows] = await find(question, true)
    pages.push([counts, rows])
    const last = rows[question.count - 1]
    if (rows.length <= question.count || last === undefined) break
    after = { tier: last.tier, id: last.search_id, key: last.name_key }
  }
  return pages
}

const WORDS = ['bwc', 'tanner', 'street', 'theft', 'door', 'window', 'abbey', 'saddler', 'ta', '"ferry street"']
const drawn = fc.record({
  query: fc
    .uniqueArray(fc.constantFrom(...WORDS, '-door', 'tag:"night shift 1"'), { minLength: 1, maxLength: 2 })
    .map((words) => words.join(' ')),
  facets: fc.constantFrom(
    NO_FACETS,
    { ...NO_FACETS, types: ['Evidence' as const] },
    { ...NO_FACETS, categories: [1, 3] },
    { ...NO_FACETS, media: [2] },
  ),
  sort: fc.constantFrom<Sort>('relevance', 'newest', 'oldest', 'name'),
  unassociated: fc.boolean(),
  viewsUnassociated: fc.boolean(),
  time: fc.constantFrom<readonly [number, number] | null>(null, null, [0.5, 0.7], [0.9, 1]),
  count: fc.constantFrom(5, 20),
})

describe('B8: windows of the newest rows', () => {
  it('give every question the answer of all rows', { timeout: 300_000 }, async () => {
    const find = createFinder({ db, ...LIMITS })
    byRow = 0
    let withWindows = 0
    await fc.assert(
      fc.asyncProperty(drawn, async (asked) => {
        const newest = await newestOf(asked)
        if (newest !== null && newest.all >= LEAST_SAMPLED) withWindows++
        expect(await pagesOf(find, asked, newest)).toEqual(await pagesOf(find, asked, null))
      }),
      { numRuns: QUESTIONS, endOnFailure: true },
    )
    // The questions were such that it mattered.
    expect(withWindows).toBeGreaterThan(QUESTIONS / 10)
    expect(byRow).toBeGreaterThan(withWindows)
  })

  it('give the list of evidence the same pages and counts as all rows', { timeout: 300_000 }, async () => {
    const asked = fc.record({
      filter: fc.record(
        {
          text: fc.constantFrom('bwc', 'tanner', 'tanner door', 'theft', 'abbey', 'saddler granary'),
          types: fc.constantFrom(['video' as const], ['image' as const, 'audio' as const]),
        },
        { requiredKeys: ['text'] },
      ),
      sort: fc.constantFrom('recorded' as const, 'created' as const, 'name' as const),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
      offset: fc.constantFrom(0, 0, 40, 200),
      exactTo: fc.constantFrom(100, 100, 1_000, Number.POSITIVE_INFINITY),
      who: fc.constantFrom(null, seekerOf('View'), { ...seekerOf('None'), identities: new Set([officer]) }),
    })
    byRow = 0
    await fc.assert(
      fc.asyncProperty(asked, async ({ filter, exactTo, who, ...order }) => {
        const page: ListPage = { ...order, count: 20 }
        const listed = { tenant: 'station', filter, who }
        const found = (sampled: number | null) => findPage({ db, few: 300, sampled }, listed, page, exactTo)
        expect(await found(SAMPLED)).toEqual(await found(null))
      }),
      { numRuns: QUESTIONS, endOnFailure: true },
    )
    expect(byRow).toBeGreaterThan(QUESTIONS)
  })

  it('somebody who views few finds by their set what they find row by row', { timeout: 300_000 }, async () => {
    const find = createFinder({ db, ...LIMITS })
    const few = { ...seekerOf('None'), identities: new Set([officer]), devices: 'own' as const }
    const asked = fc.tuple(drawn, fc.boolean()).map(([one, words]) => ({ ...one, query: words ? one.query : '' }))
    await fc.assert(
      fc.asyncProperty(asked, async (one) => {
        const question = await questionOf(one, null, null)
        const found = async (seeker: Seeker) => {
          const [counts, rows] = await find({ ...question, seeker }, true)
          return { counts, rows: rows.map(({ search_id: id, tier }) => ({ id, tier })) }
        }
        expect(await found({ ...few, few: true })).toEqual(await found(few))
      }),
      { numRuns: QUESTIONS, endOnFailure: true },
    )
  })

  it('a time is asked row by row for somebody whose many policies take long to gather', async () => {
    const few = { ...seekerOf('None'), few: true }
    const fewFor = async (viewer: Viewer, asked: object): Promise<boolean> => {
      const deps = {
        db,
        access: { viewer: async () => viewer } as unknown as Access,
        isInPolicy: async () => false,
        customFields: async () => ({ Case: [], Evidence: [] }),
        fewMatches: LIMITS.fewMatches,
        sampledRows: SAMPLED,
      }
      const request = { tenant: 'station', asked: SearchBody.parse(asked), terms: [], signal: undefined }
      return (await askedOf(deps, { principal: null } as unknown as HttpCall, request)).seeker.few
    }
    const day = { FromUtc: timeAt(0.5), ToUtc: timeAt(0.6) }
    expect(await fewFor({ ...few, manyPolicies: true }, day)).toBe(false)
    expect(await fewFor({ ...few, manyPolicies: true }, {})).toBe(true)
    expect(await fewFor({ ...few, manyPolicies: false }, day)).toBe(true)
  })

  it('a read of few rows has little memory, and any other one enough for exact places', async () => {
    const memory = async (passes?: 'all' | 'few') =>
      (
        await db.longRead(
          sql<{ memory: string }>`SELECT current_setting('work_mem') AS memory`.compile(db.read),
          undefined,
          passes,
        )
      )[0]?.memory
    expect([await memory('few'), await memory('all'), await memory()]).toEqual(['4MB', '64MB', '64MB'])
  })

  it('hold a page of frequent words without asking the index of words', async () => {
    const asked = { query: 'bwc', sort: 'newest' as const }
    const statements: string[] = []
    const watched = {
      ...db,
      read: db.read,
      longRead: ((query, ...others) => {
        statements.push(query.sql)
        return db.longRead(query, ...others)
      }) as Database['longRead'],
    }
    const [, rows] = await createFinder({ db: watched, ...LIMITS })(
      await questionOf(asked, await newestOf(asked), null),
      false,
    )
    expect(rows.length).toBe(21)
    expect(statements.length).toBe(2)
    for (const statement of statements) expect(statement).toContain('IS TRUE')
  })

  it('are not made where words are rare, nor where the rows looked at are much of all', async () => {
    expect((await newestOf({ query: 'saddler cellar' }))?.all).toBeLessThan(LEAST_SAMPLED)
    expect(await countNewest(db, matchOf(parseSearch('bwc')), EVIDENCES)).toBeNull()
    expect(await countNewest(db, matchOf([]), SAMPLED)).toBeNull()
  })
})
