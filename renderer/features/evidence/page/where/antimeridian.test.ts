import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { cutLine, cutRing, unwrapped } from './antimeridian.ts'

type Atlas = Topology<{ readonly countries: GeometryCollection; readonly land: GeometryCollection }>
const file = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json')
const atlas = JSON.parse(readFileSync(file, 'utf8')) as Atlas

const longest = (line: readonly (readonly number[])[]): number =>
  Math.max(0, ...line.slice(1).map(([x = 0], index) => Math.abs(x - (line[index]?.[0] ?? 0))))

/** Two edges of a polygon may follow a pole; they are out of sight. */
const beside = (ring: readonly (readonly [number, number])[]) => ring.filter(([, latitude]) => Math.abs(latitude) < 89)

describe('the outline of the earth on a flat map', () => {
  const polygons = feature(atlas, atlas.objects.land).features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon' ? geometry.coordinates : geometry.type === 'Polygon' ? [geometry.coordinates] : [],
  )

  it('no polygon reaches over the globe', () => {
    const rings = polygons.flat()
    // As it comes, it does.
    expect(rings.filter((ring) => longest(ring) > 180).length).toBeGreaterThan(0)
    const cut = rings.flatMap(cutRing)
    expect(cut.length).toBeGreaterThan(rings.length)
    for (const ring of cut) {
      for (const [longitude] of ring) expect(Math.abs(longitude)).toBeLessThanOrEqual(180)
      expect(longest(beside(ring))).toBeLessThan(60)
    }
  })

  it('no coast and no border does', () => {
    for (const lines of [mesh(atlas, atlas.objects.countries).coordinates])
      for (const line of lines.flatMap(cutLine)) {
        for (const [longitude] of line) expect(Math.abs(longitude)).toBeLessThanOrEqual(180)
        expect(longest(line)).toBeLessThan(60)
      }
  })

  it('cuts a square across the antimeridian in two, at the right latitude', () => {
    const square = [
      [170, 0],
      [-170, 0],
      [-170, 10],
      [170, 10],
      [170, 0],
    ]
    const parts = cutRing(square)
    expect(parts).toHaveLength(2)
    expect(parts.map((part) => [Math.min(...part.map(([x]) => x)), Math.max(...part.map(([x]) => x))])).toEqual(
      expect.arrayContaining([
        [170, 180],
        [-180, -170],
      ]),
    )
    expect(
      cutLine([
        [179, 0],
        [-179, 2],
      ]),
    ).toEqual([
      [
        [179, 0],
        [180, 1],
      ],
      [
        [-180, 1],
        [-179, 2],
      ],
    ])
  })

  it('a track goes on beside itself', () => {
    expect(
      unwrapped([
        [179.9, 0],
        [-179.9, 0],
        [179.95, 0],
      ]).map(([x]) => Number(x.toFixed(2))),
    ).toEqual([179.9, 180.1, 179.95])
  })
})
