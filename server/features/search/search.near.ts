/** What lies within so many metres of a place, or in a part of the map. SQL knows the box around a line or an area; the line itself is measured here. */
import { metresBetween, type Place } from '../../../shared/kernel/distance.ts'
import { type Shape, shapesOf } from '../../../shared/kernel/wkt-shapes.ts'
import { type Box, partWithin } from '../../../shared/search/cells.ts'
import type { LineRow } from './search-density.store.ts'

export interface Circle {
  readonly latitude: number
  readonly longitude: number
  readonly metres: number
}

/** A little less than anywhere on earth, so that a box made with it is never too small. */
const METRES_A_DEGREE = 110_500

/** The box around a circle; all longitudes where it holds a pole. */
export function boxAround({ latitude, longitude, metres }: Circle): Box {
  const up = metres / METRES_A_DEGREE
  const [south, north] = [Math.max(-90, latitude - up), Math.min(90, latitude + up)]
  const farthest = Math.max(Math.abs(south), Math.abs(north))
  if (farthest >= 89) return [-180, south, 180, north]
  const side = up / Math.cos((farthest * Math.PI) / 180)
  if (side >= 180) return [-180, south, 180, north]
  const within = (degrees: number): number => (degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees)
  return [within(longitude - side), south, within(longitude + side), north]
}

/** Whether any part of it is within the circle. */
export function isNear(shapes: readonly Shape[], circle: Circle): boolean {
  return shapes.some((shape) => {
    if (shape.kind === 'point') return shape.places.some((place) => metresBetween(place, circle) <= circle.metres)
    if (shape.kind === 'line') return lineIsNear(shape.places, circle)
    return shape.rings.some((ring) => lineIsNear(ring, circle)) || holds(shape.rings, planeOf(circle))
  })
}

interface Point {
  readonly x: number
  readonly y: number
}

const METRES_A_RADIAN = 6_371_008.8

/** Metres east and north of the middle, true to one part in a thousand up to the largest circle that may be asked for. */
function planeOf(circle: Circle): (place: Place) => Point {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  return ({ latitude, longitude }) => {
    const away = longitude - circle.longitude
    const turned = away - Math.round(away / 360) * 360
    return {
      x: radians(turned) * Math.cos(radians((latitude + circle.latitude) / 2)) * METRES_A_RADIAN,
      y: radians(latitude - circle.latitude) * METRES_A_RADIAN,
    }
  }
}

function lineIsNear(places: readonly Place[], circle: Circle): boolean {
  const plane = planeOf(circle)
  let before: Point | null = null
  for (const place of places) {
    const at = plane(place)
    if (distanceTo(before ?? at, at) <= circle.metres) return true
    before = at
  }
  return false
}

/** From the middle of the plane to a part of a line. One that jumps to the other side of the earth is two points. */
function distanceTo(from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const ends = Math.min(Math.hypot(from.x, from.y), Math.hypot(to.x, to.y))
  if (length === 0 || Math.abs(dx) > Math.PI * METRES_A_RADIAN) return ends
  const part = Math.max(0, Math.min(1, -(from.x * dx + from.y * dy) / length))
  return Math.hypot(from.x + part * dx, from.y + part * dy)
}

/** Whether the origin of the plane is in the area and in none of its holes. */
function holds(rings: readonly (readonly Place[])[], plane: (place: Place) => Point): boolean {
  let inside = false
  for (const ring of rings) {
    const points = ring.map(plane)
    points.forEach((one, index) => {
      const other = points[(index + 1) % points.length] as Point
      if (one.y > 0 !== other.y > 0 && one.x + ((0 - one.y) / (other.y - one.y)) * (other.x - one.x) > 0)
        inside = !inside
    })
  }
  return inside
}

/** Whether any part of it is in the part of the map, on the flat map that people see. */
export function isIn(shapes: readonly Shape[], [west, south, east, north]: Box): boolean {
  const part = { columns: east < west ? east + 360 - west : east - west, rows: north - south }
  const plane = ({ latitude, longitude }: Place): Point => ({ x: longitude - west, y: latitude - south })
  const touches = (from: Point, to: Point): boolean => {
    // The short way round the earth, in any turn of it.
    const along = to.x - from.x - Math.round((to.x - from.x) / 360) * 360
    return [-360, 0, 360].some(
      (turn) => partWithin({ x: from.x + turn, y: from.y }, { x: from.x + turn + along, y: to.y }, part) !== null,
    )
  }
  const lineTouches = (places: readonly Place[]): boolean =>
    places.some((place, index) => touches(plane(places[Math.max(0, index - 1)] as Place), plane(place)))
  return shapes.some((shape) => {
    if (shape.kind === 'point') return shape.places.some((place) => touches(plane(place), plane(place)))
    if (shape.kind === 'line') return lineTouches(shape.places)
    return shape.rings.some(lineTouches) || holds(shape.rings, plane)
  })
}

/** Lines and areas that are measured for a question, and so many of them at a time: other requests have their turn. */
export const MOST_MEASURED = 1_000
const AT_ONCE = 50

export interface Measured {
  readonly apart: readonly number[]
  /** There were more lines and areas than are measured: of these the box around them counts. */
  readonly isRough: boolean
}

/**
 * The lines and areas that are not where the box around them is.
 * @param ids of one more than are measured, the newest first
 * @param read the geometries of some of them
 */
export async function linesApart(
  ids: readonly number[],
  isThere: (shapes: readonly Shape[]) => boolean,
  read: (ids: readonly number[]) => Promise<readonly LineRow[]>,
): Promise<Measured> {
  const measured = ids.slice(0, MOST_MEASURED)
  const apart: number[] = []
  for (let at = 0; at < measured.length; at += AT_ONCE)
    for (const { search_id: id, wkt } of await read(measured.slice(at, at + AT_ONCE))) {
      const shapes = wkt === null ? null : shapesOf(wkt)
      if (shapes === null || !isThere(shapes)) apart.push(id)
    }
  return { apart, isRough: ids.length > measured.length }
}
