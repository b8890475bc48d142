import { describe, expect, it } from 'vitest'
import { isWgs84Wkt, pointWkt } from './wkt.ts'

describe('well-known text', () => {
  it.each([
    'POINT (2.35 48.85)',
    'point(2.35 48.85)',
    'POINT EMPTY',
    'LINESTRING (0 0, 1 1, 2 -2)',
    'POLYGON ((0 0, 1 0, 1 1, 0 0), (0.1 0.1, 0.2 0.1, 0.2 0.2, 0.1 0.1))',
    'MULTIPOINT (1 1, 2 2)',
    'MULTIPOINT ((1 1), (2 2))',
    'MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)))',
    'GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (0 0, 1 1))',
    'POINT (1.5e1 -.5)',
    pointWkt(-0.1276, 51.5072),
  ])('takes %s', (text) => expect(isWgs84Wkt(text)).toBe(true))

  it.each([
    '',
    'POINT',
    'POINT (1)',
    'POINT (1 2 3)',
    'POINT (181 0)',
    'POINT (0 91)',
    'POINT (a b)',
    'POINT (1 2',
    'POINT (1 2) x',
    'CIRCLE (1 2)',
    'toString (1 2)',
    'POLYGON (0 0, 1 1)',
    'POINT (NaN 1)',
    'POINT (1, 2)',
  ])('refuses %s', (text) => expect(isWgs84Wkt(text)).toBe(false))

  it('stays linear on what is made to be slow', () => {
    expect(isWgs84Wkt(`POLYGON ${'('.repeat(60_000)}`)).toBe(false)
  })
})
