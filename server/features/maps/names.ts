/** The names on the maps of the station, found as people type them. */
import { metresBetween } from '../../../shared/kernel/distance.ts'
import type { MapFacts, MapReader } from './pmtiles.ts'
import { type Label, type LabelKind, labelsOf } from './labels.ts'

/** Tiles of a map that are read for its names: a county at its deepest zoom, a country at one that has its towns and main roads. */
const MOST_TILES = 20_000
const MOST_NAMES = 200_000
/** Metres: the parts of a street with one name are one street. */
const ONE_STREET = 3_000
const ONE_PLACE = 500
const MOST_UNPACKED = 16 * 1024 ** 2

/** West to east in columns, north to south in rows. */
interface Range {
  readonly z: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The deepest zoom of which all tiles may be read. */
export function rangeOf({ bounds: [west, south, east, north], minZoom, maxZoom }: MapFacts, most = MOST_TILES): Range {
  for (let z = maxZoom; ; z--) {
    const whole = 2 ** z
    const within = (value: number): number => Math.max(0, Math.min(whole - 1, Math.floor(value)))
    const column = (longitude: number): number => within((longitude / 360 + 0.5) * whole)
    const row = (latitude: number): number => {
      const sine = Math.sin((Math.max(-85.05, Math.min(85.05, latitude)) * Math.PI) / 180)
      return within((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * whole)
    }
    const range = { z, left: column(west), right: column(east), top: row(north), bottom: row(south) }
    const count = (range.right - range.left + 1) * (range.bottom - range.top + 1)
    if (count <= most || z <= minZoom) return range
  }
}

export interface NamesReading {
  /** Reads tiles until the time is over. @returns the names when all of them are read, before that null */
  readFor(milliseconds: number): Promise<Label[] | null>
}

/** @param unzip of one tile */
export function readNames(
  facts: MapFacts,
  reader: MapReader,
  unzip: (bytes: Buffer, most: number) => Promise<Buffer>,
): NamesReading {
  const range = rangeOf(facts)
  const collected = new Collected()
  let [x, y, read] = [range.left, range.top, 0]
  const next = (): void => {
    x += 1
    if (x <= range.right) return
    x = range.left
    y += 1
  }
  return {
    readFor: async (milliseconds) => {
      const until = performance.now() + milliseconds
      for (; y <= range.bottom && read < MOST_TILES && !collected.isFull(); next(), read++) {
        if (performance.now() >= until) return null
        // A damaged tile costs its own names and no others.
        const tile = await reader.tile(range.z, x, y).catch(() => null)
        if (tile === null) continue
        const bytes = tile.gzip ? await unzip(tile.bytes, MOST_UNPACKED).catch(() => null) : tile.bytes
        if (bytes !== null) for (const label of labelsOf(bytes, range.z, x, y)) collected.add(label)
      }
      return collected.labels
    },
  }
}

class Collected {
  readonly labels: Label[] = []
  readonly #known = new Map<string, Label[]>()

  isFull(): boolean {
    return this.labels.length >= MOST_NAMES
  }

  add(label: Label): void {
    if (this.isFull()) return
    const key = `${label.kind} ${label.name}`
    const known = this.#known.get(key) ?? []
    const apart = label.kind === 'street' ? ONE_STREET : ONE_PLACE
    if (known.some((one) => metresBetween(one, label) < apart)) return
    this.#known.set(key, [...known, label])
    this.labels.push(label)
  }
}

/** Without case and accents; everything but letters and digits parts words. */
export const foldName = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

interface Known {
  readonly label: Label
  /** Folded, with a space before each word. */
  readonly key: string
}

export interface FoundName {
  readonly label: Label
  /** The nearest place of a street or point, where one is near. */
  readonly town: string | null
}

const ORDER: readonly LabelKind[] = ['place', 'street', 'point']
/** Metres within which a place says where a street is. */
const FARTHEST_TOWN = 15_000

/** The names of one map. */
export function findableNames(labels: readonly Label[]) {
  const known: readonly Known[] = labels.map((label) => ({ label, key: ` ${foldName(label.name)}` }))
  const towns = labels.filter(({ kind }) => kind === 'place')
  const townOf = (label: Label): string | null => {
    if (label.kind === 'place') return null
    let [best, least]: [string | null, number] = [null, FARTHEST_TOWN]
    for (const town of towns) {
      // A degree of latitude is 111 km: most are ruled out by it.
      if (Math.abs(town.latitude - label.latitude) * 110_000 > least) continue
      const metres = metresBetween(town, label)
      if (metres < least) [best, least] = [town.name, metres]
    }
    return best
  }
  return {
    count: labels.length,
    /** @param typed `Quay Road`, or `Quay Road, Harbour` for the one there; the last word may be half typed */
    find: (typed: string, most: number): FoundName[] => {
      const [first = '', ...others] = typed.split(',').map(foldName)
      const words = first.split(' ').filter((word) => word !== '')
      if (words.length === 0) return []
      const town = foldName(others.join(' '))
      const hits = known
        .filter(({ key }) => words.every((word) => key.includes(` ${word}`)))
        .sort((one, other) => rankOf(one, first) - rankOf(other, first) || one.key.length - other.key.length)
      const found: FoundName[] = []
      for (const { label } of hits) {
        if (found.length >= most) break
        const near = townOf(label)
        if (town === '' || ` ${foldName(near ?? '')}`.includes(` ${town}`)) found.push({ label, town: near })
      }
      return found
    },
  }
}
export type FindableNames = ReturnType<typeof findableNames>

function rankOf({ label, key }: Known, typed: string): number {
  const fit = key === ` ${typed}` ? 0 : key.startsWith(` ${typed}`) ? 1 : 2
  return fit * ORDER.length + ORDER.indexOf(label.kind)
}

/** As it lies beside the map. */
export const writeNames = (labels: readonly Label[]): string =>
  JSON.stringify({
    version: VERSION,
    names: labels.map(({ name, kind, latitude, longitude }) => [
      name,
      ORDER.indexOf(kind),
      Number(latitude.toFixed(5)),
      Number(longitude.toFixed(5)),
    ]),
  })
const VERSION = 1

/** Null for what this program did not write. */
export function readWrittenNames(text: string): Label[] | null {
  try {
    const { version, names } = JSON.parse(text) as { version: unknown; names: [string, number, number, number][] }
    if (version !== VERSION) return null
    return names.map(([name, kind, latitude, longitude]) => ({
      name,
      kind: ORDER[kind] ?? 'point',
      latitude,
      longitude,
    }))
  } catch {
    return null
  }
}
