// @module-tag counted
import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../server/kernel/database/database.ts'
import { openTestDatabase } from '../../support/rows.ts'
import { createAccess } from '../../../server/kernel/access/access.ts'
import { listedPage } from '../../../server/kernel/evidence/list.store.ts'
import type { HttpCall } from '../../../server/http/handlers.ts'
import type { ListItem } from '../../../server/features/evidence/list.items.ts'
import { createListService, type ListService } from '../../../server/features/evidence/list.service.ts'
import { createJobQueue } from '../../../server/kernel/jobs/queue.ts'
import { systemClock } from '../../../server/platform/clock/clock.ts'
import { createLog } from '../../../server/platform/log/log.ts'
import { parseTime } from '../../../shared/kernel/time.ts'
import { scale } from '../../support/scale.ts'
import {
  type DrawnEvidence,
  expectedOf,
  filterOf,
  modelList,
  orderOf,
  type Question,
  question,
  world,
  writeWorld,
} from './list-world.ts'

/** The list against a plain one: drawn worlds, filters, orders and page sizes; by cursor, by offset, and both ways of asking the database. */
const RUNS = scale(60, 600, 20)
const NO_SHIFTS = async () => ({ name: '', from: 0, to: 0 })
let folder: string
let db: Database
let service: ListService
/** The same, to whom nothing is few: it asks row by row, in their order. */
let walking: ListService
let worlds = 0
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sallyport-list-'))
  db = await openTestDatabase({ file: path.join(folder, 'a.db') })
  const jobs = createJobQueue({
    db,
    clock: systemClock,
    log: createLog('silent'),
    handlers: () => ({}),
    concurrency: 1,
  })
  const access = createAccess({ clock: systemClock })
  const deps = {
    db,
    jobs,
    access: { ...access, viewer: async () => EVERYBODY },
    isInPolicy: async () => false,
    timeZone: 'UTC',
    shiftAt: NO_SHIFTS,
  }
  service = createListService(deps)
  walking = createListService({ ...deps, few: -1 })
})
afterAll(async () => {
  await db?.close()
  rmSync(folder, { recursive: true })
})

const nobody = { principal: null } as HttpCall
/** Who may view what is in no case, which here is everything. */
const EVERYBODY = {
  identities: new Set<number>(),
  self: 0,
  fromMyDevice: 'None',
  unassociated: 'View',
  nowTicks: 0n,
  few: false,
} as const
const written = async (drawn: readonly DrawnEvidence[]) => {
  const tenant = `world-${++worlds}`
  return { tenant, ids: await writeWorld(db, tenant, drawn) }
}
const idsOf = (items: readonly ListItem[]): number[] => items.map((item) => Number(item.EvidenceId))

describe('the list of a drawn world', () => {
  it('is the plain list: whole by cursor, any part by offset, with its total', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(world, fc.array(question, { minLength: 4, maxLength: 8 }), async (drawn, questions) => {
        const { tenant, ids } = await written(drawn)
        for (const asked of questions) {
          const expected = modelList(drawn, ids, asked)
          expect(await byCursor(tenant, asked)).toEqual({ ids: expected, totals: [expected.length] })
          const { count, offset } = asked
          const part = await service.list(nobody, tenant, filterOf(asked), { ...orderOf(asked), count, offset })
          expect([idsOf(part.Items), part.Total]).toEqual([expected.slice(offset, offset + count), expected.length])
          expect(part.Cursor === null).toBe(offset + count >= expected.length)
          // Counted as far as the page at least: no row, place or cursor depends on how far that is.
          for (const [by, upTo] of [
            [service, 1],
            [walking, 1],
            [walking, 4],
            [walking, undefined],
          ] as const) {
            const exactTo = Math.max(upTo ?? 1, offset + count)
            const page = { ...orderOf(asked), count, offset, ...(upTo === undefined ? {} : { exactTo: upTo }) }
            const other = await by.list(nobody, tenant, filterOf(asked), page)
            expect([idsOf(other.Items), other.Cursor]).toEqual([idsOf(part.Items), part.Cursor])
            const told = other.TotalIsAtLeast ? exactTo : expected.length
            expect([other.Total, other.TotalIsAtLeast && expected.length <= exactTo]).toEqual([told, false])
            if (by === service || upTo === undefined) continue
            expect(other.TotalIsAtLeast).toBe(expected.length > exactTo)
          }
          for (const way of ['walk', 'gather'] as const)
            expect(await asking(tenant, asked, way)).toEqual(expected.slice(offset, offset + count))
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('shows of each what the drawing says', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(world, async (drawn) => {
        const { tenant, ids } = await written(drawn)
        const { Items } = await service.list(nobody, tenant, {}, { sort: 'created', direction: 'asc', count: 1000 })
        const byId = new Map(Items.map((item) => [Number(item.EvidenceId), item.Summary]))
        for (const [index, one] of drawn.entries()) {
          const summary = byId.get(ids[index] as number)
          const said = expectedOf(one)
          expect(summary).toMatchObject({
            Status: said.status,
            LengthInBytes: said.length,
            ResourceCount: one.originals.length,
            FileName: one.originals[0]?.name ?? null,
          })
          const known = one.start !== null || (one.originals[0]?.start ?? null) !== null
          // The time that is shown is the one that is sorted by.
          const shown = summary?.RecordedTimeUtc ?? null
          expect(shown === null).toBe(!known)
          if (shown !== null)
            expect(parseTime(shown, { utcMember: true })?.ticks).toBe(
              BigInt(Math.round((1_700_000_000 + said.recorded) * 10)) * 1_000_000n + 1n,
            )
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('a cursor of another order, or of none, is refused', async () => {
    const { tenant } = await written(
      fc.sample(fc.array(fc.constant(blank), { minLength: 3, maxLength: 3 }), 1)[0] ?? [],
    )
    const page = { sort: 'created', direction: 'desc', count: 1 } as const
    const { Cursor } = await service.list(nobody, tenant, {}, page)
    expect(Cursor).toEqual(expect.any(String))
    const cursor = Cursor as string
    const text = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const other of [
      { ...page, sort: 'name', cursor } as const,
      { ...page, direction: 'asc', cursor } as const,
      { ...page, cursor: 'x' },
      { ...page, cursor: text(['created', 'desc', 1]) },
      { ...page, cursor: text(['created', 'desc', 1, '1; drop']) },
      { ...page, cursor: text(['created', 'desc', '1', '1']) },
      { ...page, cursor: text({}) },
    ])
      await expect(service.list(nobody, tenant, {}, other)).rejects.toMatchObject({ code: 'InvalidModel' })
  })
})

const blank: DrawnEvidence = {
  name: 'x',
  tags: [],
  created: 0,
  start: null,
  lasts: null,
  state: 'None',
  sealed: false,
  early: true,
  originals: [],
}

async function byCursor(tenant: string, asked: Question): Promise<{ ids: number[]; totals: number[] }> {
  const ids: number[] = []
  const totals = new Set<number>()
  let cursor: string | null = null
  do {
    const page = { ...orderOf(asked), count: asked.count, ...(cursor === null ? {} : { cursor }) }
    const answer = await service.list(nobody, tenant, filterOf(asked), page)
    ids.push(...idsOf(answer.Items))
    totals.add(answer.Total)
    cursor = answer.Cursor
  } while (cursor !== null)
  return { ids, totals: [...totals] }
}

async function asking(tenant: string, asked: Question, way: 'walk' | 'gather'): Promise<number[]> {
  const { count, offset } = asked
  const rows = await db.longRead(
    listedPage(db.read, tenant, filterOf(asked), EVERYBODY, { ...orderOf(asked), count, offset }, way),
  )
  return rows.map(({ id }) => id)
}
