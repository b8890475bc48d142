/** Conditions on where something was, by the box around it that the index has. */
import { type RawBuilder, sql } from 'kysely'
import type { Box } from '../../../shared/search/cells.ts'
import { listOf, membersOf, withoutIndex } from '../../kernel/database/expressions.ts'

type Condition = RawBuilder<unknown>

/** Within so many metres of a place (search.near.ts). */
export interface NearFilter {
  readonly latitude: number
  readonly longitude: number
  readonly metres: number
  readonly box: Box
}

export const real = (value: number): Condition => sql`CAST(${String(value)} AS DOUBLE PRECISION)`

export function inBox([west, south, east, north]: Box): Condition {
  const across =
    west <= east ? sql`s.west <= ${east} AND s.east >= ${west}` : sql`(s.west <= ${east} OR s.east >= ${west})`
  return sql`(s.south <= ${north} AND s.north >= ${south} AND ${across})`
}

export const IS_POSITION = sql`(s.west = s.east AND s.south = s.north)`
const EARTH_DIAMETER = 2 * 6_371_008.8
/** By how much the nearest corner of a box may be farther than its nearest point. */
const SLACK = 1.02

/** The haversine, of the place in the box around a row that is nearest. Exact for positions; lines and areas are measured by search.near.ts. */
function isAbout({ latitude, longitude, metres, box }: NearFilter): Condition {
  const [lat, lon] = [real(latitude), real(longitude)]
  const squared = (degrees: Condition): Condition => sql`power(sin(radians(${degrees}) / 2), 2)`
  const [toWest, toEast] = [squared(sql`s.west - ${lon}`), squared(sql`s.east - ${lon}`)]
  const nearest = sql`CASE WHEN s.south > ${lat} THEN s.south WHEN s.north < ${lat} THEN s.north ELSE ${lat} END`
  const aside = sql`CASE WHEN s.west <= ${lon} AND s.east >= ${lon} THEN 0.0 WHEN ${toWest} < ${toEast} THEN ${toWest} ELSE ${toEast} END`
  const haversine = sql`(${squared(sql`${nearest} - ${lat}`)} + cos(radians(${lat})) * cos(radians(${nearest})) * (${aside}))`
  const most = (by: number): Condition => real(Math.sin(Math.min(Math.PI / 2, (metres * by) / EARTH_DIAMETER)) ** 2)
  return sql`(${inBox(box)} AND ${haversine} <= CASE WHEN ${IS_POSITION} THEN ${most(1)} ELSE ${most(SLACK)} END)`
}

export interface Placed {
  readonly box: Box | null
  readonly near: NearFilter | null
  /** Rows that are there by the box around them, while their line or area is not. */
  readonly apart: readonly number[]
}

/** The part of the map that is asked for. */
export const placed = ({ box, near, apart }: Placed): Condition[] => [
  ...(box === null ? [] : [inBox(box)]),
  ...(near === null ? [] : [isAbout(near)]),
  ...(apart.length === 0 ? [] : [sql`${withoutIndex('s.search_id')} NOT IN ${membersOf(listOf(apart))}`]),
]

/** Lines and areas of which the box around them does not say whether they are there. One that lies whole in the part that is asked for is. */
export const isUnsure = ({ box, near }: Pick<Placed, 'box' | 'near'>): Condition =>
  near !== null || box === null || box[0] > box[2]
    ? sql`NOT ${IS_POSITION}`
    : sql`NOT ${IS_POSITION} AND NOT (s.west >= ${box[0]} AND s.east <= ${box[2]} AND s.south >= ${box[1]} AND s.north <= ${box[3]})`
