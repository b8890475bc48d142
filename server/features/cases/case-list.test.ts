import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CaseListQuery } from '../../../shared/cases/case-list.contract.ts'
import { writeCases } from '../../../test/bench/api-cases.ts'
import { patience, scale } from '../../../test/support/scale.ts'
import { createAccess } from '../../kernel/access/access.ts'
import { type Database, openDatabase } from '../../kernel/database/database.ts'
import { type RawDatabase, openRaw } from '../../kernel/database/sqlite/raw.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { systemClock as clock } from '../../platform/clock/clock.ts'
import { createCaseList } from './case-list.service.ts'

/** More than are looked at for a page of the newest cases. */
const CASES = 2_500
let folder: string
let db: Database
let raw: RawDatabase
let longReads = 0
let caller: number
let somebodyElse: number

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sallyport-case-list-'))
  const file = path.join(folder, 'a.db')
  await (await openDatabase({ file })).close()
  raw = openRaw(file)
  raw.exec(`INSERT INTO tenants (tenant_id, name_key, created_utc) VALUES ('station', 'station', '')`)
  const ids = ['caller', 'somebody else'].map((name) =>
    raw
      .prepare(`INSERT INTO principals (tenant_id, kind, name, name_key, k_id, created_utc, created_by)
        VALUES ('station', 'service', ?, ?, ?, '', '') RETURNING principal_id`)
      .pluck()
      .get(name, name, name),
  )
  ;[caller, somebodyElse] = ids as [number, number]
  writeCases(file, CASES, caller, 0)
  const opened = await openDatabase({ file })
  const longRead: Database['longRead'] = (...given) => {
    longReads++
    return opened.longRead(...given)
  }
  db = { ...opened, longRead }
})
afterAll(async () => {
  raw?.close()
  await db?.close()
  rmSync(folder, { recursive: true })
})

/** Stretches of cases, from the newest one on: how many, and what they are. */
type Stretch = readonly [length: number, kind: 'viewed' | 'not viewed' | 'deleted' | 'every second viewed']

async function arrange(stretches: readonly Stretch[]): Promise<number[]> {
  const kinds = stretches.flatMap(([length, kind]) => Array.from({ length }, () => kind))
  const viewed: number[] = []
  raw.exec('BEGIN')
  raw.exec(`UPDATE cases SET lifecycle_state = 'Normal' WHERE lifecycle_state <> 'Normal'`)
  raw.exec(`UPDATE case_policies SET principal_id = ${caller} WHERE principal_id <> ${caller}`)
  for (let id = CASES; id > 0; id--) {
    const kind = kinds[CASES - id] ?? 'viewed'
    if (kind === 'deleted') raw.prepare(`UPDATE cases SET lifecycle_state = 'Deleted' WHERE case_id = ?`).run(id)
    else if (kind === 'viewed' || (kind === 'every second viewed' && id % 2 === 0)) viewed.push(id)
    else raw.prepare('UPDATE case_policies SET principal_id = ? WHERE case_id = ?').run(somebodyElse, id)
  }
  raw.exec('COMMIT')
  // The reads of one turn see one state.
  await nextTurn()
  return viewed
}

/** The list of a caller whose rights nobody has counted yet. */
async function pages(count: number, most: number): Promise<number[]> {
  const list = createCaseList({ db, access: createAccess({ clock }), isInPolicy: async () => false })
  const call = { principal: { kind: 'service', id: String(caller), name: 'caller', kId: 'k' } } as unknown as HttpCall
  const found: number[] = []
  let cursor: string | null = null
  do {
    const query = CaseListQuery.parse({ count: String(count), ...(cursor === null ? {} : { cursor }) })
    const page = await list.list(call, 'station', query)
    found.push(...page.Items.map(({ CaseId }) => Number(CaseId)))
    cursor = page.Cursor
  } while (cursor !== null && found.length < most)
  return found
}

const kind = fc.constantFrom('viewed', 'not viewed', 'deleted', 'every second viewed')
const stretches = fc.array(fc.tuple(fc.integer({ min: 1, max: 1_200 }), kind), { maxLength: 6 })

describe('S4: the list of cases', () => {
  it('shows what the caller views of the newest cases, whatever is deleted or hidden between them', {
    timeout: patience(30_000),
  }, async () => {
    await fc.assert(
      fc.asyncProperty(stretches, fc.integer({ min: 1, max: 100 }), async (arranged, count) => {
        const viewed = await arrange(arranged as Stretch[])
        const found = await pages(count, 5 * count)
        expect(found).toEqual(viewed.slice(0, found.length))
        expect(found.length).toBe(Math.min(viewed.length, 5 * count))
      }),
      { numRuns: scale(40, 500, 15) },
    )
  })

  it('reads for a caller of most cases on the event loop, also where some of them are hidden', async () => {
    for (const arranged of [[], [[900, 'deleted']], [[400, 'every second viewed']]] satisfies Stretch[][]) {
      const viewed = await arrange(arranged)
      longReads = 0
      expect(await pages(50, 50)).toEqual(viewed.slice(0, 50))
      expect(longReads, JSON.stringify(arranged)).toBe(0)
    }
  })

  it('looks no further than a thousand cases there, and no further than three pages', async () => {
    for (const arranged of [
      [[1_100, 'deleted']],
      [
        [50, 'viewed'],
        [200, 'not viewed'],
      ],
    ] satisfies Stretch[][]) {
      const viewed = await arrange(arranged)
      longReads = 0
      expect(await pages(60, 60)).toEqual(viewed.slice(0, 60))
      expect(longReads, JSON.stringify(arranged)).toBe(1)
    }
  })
})
