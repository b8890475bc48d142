import { describe, expect, it } from 'vitest'
import { metresBetween } from '../../../shared/kernel/distance.ts'
import { shapesOf } from '../../../shared/kernel/wkt-shapes.ts'
import { boxAround, isIn, isNear, linesApart, MOST_MEASURED } from './search.near.ts'

const circle = (latitude: number, longitude: number, metres: number) => ({ latitude, longitude, metres })
const near = (wkt: string, ...where: [number, number, number]): boolean => isNear(shapesOf(wkt) ?? [], circle(...where))

describe('the box around a circle', () => {
  it('holds all of it, and not much more', () => {
    for (const [latitude, longitude, metres] of [
      [0, 0, 1_000],
      [52.52, 13.4, 100_000],
      [-70, 179.99, 50_000],
      [85, -179, 10],
    ] as const) {
      const [west, south, east, north] = boxAround(circle(latitude, longitude, metres))
      const edge = (place: { latitude: number; longitude: number }) =>
        metresBetween({ latitude, longitude }, place) / metres
      for (const part of [
        edge({ latitude: south, longitude }),
        edge({ latitude: north, longitude }),
        edge({ latitude, longitude: west }),
        edge({ latitude, longitude: east }),
      ]) {
        expect(part).toBeGreaterThanOrEqual(1)
        expect(part).toBeLessThan(1.1)
      }
    }
  })

  it('has all longitudes about a pole, and crosses the antimeridian', () => {
    expect(boxAround(circle(89.5, 10, 100_000)).filter((_, at) => at % 2 === 0)).toEqual([-180, 180])
    const [west, , east] = boxAround(circle(0, 179.999, 1_000))
    expect([west > 179, east < -179]).toEqual([true, true])
  })
})

describe('what is near', () => {
  it('a line by its nearest part, not by its points', () => {
    expect(near('LINESTRING (13.3 52.52, 13.5 52.52)', 52.521, 13.4, 112)).toBe(true)
    expect(near('LINESTRING (13.3 52.52, 13.5 52.52)', 52.521, 13.4, 110)).toBe(false)
    expect(near('LINESTRING (13.3 52.52, 13.3 52.52)', 52.52, 13.3, 10)).toBe(true)
    expect(near('MULTIPOINT (13.3 52.52, 13.5 52.52)', 52.52, 13.4, 1_000)).toBe(false)
  })

  it('an area that holds the place, but not one whose hole does', () => {
    const outer = '(0 0, 10 0, 10 10, 0 10, 0 0)'
    expect(near(`POLYGON (${outer})`, 5, 5, 10)).toBe(true)
    expect(near(`POLYGON (${outer}, (4 4, 6 4, 6 6, 4 6, 4 4))`, 5, 5, 10)).toBe(false)
    expect(near(`POLYGON (${outer})`, 5, 11, 100_000)).toBe(false)
  })

  it('over the antimeridian', () => {
    expect(near('LINESTRING (179.9 0, -179.9 0)', 0, 180, 10)).toBe(true)
    expect(near('LINESTRING (179.9 0, -179.9 0)', 0, 0, 100_000)).toBe(false)
  })
})

describe('what is in a part of the map', () => {
  const within = (wkt: string, ...box: [number, number, number, number]): boolean => isIn(shapesOf(wkt) ?? [], box)

  it('a line that passes through it, not one that goes round it', () => {
    expect(within('LINESTRING (0 5, 10 5)', 4, 4, 6, 6)).toBe(true)
    expect(within('LINESTRING (0 0, 0 10, 10 10)', 4, 4, 6, 6)).toBe(false)
    expect(within('MULTIPOINT (0 0, 10 10)', 4, 4, 6, 6)).toBe(false)
    expect(within('MULTIPOINT (0 0, 6 6)', 4, 4, 6, 6)).toBe(true)
  })

  it('an area that lies about it, but not one whose hole does', () => {
    const outer = '(0 0, 10 0, 10 10, 0 10, 0 0)'
    expect(within(`POLYGON (${outer})`, 4, 4, 6, 6)).toBe(true)
    expect(within(`POLYGON (${outer}, (3 3, 7 3, 7 7, 3 7, 3 3))`, 4, 4, 6, 6)).toBe(false)
    expect(within(`POLYGON (${outer})`, 9, 9, 12, 12)).toBe(true)
    expect(within(`POLYGON (${outer})`, 11, 11, 12, 12)).toBe(false)
  })

  it('across the antimeridian', () => {
    expect(within('LINESTRING (179 0, -179 0)', 179.5, -1, -179.5, 1)).toBe(true)
    expect(within('LINESTRING (179 0, -179 0)', -1, -1, 1, 1)).toBe(false)
    expect(within('LINESTRING (-179.6 0, -179 0)', 179.5, -1, -179.5, 1)).toBe(true)
    expect(within('LINESTRING (-179.4 0, -179 0)', 179.5, -1, -179.5, 1)).toBe(false)
  })
})

describe('lines that are measured', () => {
  const [here, away] = ['LINESTRING (0 0, 1 0)', 'LINESTRING (0 1, 1 1)']
  const isHere = (shapes: Parameters<typeof isNear>[0]) => isNear(shapes, circle(0, 0.5, 10))
  const idsOf = (count: number): number[] => Array.from({ length: count }, (_, at) => count - at)
  const read = async (ids: readonly number[]) => {
    expect(ids.length).toBeLessThanOrEqual(50)
    return ids.map((id) => ({ search_id: id, wkt: id === 7 ? null : id % 2 === 0 ? here : away }))
  }

  it('are all of them, in parts, and those that are elsewhere are named', async () => {
    const { apart, isRough } = await linesApart(idsOf(120), isHere, read)
    expect([apart.length, apart.every((id) => id % 2 === 1), isRough]).toEqual([60, true, false])
  })

  it('are the newest up to a number, and it is said whether there are more', async () => {
    const some = await linesApart(idsOf(MOST_MEASURED + 1), isHere, read)
    expect([some.apart.length, Math.min(...some.apart), some.isRough]).toEqual([MOST_MEASURED / 2, 3, true])
    expect((await linesApart(idsOf(MOST_MEASURED), isHere, read)).isRough).toBe(false)
  })
})
