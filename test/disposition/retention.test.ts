/**
 * The promise of retention, drawn: never a file destroyed that a rule keeps, never one kept without a rule. What the station does is held
 * against an oracle written down here by itself from the decisions, on plain values; nothing of the product's rule is used in it.
 */
// @module-tag merge
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ed25519PublicKey } from '../../server/kernel/ledger/signed-note.ts'
import { verify } from 'node:crypto'
import type { HttpCall } from '../../server/http/handlers.ts'
import { scale } from '../support/scale.ts'
import { BIN, keeps, type MCase, type MFile, type Model } from './oracle.ts'
import { DAY, deletedBy, HOUR, makeWorld, type World } from './world.ts'

const FILES = 3
const FRESH = 50
const CASES = 2
/** Two made by nobody here, one that the first made, and one who deletes. */
const PEOPLE = 4

let world: World
beforeAll(async () => {
  world = await makeWorld({ binDays: BIN })
})
afterAll(() => world?.close())

type Step = (run: Run) => Promise<void>
interface Run {
  readonly model: Model
  readonly people: readonly HttpCall[]
}

const at = (count: number) => fc.nat({ max: count - 1 })
const days = fc.option(fc.constantFrom(1, 10, 40), { nil: null, freq: 8 })
const day = (): number => world.clock.now()

async function station(run: Run, millis: number): Promise<void> {
  const { model } = run
  world.clock.advance(millis)
  await world.disposition.sortDue()
  const reading = { wall: world.clock.now(), monotonic: world.clock.monotonic() }
  const drift = reading.wall - model.base.wall - (reading.monotonic - model.base.monotonic)
  if (Math.abs(drift) > HOUR) {
    model.base = reading
    model.blockedUntil = reading.monotonic + DAY
  }
  const before = model.files.map((file) => keeps(model, file, day()))
  await world.disposition.step()
  for (const [index, file] of model.files.entries()) {
    if (file.life === 'Destroyed' || !(await world.isDestroyed(file.id))) continue
    expect([file.id, before[index], reading.monotonic >= model.blockedUntil]).toEqual([file.id, null, true])
    file.life = 'Destroyed'
    await certified(run, file)
  }
}

/** Two people whom nothing binds to each other, nor to whoever asked for it. */
async function certified({ people }: Run, file: MFile): Promise<void> {
  const row = await world.db.read
    .selectFrom('certificates')
    .selectAll()
    .where('evidence_id', '=', file.id)
    .executeTakeFirstOrThrow()
  expect(verify(null, row.body, ed25519PublicKey(row.public_key), row.signature)).toBe(true)
  const said = JSON.parse(Buffer.from(row.body).toString('utf8'))
  expect(said.files.map((part: { sha256: string }) => part.sha256)).toEqual([file.sha256])
  expect(world.hasBytes(file.sha256)).toBe(false)
  const by = said.approvals.map((one: { by: { PrincipalId: string } }) => one.by.PrincipalId) as string[]
  const [first, , third, deleter] = people.map((one) => one.actor.id)
  expect(new Set(by).size).toBe(2)
  // The third is an account that the first made.
  expect(by.toSorted()).not.toEqual([first, third].toSorted())
  expect(people.filter((one) => by.includes(one.actor.id))).toHaveLength(2)
  if (said.rule.kind === 'Deleted') expect(by).not.toContain(deleter)
}

const approveAll = async ({ model, people }: Run): Promise<void> => {
  for (const file of model.files) {
    const item = await world.itemOf(file.id)
    if (item?.stage !== 'waiting') continue
    for (const who of people.slice(PEOPLE)) await world.approve(who, item.item_id).catch(() => {})
  }
}

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>(approveAll) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(HOUR, 20 * HOUR, 4 * DAY, 8 * DAY, 45 * DAY).map(
      (time): Step =>
        (run) =>
          station(run, time),
    ),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(at(PEOPLE), at(FILES)).map(
      ([who, which]): Step =>
        async ({ model, people }) => {
          const item = await world.itemOf((model.files[which] as MFile).id)
          if (item !== undefined) await world.approve(people[who] as HttpCall, item.item_id).catch(() => {})
        },
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(at(CASES), fc.constantFrom('open', 'closed', 'closed', 'Protected', 'Deleted', 'Normal', 'Normal'))
      .map(
        ([which, to]): Step =>
          async ({ model }) => {
            const one = model.cases[which] as MCase
            if (to === 'open' || to === 'closed') {
              one.open = to === 'open'
              one.closedAt = one.open ? null : day()
              await world.setCase(one.id, {
                state: one.open ? 'Open' : 'Closed',
                closed_on: one.open ? null : world.now(),
              })
            } else {
              one.life = to as MCase['life']
              await world.setCase(one.id, { lifecycle_state: one.life })
            }
          },
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        at(CASES),
        at(FILES),
        fc.constantFrom('Manual', 'Automatic', 'gone', 'withdrawn') as fc.Arbitrary<
          'Manual' | 'Automatic' | 'gone' | 'withdrawn'
        >,
      )
      .map(
        ([which, file, how]): Step =>
          async ({ model }) => {
            const one = model.files[file] as MFile
            const { id } = model.cases[which] as MCase
            if (one.life === 'Destroyed') return
            if (how === 'Manual' || how === 'Automatic') {
              await world.link(id, one.id, how)
              one.cases.add(which)
              return
            }
            await world.unlink(id, one.id)
            one.cases.delete(which)
            if (how === 'withdrawn') {
              await world.withdraw(id, one.id)
              one.withdrawn++
            }
          },
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        at(FILES),
        fc.constantFrom('None', 'Protected', 'Deleted') as fc.Arbitrary<'None' | 'Protected' | 'Deleted'>,
      )
      .map(
        ([file, life]): Step =>
          async ({ model, people }) => {
            const one = model.files[file] as MFile
            if (one.life === 'Destroyed') return
            one.life = life
            one.deletedAt = life === 'Deleted' ? day() : null
            await world.setEvidence(one.id, {
              lifecycle_state: life,
              deleted_utc: life === 'Deleted' ? world.now() : null,
              deleted_by: life === 'Deleted' ? deletedBy(people[PEOPLE - 1] as HttpCall) : null,
            })
          },
      ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(at(FILES), at(PEOPLE)).map(
      ([file, who]): Step =>
        async ({ model, people }) => {
          const one = model.files[file] as MFile
          if (one.life === 'Destroyed' || one.withdrawn === 0) return
          await world.service.settleLinks(people[who] as HttpCall, world.tenant, String(one.id), 'looked')
          one.withdrawn = 0
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(at(FILES), at(PEOPLE)).map(
      ([file, who]): Step =>
        async ({ model, people }) => {
          const item = await world.itemOf((model.files[file] as MFile).id)
          if (item === undefined) return
          const inside = await world.db.read
            .selectFrom('disposition_files')
            .select('evidence_id')
            .where('item_id', '=', item.item_id)
            .where('state', '=', 'in')
            .execute()
          await world.service.keep(people[who] as HttpCall, world.tenant, [String(item.item_id)], {
            reason: 'appeal',
            days: 30,
          })
          for (const { evidence_id: id } of inside)
            for (const one of model.files) if (one.id === id) one.keptUntil = day() + 30 * DAY
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat({ max: 2 }), days).map(
      ([which, to]): Step =>
        async ({ model }) => {
          const category = model.categories[which]
          await world.db.transaction((tx) =>
            category === undefined
              ? tx
                  .updateTable('source_policies')
                  .set({ retention_days: to })
                  .where('source_policy_id', '=', Number(model.source.id))
                  .execute()
              : tx
                  .updateTable('categories')
                  .set({ retention_days: to })
                  .where('category_id', '=', Number(category.id))
                  .execute(),
          )
          if (category === undefined) model.source.days = to
          else category.days = to
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(-40 * DAY, 3 * HOUR, 40 * DAY).map(
      (by): Step =>
        async () =>
          world.clock.set(world.clock.now() + by),
    ),
  },
)

const drawn = fc.record({
  categories: fc.array(days, { minLength: 2, maxLength: 2 }),
  source: days,
  cases: fc.array(fc.option(at(2), { nil: null, freq: 8 }), { minLength: CASES, maxLength: CASES }),
  files: fc.array(
    fc.record({
      category: fc.option(at(2), { nil: null }),
      fromSource: fc.boolean(),
      inCase: fc.option(at(CASES), { nil: null }),
    }),
    { minLength: FILES, maxLength: FILES },
  ),
  steps: fc.array(steps, { minLength: 15, maxLength: 45 }),
})

async function begin(given: {
  categories: (number | null)[]
  source: number | null
  cases: (number | null)[]
  files: { category: number | null; fromSource: boolean; inCase: number | null }[]
}): Promise<Run> {
  // An earlier drawing may have left the clock anywhere.
  world.clock.advance(2 * DAY)
  await world.disposition.sortDue()
  await world.disposition.step()
  world.clock.advance(2 * DAY)
  await world.disposition.step()
  const name = `source ${Math.random()}`
  await world.source({ source_id: name }, given.source)
  const last = await world.db.read
    .selectFrom('source_policies')
    .select((e) => e.fn.max('source_policy_id').as('id'))
    .executeTakeFirstOrThrow()
  const categories: Model['categories'] = []
  for (const some of given.categories) categories.push({ id: await world.category(some), days: some })
  const idOf = (index: number | null): string | null => (index === null ? null : (categories[index]?.id ?? null))
  const cases: MCase[] = []
  for (const category of given.cases)
    cases.push({ id: await world.caseOf(idOf(category)), category, open: true, closedAt: null, life: 'Normal' })
  const files: MFile[] = []
  for (const { category, fromSource, inCase } of given.files) {
    const made = await world.evidence({
      categoryId: idOf(category),
      ...(fromSource ? { sourceId: name.toUpperCase() } : {}),
    })
    if (inCase !== null) await world.link((cases[inCase] as MCase).id, made.id)
    files.push({
      ...made,
      category,
      fromSource,
      createdAt: day(),
      cases: new Set(inCase === null ? [] : [inCase]),
      withdrawn: 0,
      life: 'None',
      deletedAt: null,
      keptUntil: 0,
    })
  }
  const first = await world.person()
  // Four who are drawn from, and two more who let go at the end whatever may go.
  const people = [
    first,
    await world.person(),
    await world.person(`user:${first.actor.id}`),
    await world.person(),
    await world.person(),
    await world.person(),
  ]
  return {
    model: {
      categories,
      source: { id: String(last.id), days: given.source },
      cases,
      files,
      base: { wall: world.clock.now(), monotonic: world.clock.monotonic() },
      blockedUntil: 0,
    },
    people,
  }
}

/** Everybody who may approves whatever is there, and time passes: then only what a rule keeps is left. */
async function toTheEnd(run: Run): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await station(run, DAY + HOUR)
    await approveAll(run)
    for (const time of [4 * DAY, 4 * DAY, 8 * DAY, HOUR]) await station(run, time)
  }
  for (const file of run.model.files) {
    const kept = keeps(run.model, file, day())
    const gone = file.life === 'Destroyed'
    // What fell due within the last rounds may still be on its way.
    const waits = (await world.itemOf(file.id)) !== undefined
    expect([file.id, gone || kept !== null || waits]).toEqual([file.id, true])
  }
}

it('retention: nothing goes that a rule keeps, nothing is kept without a rule', { timeout: 3_600_000 }, async () => {
  let destroyed = 0
  let drawings = 0
  await fc.assert(
    fc.asyncProperty(drawn, async (given) => {
      // A changed policy has all that earlier drawings left looked at again: a fresh station now and then.
      if (++drawings % FRESH === 0) {
        expect(await world.differences()).toEqual([])
        await world.close()
        world = await makeWorld({ binDays: BIN })
      }
      const run = await begin(given)
      for (const step of given.steps) await step(run)
      await toTheEnd(run)
      destroyed += run.model.files.filter(({ life }) => life === 'Destroyed').length
    }),
    { numRuns: scale(25, 600), endOnFailure: scale(1, 0) === 1 },
  )
  // A drawing in which nothing ever goes would show nothing.
  expect(destroyed).toBeGreaterThan(scale(3, 200))
  expect(await world.differences()).toEqual([])
})
