import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { vectorTile } from '../../../test/support/pmtiles.ts'
import { type Label, labelsOf } from './labels.ts'
import { findableNames, rangeOf, readNames, readWrittenNames, writeNames } from './names.ts'
import type { MapFacts, MapReader } from './pmtiles.ts'

const point = (name: string, x: number, y: number, tags = {}) =>
  ({ kind: 'point', points: [[x, y]], tags: { name, ...tags } }) as const
const road = (name: string, y: number) =>
  ({
    kind: 'line',
    points: [
      [0, y],
      [2048, y],
      [4096, y],
    ],
    tags: { kind: 'minor_road', name },
  }) as const
const TILE = vectorTile({
  places: [point('Harbour', 2048, 2048, { kind: 'locality' }), point('In another tile', 5000, 10)],
  roads: [
    road('Quay Road', 1024),
    {
      kind: 'line',
      points: [
        [0, 0],
        [9, 9],
      ],
      tags: { kind: 'path' },
    },
  ],
  pois: [point('Café  Øst\u202e', 4095, 4095)],
  buildings: [point('No label', 1, 1)],
})

describe('labels of a vector tile', () => {
  it('are places, streets and points with their names, where they are', () => {
    const labels = labelsOf(TILE, 1, 1, 0)
    expect(labels.map(({ name, kind }) => [name, kind])).toEqual([
      ['Harbour', 'place'],
      ['Quay Road', 'street'],
      ['Café Øst', 'point'],
    ])
    expect(labels[0]?.longitude).toBeCloseTo(90, 6)
    expect(labels[0]?.latitude).toBeCloseTo(66.51326, 4)
    // The middle of the street.
    expect(labels[1]?.longitude).toBeCloseTo(90, 6)
  })

  it('bytes of a stranger end it, and cost no more than they are', () => {
    fc.assert(
      fc.property(fc.nat({ max: TILE.length - 1 }), fc.nat({ max: 255 }), fc.boolean(), (at, byte, cut) => {
        const bytes = Buffer.from(cut ? TILE.subarray(0, at) : TILE)
        if (!cut) bytes[at] = byte
        expect(labelsOf(bytes, 1, 1, 0).length).toBeLessThanOrEqual(5)
      }),
      { numRuns: 2_000 },
    )
    expect(labelsOf(Buffer.alloc(100, 0xff), 0, 0, 0)).toEqual([])
  })
})

const label = (name: string, kind: Label['kind'], latitude: number, longitude: number): Label => ({
  name,
  kind,
  latitude,
  longitude,
})
const LABELS = [
  label('Quay Road', 'street', 52.5, 13.4),
  label('Quay Road', 'street', 53.5, 13.4),
  label('Old Quay Road', 'street', 52.51, 13.4),
  label('Quay', 'place', 52.6, 13.4),
  label('Harbour', 'place', 52.5, 13.41),
  label('Øster Harbour', 'place', 53.5, 13.41),
  label('Quay Café', 'point', 52.5, 13.4),
]

describe('names that are typed', () => {
  const { find, count } = findableNames(LABELS)
  const found = (typed: string) =>
    find(typed, 10).map(({ label: { name }, town }) => (town === null ? name : `${name}, ${town}`))

  it('are found by the beginnings of their words, the best first, with the town where a street is', () => {
    expect(count).toBe(7)
    expect(found('quay')).toEqual([
      'Quay',
      'Quay Road, Harbour',
      'Quay Road, Øster Harbour',
      'Quay Café, Harbour',
      'Old Quay Road, Harbour',
    ])
    expect(found('QUAY ro')).toEqual(['Quay Road, Harbour', 'Quay Road, Øster Harbour', 'Old Quay Road, Harbour'])
    expect(found('cafe quay')).toEqual(['Quay Café, Harbour'])
    expect(found('uay')).toEqual([])
    expect(found(' , ')).toEqual([])
  })

  it('behind a comma stands the town', () => {
    expect(found('Quay Road, Øster')).toEqual(['Quay Road, Øster Harbour'])
    expect(found('Quay Road, Elsewhere')).toEqual([])
    expect(find('quay', 2)).toHaveLength(2)
  })

  it('are kept as text, and what this program did not write is read again', () => {
    expect(readWrittenNames(writeNames(LABELS))).toEqual(LABELS)
    for (const text of ['', 'null', '{}', '{"version":1}', '{"version":2,"names":[]}'])
      expect(readWrittenNames(text)).toBeNull()
  })
})

const facts: MapFacts = { type: 'mvt', bounds: [-180, -85, 180, 85], minZoom: 0, maxZoom: 3, attribution: '' }

describe('the names of a map', () => {
  it('are read from the deepest zoom of which all tiles may be read', () => {
    expect(rangeOf(facts)).toEqual({ z: 3, left: 0, right: 7, top: 0, bottom: 7 })
    expect(rangeOf(facts, 20)).toEqual({ z: 2, left: 0, right: 3, top: 0, bottom: 3 })
    expect(rangeOf({ ...facts, minZoom: 3 }, 20).z).toBe(3)
    expect(rangeOf({ ...facts, bounds: [13.3, 52.45, 13.5, 52.6], maxZoom: 14 })).toMatchObject({ z: 14, left: 8797 })
  })

  it('in parts, each once; a damaged tile costs its own names alone', async () => {
    let asked = 0
    const reader: MapReader = {
      facts,
      tile: async (_z, x, y) => {
        asked += 1
        if (y === 1) throw new Error('damaged')
        if (y > 0) return null
        return {
          bytes: vectorTile({ places: [point(`Place ${x}`, 2048, 2048)], roads: [road('Long Road', 4000)] }),
          gzip: false,
        }
      },
    }
    const reading = readNames(facts, reader, async (bytes) => bytes)
    expect(await reading.readFor(-1)).toBeNull()
    expect(asked).toBe(0)
    const names = await reading.readFor(10_000)
    expect(asked).toBe(64)
    expect(names?.filter(({ kind }) => kind === 'place').map(({ name }) => name)).toEqual(
      Array.from({ length: 8 }, (_, x) => `Place ${x}`),
    )
    // Each is far from the next here; in one town they would be one.
    expect(names?.filter(({ kind }) => kind === 'street')).toHaveLength(8)
  })
})
