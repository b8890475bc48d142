import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shapesOf } from '../kernel/wkt-shapes.ts'
import {
  type Box,
  boundsOfCell,
  countCells,
  FINEST_CELLS,
  levelFor,
  mayBeCounted,
  MOST_CELLS,
  tilesAbout,
} from './cells.ts'

const counted = (area: Box, level: number, ...wkts: string[]): Record<string, number> => {
  const cells = countCells(area, level)
  for (const wkt of wkts) cells.shapes(shapesOf(wkt) ?? [])
  return Object.fromEntries(cells.cells().map(({ x, y, count }) => [`${x}/${y}`, count]))
}
const WHOLE: Box = [-180, -90, 180, 90]

describe('cells', () => {
  it('are the tiles of web maps', () => {
    const [west, south, east, north] = boundsOfCell(8801, 5373, 14)
    expect([west < 13.4, 13.4 < east, south < 52.52, 52.52 < north]).toEqual([true, true, true, true])
    expect(counted([13, 52, 14, 53], 14, 'POINT (13.4 52.52)')).toEqual({ '8801/5373': 1 })
  })

  it('a position lies in the cell whose bounds it has, wherever it is', () => {
    const position = fc.tuple(
      fc.double({ min: -180, max: 179.999, noNaN: true }),
      fc.double({ min: -85, max: 85, noNaN: true }),
    )
    fc.assert(
      fc.property(position, fc.integer({ min: 0, max: 6 }), ([longitude, latitude], level) => {
        const cells = countCells(WHOLE, level)
        cells.position({ latitude, longitude })
        const [{ x, y, count } = { x: -1, y: -1, count: 0 }] = cells.cells()
        const [west, south, east, north] = boundsOfCell(x, y, level)
        expect([
          count,
          west <= longitude + 1e-9,
          longitude <= east,
          south <= latitude + 1e-9,
          latitude <= north + 1e-9,
        ]).toEqual([1, true, true, true, true])
      }),
    )
  })

  it('a line is in each cell that it passes, once, however often it comes back', () => {
    expect(counted(WHOLE, 2, 'LINESTRING (-170 10, 170.5 10)')).toEqual({ '0/1': 1, '3/1': 1 })
    expect(counted(WHOLE, 2, 'LINESTRING (-100 10, 0 10, 100 10, -1 10)')).toEqual({
      '0/1': 1,
      '1/1': 1,
      '2/1': 1,
      '3/1': 1,
    })
    expect(counted(WHOLE, 2, 'LINESTRING (10 10, 10 -10)', 'MULTIPOINT (10 10, 11 11)')).toEqual({ '2/1': 2, '2/2': 1 })
  })

  it('an area on the map is nobody’s way', () => {
    expect(counted(WHOLE, 2, 'POLYGON ((0 0, 10 0, 10 10, 0 0))')).toEqual({})
  })

  it('an area may cross the antimeridian', () => {
    const across: Box = [170, -10, -170, 10]
    expect(counted(across, 4, 'POINT (175 5)', 'POINT (-175 5)', 'POINT (0 5)')).toEqual({ '15/7': 1, '0/7': 1 })
    expect(counted(across, 4, 'LINESTRING (175 5, -175 5)')).toEqual({ '15/7': 1, '0/7': 1 })
  })

  it('a map asks for whole tiles: a small move asks for the same, and a large one is answered too', () => {
    const one = tilesAbout([13.38, 52.51, 13.42, 52.53], 14)
    expect(tilesAbout([13.381, 52.511, 13.421, 52.531], 14)).toEqual(one)
    expect([one.level, mayBeCounted(one.area, one.level)]).toEqual([17, true])
    const [west, south, east, north] = one.area
    expect([west <= 13.38, south <= 52.51, east >= 13.42, north >= 52.53]).toEqual([true, true, true, true])
    expect(counted(one.area, 14, 'POINT (13.4 52.52)')).toEqual({ '8801/5373': 1 })
    for (const zoom of [0, 1, 3, 7, 12, 19, 22]) {
      for (const shown of [
        [-180, -85, 180, 85],
        [170, -10, -170, 10],
        [13, 52, 13.0001, 52.0001],
      ] as const) {
        if (zoom > 7 && shown[2] - shown[0] > 1) continue
        const { area, level } = tilesAbout(shown, zoom)
        expect([mayBeCounted(area, level), level <= FINEST_CELLS]).toEqual([true, true])
        expect(area.every((one) => Number.isFinite(one))).toBe(true)
      }
    }
  })

  it('are limited, and a level that fits is never refused', () => {
    expect(mayBeCounted(WHOLE, 6)).toBe(true)
    expect(mayBeCounted(WHOLE, 7)).toBe(false)
    const box = fc
      .tuple(
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -90, max: 90, noNaN: true }),
      )
      .map(([west, east, one, other]): Box => [west, Math.min(one, other), east, Math.max(one, other)])
    fc.assert(
      fc.property(box, (area) => {
        const level = levelFor(area)
        expect(mayBeCounted(area, level)).toBe(true)
        expect(level).toBeLessThanOrEqual(FINEST_CELLS)
        expect(countCells(area, level).cells().length).toBeLessThanOrEqual(MOST_CELLS)
      }),
    )
  })
})
