// @module-tag merge
import { describe, expect, it } from 'vitest'
import { courseOf } from '../../server/features/docking/wall/forecast.ts'
import { type AtWork, createTimeLeft } from '../../server/features/docking/wall/time-left.ts'
import { type ShiftPlan, simulatedShift, spread } from './simulated-shift.ts'

const MB = 1e6

/** Machines of which each is held back by something else. */
const MACHINES: Readonly<Record<string, Omit<ShiftPlan, 'seed'>>> = {
  'cables alone, as promise L3 has it': {
    cameras: 60,
    window: 300,
    lanes: 26,
    bytes: [780 * MB, 780 * MB],
    files: [4, 4],
    cable: [5 * MB, 5 * MB],
    disk: 300 * MB,
  },
  'cables alone, of cards that are not alike': {
    cameras: 60,
    window: 300,
    lanes: 26,
    bytes: [200 * MB, 1500 * MB],
    files: [4, 20],
    cable: [4 * MB, 6 * MB],
    disk: 300 * MB,
  },
  'the disk of the station': {
    cameras: 60,
    window: 300,
    lanes: 26,
    bytes: [200 * MB, 1500 * MB],
    files: [4, 20],
    cable: [20 * MB, 40 * MB],
    disk: 130 * MB,
  },
  'both, with cables from slow to fast': {
    cameras: 60,
    window: 300,
    lanes: 26,
    bytes: [200 * MB, 1500 * MB],
    files: [4, 20],
    cable: [2 * MB, 40 * MB],
    disk: 130 * MB,
  },
  'the second copy': {
    cameras: 60,
    window: 300,
    lanes: 26,
    bytes: [200 * MB, 1500 * MB],
    files: [4, 20],
    cable: [20 * MB, 40 * MB],
    disk: 130 * MB,
    second: 100 * MB,
  },
  'few lanes for many cameras on three hubs': {
    cameras: 30,
    window: 60,
    lanes: 4,
    bytes: [100 * MB, 400 * MB],
    files: [2, 8],
    cable: [20 * MB, 40 * MB],
    disk: 300 * MB,
    hubs: 3,
  },
}
const SEEDS = [1, 2, 3, 4, 5, 6]

describe('L3 time left, of a shift that is drawn and reckoned without a disk', () => {
  it.each(Object.entries(MACHINES))(
    'what holds back: %s',
    async (name, plan) => {
      const medians: number[] = []
      const worst: number[] = []
      const settled: number[] = []
      const starts: number[] = []
      for (const seed of SEEDS) {
        const { errors, startErrors } = await simulatedShift({ ...plan, seed })
        const all = spread(errors.map(({ error }) => Math.abs(error)))
        medians.push(all.median)
        worst.push(all.p90)
        // Once nobody comes any more there is nothing that could not be known.
        settled.push(spread(errors.filter(({ at }) => at > plan.window).map(({ error }) => Math.abs(error))).median)
        starts.push(spread(startErrors.map(({ said, was }) => Math.abs(said - was))).median)
      }
      const of = (values: readonly number[]): string => values.map((value) => value.toFixed(2)).join(' ')
      console.info(
        `L3 ${name}: median ${of(medians)}; p90 ${of(worst)}; settled ${of(settled)}; start ± s ${of(starts)}`,
      )
      for (const median of medians) expect(median).toBeLessThan(0.3)
      for (const p90 of worst) expect(p90).toBeLessThan(0.65)
      // Seconds: who waits is told when, not whether.
      for (const start of starts) expect(start).toBeLessThan(3)
    },
    60_000,
  )

  it('of cards as they are made for L3, nineteen of twenty times left are less than 30 % wrong, also while others still come', async () => {
    const plan = MACHINES['cables alone, as promise L3 has it'] as Omit<ShiftPlan, 'seed'>
    for (const seed of SEEDS) {
      const { errors } = await simulatedShift({ ...plan, seed })
      const right = errors.filter(({ error }) => Math.abs(error) < 0.3).length
      expect(right / errors.length).toBeGreaterThan(0.95)
    }
  }, 60_000)
})

const card = (id: number, more: Partial<AtWork> = {}): AtWork => ({
  id,
  hub: 'one',
  state: 'copying',
  underWay: [],
  files: 4,
  filesDone: 0,
  bytes: 400,
  bytesDone: 0,
  served: 0,
  second: 0,
  ...more,
})

describe('the time left of a camera', () => {
  const machine = { lanes: 1, lanesOfACamera: 2, easier: () => 1, secondPace: 10 }
  const plain = { hub: 'one', running: [], served: 0, pace: 10, second: 0 }

  it('is nothing before anything was seen', () => {
    const { look } = createTimeLeft({ ticks: () => 0, lanes: 2, lanesOfACamera: 2 })
    expect(look([card(1)])).toEqual(new Map())
  })

  it('is estimated for a waiting camera from the others, with its place in the queue', () => {
    let now = 0
    const { look } = createTimeLeft({ ticks: () => now, lanes: 1, lanesOfACamera: 1 })
    const busy = (done: number): AtWork =>
      card(1, { files: 1, bytes: 100, underWay: [{ length: 100, done }], served: 100 })
    const others = [card(2, { files: 1, bytes: 100 }), card(3, { files: 1, bytes: 100 })]
    look([busy(0), ...others])
    now = 2000
    const said = look([busy(20), ...others])
    expect(said.get(1)).toMatchObject({ starts: 0, before: 0 })
    expect(said.get(2)?.before).toBe(0)
    expect(said.get(3)?.before).toBe(1)
    expect(said.get(2)?.starts).toBeCloseTo(said.get(1)?.ends as number)
    // Ten bytes a second, 80 to be copied, and reading back.
    expect(said.get(1)?.ends).toBeGreaterThan(8)
    expect(said.get(1)?.ends).toBeLessThan(16)
  })

  it('counts the second copies, which are made one behind the other', () => {
    const files = { queued: { files: 1, work: 100 } }
    const course = courseOf(
      [
        { id: 1, ...plain, ...files, second: 50 },
        { id: 2, ...plain, ...files, second: 50 },
        { id: 3, ...plain, queued: { files: 0, work: 0 }, second: 200 },
      ],
      machine,
    )
    // The third is being copied once more from the start; the first comes to it at 10 s, when 100 of its bytes are left.
    expect(course.get(1)).toEqual({ starts: 0, ends: expect.closeTo(20) })
    expect(course.get(2)?.starts).toBeCloseTo(10)
    expect([...course.values()].every(({ ends }) => ends <= 31)).toBe(true)
    expect(Math.max(...[...course.values()].map(({ ends }) => ends))).toBeCloseTo(30)
  })

  it('never ends where there is no lane, rather than at once', () => {
    const course = courseOf([{ id: 1, ...plain, queued: { files: 1, work: 5 } }], { ...machine, lanes: 0 })
    expect(course.get(1)?.ends).toBe(Number.POSITIVE_INFINITY)
  })

  it('is reckoned for 256 cameras of a thousand files each in no time that a loop would notice', () => {
    const cards = Array.from({ length: 256 }, (_, id) => ({
      id,
      ...plain,
      pace: 1 + (id % 7),
      queued: { files: 1000, work: 1000 * (1 + (id % 5)) },
    }))
    const from = performance.now()
    courseOf(cards, { ...machine, lanes: 32 })
    const took = performance.now() - from
    console.info(`L3 a course of 256 cameras: ${took.toFixed(1)} ms`)
    expect(took).toBeLessThan(5000)
  })
})
