/**
 * Cuts lines and polygons of the whole earth at ±180°, so that a flat map draws no line from one edge to the other. Pure. The outline comes
 * as rings on a sphere: one may cross the antimeridian, or go around a pole.
 */
type Position = readonly number[]
type Point = readonly [longitude: number, latitude: number]
export type Ring = readonly Position[]

const point = (given: Position): Point => [given[0] ?? 0, given[1] ?? 0]

/** The same places, each beside the one before: longitudes may leave ±180°. */
export function unwrapped(line: Ring): Point[] {
  const out: Point[] = []
  let turns = 0
  let before: number | null = null
  for (const [longitude, latitude] of line.map(point)) {
    if (before !== null && longitude - before > 180) turns -= 360
    else if (before !== null && before - longitude > 180) turns += 360
    before = longitude
    out.push([longitude + turns, latitude])
  }
  return out
}

const EDGE = 180

/** The part of a polygon on one side of a meridian. */
function clipped(ring: readonly Point[], meridian: number, keeps: (longitude: number) => boolean): Point[] {
  const out: Point[] = []
  ring.forEach((there, index) => {
    const before = ring.at(index - 1) as Point
    if (keeps(there[0]) !== keeps(before[0])) out.push(crossing(before, there, meridian))
    if (keeps(there[0])) out.push(there)
  })
  return out
}

function crossing(from: Point, to: Point, meridian: number): Point {
  const part = (meridian - from[0]) / (to[0] - from[0])
  return [meridian, from[1] + part * (to[1] - from[1])]
}

const shifted = (line: readonly Point[], by: number): Point[] => line.map(([x, y]) => [x + by, y])

/** @returns rings that lie within ±180° */
export function cutRing(ring: Ring): Point[][] {
  const flat = unwrapped(ring)
  const [first, last] = [flat[0], flat.at(-1)]
  if (first === undefined || last === undefined) return []
  // One that goes around a pole is closed along it.
  if (Math.abs(last[0] - first[0]) > EDGE) {
    const pole = flat.reduce((sum, [, latitude]) => sum + latitude, 0) < 0 ? -90 : 90
    flat.push([last[0], pole], [first[0], pole])
  }
  return [-360, 0, 360]
    .map((by) =>
      clipped(
        clipped(shifted(flat, by), -EDGE, (longitude) => longitude >= -EDGE),
        EDGE,
        (longitude) => longitude <= EDGE,
      ),
    )
    .filter((part) => part.length >= 3)
}

/** @returns lines that lie within ±180° */
export function cutLine(line: Ring): Point[][] {
  const parts: Point[][] = [[]]
  const all = line.map(point)
  all.forEach((there, index) => {
    const before = all[index - 1]
    if (before !== undefined && Math.abs(there[0] - before[0]) > EDGE) {
      const side = before[0] > 0 ? EDGE : -EDGE
      const [, latitude] = crossing(before, [there[0] + 2 * side, there[1]], side)
      // On either edge, unless it stands on it already.
      if (Math.abs(before[0]) < EDGE) parts.at(-1)?.push([side, latitude])
      parts.push(Math.abs(there[0]) < EDGE ? [[-side, latitude]] : [])
    }
    parts.at(-1)?.push(there)
  })
  return parts.filter((part) => part.length >= 2)
}
