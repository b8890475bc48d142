/** Makes small PMTiles files for tests, right ones and wrong ones. */
import { gzipSync } from 'node:zlib'
import { zxyToTileId } from 'pmtiles'

export interface GivenTile {
  readonly z: number
  readonly x: number
  readonly y: number
  readonly bytes: Buffer
}

export interface GivenMap {
  readonly tiles: readonly GivenTile[]
  readonly bounds?: readonly [number, number, number, number]
  readonly metadata?: unknown
  /** 1 vector tiles, 2 PNG. */
  readonly type?: number
  readonly gzip?: boolean
  /** Entries of the root lead to leaves of this many tiles. */
  readonly leaves?: number
  /** Changes the bytes of the header. */
  readonly header?: (header: Buffer) => void
  /** In the place of the root directory. */
  readonly root?: Buffer
}

export function varint(value: number): number[] {
  const out: number[] = []
  let rest = value
  while (rest >= 128) {
    out.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return [...out, rest]
}

interface Entry {
  readonly id: number
  readonly offset: number
  readonly length: number
  readonly run: number
}

function directory(entries: readonly Entry[]): Buffer {
  const ids = entries.map(({ id }, index) => id - (entries[index - 1]?.id ?? 0))
  return Buffer.from(
    [
      entries.length,
      ...ids,
      ...entries.map(({ run }) => run),
      ...entries.map(({ length }) => length),
      ...entries.map(({ offset }) => offset + 1),
    ].flatMap(varint),
  )
}

const HEADER = 127

export function makePmtiles(given: GivenMap): Buffer {
  const { bounds = [13.3, 52.45, 13.5, 52.6], metadata = { attribution: '© Test data' }, type = 1, gzip = true } = given
  const pack = (bytes: Buffer): Buffer => (gzip ? gzipSync(bytes) : bytes)
  const sorted = given.tiles
    .map(({ z, x, y, bytes }) => ({ id: zxyToTileId(z, x, y), z, bytes: type === 1 ? pack(bytes) : bytes }))
    .sort((one, other) => one.id - other.id)
  let at = 0
  const entries = sorted.map(({ id, bytes }) => {
    const entry = { id, offset: at, length: bytes.length, run: 1 }
    at += bytes.length
    return entry
  })
  const leaves: Buffer[] = []
  let top: readonly Entry[] = entries
  if (given.leaves !== undefined) {
    const made: Entry[] = []
    let offset = 0
    for (let from = 0; from < entries.length; from += given.leaves) {
      const part = entries.slice(from, from + given.leaves)
      const leaf = pack(directory(part))
      leaves.push(leaf)
      made.push({ id: part[0]?.id ?? 0, offset, length: leaf.length, run: 0 })
      offset += leaf.length
    }
    top = made
  }
  const root = given.root ?? pack(directory(top))
  const json = pack(Buffer.from(JSON.stringify(metadata)))
  const leaf = Buffer.concat(leaves)
  const header = Buffer.alloc(HEADER)
  header.write('PMTiles')
  header[7] = 3
  const places = [HEADER, root.length, HEADER + root.length, json.length]
  const afterJson = HEADER + root.length + json.length
  const numbers = [
    ...places,
    afterJson,
    leaf.length,
    afterJson + leaf.length,
    at,
    sorted.length,
    sorted.length,
    sorted.length,
  ]
  numbers.forEach((value, index) => header.writeBigUInt64LE(BigInt(value), 8 + 8 * index))
  const zooms = sorted.map(({ z }) => z)
  const packing = gzip ? 2 : 1
  const tilePacking = type === 1 ? packing : 1
  header.set([1, packing, tilePacking, type, Math.min(...zooms, 22), Math.max(...zooms, 0)], 96)
  bounds.forEach((value, index) => header.writeInt32LE(Math.round(value * 1e7), 102 + 4 * index))
  given.header?.(header)
  return Buffer.concat([header, root, json, leaf, ...sorted.map(({ bytes }) => bytes)])
}

const field = (number: number, bytes: readonly number[]): number[] => [
  ...varint(number * 8 + 2),
  ...varint(bytes.length),
  ...bytes,
]
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)

export interface GivenFeature {
  readonly kind: 'point' | 'line' | 'polygon'
  /** Of 4096 from edge to edge. */
  readonly points: readonly (readonly [number, number])[]
  readonly tags: Readonly<Record<string, string>>
}

/** A tile of vectors in the encoding of Mapbox, version 2. */
export function vectorTile(layers: Readonly<Record<string, readonly GivenFeature[]>>): Buffer {
  return Buffer.from(Object.entries(layers).flatMap(([name, features]) => field(3, layerBytes(name, features))))
}

function layerBytes(name: string, features: readonly GivenFeature[]): number[] {
  const keys = [...new Set(features.flatMap(({ tags }) => Object.keys(tags)))]
  const values = [...new Set(features.flatMap(({ tags }) => Object.values(tags)))]
  const text = (given: string): number[] => [...Buffer.from(given)]
  return [
    ...varint(15 * 8),
    2,
    ...field(1, text(name)),
    ...features.flatMap(({ kind, points, tags }) =>
      field(2, [
        ...field(
          2,
          Object.entries(tags).flatMap(([key, value]) => [
            ...varint(keys.indexOf(key)),
            ...varint(values.indexOf(value)),
          ]),
        ),
        ...varint(3 * 8),
        { point: 1, line: 2, polygon: 3 }[kind],
        ...field(4, commands(points, kind === 'polygon')),
      ]),
    ),
    ...keys.flatMap((key) => field(3, text(key))),
    ...values.flatMap((value) => field(4, field(1, text(value)))),
    ...varint(5 * 8),
    ...varint(4096),
  ]
}

function commands(points: readonly (readonly [number, number])[], closed: boolean): number[] {
  const steps = points.map(([x, y], index) => {
    const [fromX, fromY] = points[index - 1] ?? [0, 0]
    return [...varint(zigzag(x - fromX)), ...varint(zigzag(y - fromY))]
  })
  const [first = [], ...others] = steps
  return [
    ...varint(8 + 1),
    ...first,
    ...(others.length === 0 ? [] : varint(others.length * 8 + 2)),
    ...others.flat(),
    ...(closed ? varint(8 + 7) : []),
  ]
}
