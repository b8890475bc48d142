import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import {
  countedCube,
  newestHolding,
  rowsTouching,
  type SearchFilter,
  type Seeker,
} from '../../../server/features/search/search.store.ts'
import type { Database } from '../../../server/kernel/database/database.ts'
import { openTestDatabase } from '../../support/rows.ts'

/** One of two has the frequent word; the first, the last and those of one minute have words of their own. */
const ROWS = 2_000
const SAMPLED = 200
let folder: string
let db: Database
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sallyport-newest-'))
  db = await openTestDatabase({ file: path.join(folder, 'a.db') })
  await db.transaction(async (tx) => {
    await tx
      .insertInto('tenants')
      .values({ tenant_id: 't', name_key: 't', created_utc: '2026-01-01T00:00:00Z' })
      .execute()
    for (let at = 0; at < ROWS; at++)
      await tx
        .insertInto('evidence')
        .values({
          tenant_id: 't',
          name: `${at % 2 === 0 ? 'frequent' : 'other'} ${at % 100 === 7 ? 'rare' : ''}`,
          category_id: String(1 + (at % 3)),
          start_utc: '2026-01-01T00:00:00Z',
          start_ticks: BigInt(at) * 600_000_000n,
          end_ticks: BigInt(at) * 600_000_000n,
          created_utc: '2026-01-01T00:00:00Z',
          created_ticks: BigInt(at),
          created_by: '{}',
          concurrency_id: '',
        })
        .execute()
  })
}, 120_000)
afterAll(async () => {
  await db?.close()
  rmSync(folder, { recursive: true, force: true })
})

const seeker: Seeker = {
  self: 0,
  identities: new Set(),
  unassociated: 'View',
  fromMyDevice: 'None',
  nowTicks: 0n,
  few: false,
  kinds: ['Evidence'],
  devices: 'all',
  deleted: false,
}
const filterOf = (word: string): SearchFilter => ({
  match: { all: `"${word}"`, named: null, without: null },
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
})
const MOST = 100
const cube = async (filter: SearchFilter) => {
  const cells = await db.longRead(countedCube(db.read, 't', seeker, filter, MOST))
  return cells.map((cell) => ({ ...cell })).toSorted((a, b) => Number(a.category_id) - Number(b.category_id))
}

describe('B8: the newest rows of a frequent word', () => {
  it('are found among few rows, and are those that are found among all', async () => {
    const rows = await newestHolding(db, '"frequent"', MOST, SAMPLED)
    // A hundred of a word that every second row has, and a third more.
    expect(rows).toMatchObject({ from: expect.any(Number) })
    expect(ROWS - (rows?.from ?? 0)).toBeLessThan(300)
    const among = await cube({ ...filterOf('frequent'), rows })
    expect(among).toEqual(await cube(filterOf('frequent')))
    expect(among.reduce((sum, { n }) => sum + n, 0)).toBe(MOST)
  })

  it('are not looked for where the word is rare, or where all rows are few', async () => {
    expect(await newestHolding(db, '"rare"', MOST, SAMPLED)).toBeNull()
    expect(await newestHolding(db, '"frequent"', MOST, ROWS)).toBeNull()
    expect(await newestHolding(db, '"frequent"', ROWS, SAMPLED)).toBeNull()
  })
})

describe('B8: the rows of a time', () => {
  const minute = (at: number): bigint => BigInt(at) * 600_000_000n

  it('are those between the first and the last that touch it', async () => {
    const { rows } = await sql<{ id: number }>`SELECT search_id AS id FROM search_list ORDER BY search_id`.execute(
      db.read,
    )
    const ids = rows.map(({ id }) => id)
    expect(await rowsTouching(db, 't', { fromTicks: minute(500), toTicks: minute(520) })).toEqual({
      from: ids[500],
      to: ids[520],
    })
    expect(await rowsTouching(db, 't', { fromTicks: minute(ROWS + 9_000), toTicks: null })).toEqual({ from: 1, to: 0 })
  })
})
