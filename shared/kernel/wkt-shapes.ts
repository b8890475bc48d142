/** Well-known text (2D, WGS 84, longitude first) as shapes: what maps draw, and what is measured. Pure; the station has checked it before (wkt.ts). */
import type { Place } from './distance.ts'

export type Shape =
  | { readonly kind: 'point'; readonly places: readonly Place[] }
  | { readonly kind: 'line'; readonly places: readonly Place[] }
  /** The outer ring first, then its holes. */
  | { readonly kind: 'area'; readonly rings: readonly (readonly Place[])[] }

export const placesOf = (shape: Shape): readonly Place[] =>
  shape.kind === 'area' ? (shape.rings[0] ?? []) : shape.places

/** @returns null for what is no geometry; an empty list for one that is empty. Deep nesting ends it instead of the stack. */
export function shapesOf(wkt: string): readonly Shape[] | null {
  const tokens = wkt.match(/[A-Za-z]+(?![-+.\d])|[(),]|[-+.\dEe]+/g) ?? []
  const reader: Reader = { tokens, at: 0 }
  const shapes = geometry(reader, 0)
  return shapes !== null && reader.at === tokens.length ? shapes : null
}

interface Reader {
  readonly tokens: readonly string[]
  at: number
}

const MOST_DEPTH = 5

function take(reader: Reader, token: string): boolean {
  if (reader.tokens[reader.at]?.toUpperCase() !== token) return false
  reader.at += 1
  return true
}

function geometry(reader: Reader, depth: number): Shape[] | null {
  const kind = reader.tokens[reader.at]?.toUpperCase()
  reader.at += 1
  if (kind === undefined || depth > MOST_DEPTH) return null
  if (take(reader, 'EMPTY')) return []
  switch (kind) {
    case 'POINT': {
      const places = line(reader)
      return places?.length === 1 ? [{ kind: 'point', places }] : null
    }
    case 'MULTIPOINT':
      return mapped(list(reader, barePoint), (place) => ({ kind: 'point', places: [place] }))
    case 'LINESTRING':
      return mapped(wrapped(line(reader)), (places) => ({ kind: 'line', places }))
    case 'MULTILINESTRING':
      return mapped(list(reader, line), (places) => ({ kind: 'line', places }))
    case 'POLYGON':
      return mapped(wrapped(list(reader, line)), (rings) => ({ kind: 'area', rings }))
    case 'MULTIPOLYGON':
      return mapped(
        list(reader, (inner) => list(inner, line)),
        (rings) => ({ kind: 'area', rings }),
      )
    case 'GEOMETRYCOLLECTION':
      return list(reader, (inner) => geometry(inner, depth + 1))?.flat() ?? null
    default:
      return null
  }
}

const wrapped = <T>(value: T | null): T[] | null => (value === null ? null : [value])
const mapped = <T>(values: readonly T[] | null, make: (value: T) => Shape): Shape[] | null => values?.map(make) ?? null

/** `( item , item … )` */
function list<T>(reader: Reader, item: (reader: Reader) => T | null): T[] | null {
  if (!take(reader, '(')) return null
  const found: T[] = []
  do {
    const one = item(reader)
    if (one === null) return null
    found.push(one)
  } while (take(reader, ','))
  return take(reader, ')') ? found : null
}

const line = (reader: Reader): Place[] | null => list(reader, place)

/** MULTIPOINT is written with and without brackets around each point. */
function barePoint(reader: Reader): Place | null {
  if (reader.tokens[reader.at] !== '(') return place(reader)
  const places = line(reader)
  return places?.length === 1 ? (places[0] as Place) : null
}

function place(reader: Reader): Place | null {
  const longitude = coordinate(reader, 180)
  const latitude = coordinate(reader, 90)
  return longitude === null || latitude === null ? null : { latitude, longitude }
}

function coordinate(reader: Reader, limit: number): number | null {
  const token = reader.tokens[reader.at] ?? ''
  reader.at += 1
  const value = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(token) ? Number(token) : Number.NaN
  return Math.abs(value) <= limit ? value : null
}
