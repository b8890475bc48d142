/** Counts where the evidence that a search finds was, in cells of the map. */
import type { z } from 'zod'
import { type Box, countCells, levelFor } from '../../../shared/search/cells.ts'
import type { DensityAnswer } from '../../../shared/search/contract.ts'
import { shapesOf } from '../../../shared/kernel/wkt-shapes.ts'
import type { Database } from '../../kernel/database/database.ts'
import { geometriesOf, type PlacedRow, placedRows } from './search-density.store.ts'
import type { Question } from './search.question.ts'

export type DensityOut = z.input<typeof DensityAnswer>

export interface DensityArea {
  readonly area: Box
  readonly level: number
}

/** The most that one answer counts, the newest first: a map of a station's whole life is asked for with a time. */
export interface DensityLimits {
  readonly evidences: number
  /** Of these; a track is read, a position stands in the index. */
  readonly tracks: number
}
export const DENSITY_LIMITS: DensityLimits = { evidences: 20_000, tracks: 1_000 }

/** Tracks of one read. Between reads other requests have their turn. */
const AT_ONCE = 50

/** @param shown null: all of the map */
export async function countDensity(
  db: Pick<Database, 'read' | 'longRead'>,
  { tenant, seeker, filter, facets, isRough, signal }: Question,
  shown: DensityArea | null,
  limits: DensityLimits = DENSITY_LIMITS,
): Promise<DensityOut> {
  const counted = { facets: { ...facets, types: evidenceOnly(facets.types) }, area: shown?.area ?? null }
  const placed = await db.longRead(placedRows(db.read, tenant, seeker, filter, counted, limits.evidences + 1), signal)
  const newest = placed.slice(0, limits.evidences)
  const bounds = boundsOf(newest)
  if (bounds === null) return nothingCounted(shown)
  const [area, level] = shown === null ? [bounds, levelFor(bounds)] : [shown.area, shown.level]
  const cells = countCells(area, level)

  const positions = newest.filter(isPosition)
  for (const { west, south } of positions) cells.position({ latitude: south, longitude: west })
  const lines = newest.filter((row) => !isPosition(row)).map(({ search_id: id }) => id)
  const tracks = lines.slice(0, limits.tracks)
  for (let at = 0; at < tracks.length; at += AT_ONCE)
    for (const { wkt } of await db.longRead(geometriesOf(db.read, tracks.slice(at, at + AT_ONCE)), signal))
      cells.shapes(wkt === null ? [] : (shapesOf(wkt) ?? []))
  return {
    Level: level,
    Cells: cells.cells().map(({ x, y, count }) => ({ X: x, Y: y, Count: count })),
    Bounds: [...bounds],
    Positions: positions.length,
    Tracks: tracks.length,
    IsPartial: placed.length > newest.length || lines.length > tracks.length,
    PlaceIsRough: isRough,
  }
}

const isPosition = ({ west, south, east, north }: PlacedRow): boolean => west === east && south === north

function boundsOf([first, ...others]: readonly PlacedRow[]): Box | null {
  if (first === undefined) return null
  let { west, south, east, north } = first
  for (const row of others) {
    west = Math.min(west, row.west)
    south = Math.min(south, row.south)
    east = Math.max(east, row.east)
    north = Math.max(north, row.north)
  }
  return [west, south, east, north]
}

const evidenceOnly = (types: Question['facets']['types']): Question['facets']['types'] =>
  types === null || types.includes('Evidence') ? ['Evidence'] : []

export const nothingCounted = (shown: DensityArea | null): DensityOut => ({
  Level: shown?.level ?? 0,
  Cells: [],
  Bounds: null,
  Positions: 0,
  Tracks: 0,
  IsPartial: false,
  PlaceIsRough: false,
})
