/** Well-known text as the specification's LocationWKT carries it: 2D geometries in WGS 84, longitude before latitude. */

const KINDS: Readonly<Record<string, number>> = {
  POINT: 0,
  MULTIPOINT: 1,
  LINESTRING: 1,
  MULTILINESTRING: 2,
  POLYGON: 2,
  MULTIPOLYGON: 3,
}
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** Linear in the length of the text; nothing nested deeper than its kind allows. */
export function isWgs84Wkt(text: string): boolean {
  const tokens = text.match(/[A-Za-z]+|[(),]|[^\s(),A-Za-z][^\s(),]*/g) ?? []
  const reader = { tokens, at: 0 }
  return geometry(reader, 0) && reader.at === tokens.length
}

export function pointWkt(longitude: number, latitude: number): string {
  return `POINT (${longitude} ${latitude})`
}

const POINT = /^\s*POINT\s*\(\s*([^\s()]+)\s+([^\s()]+)\s*\)\s*$/i

/** The numbers of a point as they are written; null for what is none. */
export function pointOf(wkt: string): { readonly longitude: string; readonly latitude: string } | null {
  const [, longitude, latitude] = POINT.exec(wkt) ?? []
  return longitude === undefined || latitude === undefined ? null : { longitude, latitude }
}

interface Reader {
  readonly tokens: readonly string[]
  at: number
}

function take(reader: Reader, token: string): boolean {
  if (reader.tokens[reader.at] !== token) return false
  reader.at += 1
  return true
}

function geometry(reader: Reader, depth: number): boolean {
  const kind = reader.tokens[reader.at]?.toUpperCase() ?? ''
  reader.at += 1
  if (reader.tokens[reader.at]?.toUpperCase() === 'EMPTY') {
    reader.at += 1
    return kind in KINDS || kind === 'GEOMETRYCOLLECTION'
  }
  if (kind === 'GEOMETRYCOLLECTION') return depth < 4 && list(reader, () => geometry(reader, depth + 1))
  const nesting = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (nesting === undefined) return false
  if (nesting === 0) return take(reader, '(') && position(reader) && take(reader, ')')
  // MULTIPOINT is written with and without brackets around each point.
  if (kind === 'MULTIPOINT')
    return list(reader, () =>
      reader.tokens[reader.at] === '(' ? take(reader, '(') && position(reader) && take(reader, ')') : position(reader),
    )
  return nested(reader, nesting)
}

function nested(reader: Reader, nesting: number): boolean {
  return list(reader, () => (nesting === 1 ? position(reader) : nested(reader, nesting - 1)))
}

function list(reader: Reader, item: () => boolean): boolean {
  if (!take(reader, '(')) return false
  do {
    if (!item()) return false
  } while (take(reader, ','))
  return take(reader, ')')
}

function position(reader: Reader): boolean {
  return coordinate(reader, 180) && coordinate(reader, 90)
}

function coordinate(reader: Reader, limit: number): boolean {
  // A number with an exponent is split by the tokenizer's letters: put it together again.
  let token = reader.tokens[reader.at] ?? ''
  reader.at += 1
  if (/^[eE]$/.test(reader.tokens[reader.at] ?? '')) {
    token += `e${reader.tokens[reader.at + 1] ?? ''}`
    reader.at += 2
  }
  return NUMBER.test(token) && Math.abs(Number(token)) <= limit
}

/** The smallest box around a geometry, in degrees. None of it crosses the antimeridian: coordinates are compared as they stand. */
export interface Bounds {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** Null for what is no geometry, or an empty one. */
export function boundsOf(wkt: string): Bounds | null {
  if (!isWgs84Wkt(wkt)) return null
  const numbers = wkt.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g) ?? []
  let bounds: Bounds | null = null
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    const [x, y] = [Number(numbers[at]), Number(numbers[at + 1])]
    bounds =
      bounds === null
        ? { west: x, south: y, east: x, north: y }
        : {
            west: Math.min(bounds.west, x),
            south: Math.min(bounds.south, y),
            east: Math.max(bounds.east, x),
            north: Math.max(bounds.north, y),
          }
  }
  return bounds
}
