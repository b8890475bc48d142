import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { position } from '../../../../ui/format/format.ts'
import { positionIn } from './positions.ts'

describe('a position that is typed', () => {
  it.each([
    ['83', 83],
    ['1:23', 83],
    ['00:01:23.5', 83.5],
    ['1:23,25', 83.25],
    [' 0:07 ', 7],
    ['90:00', 5400],
    ['2:00:00', 7200],
    ['0', 0],
  ])('%s is %d seconds', (text, seconds) => expect(positionIn(text)).toBe(seconds))

  it.each(['', '1:75', '1:60:00', 'noon', '-3', '1:2:3:4', ':30', '1:', '1.2.3', '1e3', '99999999'])(
    '“%s” is none',
    (text) => expect(positionIn(text)).toBeNull(),
  )

  it('what the player shows can be typed again', () => {
    fc.assert(
      fc.property(fc.nat(400_000_000), (millis) => {
        expect(positionIn(position(millis / 1000))).toBeCloseTo(millis / 1000, 6)
      }),
    )
  })
})
