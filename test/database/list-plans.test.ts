// @module-tag merge
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { casesPage } from '../../server/features/cases/case-list.store.ts'
import { countedCube, hitsByPlace, type SearchFilter, type Seeker } from '../../server/features/search/search.store.ts'
import type { Viewer } from '../../server/kernel/access/viewable.store.ts'
import { type Database } from '../../server/kernel/database/database.ts'
import { openPostgres } from '../../server/kernel/database/postgres/database.ts'
import { countListed, listedPage } from '../../server/kernel/evidence/list.store.ts'
import { COMMAND, compareWithTriggers, FILLED, writePostgresStation } from '../bench/postgres-rows.ts'
import { givenStation } from '../support/given.ts'
import { NO_FILTER } from '../support/plans.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'

/** The station that `npm run bench -- items` measures, with fewer rows: that it is one, and how the server reads it. */
const EVIDENCES = 5_000
let server: PostgresServer
let url: string
let db: Database
let client: pg.Client
const missing = await postgresMissing()
beforeAll(async () => {
  if (missing !== null) return
  server = await startPostgres()
  url = await server.create('station')
  const given = await givenStation({ fresh: true, settings: { databaseUrl: url } })
  await given.close()
  await writePostgresStation(url, EVIDENCES, () => {})
  db = await openPostgres({ url })
  client = new pg.Client({ connectionString: url })
  await client.connect()
}, 400_000)
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
afterAll(async () => {
  await client?.end()
  await db?.close()
  await server?.stop()
})

const planOf = async ({ sql, parameters }: CompiledQuery): Promise<string> => {
  const { rows } = await client.query(`EXPLAIN ${sql}`, parameters as unknown[])
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

async function viewer(): Promise<Viewer> {
  const { rows } = await client.query('SELECT principal_id FROM principals WHERE name = $1', [COMMAND])
  const identities = new Set([Number(rows[0].principal_id)])
  return { self: 0, identities, unassociated: 'View', fromMyDevice: 'None', nowTicks: 0n, few: false }
}

const FILTER: SearchFilter = { ...NO_FILTER, match: { all: '"tanner"', named: null, without: null } }

describe('B8: the station of the benchmark', () => {
  it('has the rows that the triggers write', { timeout: 120_000 }, async () => {
    const counted = await client.query(
      `SELECT ${FILLED.map((table) => `(SELECT count(*) FROM ${table})::int AS ${table}`).join(', ')}`,
    )
    expect(counted.rows[0]).toMatchObject({
      evidence: EVIDENCES,
      evidence_list: EVIDENCES,
      evidence_words: EVIDENCES,
      cases: EVIDENCES / 10,
    })
    const compared = await compareWithTriggers(url)
    for (const [table, { rows, differ }] of Object.entries(compared)) {
      expect([table, differ]).toEqual([table, 0])
      expect(rows, table).toBeGreaterThan(500)
    }
  })
})

describe('B8: rights are asked of the rows of a page', () => {
  // A set of all links or policies there are stands as a hashed subplan, or is joined.
  const readsAll = /hashed SubPlan.*hashed SubPlan|Seq Scan on case_(?:links|policies)|Hash (?:Anti |Semi )?Join/

  it('in lists of evidence and of cases', async () => {
    const who = await viewer()
    const page = { sort: 'recorded', direction: 'desc', offset: 0, count: 51 } as const
    expect(await planOf(listedPage(db.read, 'station', {}, who, page, 'walk'))).not.toMatch(readsAll)
    expect(await planOf(countListed(db.read, 'station', {}, who, 10_000))).not.toMatch(readsAll)
    const cases = casesPage(db.read, 'station', { deleted: false }, who, { before: null, count: 51 })
    expect(await planOf(cases)).not.toMatch(readsAll)
  })

  it('in searches, with the words of a column found by an index', async () => {
    const seeker: Seeker = { ...(await viewer()), kinds: ['Case', 'Evidence'], devices: 'all', deleted: false }
    expect(await planOf(countedCube(db.read, 'station', seeker, FILTER, 10_001))).not.toMatch(readsAll)
    const stretch = {
      notMatch: null,
      only: null,
      not: [],
      direction: 'desc',
      after: null,
      count: 51,
      gather: true,
    } as const
    const facets = { types: null, categories: null, states: null, media: null }
    const ofDevice = { ...FILTER, match: { ...FILTER.match, all: 'device : ("sn17")' } }
    const found = await planOf(
      hitsByPlace(db.read, 'station', seeker, ofDevice, facets, { ...stretch, match: ofDevice.match.all }),
    )
    expect(found).not.toMatch(readsAll)
    expect(found).toContain('search_words_by_word')
  })
})
