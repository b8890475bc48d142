import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWgs84Wkt } from '../../../../../shared/kernel/wkt.ts'
import { shapesOf } from '../../../../../shared/kernel/wkt-shapes.ts'
import { extentOf, placeWords } from './geometry.ts'

const longitude = fc.double({ min: -180, max: 180, noNaN: true })
const latitude = fc.double({ min: -90, max: 90, noNaN: true })
const position = fc.tuple(longitude, latitude).map(([x, y]) => `${x} ${y}`)
const line = fc.array(position, { minLength: 1, maxLength: 6 }).map((all) => `(${all.join(', ')})`)
const lines = fc.array(line, { minLength: 1, maxLength: 3 }).map((all) => `(${all.join(',')})`)
const single = fc.oneof(
  position.map((at) => `POINT (${at})`),
  line.map((all) => `LINESTRING${all}`),
  line.map((all) => `MULTIPOINT ${all}`),
  fc.array(position, { minLength: 1 }).map((all) => `MULTIPOINT (${all.map((at) => `(${at})`).join(', ')})`),
  lines.map((all) => `POLYGON ${all}`),
  lines.map((all) => `multilinestring ${all}`),
  fc.array(lines, { minLength: 1, maxLength: 3 }).map((all) => `MULTIPOLYGON (${all.join(', ')})`),
  fc.constantFrom('POINT EMPTY', 'POLYGON EMPTY'),
)
const wkt = fc.oneof(
  single,
  fc.array(single, { minLength: 1, maxLength: 4 }).map((all) => `GEOMETRYCOLLECTION (${all.join(', ')})`),
)

describe('well-known text as a map draws it', () => {
  it('reads everything that the station takes', () => {
    fc.assert(
      fc.property(wkt, (text) => {
        expect(isWgs84Wkt(text), text).toBe(true)
        expect(shapesOf(text), text).not.toBeNull()
      }),
    )
  })

  it('reads nothing that the station would refuse, and ends', () => {
    for (const bad of [
      '',
      'POINT',
      'POINT (1)',
      'POINT (181 0)',
      'POINT (1 2) x',
      'POINT (1 2',
      'CIRCLE (1 2)',
      'POINT (1,2)',
    ])
      expect(shapesOf(bad), bad).toBeNull()
    expect(shapesOf('('.repeat(100_000))).toBeNull()
    expect(shapesOf('GEOMETRYCOLLECTION ('.repeat(10_000))).toBeNull()
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (shapesOf(text) !== null) expect(isWgs84Wkt(text)).toBe(true)
      }),
    )
  })

  it('longitude comes first', () => {
    const shapes = shapesOf('LINESTRING (4.8936 52.3728, 4.9 52.4)') ?? []
    expect(extentOf(shapes)).toEqual({ south: 52.3728, west: 4.8936, north: 52.4, east: 4.9 })
    expect(extentOf([])).toBeNull()
  })

  it('words say the hemisphere', () => {
    const number = (value: number, digits: number): string => value.toFixed(digits)
    expect(placeWords({ latitude: 52.3728, longitude: 4.8936 }, number)).toBe('52.37280° N, 4.89360° E')
    expect(placeWords({ latitude: -33.9, longitude: -0.5 }, number)).toBe('33.90000° S, 0.50000° W')
  })
})
