/**
 * Reads PMTiles files (version 3). The package `pmtiles` knows header, ids of tiles and the search in a directory. Directories are read here,
 * since its reader trusts the counts in them: a file of a stranger could make it fill the memory.
 */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { bytesToHeader, type Entry, findTile, type Header, readVarint, zxyToTileId } from 'pmtiles'
import { DEEPEST_ZOOM, type MapRefusal, type TILE_TYPES } from '../../../shared/maps/contract.ts'
import type { RandomReader } from '../../platform/maps/map-folder.ts'

export type TileType = (typeof TILE_TYPES)[number]

/** Why a file is no map that can be used. */
export class MapRefused extends Error {
  override readonly name = 'MapRefused'
  readonly refusal: MapRefusal
  constructor(refusal: MapRefusal, message: string) {
    super(message)
    this.refusal = refusal
  }
}

export interface MapFacts {
  readonly type: TileType
  readonly bounds: readonly [west: number, south: number, east: number, north: number]
  readonly minZoom: number
  readonly maxZoom: number
  readonly attribution: string
}

export interface Tile {
  readonly bytes: Buffer
  readonly gzip: boolean
}

export interface MapReader {
  readonly facts: MapFacts
  /** Null where the map has nothing. @throws MapRefused when the file is damaged */
  tile(z: number, x: number, y: number): Promise<Tile | null>
}

const MAGIC = Buffer.from('PMTiles')
const HEADER = 127
const TYPES: Readonly<Record<number, TileType>> = { 1: 'mvt', 2: 'png', 3: 'jpg', 4: 'webp' }
const NONE = 1
const GZIP = 2
/** The specification keeps header and root within 16 KiB. */
const ROOT_END = 16_384
const MOST_DIRECTORY = 4 * 1024 ** 2
const MOST_METADATA = 16 * 1024 ** 2
const MOST_TILE = 16 * 1024 ** 2
const MOST_UNPACKED = 64 * 1024 ** 2
const DEEPEST = 4
const SAMPLES = 24
const KEPT_DIRECTORIES = 128
const LONGEST_ATTRIBUTION = 500

const unzip = promisify(gunzip)

/** @throws MapRefused for what is no usable map */
export async function openPmtiles(file: RandomReader): Promise<MapReader> {
  const header = await readHeader(file)
  const root = await readDirectory(file, header, header.rootDirectoryOffset, header.rootDirectoryLength)
  if (root.length === 0) throw new MapRefused('empty', 'The file has no tiles.')
  const attribution = await readAttribution(file, header)
  const directories = new Map<number, Promise<Entry[]>>()
  const leaf = (offset: number, length: number): Promise<Entry[]> => {
    const known = directories.get(offset)
    if (known !== undefined) return known
    const [oldest] = directories.keys()
    if (directories.size >= KEPT_DIRECTORIES && oldest !== undefined) directories.delete(oldest)
    const read = readDirectory(file, header, offset, length)
    directories.set(offset, read)
    read.catch(() => directories.delete(offset))
    return read
  }
  return {
    facts: {
      type: TYPES[header.tileType] as TileType,
      bounds: [header.minLon, header.minLat, header.maxLon, header.maxLat],
      minZoom: header.minZoom,
      maxZoom: header.maxZoom,
      attribution,
    },
    tile: async (z, x, y) => {
      if (z < header.minZoom || z > header.maxZoom || x >= 2 ** z || y >= 2 ** z) return null
      const id = zxyToTileId(z, x, y)
      let entries = root
      for (let depth = 0; depth < DEEPEST; depth++) {
        const entry = findTile(entries, id)
        if (entry === null) return null
        if (entry.runLength > 0) return readTile(file, header, entry)
        entries = await leaf((header.leafDirectoryOffset ?? 0) + entry.offset, entry.length)
      }
      return null
    },
  }
}

/**
 * Opens the file of a stranger and looks at tiles from all over it, each unpacked and of its type.
 * @throws MapRefused
 */
export async function checkPmtiles(file: RandomReader): Promise<MapFacts> {
  const { facts } = await openPmtiles(file)
  const header = await readHeader(file)
  const root = await readDirectory(file, header, header.rootDirectoryOffset, header.rootDirectoryLength)
  let looked = 0
  for (const entry of spread(root)) {
    let found = entry
    for (let depth = 1; found.runLength === 0; depth++) {
      if (depth >= DEEPEST) throw damaged('directory')
      const below = await readDirectory(file, header, (header.leafDirectoryOffset ?? 0) + found.offset, found.length)
      const middle = below[Math.floor(below.length / 2)]
      if (middle === undefined) throw damaged('directory')
      found = middle
    }
    const { bytes, gzip } = await readTile(file, header, found)
    const content = gzip ? await unpack(bytes, MOST_UNPACKED, 'tiles') : bytes
    if (!isOfType(content, facts.type))
      throw new MapRefused('tiles', 'Tiles of the file are not of the kind that it says. Make the file again.')
    looked += 1
  }
  if (looked === 0) throw new MapRefused('empty', 'The file has no tiles.')
  return facts
}

/** Some of them, from the first to the last. */
function spread(entries: readonly Entry[]): Entry[] {
  const count = Math.min(SAMPLES, entries.length)
  return Array.from({ length: count }, (_, index) => {
    const at = count === 1 ? 0 : Math.round((index * (entries.length - 1)) / (count - 1))
    return entries[at] as Entry
  })
}

const damaged = (refusal: MapRefusal): MapRefused =>
  new MapRefused(refusal, 'The file is damaged: what it says about its tiles cannot be read. Copy or make it again.')

async function readHeader(file: RandomReader): Promise<Header> {
  const bytes = await file.read(0, HEADER)
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC))
    throw new MapRefused('notMap', 'This is not a PMTiles file. Sallyport takes maps in the format PMTiles, version 3.')
  if (bytes[MAGIC.length] !== 3)
    throw new MapRefused(
      'version',
      'This PMTiles file has another version than 3. Convert it with the program pmtiles.',
    )
  if (bytes.length < HEADER) throw cutOff()
  const header = bytesToHeader(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + HEADER) as ArrayBuffer)
  checkRanges(header, file.size)
  checkMeaning(header)
  return header
}

const cutOff = (): MapRefused =>
  new MapRefused('cut', 'The file is not whole: it ends before its tiles do. Copy it again.')

function checkRanges(header: Header, size: number): void {
  const { rootDirectoryOffset, rootDirectoryLength } = header
  const ranges = [
    [rootDirectoryOffset, rootDirectoryLength],
    [header.jsonMetadataOffset, header.jsonMetadataLength],
    [header.leafDirectoryOffset ?? 0, header.leafDirectoryLength ?? 0],
    [header.tileDataOffset, header.tileDataLength ?? 0],
  ] as const
  for (const [offset, length] of ranges) {
    if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length)) throw damaged('directory')
    if (offset + length > size) throw cutOff()
  }
  if (rootDirectoryOffset < HEADER || rootDirectoryOffset + rootDirectoryLength > ROOT_END) throw damaged('directory')
}

function checkMeaning(header: Header): void {
  const { minZoom, maxZoom, minLon, minLat, maxLon, maxLat } = header
  if (TYPES[header.tileType] === undefined)
    throw new MapRefused(
      'type',
      'The tiles of this file are of a kind that cannot be shown. Use vector tiles (MVT), PNG, JPEG or WebP.',
    )
  if (header.internalCompression !== NONE && header.internalCompression !== GZIP) throw compression()
  if (header.tileCompression !== NONE && header.tileCompression !== GZIP) throw compression()
  if (minZoom > maxZoom || maxZoom > DEEPEST_ZOOM)
    throw new MapRefused('zooms', `The file says zooms that no map has: ${minZoom} to ${maxZoom}.`)
  const inOrder = minLon < maxLon && minLat < maxLat
  const onEarth = minLon >= -180 && maxLon <= 180 && minLat >= -90 && maxLat <= 90
  if (!inOrder || !onEarth) throw new MapRefused('bounds', 'The file does not say which part of the earth it shows.')
}

const compression = (): MapRefused =>
  new MapRefused('compression', 'The file is packed in a way that cannot be read here. Use gzip or none.')

async function unpack(bytes: Buffer, most: number, refusal: MapRefusal): Promise<Buffer> {
  try {
    return await unzip(bytes, { maxOutputLength: most })
  } catch {
    throw damaged(refusal)
  }
}

async function readWhole(file: RandomReader, offset: number, length: number): Promise<Buffer> {
  if (!Number.isSafeInteger(offset) || offset + length > file.size) throw cutOff()
  const bytes = await file.read(offset, length)
  if (bytes.length !== length) throw cutOff()
  return bytes
}

async function readDirectory(file: RandomReader, header: Header, offset: number, length: number): Promise<Entry[]> {
  if (length === 0 || length > MOST_DIRECTORY) throw damaged('directory')
  const packed = await readWhole(file, offset, length)
  const bytes = header.internalCompression === GZIP ? await unpack(packed, MOST_UNPACKED / 2, 'directory') : packed
  return parseDirectory(bytes)
}

/** @throws MapRefused when it counts more entries than it has bytes for, or when they are out of order */
export function parseDirectory(bytes: Uint8Array): Entry[] {
  const at = { buf: bytes, pos: 0 }
  const next = (): number => {
    if (at.pos >= bytes.length) throw damaged('directory')
    try {
      const value = readVarint(at)
      if (!Number.isSafeInteger(value) || value < 0 || at.pos > bytes.length) throw damaged('directory')
      return value
    } catch {
      throw damaged('directory')
    }
  }
  const count = next()
  // Each has four numbers of at least a byte.
  if (count * 4 > bytes.length) throw damaged('directory')
  const entries: Entry[] = []
  let id = 0
  for (let index = 0; index < count; index++) {
    const step = next()
    if (index > 0 && step === 0) throw damaged('directory')
    id += step
    entries.push({ tileId: id, offset: 0, length: 0, runLength: 1 })
  }
  for (const entry of entries) entry.runLength = next()
  for (const entry of entries) entry.length = next()
  entries.forEach((entry, index) => {
    const value = next()
    const before = entries[index - 1]
    if (value === 0 && before === undefined) throw damaged('directory')
    entry.offset = value === 0 && before !== undefined ? before.offset + before.length : value - 1
  })
  return entries
}

async function readTile(file: RandomReader, header: Header, { offset, length }: Entry): Promise<Tile> {
  if (length === 0 || length > MOST_TILE) throw damaged('tiles')
  return {
    bytes: await readWhole(file, header.tileDataOffset + offset, length),
    gzip: header.tileCompression === GZIP,
  }
}

/** As much as says that a browser will not be surprised. */
function isOfType(bytes: Buffer, type: TileType): boolean {
  const starts = (text: string, at = 0): boolean =>
    bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))
  if (type === 'png') return starts('\x89PNG\r\n\x1a\n')
  if (type === 'jpg') return starts('\xff\xd8\xff')
  if (type === 'webp') return starts('RIFF') && starts('WEBP', 8)
  return isVectorTile(bytes)
}

/** Layers (field 3, with a length) and nothing else, to the very end. */
function isVectorTile(bytes: Buffer): boolean {
  const at = { buf: bytes, pos: 0 }
  while (at.pos < bytes.length) {
    try {
      if (readVarint(at) !== ((3 << 3) | 2)) return false
      const length = readVarint(at)
      if (length < 0 || at.pos + length > bytes.length) return false
      at.pos += length
    } catch {
      return false
    }
  }
  return true
}

async function readAttribution(file: RandomReader, header: Header): Promise<string> {
  const { jsonMetadataOffset: offset, jsonMetadataLength: length } = header
  if (length === 0) return ''
  if (length > MOST_METADATA) throw damaged('metadata')
  const packed = await readWhole(file, offset, length)
  const bytes = header.internalCompression === GZIP ? await unpack(packed, MOST_METADATA, 'metadata') : packed
  let metadata: unknown
  try {
    metadata = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw damaged('metadata')
  }
  const given: unknown =
    typeof metadata === 'object' && metadata !== null && 'attribution' in metadata ? metadata.attribution : ''
  return typeof given === 'string' ? plainText(given) : ''
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', copy: '©' }

/** Without the links that such lines have. It is shown as text, so nothing in it acts. */
export const plainText = (html: string): string =>
  html
    .slice(0, 8 * LONGEST_ATTRIBUTION)
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|copy);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replaceAll('&#169;', '©')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_ATTRIBUTION)
    .toWellFormed()
