import fc from 'fast-check'
import { expect, it } from 'vitest'
import { corrected, RIGHT, secondsOf } from './offset.ts'

const AT = '2026-11-21T22:47:00Z'

it('a clock that was fast showed too much, one that was slow too little', () => {
  expect(corrected(AT, { was: 'fast', minutes: 4, seconds: 0 })).toBe('2026-11-21T22:43:00Z')
  expect(corrected(AT, { was: 'slow', minutes: 1, seconds: 12 })).toBe('2026-11-21T22:48:12Z')
  expect(corrected(AT, { ...RIGHT, minutes: 4 })).toBe(AT)
})

it('goes over midnight, and keeps parts of a second', () => {
  expect(corrected('2026-11-22T00:01:00Z', { was: 'fast', minutes: 4, seconds: 0 })).toBe('2026-11-21T23:57:00Z')
  expect(corrected('2026-11-21T22:47:00.500Z', { was: 'slow', minutes: 0, seconds: 1 })).toBe(
    '2026-11-21T22:47:01.500Z',
  )
})

it('an empty field is nothing, and never a wrong time', () => {
  expect(secondsOf({ was: 'fast', minutes: Number.NaN, seconds: 30 })).toBe(30)
  const anything = fc.record({
    was: fc.constantFrom('right' as const, 'fast' as const, 'slow' as const),
    minutes: fc.oneof(fc.integer({ min: -10, max: 100_000 }), fc.constant(Number.NaN)),
    seconds: fc.oneof(fc.integer({ min: -10, max: 100 }), fc.constant(Number.NaN)),
  })
  fc.assert(
    fc.property(anything, (offset) => {
      const apart = Math.abs(Date.parse(corrected(AT, offset)) - Date.parse(AT))
      expect(apart).toBe(secondsOf(offset) * 1000)
    }),
  )
})
