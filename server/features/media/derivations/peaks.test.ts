import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { peakMeter } from './peaks.ts'

const bytesOf = (samples: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(samples.length * 2)
  samples.forEach((value, at) => bytes.writeInt16LE(value, at * 2))
  return bytes
}
const scaled = (peak: number) => Math.round((Math.min(peak, 32_767) / 32_767) * 255)

describe('peaks', () => {
  test('are the largest deflection of each stretch, however the samples are cut and however often neighbours are joined', () => {
    const sample = fc.integer({ min: -32_768, max: 32_767 })
    fc.assert(
      fc.property(
        fc.array(sample, { minLength: 1, maxLength: 400 }),
        fc.array(fc.nat(800), { maxLength: 8 }),
        fc.integer({ min: 2, max: 9 }),
        fc.constantFrom(1, 2),
        (samples, cuts, most, channels) => {
          // 100 samples a second: two of each channel make the finest stretch.
          const meter = peakMeter(100, channels, most)
          const bytes = bytesOf(samples)
          const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
          places.slice(1).forEach((place, at) => meter.take(bytes.subarray(places[at], place)))
          const { peaksPerSecond, peaks } = meter.done()
          const stretch = (100 * channels) / peaksPerSecond
          const expected: number[] = []
          for (let at = 0; at < samples.length; at += stretch)
            expected.push(scaled(Math.max(...samples.slice(at, at + stretch).map(Math.abs))))
          expect(peaks).toEqual(expected)
          expect(peaks.length).toBeLessThanOrEqual(most + 1)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('an hour fits, with at least half of what is allowed', () => {
    const meter = peakMeter(16_000, 1, 20_000)
    const second = bytesOf(Array.from({ length: 16_000 }, (_, at) => (at % 200 < 100 ? 16_384 : -16_384)))
    for (let at = 0; at < 3600; at += 1) meter.take(second)
    const { peaksPerSecond, peaks } = meter.done()
    expect(peaks.length).toBeGreaterThan(10_000)
    expect(peaks.length).toBeLessThanOrEqual(20_000)
    expect(peaks.length / peaksPerSecond).toBeCloseTo(3600, 0)
    expect(new Set(peaks)).toEqual(new Set([128]))
  })

  test('silence and nothing', () => {
    expect(peakMeter(100, 1, 10).done().peaks).toEqual([])
    const meter = peakMeter(100, 1, 10)
    meter.take(Buffer.alloc(3))
    expect(meter.done().peaks).toEqual([0])
  })
})
