import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { goneBy, keptSnapshots, snapshotName, snapshotTime } from './kept-snapshots.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.parse('2026-11-21T12:00:00Z')

describe('which snapshots are kept', () => {
  it('of two years of days: 7 days, 4 weeks, 12 months, each the newest of its own', () => {
    const kept = [...keptSnapshots(Array.from({ length: 730 }, (_, day) => NOW - day * DAY))]
    const days = kept
      .map((at) => new Date(at).toISOString().slice(0, 10))
      .sort()
      .reverse()
    expect(days.slice(0, 7)).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((day) => new Date(NOW - day * DAY).toISOString().slice(0, 10)),
    )
    // Sundays, then the last days of months.
    expect(days.slice(7, 9)).toEqual(['2026-11-08', '2026-11-01'])
    expect(days.slice(9)).toEqual([
      '2026-10-31',
      '2026-09-30',
      '2026-08-31',
      '2026-07-31',
      '2026-06-30',
      '2026-05-31',
      '2026-04-30',
      '2026-03-31',
      '2026-02-28',
      '2026-01-31',
      '2025-12-31',
    ])
  })

  it('whatever the times: the newest stays, at most 23 stay, and what was let go stays gone', () => {
    const times = fc.uniqueArray(
      fc.integer({ min: 0, max: 800 * 24 }).map((hours) => NOW - hours * HOUR),
      { minLength: 1, maxLength: 200 },
    )
    fc.assert(
      fc.property(times, (all) => {
        const kept = keptSnapshots(all)
        expect(kept.has(Math.max(...all))).toBe(true)
        expect(kept.size).toBeLessThanOrEqual(23)
        expect([...keptSnapshots([...kept])].sort()).toEqual([...kept].sort())
      }),
    )
  })

  it('names are times and nothing else is a name', () => {
    expect(snapshotName(NOW + 7)).toBe('20261121T120000007Z')
    expect(snapshotTime('20261121T120000007Z')).toBe(NOW + 7)
    for (const name of ['', '.making-x', '20261321T120000007Z', '20260231T120000007Z', '../x', '20261121T120000007Z/'])
      expect([name, snapshotTime(name)]).toEqual([name, null])
  })
})

describe('by when what a snapshot holds is gone', () => {
  /** As they are made: one every so many hours from `from` until `to`, the rule applied after each. */
  const left = (from: number, to: number, everyHours: number): number[] => {
    let kept: number[] = []
    for (let at = from; at <= to; at += everyHours * HOUR) kept = [...keptSnapshots([...kept, at])]
    return kept
  }

  it('the newest of a month goes with the first of the twelfth month after it', () => {
    const destroyed = Date.parse('2026-11-30T22:00:00Z')
    expect(new Date(goneBy(destroyed, 24)).toISOString()).toBe('2027-11-02T00:00:00.000Z')
    const before = left(destroyed, Date.parse('2027-10-31T23:00:00Z'), 24)
    const after = left(destroyed, goneBy(destroyed, 24), 24)
    expect([Math.min(...before) === destroyed, Math.min(...after) > destroyed]).toEqual([true, true])
  })

  it('whatever the day and the interval, none that was made until then is left', () => {
    const drawn = [fc.integer({ min: 0, max: 365 * 24 }), fc.integer({ min: 1, max: 168 })] as const
    fc.assert(
      fc.property(...drawn, (hours, every) => {
        const destroyed = NOW + hours * HOUR
        const kept = left(destroyed - 40 * DAY, goneBy(destroyed, every), every)
        return kept.every((at) => at > destroyed)
      }),
      { numRuns: 40 },
    )
  })
})
