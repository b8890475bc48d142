/**
 * Reads the names of places, streets and points of interest out of vector tiles. Knows the names of layers of the Protomaps basemap,
 * OpenMapTiles and Shortbread. A tile is the file of a stranger: whatever it counts is bounded by the bytes that it has.
 */
import { readVarint } from 'pmtiles'
import type { PLACE_KINDS } from '../../../shared/maps/contract.ts'

export type LabelKind = (typeof PLACE_KINDS)[number]

export interface Label {
  readonly name: string
  readonly kind: LabelKind
  readonly latitude: number
  readonly longitude: number
}

const KINDS: Readonly<Record<string, LabelKind>> = {
  places: 'place',
  place: 'place',
  place_labels: 'place',
  roads: 'street',
  streets: 'street',
  transportation_name: 'street',
  street_labels: 'street',
  pois: 'point',
  poi: 'point',
}

const LONGEST_NAME = 100

/** @returns as much as can be read: a damaged tile is a tile with fewer names */
export function labelsOf(bytes: Uint8Array, z: number, x: number, y: number): Label[] {
  const labels: Label[] = []
  for (const [field, , from, to] of fieldsOf(bytes, 0, bytes.length)) {
    if (field !== 3) continue
    const layer = layerOf(bytes, from, to)
    const kind = Object.hasOwn(KINDS, layer.name) ? KINDS[layer.name] : undefined
    if (kind === undefined || layer.nameKey < 0) continue
    for (const [start, end] of layer.features) {
      const found = labelOf(bytes, start, end, layer)
      if (found !== null) labels.push({ ...found.place(z, x, y), name: found.name, kind })
    }
  }
  return labels
}

type Field = readonly [field: number, value: number, from: number, to: number]

/** The fields of a message: a number has its value, bytes have where they lie. Ends at what is no field. */
function* fieldsOf(bytes: Uint8Array, from: number, to: number): Generator<Field> {
  const at = { buf: bytes, pos: from }
  while (at.pos < to) {
    const tag = numberAt(at, to)
    if (tag === null) return
    const [field, wire] = [tag >>> 3, tag & 7]
    if (wire === 0) {
      const value = numberAt(at, to)
      if (value === null) return
      yield [field, value, at.pos, at.pos]
    } else if (wire === 2) {
      const length = numberAt(at, to)
      if (length === null || at.pos + length > to) return
      yield [field, length, at.pos, at.pos + length]
      at.pos += length
    } else if (wire === 1 || wire === 5) at.pos += wire === 1 ? 8 : 4
    else return
  }
}

function numberAt(at: { buf: Uint8Array; pos: number }, to: number): number | null {
  if (at.pos >= to) return null
  try {
    const value = readVarint(at)
    return at.pos > to || value < 0 || !Number.isSafeInteger(value) ? null : value
  } catch {
    return null
  }
}

interface Layer {
  readonly name: string
  readonly extent: number
  /** Of the key `name`; less than 0 where no feature has one. */
  readonly nameKey: number
  readonly features: readonly (readonly [from: number, to: number])[]
  readonly values: readonly (readonly [from: number, to: number])[]
}

const decoder = new TextDecoder('utf-8')
const textAt = (bytes: Uint8Array, from: number, to: number): string => decoder.decode(bytes.subarray(from, to))

function layerOf(bytes: Uint8Array, from: number, to: number): Layer {
  let [name, extent, nameKey, keys] = ['', 4096, -1, 0]
  const features: [number, number][] = []
  const values: [number, number][] = []
  for (const [field, value, start, end] of fieldsOf(bytes, from, to)) {
    if (field === 1 && value < LONGEST_NAME) name = textAt(bytes, start, end)
    else if (field === 2) features.push([start, end])
    else if (field === 3) {
      if (value === 4 && textAt(bytes, start, end) === 'name') nameKey = keys
      keys += 1
    } else if (field === 4) values.push([start, end])
    else if (field === 5 && value > 0) extent = value
  }
  return { name, extent, nameKey, features, values }
}

interface Read {
  readonly name: string
  readonly place: (z: number, x: number, y: number) => { latitude: number; longitude: number }
}

/** Null for a feature without a name, and for one whose place is in another tile: that has it too. */
function labelOf(bytes: Uint8Array, from: number, to: number, layer: Layer): Read | null {
  let tags: readonly [number, number] | null = null
  let geometry: readonly [number, number] | null = null
  for (const [field, , start, end] of fieldsOf(bytes, from, to)) {
    if (field === 2) tags = [start, end]
    if (field === 4) geometry = [start, end]
  }
  if (tags === null || geometry === null) return null
  const name = nameIn(bytes, tags, layer)
  const at = name === null ? null : middleOf(bytes, geometry)
  if (name === null || at === null) return null
  const [left, top] = [at.x / layer.extent, at.y / layer.extent]
  if (left < 0 || left >= 1 || top < 0 || top >= 1) return null
  return {
    name,
    place: (z, x, y) => ({
      latitude: (Math.atan(Math.sinh(Math.PI * (1 - (2 * (y + top)) / 2 ** z))) * 180) / Math.PI,
      longitude: ((x + left) / 2 ** z) * 360 - 180,
    }),
  }
}

function nameIn(bytes: Uint8Array, [from, to]: readonly [number, number], layer: Layer): string | null {
  const at = { buf: bytes, pos: from }
  while (at.pos < to) {
    const [key, value] = [numberAt(at, to), numberAt(at, to)]
    if (key === null || value === null) return null
    const place = key === layer.nameKey ? layer.values[value] : undefined
    if (place === undefined) continue
    for (const [field, length, start, end] of fieldsOf(bytes, ...place))
      if (field === 1 && length > 0) return plainName(textAt(bytes, start, end))
  }
  return null
}

const plainName = (text: string): string | null => {
  const name = text
    .slice(0, 4 * LONGEST_NAME)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\s]+/gu, ' ')
    .trim()
  return name === '' ? null : [...name].slice(0, LONGEST_NAME).join('')
}

/** The point itself, or the point in the middle of the first line. */
function middleOf(bytes: Uint8Array, [from, to]: readonly [number, number]): { x: number; y: number } | null {
  const at = { buf: bytes, pos: from }
  const points: { x: number; y: number }[] = []
  let [x, y] = [0, 0]
  while (at.pos < to) {
    const command = numberAt(at, to)
    if (command === null) break
    const [act, count] = [command & 7, command >>> 3]
    // A second line begins.
    if (act === 7 || (act === 1 && points.length > 0)) break
    for (let step = 0; step < count; step++) {
      const [dx, dy] = [numberAt(at, to), numberAt(at, to)]
      if (dx === null || dy === null) break
      x += zigzag(dx)
      y += zigzag(dy)
      points.push({ x, y })
    }
  }
  return points[Math.floor((points.length - 1) / 2)] ?? null
}

const zigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)
