import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginningAt, beginningOf, frameAt, frameBeginning, type Frames, framesOf, middleOf } from './frames.ts'
import { marksIn, marksText, placeIn, placeText, toggled } from './marks.ts'
import { clockOf, clockOfPicture, momentAt } from './recorded.ts'
import { spread, ticksOf } from './ticks.ts'

const rates = fc.constantFrom(
  [25, 1],
  [30, 1],
  [30_000, 1001],
  [24_000, 1001],
  [60_000, 1001],
  [15, 1],
  [1, 2],
  [240, 1],
  [12_800, 427],
)
const frames = fc
  .record({ rate: rates, count: fc.integer({ min: 1, max: 400_000 }), origin: fc.constantFrom(0, 0.08, 0.5) })
  .map(
    ({ rate: [Numerator = 1, Denominator = 1], count, origin }): Frames => ({
      rate: { Numerator, Denominator },
      count,
      origin,
    }),
  )

describe('frames by number', () => {
  it('a position within a frame is that frame, at its beginning too, and after the address carried it', () => {
    fc.assert(
      fc.property(frames, fc.nat(), (of, any) => {
        const frame = any % of.count
        expect(frameAt(of, middleOf(of, frame))).toBe(frame)
        expect(frameAt(of, beginningOf(of, frame))).toBe(frame)
        expect(frameAt(of, Number(placeText(beginningOf(of, frame))))).toBe(frame)
        // Players tell microseconds.
        expect(frameBeginning(of, Math.floor(beginningOf(of, frame) * 1e6) / 1e6)).toBe(frame)
      }),
    )
  })

  it('nothing before the first or behind the last', () => {
    const of = framesOf({ Numerator: 30_000, Denominator: 1001 }, false, 100, 3.3) as Frames
    expect(frameAt(of, -5)).toBe(0)
    expect(frameAt(of, 500)).toBe(99)
    expect(middleOf(of, 1_000)).toBe(middleOf(of, 99))
  })

  it('frames that last differently long have no numbers', () => {
    expect(framesOf({ Numerator: 25, Denominator: 1 }, true, 100, 4)).toBeNull()
    expect(framesOf(null, false, 100, 4)).toBeNull()
    expect(framesOf({ Numerator: 25, Denominator: 1 }, false, null, 4)?.count).toBe(100)
  })

  it('a recording that begins late counts from its first frame; a long gap is none of its container', () => {
    const of = framesOf({ Numerator: 25, Denominator: 1 }, false, 100, 4) as Frames
    expect(frameBeginning(beginningAt(of, 0.08), 0.08)).toBe(0)
    expect(beginningAt(of, 7)).toBe(of)
  })
})

describe('the two clocks', () => {
  const start = '2026-11-20T02:39:55.0000000Z'

  it('corrected is camera and offset, never rounded on', () => {
    expect(momentAt({ start, offset: 'PT1M12S' }, 384.2409)).toEqual({
      recorded: '2026-11-20T02:46:19.240Z',
      corrected: '2026-11-20T02:47:31.240Z',
      offset: 72,
    })
    expect(momentAt({ start, offset: '-PT0.5S' }, 0).corrected).toBe('2026-11-20T02:39:54.500Z')
  })

  it('without a clock nothing is invented; without a comparison nothing is corrected', () => {
    expect(momentAt({ start: null, offset: null }, 5)).toEqual({ recorded: null, corrected: null, offset: null })
    expect(momentAt({ start, offset: null }, 0)).toMatchObject({ corrected: null, offset: null })
    expect(momentAt({ start, offset: 'soon' }, 0).corrected).toBeNull()
  })

  it('I12: what a person typed stays with what the camera recorded, and every file is put right by it', () => {
    const Clock = {
      CorrectedTimeUtc: '2026-11-20T03:00:00Z',
      DeviceTimeUtc: start,
      Offset: 'PT1205S',
      Source: 'person' as const,
      UncertaintySeconds: null,
      ZoneUnknown: false,
    }
    const camera = { StartTimeUtc: start, TimeOffset: 'PT5S' }
    expect(momentAt(clockOf({ Clock }, camera, true), 0)).toEqual({
      recorded: '2026-11-20T02:39:55.000Z',
      corrected: '2026-11-20T03:00:00.000Z',
      offset: 1205,
    })
    expect(clockOf({ Clock }, camera, false)).toMatchObject({ start, offset: 'PT1205S', source: 'person' })
    const measured = { ...Clock, Source: 'dock' as const, Offset: 'PT5S', UncertaintySeconds: 2.5 }
    expect(clockOf({ Clock: measured }, camera, false)).toMatchObject({ start, offset: 'PT5S', error: 2.5 })
    const unknown = { ...Clock, DeviceTimeUtc: null, Offset: null }
    expect(momentAt(clockOf({ Clock: unknown }, { StartTimeUtc: null }, true), 1)).toEqual({
      recorded: null,
      corrected: '2026-11-20T03:00:01.000Z',
      offset: null,
    })
    // Of several pictures each has the time that its own metadata says; none is given the evidence's.
    const picture = { StartTimeUtc: null, TimeOffset: null }
    const own = {
      ...unknown,
      DeviceTimeUtc: start,
      CorrectedTimeUtc: start,
      Source: 'container' as const,
      ZoneUnknown: true,
    }
    const among = clockOf({ Clock: unknown }, picture, false)
    expect(momentAt(clockOfPicture(among, own), 0).recorded).toBe('2026-11-20T02:39:55.000Z')
    expect(clockOfPicture(among, own)).toMatchObject({ zoneUnknown: true, source: 'container' })
    expect(clockOfPicture(among, null)).toBe(among)
    const given = clockOf({ Clock }, camera, false)
    expect(clockOfPicture(given, own)).toBe(given)
  })

  it('binary fractions lose no millisecond', () => {
    fc.assert(
      fc.property(fc.nat(86_400_000), (millis) => {
        const { recorded } = momentAt({ start, offset: null }, millis / 1000)
        expect(Date.parse(recorded ?? '')).toBe(Date.parse(start) + millis)
      }),
    )
  })
})

describe('marks in the address', () => {
  it('come back as they went in', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(9_000_000), { maxLength: 50 }), (micros) => {
        const marks = micros.map((at) => at / 1000).sort((a, b) => a - b)
        expect(marksIn(marksText(marks) ?? '')).toEqual(marks)
      }),
    )
  })

  it('anything else is none', () => {
    fc.assert(fc.property(fc.anything(), (any) => Array.isArray(marksIn(any))))
    for (const bad of ['', 'x', '-1', '1e9', '1.2.3', '<svg>']) expect(marksIn(bad)).toEqual([])
    expect(placeIn('')).toBeNull()
    expect(placeIn('-1')).toBeNull()
    expect(placeIn('12.5')).toBe(12.5)
  })

  it('a second press takes it away', () => {
    const one = toggled([], 1.001, 0.005)
    expect(one).toEqual([1.001])
    expect(toggled(one, 1.0012, 0.005)).toEqual([])
    expect(toggled(one, 1.04, 0.005)).toHaveLength(2)
  })
})

describe('the axis', () => {
  it('is labelled at its ends and at round times of the clock between them', () => {
    const ticks = ticksOf(1120, { start: '2026-11-20T02:41:07Z', offset: null }, 8)
    expect(ticks[0]?.seconds).toBe(0)
    expect(ticks.at(-1)?.seconds).toBe(1120)
    const between = ticks.slice(1, -1)
    expect(between.length).toBeGreaterThan(2)
    for (const { seconds, whole } of between) {
      expect((Date.parse('2026-11-20T02:41:07Z') / 1000 + seconds) % 60).toBe(0)
      expect(whole).toBe(true)
    }
    expect(ticksOf(0, { start: null, offset: null }, 8)).toEqual([])
  })
})

describe('flags over the film', () => {
  it('none lies over another as long as there is room, and each stays near its place', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 800, noNaN: true }), { maxLength: 20 }), (any) => {
        const places = any.sort((a, b) => a - b)
        const widths = places.map(() => 36)
        const left = spread(places, widths, 800)
        left.forEach((edge, index) => {
          expect(edge).toBeGreaterThanOrEqual(0)
          expect(edge + 36).toBeLessThanOrEqual(800 + 1e-6)
          if (index > 0) expect(edge).toBeGreaterThanOrEqual((left[index - 1] ?? 0) + 36 - 1e-6)
        })
        if (places.length === 1) expect(Math.abs((left[0] ?? 0) + 18 - (places[0] ?? 0))).toBeLessThanOrEqual(18)
      }),
    )
  })
})
