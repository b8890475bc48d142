import { expect, it } from 'vitest'
import { NOISE, shareThatDiffers } from './difference.ts'

const pixels = (...values: readonly number[]): Uint8ClampedArray =>
  Uint8ClampedArray.from(values.flatMap((value) => [10, value, 10, 255]))

it('counts pixels of which a colour differs by more than the noise of coding', () => {
  expect(shareThatDiffers(pixels(10, 20, 30, 40), pixels(10, 20, 30, 40))).toBe(0)
  expect(shareThatDiffers(pixels(10, 20, 30, 40), pixels(10 + NOISE, 20 + NOISE + 1, 30, 0))).toBe(0.5)
  expect(shareThatDiffers(pixels(), pixels())).toBe(0)
})
