import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { rowsTouching } from '../../../server/features/search/search.store.ts'
import type { Database } from '../../../server/kernel/database/database.ts'
import { openTestDatabase } from '../../support/rows.ts'

const ROWS = 2_000
let folder: string
let db: Database
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sallyport-times-'))
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
          name: 'Tanners Row',
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
