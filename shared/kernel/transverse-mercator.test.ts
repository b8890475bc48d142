import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transverseMercator } from './transverse-mercator.ts'

/** Distance on the ellipsoid by the formula of Lambert, good to some metres in 100 km: independent of the projection. */
function ellipsoidMetres(one: readonly [number, number], other: readonly [number, number]): number {
  const [a, f] = [6_378_137, 1 / 298.257223563]
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const reduced = (latitude: number): number => Math.atan((1 - f) * Math.tan(radians(latitude)))
  const [b1, b2] = [reduced(one[0]), reduced(other[0])]
  const half =
    Math.sin((b2 - b1) / 2) ** 2 + Math.cos(b1) * Math.cos(b2) * Math.sin(radians(other[1] - one[1]) / 2) ** 2
  const sigma = 2 * Math.asin(Math.sqrt(half))
  const [p, q] = [(b1 + b2) / 2, (b2 - b1) / 2]
  const x = (sigma - Math.sin(sigma)) * ((Math.sin(p) * Math.cos(q)) / Math.cos(sigma / 2)) ** 2
  const y = (sigma + Math.sin(sigma)) * ((Math.cos(p) * Math.sin(q)) / Math.sin(sigma / 2)) ** 2
  return a * (sigma - (f / 2) * (x + y))
}

describe('the local plane of a map', () => {
  it('distances from its origin and between places are true to 0.1 % within 50 km', () => {
    const latitude = fc.double({ min: -80, max: 80, noNaN: true })
    const metre = fc.double({ min: -35_000, max: 35_000, noNaN: true })
    fc.assert(
      fc.property(
        latitude,
        fc.double({ min: -180, max: 180, noNaN: true }),
        metre,
        metre,
        metre,
        metre,
        (lat, lon, ...m) => {
          const plane = transverseMercator({ latitude: lat, longitude: lon })
          const [one, other] = [
            { east: m[0], north: m[1] },
            { east: m[2], north: m[3] },
          ]
          const there = (at: typeof one): [number, number] => {
            const place = plane.inverse(at)
            return [place.latitude, place.longitude]
          }
          const metres = Math.hypot(one.east - other.east, one.north - other.north)
          if (metres < 100) return
          expect(Math.abs(ellipsoidMetres(there(one), there(other)) / metres - 1)).toBeLessThan(0.001)
        },
      ),
    )
  })

  it('there and back is the same place', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -80, max: 80, noNaN: true }),
        fc.double({ min: -2, max: 2, noNaN: true }),
        (latitude, away) => {
          const plane = transverseMercator({ latitude, longitude: 179.5 })
          const place = { latitude: latitude + away / 2, longitude: 179.5 + away }
          const back = plane.inverse(plane.forward(place))
          expect(back.latitude).toBeCloseTo(place.latitude, 7)
          expect(((back.longitude - place.longitude + 540) % 360) - 180).toBeCloseTo(0, 7)
        },
      ),
    )
  })

  it('agrees with a position of UTM that others computed', () => {
    // The CN Tower: 43°38′33.24″ N, 79°23′13.7″ W is 17T 630084 4833439 (worked example of NGA).
    const plane = transverseMercator({ latitude: 0, longitude: -81 }, 0.9996)
    const { east, north } = plane.forward({ latitude: 43.642567, longitude: -79.387139 })
    expect(east + 500_000).toBeCloseTo(630_084, -1)
    expect(north).toBeCloseTo(4_833_439, -1)
  })
})
