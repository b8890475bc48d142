/** Addresses that somebody typed: what makes no sense is as if it were not there, and what is as usual does not stand in them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressState, flag, id, list, oneOf, or, text, whole } from './address-state.ts'

const state = addressState({
  q: or(text(8), ''),
  open: text(4, /^[a-z]+$/),
  case: id,
  sort: or(oneOf(['name', 'time']), 'time'),
  bin: or(flag, false),
  days: whole(1, 366),
  tags: or(list(text(3), 2), [] as string[]),
})
const USUAL = { q: '', sort: 'time', bin: false, tags: [] }

describe('what an address says', () => {
  it.each([
    [{}, {}],
    [{ q: 'door', sort: 'name', bin: true, days: 7, tags: ['a', 'b'], open: 'abc', case: '12' }, 'as given'],
    [
      { q: 417, case: 12, days: '30', bin: 'true' },
      { q: '417', case: '12', days: 30, bin: true },
    ],
    [{ q: 'longer than eight', open: 'ABC', case: 'x', sort: 'colour', bin: 'yes', days: 0, tags: 'a' }, {}],
    [{ days: 1.5, tags: ['a', 'long'], open: ['abc'], q: {}, case: '12345678901234567890' }, {}],
    [{ days: '', tags: ['a', 'b', 'c'], q: null, unknown: 'x' }, {}],
  ])('%j', (given, said) => {
    expect(state.read(given)).toEqual({ ...USUAL, ...(said === 'as given' ? given : (said as object)) })
  })

  it('comes back from what was left of it', () => {
    fc.assert(
      fc.property(
        fc.record({
          q: fc.anything(),
          open: fc.anything(),
          case: fc.oneof(fc.nat(), fc.string()),
          sort: fc.constantFrom('name', 'time', 'x', 3),
          bin: fc.anything(),
          days: fc.oneof(fc.integer(), fc.string()),
          tags: fc.oneof(fc.array(fc.string({ maxLength: 4 }), { maxLength: 3 }), fc.anything()),
        }),
        (given) => {
          const read = state.read(given)
          const left = state.withoutUsual(read)
          expect(state.read(left)).toEqual(read)
          expect(Object.entries(left).filter(([, value]) => value === '' || value === undefined)).toEqual([])
        },
      ),
    )
  })
})
