import { describe, expect, it } from 'vitest'
import { boundsOf, isWgs84Wkt, pointWkt } from './wkt.ts'

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

describe('the box around a geometry', () => {
  it.each([
    ['POINT (16.3 48.2)', { west: 16.3, south: 48.2, east: 16.3, north: 48.2 }],
    ['linestring(-1 2,3 -4.5)', { west: -1, south: -4.5, east: 3, north: 2 }],
    ['POLYGON ((1e1 -2, 20 +3, 15 .5, 1e1 -2))', { west: 10, south: -2, east: 20, north: 3 }],
    ['GEOMETRYCOLLECTION (POINT (1 2), MULTIPOINT (3 4, (5 6)))', { west: 1, south: 2, east: 5, north: 6 }],
    ['POINT EMPTY', null],
    ['POINT (200 0)', null],
    ['nonsense 1 2', null],
  ])('%s', (wkt, bounds) => {
    expect(boundsOf(wkt)).toEqual(bounds)
  })
})
