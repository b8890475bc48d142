import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commonTo, holds, joined, mostAtOnce, overlap, type Period, without } from './periods.ts'

const END = 12
const period = fc
  .record({ from: fc.nat({ max: END }), length: fc.option(fc.nat({ max: END }), { nil: null }) })
  .map(({ from, length }): Period => ({ from: BigInt(from), to: length === null ? null : BigInt(from + length) }))
const periods = fc.array(period, { maxLength: 5 })
/** What a set of periods says, moment by moment; the last moment stands for all after it. */
const moments = Array.from({ length: 2 * END + 3 }, (_one, at) => BigInt(at))
const told = (these: readonly Period[]): boolean[] => moments.map((at) => these.some((one) => holds(one, at)))
const isTidy = (these: readonly Period[]): boolean =>
  these.every(({ from, to }, at) => (to === null || from < to) && (at === 0 || (these[at - 1]?.to ?? from) < from))

describe('periods', () => {
  it('joined, common and without say at every moment what they should', () => {
    fc.assert(
      fc.property(periods, periods, (these, those) => {
        const [one, other] = [told(these), told(those)]
        expect(told(joined(these))).toEqual(one)
        expect(told(commonTo(these, those))).toEqual(one.map((held, at) => held && other[at]))
        expect(told(without(these, those))).toEqual(one.map((held, at) => held && !other[at]))
        for (const made of [joined(these), commonTo(these, those), without(these, those)])
          expect(isTidy(made)).toBe(true)
      }),
    )
  })

  it('two overlap when they share a moment; the end is outside', () => {
    const upTo = { from: 1n, to: 5n }
    expect(overlap(upTo, { from: 5n, to: null })).toBe(false)
    expect(overlap(upTo, { from: 4n, to: null })).toBe(true)
    expect([holds(upTo, 1n), holds(upTo, 5n)]).toEqual([true, false])
  })

  it('counts the most there are at one moment inside', () => {
    fc.assert(
      fc.property(
        period.filter(({ from, to }) => to === null || to > from),
        periods,
        (within, others) => {
          const counts = moments
            .filter((at) => holds(within, at))
            .map((at) => others.filter((one) => holds(one, at)).length)
          expect(mostAtOnce(within, others)).toBe(Math.max(0, ...counts))
        },
      ),
    )
  })
})
