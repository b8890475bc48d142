// @module-tag counted
// @module-tag merge
import fc from 'fast-check'
import { sql } from 'kysely'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../server/kernel/database/database.ts'
import { openTestDatabase } from '../../support/rows.ts'
import type { Viewer } from '../../../server/kernel/access/viewable.store.ts'
import { createAccess } from '../../../server/kernel/access/access.ts'
import type { HttpCall } from '../../../server/http/handlers.ts'
import { createListService } from '../../../server/features/evidence/list.service.ts'
import { createJobQueue } from '../../../server/kernel/jobs/queue.ts'
import { systemClock } from '../../../server/platform/clock/clock.ts'
import { createLog } from '../../../server/platform/log/log.ts'
import { scale } from '../../support/scale.ts'
import {
  type DrawnEvidence,
  filterOf,
  modelList,
  orderOf,
  type Question,
  question,
  world,
  writeWorld,
} from './list-world.ts'

/** Who sees what of the list: each way of asking the database against the rule in plain words. */
const RUNS = scale(60, 600, 20)
const PEOPLE = 3
const NO_SHIFTS = async () => ({ name: '', from: 0, to: 0 })
let folder: string
let db: Database
let worlds = 0
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sallyport-list-'))
  db = await openTestDatabase({ file: path.join(folder, 'a.db') })
})
afterAll(async () => {
  await db?.close()
  rmSync(folder, { recursive: true })
})

/** Per evidence: who is named on it (and whether only until yesterday), and in which cases it is. Per case: who is named, and whether it is deleted. */
const named = fc.array(fc.record({ who: fc.nat(PEOPLE - 1), ended: fc.boolean() }), { maxLength: 2 })
/** Who sees every case, or all but one, has to come up. */
const namedOften = fc.array(fc.record({ who: fc.nat(1), ended: fc.nat(3).map((at) => at === 0) }), { maxLength: 4 })
const rights = fc.record({
  evidence: fc.array(fc.record({ named, cases: fc.uniqueArray(fc.nat(2), { maxLength: 2 }) }), {
    minLength: 30,
    maxLength: 30,
  }),
  cases: fc.array(fc.record({ named: namedOften, deleted: fc.nat(3).map((at) => at === 0) }), {
    minLength: 3,
    maxLength: 3,
  }),
})
type Rights = typeof rights extends fc.Arbitrary<infer T> ? T : never
type Named = Rights['cases'][number]['named']
type Lasting = Named[number]
const viewer = fc.record({
  are: fc.uniqueArray(fc.nat(PEOPLE - 1), { maxLength: 2 }),
  unassociated: fc.constantFrom('None' as const, 'View' as const),
})

const NOW = 1000n
const NO_FILTER = { text: null, tags: null, state: null, types: null, statuses: null, from: null, to: null }
/** The last of several for one principal counts: there is one row of it. */
const lets = (list: Named, are: readonly number[]): boolean =>
  [...new Map(list.map((one) => [one.who, one.ended]))].some(([who, ended]) => !ended && are.includes(who))
const sees = (
  { evidence, cases }: Rights,
  index: number,
  { are, unassociated }: { are: number[]; unassociated: string },
): boolean => {
  const one = evidence[index] as Rights['evidence'][number]
  if (one.cases.length === 0 && unassociated === 'View') return true
  if (lets(one.named, are)) return true
  return one.cases.some((at) => cases[at]?.deleted === false && lets(cases[at].named, are))
}

async function write(db: Database, drawn: readonly DrawnEvidence[], { evidence, cases }: Rights) {
  const tenant = `world-${++worlds}`
  const ids = await writeWorld(db, tenant, drawn)
  const people = await db.transaction(async (tx) => {
    // Of worlds before: who is named by every case there is sees all of them, and that has to come up.
    for (const table of ['case_links', 'case_policies', 'cases']) await sql`DELETE FROM ${sql.table(table)}`.execute(tx)
    const made: number[] = []
    for (let at = 0; at < PEOPLE; at++) {
      const { rows } = await sql<{
        principal_id: number
      }>`INSERT INTO principals (tenant_id, kind, name, name_key, k_id, created_utc, created_by)
        VALUES (${tenant}, 'group', ${`p${at}`}, ${`p${at}`}, '', '', 'x') RETURNING principal_id`.execute(tx)
      made.push(rows[0]?.principal_id as number)
    }
    const policies = async (table: 'evidence_policies' | 'case_policies', id: number, list: Named) => {
      for (const [who, ended] of new Map(list.map((one) => [one.who, one.ended])))
        await sql`INSERT INTO ${sql.table(table)} (${sql.ref(table === 'case_policies' ? 'case_id' : 'evidence_id')}, principal_id, level, expires_ticks)
          VALUES (${id}, ${made[who]}, 'View', ${ended ? Number(NOW) - 1 : null})`.execute(tx)
    }
    const caseIds: number[] = []
    for (const [at, one] of cases.entries()) {
      const { rows } = await sql<{
        case_id: number
      }>`INSERT INTO cases (tenant_id, ordinal_year, ordinal_number, title, state, lifecycle_state, tags, custom_fields, source_type, concurrency_id, created_utc, created_ticks, created_by, modified_utc, modified_by)
        VALUES (${tenant}, 2026, ${at}, 'c', 'Open', ${one.deleted ? 'Deleted' : 'Normal'}, '[]', '{}', 'Manual', '', '', 1, '{}', '', '{}') RETURNING case_id`.execute(
        tx,
      )
      caseIds.push(rows[0]?.case_id as number)
      await policies('case_policies', caseIds[at] as number, one.named)
    }
    for (const [at, id] of ids.entries()) {
      const one = evidence[at] as Rights['evidence'][number]
      await policies('evidence_policies', id, one.named)
      for (const place of one.cases)
        await sql`INSERT INTO case_links (case_id, evidence_id, kind, confirmed, linked_on, linked_by) VALUES (${caseIds[place]}, ${id}, 'Manual', 1, '', '{}')`.execute(
          tx,
        )
    }
    return made
  })
  return { tenant, ids, people }
}

const nobody = { principal: null } as HttpCall

/** As a station that holds nothing else has them: the middle of all ids lies among these. */
async function aloneWith(drawn: readonly DrawnEvidence[], given: Rights) {
  const alone = await openTestDatabase({ file: path.join(folder, `alone-${worlds}.db`) })
  return { alone, ...(await write(alone, drawn, given)) }
}

describe('S4 the list of what one can view', () => {
  it('is what the rule says, however the database is asked, and no total tells of more', {
    timeout: 600_000,
  }, async () => {
    const jobs = createJobQueue({
      db,
      clock: systemClock,
      log: createLog('silent'),
      handlers: () => ({}),
      concurrency: 1,
    })
    const access = createAccess({ clock: systemClock })
    let who: Viewer
    const asking = (few: boolean) => ({ ...access, viewer: async () => ({ ...who, few }) })
    const deps = { db, jobs, isInPolicy: async () => false, timeZone: 'UTC', shiftAt: NO_SHIFTS }
    const ways = [
      createListService({ ...deps, access: asking(true) }),
      createListService({ ...deps, access: asking(true), few: -1 }),
      createListService({ ...deps, access: asking(false), few: -1 }),
    ]
    const asked = fc.tuple(question, viewer)
    await fc.assert(
      fc.asyncProperty(
        world,
        rights,
        fc.array(asked, { minLength: 3, maxLength: 5 }),
        async (drawn, given, questions) => {
          const { tenant, ids, people } = await write(db, drawn.slice(0, 30), given)
          for (const [one, by] of questions) {
            who = {
              identities: new Set(by.are.map((at) => people[at] as number)),
              self: 0,
              fromMyDevice: 'None',
              unassociated: by.unassociated,
              nowTicks: NOW,
              few: true,
            }
            const expected = modelList(drawn.slice(0, 30), ids, one).filter((id) => sees(given, ids.indexOf(id), by))
            const { count, offset } = one
            for (const exactTo of [undefined, 1])
              for (const service of ways) {
                const page = { ...orderOf(one), count, offset, ...(exactTo === undefined ? {} : { exactTo }) }
                const found = await service.list(nobody, tenant, filterOf(one), page)
                expect(found.Items.map((item) => Number(item.EvidenceId))).toEqual(
                  expected.slice(offset, offset + count),
                )
                expect(found.Total).toBe(found.TotalIsAtLeast ? offset + count : expected.length)
                expect(found.Total).toBeLessThanOrEqual(expected.length)
              }
            // Sums count no more than may be seen: what others have would show in them.
            for (const service of ways) {
              const all = { ...orderOf(one), count: 100, offset: 0 }
              const { Items } = await service.list(nobody, tenant, filterOf(one), all)
              const bytes = Items.reduce((sum, { Summary }) => sum + Summary.LengthInBytes, 0)
              const sums = await service.sums(nobody, tenant, filterOf(one))
              expect([sums.Count, sums.LengthInBytes]).toEqual([expected.length, bytes])
            }
          }
        },
      ),
      { numRuns: RUNS },
    )
  })

  /** Whom the ways of asking treat apart: of whom little is gathered, who is named by every case, by all but one, by none. */
  it.each([
    ['little', { are: [0], unassociated: 'None' }, true],
    ['every case, one of them deleted', { are: [0], unassociated: 'View' }, true],
    ['the whole station', { are: [0], unassociated: 'View' }, false],
    ['all cases but one', { are: [1], unassociated: 'View' }, true],
    ['the same by two names', { are: [1, 2], unassociated: 'View' }, true],
    ['no case', { are: [], unassociated: 'View' }, false],
  ] as const)(
    'is in order and whole, also of those that hold a word or a tag, for who sees %s',
    {
      timeout: 120_000,
    },
    async (_, by, deleted) => {
      const drawn = fc
        .sample(world, { seed: 5, numRuns: 6 })
        .flat()
        .map((one, at) => ({ ...one, name: `${one.name} everywhere ${at % 3}`, tags: ['Night' as const] }))
      const [by0, by1, by2] = [0, 1, 2].map((who) => ({ who, ended: false })) as [Lasting, Lasting, Lasting]
      const given: Rights = {
        evidence: drawn.map((_, at) => ({ named: [], cases: [[2], [0], [1], [0, 1], [], [0]][at % 6] as number[] })),
        cases: [
          { named: [by0, by1, by2], deleted: false },
          { named: [by0], deleted: false },
          { named: [by0, by1], deleted },
        ],
      }
      const { alone, tenant, ids, people } = await aloneWith(drawn, given)
      try {
        const viewer = {
          identities: new Set(by.are.map((at) => people[at] as number)),
          self: 0,
          nowTicks: NOW,
          few: true,
        }
        const who: Viewer = { ...viewer, fromMyDevice: 'None', unassociated: by.unassociated }
        const access = { ...createAccess({ clock: systemClock }), viewer: async () => who }
        const clock = systemClock
        const jobs = createJobQueue({
          db: alone,
          clock,
          log: createLog('silent'),
          handlers: () => ({}),
          concurrency: 1,
        })
        const service = createListService({
          db: alone,
          jobs,
          access,
          isInPolicy: async () => false,
          timeZone: 'UTC',
          shiftAt: NO_SHIFTS,
          few: -1,
        })
        const [plain] = fc.sample(question, { seed: 5, numRuns: 1 })
        const seen = ids.filter((_, at) => sees(given, at, { ...by, are: [...by.are] }))
        expect(seen.length).toBeGreaterThan(4)
        for (const sort of ['recorded', 'created', 'name', 'length', 'type'] as const)
          for (const direction of ['asc', 'desc'] as const)
            for (const offset of [0, 3, seen.length - 2])
              for (const filter of [{ text: 'everywhere' }, { tagKeys: ['night'] }, {}])
                for (const exactTo of [1, 1000, undefined]) {
                  const asked = { ...(plain as Question), ...NO_FILTER, sort, direction }
                  const expected = modelList(drawn, ids, asked).filter((id) => seen.includes(id))
                  const page = { sort, direction, offset, count: 7, ...(exactTo === undefined ? {} : { exactTo }) }
                  const found = await service.list(nobody, tenant, filter, page)
                  expect(found.Items.map((item) => Number(item.EvidenceId))).toEqual(expected.slice(offset, offset + 7))
                  expect(found.Total).toBe(found.TotalIsAtLeast ? offset + 7 : seen.length)
                }
      } finally {
        await alone.close()
      }
    },
  )
})
