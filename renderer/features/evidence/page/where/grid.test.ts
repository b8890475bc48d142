import { describe, expect, it } from 'vitest'
import { metresBetween } from '../../../../../shared/kernel/distance.ts'
import { arrowsAlong, gridOf, lengthOf, ringAround, roundBelow, roundStep, type View } from './grid.ts'

const around = (latitude: number, longitude: number, half: number): View => ({
  corners: [
    { latitude: latitude + half, longitude: longitude - half },
    { latitude: latitude + half, longitude: longitude + half },
    { latitude: latitude - half, longitude: longitude + half },
    { latitude: latitude - half, longitude: longitude - half },
  ],
  center: { latitude, longitude },
  width: 800,
})

describe('the grid in metres', () => {
  it('has lines each 10, 20, 50, … metres, as far apart as fits', () => {
    expect([1, 10, 11, 21, 60, 120, 900, 4_001].map(roundStep)).toEqual([10, 10, 20, 50, 100, 200, 1_000, 5_000])
    expect([9, 10, 49, 50, 999].map(roundBelow)).toEqual([null, 10, 20, 50, 500])
    for (const half of [0.0005, 0.002, 0.05, 0.4]) {
      const grid = gridOf(around(52, 5, half), { latitude: 52, longitude: 5 })
      expect(grid?.fromOrigin).toBe(true)
      expect(grid?.norths.length).toBeGreaterThan(3)
      expect(grid?.norths.length).toBeLessThan(16)
    }
  })

  it('lines are as far apart on the ground as they say, to 0.5 %', () => {
    for (const latitude of [0, 35, 52, 68]) {
      const grid = gridOf(around(latitude, 5, 0.3), { latitude, longitude: 5 })
      const [one, other] = [grid?.norths[1], grid?.norths[2]]
      const apart = metresBetween(
        one?.places[4] ?? { latitude, longitude: 5 },
        other?.places[4] ?? { latitude, longitude: 5 },
      )
      expect(Math.abs(apart / (grid?.step ?? 1) - 1)).toBeLessThan(0.005)
    }
  })

  it('is absent where more than 200 km are shown, and counted anew far from its origin', () => {
    expect(gridOf(around(52, 5, 3), null)).toBeNull()
    expect(gridOf(around(52, 5, 0.01), { latitude: 40, longitude: 5 })?.fromOrigin).toBe(false)
    expect(gridOf(around(10, 179.999, 0.01), { latitude: 10, longitude: -179.999 })?.fromOrigin).toBe(true)
  })

  it('a ring is as far everywhere, a track as long as its parts', () => {
    const center = { latitude: 52, longitude: 5 }
    for (const place of ringAround(center, 500)) expect(metresBetween(center, place) / 500).toBeCloseTo(1, 2)
    const there = { latitude: 52.01, longitude: 5 }
    expect(lengthOf([center, there, center])).toBeCloseTo(2 * metresBetween(center, there), 3)
    expect(lengthOf([center])).toBe(0)
  })

  it('arrows point along the line', () => {
    const line = [
      { x: 0, y: 0 },
      { x: 300, y: 0 },
      { x: 300, y: 300 },
    ]
    const arrows = arrowsAlong(line)
    expect(arrows.length).toBe(8)
    expect(arrows.map(({ turn }) => turn)).toEqual([90, 90, 90, 90, 180, 180, 180, 180])
    expect(
      arrowsAlong([
        { x: 0, y: 0 },
        { x: 3, y: 0 },
      ]),
    ).toEqual([])
  })
})
