import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scale } from '../support/scale.ts'
import { type NoticesWorld, noticesWorld, type Policy } from './world.ts'

/**
 * People follow cases, lose their rights and get them back, through groups and for a time, and others change the cases meanwhile: each is
 * told exactly what a naive model says, gathered within ten minutes, and of nothing that they cannot view (promise S4).
 */
const RUNS = scale(60, 1_500)
const MINUTE = 60_000
const PEOPLE = 4
const CASES = 2

const who = fc.nat({ max: PEOPLE - 1 })
const of = fc.nat({ max: CASES - 1 })
/** -1: the group, in which the first two are. */
const holder = fc.integer({ min: -1, max: PEOPLE - 1 })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant('change' as const), by: who, of }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('share' as const), by: who, of, to: who }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('follow' as const), who, of, follows: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('policies' as const),
      of,
      given: fc.uniqueArray(
        fc.record({ holder, minutes: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }) }),
        { selector: (one) => one.holder, maxLength: PEOPLE },
      ),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('see' as const), who }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('choose' as const), who, told: fc.boolean() }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Told {
  kind: string
  of: number
  since: number
  times: number
  seen: boolean
}

let folder: string
let world: NoticesWorld
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-notices-'))
  world = await noticesWorld(join(folder, 'a.db'))
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What everybody's list must say at the end, newest first. */
class Model {
  readonly told: Told[][] = Array.from({ length: PEOPLE }, () => [])
  readonly following = new Set<string>()
  readonly silent = new Set<number>()
  readonly policies: { holder: number; until: number }[][] = Array.from({ length: CASES }, () => [])

  views(person: number, of: number, now: number): boolean {
    return (this.policies[of] ?? []).some(
      ({ holder: one, until }) => until > now && (one === person || (one === -1 && person < 2)),
    )
  }
  changed(of: number, by: number, now: number, except = -1): void {
    for (let person = 0; person < PEOPLE; person++) {
      if (person === by || person === except || this.silent.has(person)) continue
      if (!this.following.has(`${person} ${of}`) || !this.views(person, of, now)) continue
      const mine = this.told[person] as Told[]
      const at = mine.findIndex((one) => one.kind === 'case.changed' && one.of === of && one.since > now - 10 * MINUTE)
      const [before] = at < 0 ? [] : mine.splice(at, 1)
      mine.unshift({
        kind: 'case.changed',
        of,
        since: before?.since ?? now,
        times: (before?.times ?? 0) + 1,
        seen: false,
      })
    }
  }
}

async function play(steps: readonly Step[]) {
  const people = await each(PEOPLE, () => world.principal('user'))
  const group = await world.principal('group')
  for (const member of people.slice(0, 2)) await world.join(group, member)
  const cases = await each(CASES, () => world.aCase())
  const person = (at: number): number => people[at] as number
  const theCase = (at: number): number => cases[at] as number
  const model = new Model()
  // Most stories begin where somebody has something to hear.
  for (let of = 0; of < CASES; of++) {
    await world.policies(
      theCase(of),
      [...people, group].map((principalId) => ({ principalId, level: 'View' })),
    )
    model.policies[of] = [-1, 0, 1, 2, 3].map((one) => ({ holder: one, until: Number.POSITIVE_INFINITY }))
    for (let at = 0; at < PEOPLE; at += 2) {
      await world.follow(theCase(of), person(at), true)
      model.following.add(`${at} ${of}`)
    }
  }
  for (const one of steps) {
    const now = world.clock.now()
    if (one.does === 'wait') world.clock.advance(one.minutes * MINUTE)
    else if (one.does === 'follow') {
      await world.follow(theCase(one.of), person(one.who), one.follows)
      if (one.follows) model.following.add(`${one.who} ${one.of}`)
      else model.following.delete(`${one.who} ${one.of}`)
    } else if (one.does === 'policies') {
      const given = one.given.map(
        ({ holder: at, minutes }): Policy => ({
          principalId: at === -1 ? group : person(at),
          level: 'View',
          ...(minutes === undefined ? {} : { until: now + minutes * MINUTE }),
        }),
      )
      await world.policies(theCase(one.of), given)
      model.policies[one.of] = one.given.map(({ holder: at, minutes }) => ({
        holder: at,
        until: minutes === undefined ? Number.POSITIVE_INFINITY : now + minutes * MINUTE,
      }))
    } else if (one.does === 'see') {
      await world.seeAll(person(one.who))
      for (const told of model.told[one.who] ?? []) told.seen = true
    } else if (one.does === 'choose') {
      const choice = { Kind: 'case.changed' as const, Way: one.told ? ('app' as const) : ('none' as const) }
      await world.own.choose(world.callOf(person(one.who)), [choice])
      if (one.told) model.silent.delete(one.who)
      else model.silent.add(one.who)
    } else if (one.does === 'share') {
      await world.share(theCase(one.of), person(one.by), person(one.to))
      if (one.to !== one.by)
        model.told[one.to]?.unshift({ kind: 'case.shared', of: one.of, since: now, times: 1, seen: false })
      model.changed(one.of, one.by, now, one.to)
    } else {
      await world.change(theCase(one.of), person(one.by))
      model.changed(one.of, one.by, now)
    }
  }
  return { model, people, cases }
}

async function each<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let at = 0; at < count; at++) made.push(await make())
  return made
}

it(`S4 followers hear of ${RUNS} drawn stories what the model says, and lists name what may be viewed`, {
  timeout: 600_000,
}, async () => {
  let gathered = 0
  let hidden = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const { model, people, cases } = await play(steps)
      const now = world.clock.now()
      for (const [at, id] of people.entries()) {
        const found = await world.list(id)
        const expected = (model.told[at] ?? []).map((one) => {
          const viewed = model.views(at, one.of, now)
          if (!viewed) hidden += 1
          if (one.times > 1) gathered += 1
          return {
            Kind: one.kind,
            Object: { Type: 'case', Id: String(cases[one.of]), Name: viewed ? expect.stringMatching(/^case /) : null },
            Message: viewed && one.kind === 'case.shared' ? 'Look' : '',
            CreatedBy: viewed ? expect.anything() : null,
            Times: one.times,
            SinceUtc: new Date(one.since).toISOString(),
            SeenUtc: one.seen ? expect.any(String) : null,
          }
        })
        expect(found.length).toBe(expected.length)
        expect(found).toEqual(expected.map((one) => expect.objectContaining(one)))
      }
    }),
    { numRuns: RUNS },
  )
  expect(gathered).toBeGreaterThan(RUNS / 4)
  expect(hidden).toBeGreaterThan(RUNS / 4)
})
