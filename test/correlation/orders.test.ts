// @module-tag counted
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scale } from '../support/scale.ts'
import { type EngineWorld, engineWorld, type Shift } from './world.ts'

/**
 * Shifts, dispatches, recordings, offsets and late corrections come in any order, with wrong ones before the right ones, and the engine runs
 * in between or not: the links at the end are those of a naive model that knows nothing but the facts at the end (decisions 8).
 */
const RUNS = scale(150, 2_000, 50)
let folder: string
let world: EngineWorld
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-orders-'))
  world = await engineWorld(join(folder, 'a.db'))
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

const OFFICERS = 3
const DEVICES = 2
const minute = fc.integer({ min: 0, max: 25 })
const length = fc.integer({ min: 0, max: 15 })
const shift = fc.record({
  officer: fc.nat({ max: OFFICERS - 1 }),
  from: fc.integer({ min: -5, max: 15 }),
  length: fc.option(fc.integer({ min: 5, max: 40 })),
})
const shifts = fc.array(shift, { maxLength: 3 })
const incident = fc.record({ from: fc.option(minute, { freq: 8 }), length: fc.option(length) })
const assigned = fc.uniqueArray(fc.nat({ max: OFFICERS - 1 }), { maxLength: 2 })
const span = fc.record({ from: minute, length })
/** What was said first, and what holds at the end. */
const said = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(of, { minLength: 1, maxLength: 3 })

const story = fc.record({
  shifts: fc.array(said(shifts), { minLength: DEVICES, maxLength: DEVICES }),
  calls: fc.array(fc.record({ times: said(incident), assigned: said(assigned) }), { minLength: 1, maxLength: 4 }),
  recordings: fc.array(
    fc.record({
      device: fc.nat({ max: DEVICES - 1 }),
      first: span,
      corrections: fc.array(fc.integer({ min: -12, max: 12 }), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  /** Which of those who still have something to say speaks next, and whether the engine runs then. */
  order: fc.infiniteStream(fc.nat({ max: 999 })),
})
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never

/** Looked at in steps of fifteen seconds, by the facts at the end alone. */
function naive({ shifts: all, calls, recordings }: Story): string[] {
  const found: string[] = []
  for (const [call, { times, assigned: who }] of calls.entries()) {
    const { from, length: lasts } = times.at(-1) as (typeof times)[number]
    if (from === null) continue
    for (const [at, { device, first, corrections }] of recordings.entries()) {
      const held = (all[device]?.at(-1) ?? []).filter(
        (one) => one.from <= first.from && (one.length === null || first.from < one.from + one.length),
      )
      if (!held.some(({ officer }) => (who.at(-1) as number[]).includes(officer))) continue
      const start = first.from + (corrections.at(-1) ?? 0)
      let meets = false
      for (let step = 0; step <= first.length * 4; step++) {
        const now = start + step / 4
        // Of a recording with a length, the ends alone do not count.
        const inside = first.length === 0 ? [now] : step < first.length * 4 ? [now + 1 / 8] : []
        meets ||= inside.some((one) => one >= from - 2 && one <= from + (lasts ?? 0) + 2)
      }
      if (meets) found.push(`${call}:${at}`)
    }
  }
  return found.sort()
}

async function live(drawn: Story): Promise<string[]> {
  const officers = await Promise.all(Array.from({ length: OFFICERS }, () => world.officer()))
  const devices = await Promise.all(Array.from({ length: DEVICES }, () => world.device()))
  const caseIds: number[] = []
  for (const _ of drawn.calls) caseIds.push(await world.incident())
  const evidenceIds: number[] = []
  const asShift = ({ officer, from, length: lasts }: Story['shifts'][number][number][number]): Shift => ({
    officer: officers[officer] as number,
    from,
    to: lasts === null ? null : from + lasts,
  })
  const id = (at: number): string => (devices[at] as { id: string }).id
  const speakers: (() => Promise<unknown>)[][] = [
    ...drawn.shifts.map((each, at) => each.map((one) => () => world.shifts(id(at), one.map(asShift)))),
    ...drawn.calls.flatMap(({ times, assigned: who }, at) => [
      times.map(
        ({ from, length: lasts }) =>
          () =>
            world.times(caseIds[at] as number, { from, to: from === null || lasts === null ? null : from + lasts }),
      ),
      who.map(
        (one) => () =>
          world.assigned(
            caseIds[at] as number,
            one.map((each) => officers[each] as number),
          ),
      ),
    ]),
    ...drawn.recordings.map(({ device, first, corrections }, at) => {
      let made: Awaited<ReturnType<EngineWorld['recording']>>
      return [
        async () => {
          made = await world.recording(
            devices[device] as { id: string; name: string },
            first.from,
            first.from + first.length,
          )
          evidenceIds[at] = made.evidenceId
        },
        ...corrections.map((by) => () => world.corrected(made, first.from + by, first.from + first.length + by, by)),
      ]
    }),
  ]
  for (const next of drawn.order) {
    const left = speakers.filter((each) => each.length > 0)
    if (left.length === 0) break
    await left[next % left.length]?.shift()?.()
    if (next % 4 === 0) await world.run()
  }
  await world.run()
  const own = new Map(caseIds.map((caseId, at) => [String(caseId), at]))
  const clips = new Map(evidenceIds.map((evidence, at) => [String(evidence), at]))
  return (await world.links())
    .flatMap((link) => {
      const [caseId = '', evidence = ''] = link.split(':')
      return own.has(caseId) ? [`${own.get(caseId)}:${clips.get(evidence)}`] : []
    })
    .sort()
}

describe('S4 correlation', () => {
  it('an association that nobody confirmed links nothing: it is asked, until somebody did', async () => {
    const officer = await world.officer()
    const device = await world.device()
    const caseId = await world.incident()
    await world.times(caseId, { from: 5, to: 10 })
    await world.assigned(caseId, [officer])
    const { evidenceId } = await world.recording(device, 0, 20)
    await world.shifts(device.id, [{ officer, from: -10, to: 60 }], false)
    await world.run()
    const own = async () => (await world.links()).filter((link) => link.startsWith(`${caseId}:`))
    const open = () =>
      world.db.read
        .selectFrom('correlation_reviews')
        .select(['act', 'because'])
        .where('evidence_id', '=', evidenceId)
        .where('ended_utc', 'is', null)
        .execute()
    expect([await own(), await open()]).toEqual([[], [{ act: 'Link', because: 'AssociationWaits' }]])
    const { review_id: review } = await world.db.read
      .selectFrom('correlation_reviews')
      .select('review_id')
      .where('evidence_id', '=', evidenceId)
      .executeTakeFirstOrThrow()
    expect(await world.acts('review', String(review))).toEqual(['review.asked'])
    await world.shifts(device.id, [{ officer, from: -10, to: 60 }])
    await world.run()
    expect([await own(), await open()]).toEqual([[`${caseId}:${evidenceId}`], []])
  })

  it('a link that stays on other facts is an entry, and says what it stands on now', async () => {
    const officer = await world.officer()
    const device = await world.device()
    const caseId = await world.incident()
    await world.shifts(device.id, [{ officer, from: -10, to: 60 }])
    await world.times(caseId, { from: 5, to: 10 })
    await world.assigned(caseId, [officer])
    const made = await world.recording(device, 0, 20)
    await world.run()
    await world.corrected(made, 4, 24, 4)
    await world.run()
    const acts = await world.acts('evidence', String(made.evidenceId))
    expect(acts).toEqual(['evidence.created', 'evidence.linked', 'link.reassessed'])
    const facts = await world.db.read
      .selectFrom('correlation_links')
      .select(['overlap_ms', 'offset_ms', 'uncertainty_ms', 'confidence'])
      .where('case_id', '=', caseId)
      .executeTakeFirst()
    expect(facts).toEqual({ overlap_ms: 8 * 60_000, offset_ms: 4 * 60_000, uncertainty_ms: 1000, confidence: 'High' })
  })

  it(`${RUNS} evenings: whatever comes first, the links at the end are the same`, { timeout: 1_800_000 }, async () => {
    let links = 0
    await fc.assert(
      fc.asyncProperty(story, async (drawn) => {
        const expected = naive(drawn)
        links += expected.length
        expect(await live(drawn)).toEqual(expected)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
    // Evenings on which nothing belongs to anything would show nothing. Some 40 links are usual on 100.
    expect(links).toBeGreaterThan(RUNS / 8)
  })
})
