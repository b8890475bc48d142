import fc from 'fast-check'
import { dayAfter } from '../../shared/kernel/days.ts'
import { describe, expect, it } from 'vitest'
import {
  type CameraFacts,
  type Facts,
  type Footage,
  footageOf,
  GRACE,
} from '../../server/features/calls-board/footage.ts'
import { gapsIn, numberIn } from '../../server/features/calls-board/numbers.ts'
import {
  type Calendar,
  mondayOf,
  shiftAt,
  shiftsOn,
  USUAL_SHIFTS,
  weekNumber,
} from '../../server/features/calls-board/shifts.ts'
import { instantOf } from '../../shared/kernel/time-zones.ts'
import { scale } from '../support/scale.ts'

/** Calls versus footage: the state of a call and an officer, held against a reader of the rule who counts seconds by hand. */
const RUNS = scale(3_000, 50_000)
const SECOND = 1000

const second = fc.integer({ min: 0, max: 600 })
const camera: fc.Arbitrary<CameraFacts> = fc.record({
  active: fc.boolean(),
  docked: fc.constantFrom('Since', 'Now', 'Pulled', 'No'),
  failed: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.constantFrom('Docking' as const, 'Files' as const)),
})
const facts: fc.Arbitrary<Facts> = fc.record({
  from: second.map((at) => at * SECOND),
  to: fc.option(second.map((at) => at * SECOND)),
  spans: fc.array(
    fc.record({ at: second, length: fc.integer({ min: 0, max: 400 }) }).map(({ at, length }) => ({
      from: at * SECOND,
      to: (at + length) * SECOND,
    })),
    { maxLength: 5 },
  ),
  cameras: fc.option(fc.array(camera, { maxLength: 3 })),
  waits: fc.boolean(),
  refused: fc.boolean(),
})

/** Second by second. */
function naive({ from, to, spans, cameras, waits, refused }: Facts): Pick<
  Footage,
  'state' | 'dispatched' | 'covered'
> & {
  why: readonly string[]
} {
  const end = to === null || to < from ? from : to
  let covered = 0
  for (let at = from; at < end; at += SECOND) if (spans.some((one) => one.from <= at && at < one.to)) covered++
  const met = end > from ? covered > 0 : spans.some((one) => one.from <= from && from <= one.to)
  const figures = { dispatched: end - from, covered: covered * SECOND }
  if (met && end - from - covered * SECOND <= 60_000) return { state: 'Covered', why: ['Recorded'], ...figures }
  const working = (cameras ?? []).filter((one) => one.active)
  if (working.some((one) => one.failed !== null))
    return { state: 'CameraFailed', why: ['DockingFailed', 'FilesFailed'], ...figures }
  if (met) return { state: 'Partly', why: ['StartsLate', 'EndsEarly', 'Interrupted'], ...figures }
  if (working.some((one) => one.docked !== 'Since'))
    return { state: 'NotDocked', why: ['NotDockedSince', 'Docking', 'PulledEarly'], ...figures }
  const why = refused
    ? 'Refused'
    : waits
      ? 'AssociationWaits'
      : cameras === null
        ? 'CamerasNotTold'
        : cameras.length === 0
          ? 'NoCamera'
          : working.length === 0
            ? 'CameraInactive'
            : 'NotRecorded'
  return { state: 'None', why: [why], ...figures }
}

describe('the state of a call and an officer', () => {
  it(`is that of a naive model: ${RUNS} draws`, () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { state, reason, dispatched, covered, recorded } = footageOf(given)
        const { why, ...expected } = naive(given)
        expect({ state, dispatched, covered }).toEqual(expected)
        expect(why).toContain(reason)
        for (const [at, span] of recorded.entries()) {
          expect(span.from).toBeGreaterThanOrEqual(given.from)
          if (at > 0) expect(span.from).toBeGreaterThan((recorded[at - 1] as { to: number }).to)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('names the greatest part that is missing', () => {
    const of = (...spans: [number, number][]) =>
      footageOf({
        from: 0,
        to: 20 * 60_000,
        spans: spans.map(([from, to]) => ({ from: from * 60_000, to: to * 60_000 })),
        cameras: null,
        waits: false,
        refused: false,
      }).reason
    expect([of([3, 25]), of([-2, 15]), of([-1, 5], [12, 30]), of([0.5, 19.5])]).toEqual([
      'StartsLate',
      'EndsEarly',
      'Interrupted',
      'Recorded',
    ])
  })

  it('is never covered by nothing, however short the call', () => {
    const short = { from: 0, to: GRACE / 2, spans: [], cameras: [], waits: false, refused: false }
    expect(footageOf(short)).toMatchObject({ state: 'None', reason: 'NoCamera' })
  })
})

describe('a number in the name of a file', () => {
  it.each([
    ['BW0417_20261120_0031.mp4', 31],
    ['clip 0031.mp4', 31],
    ['MOVI0009.avi', 9],
    ['0417-000123.MP4', 123],
  ])('%s counts', (name, number) => expect(numberIn(name)?.number).toBe(number))
  it.each([
    '20261120_024107.mp4',
    '20261120.mp4',
    'a.mp4',
    'part 1.mp4',
    'Nov.20.2026_02.41.07.avi',
    '2026-11-20T02-41-07.mp4',
  ])('%s is a time or none', (name) => expect(numberIn(name)).toBeNull())
  it('is compared with names that are otherwise alike alone, and what was here once is not missing', () => {
    const named = (...names: string[]) => names.map((name, at) => ({ at, name }))
    const missing = (list: ReturnType<typeof named>, known: string[] = []) =>
      gapsIn(list, known).map((gap) => gap.missing)
    expect(missing(named('A_0030.mp4', 'A_0033.mp4', 'B_0040.mp4', 'A_0034.mp4'))).toEqual([['0031', '0032']])
    expect(missing(named('A_0030.mp4', 'A_0033.mp4'), ['A_0031.mp4'])).toEqual([['0032']])
    // The counter was set back, or jumps: nothing can be said.
    expect(missing(named('A_0030.mp4', 'A_0001.mp4', 'A_0900.mp4'))).toEqual([])
    // A later recording that came earlier than its number: out of order is not missing.
    expect(missing(named('A_0030.mp4', 'A_0032.mp4', 'A_0031.mp4'))).toEqual([])
  })
})

describe('shifts', () => {
  const vienna: Calendar = {
    at: (date, minute) => {
      const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
      const wall = { year, month, day, hour: Math.floor(minute / 60), minute: minute % 60, second: 0 }
      return instantOf(wall, 'Europe/Vienna').ms
    },
    dateOf: (millis) =>
      new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Vienna', dateStyle: 'short' }).format(millis),
  }
  it('each moment is in exactly one, also on the days on which clocks are put forward and back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
        fc.uniqueArray(fc.integer({ min: 0, max: 1439 }), { minLength: 1, maxLength: 6 }),
        (moment, minutes) => {
          const starts = minutes.sort((a, b) => a - b).map((minute) => ({ name: '', minute }))
          const { date, index } = shiftAt(moment, starts, vienna)
          const around = [dayAfter(date, -1), date, dayAfter(date, 1)].flatMap((day) => shiftsOn(day, starts, vienna))
          const holding = around.filter(({ from, to }) => from <= moment && moment < to)
          expect(holding).toHaveLength(1)
          expect(holding[0]).toEqual(shiftsOn(date, starts, vienna)[index])
        },
      ),
    )
  })
  it('a night is of the day on which it began, and an hour longer when clocks go back', () => {
    expect(shiftAt(Date.parse('2026-11-20T02:30:00Z'), USUAL_SHIFTS, vienna)).toEqual({ date: '2026-11-19', index: 2 })
    const hours = (date: string) => shiftsOn(date, USUAL_SHIFTS, vienna).map(({ from, to }) => (to - from) / 3_600_000)
    expect([hours('2026-11-19'), hours('2026-10-24'), hours('2026-03-28')]).toEqual([
      [8, 8, 8],
      [8, 8, 9],
      [8, 8, 7],
    ])
  })
  it('weeks are those of ISO 8601', () => {
    expect([mondayOf('2026-11-22'), weekNumber('2026-11-16')]).toEqual(['2026-11-16', { year: 2026, week: 47 }])
    expect([mondayOf('2027-01-01'), weekNumber('2026-12-28')]).toEqual(['2026-12-28', { year: 2026, week: 53 }])
  })
})
