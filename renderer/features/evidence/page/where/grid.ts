/** The plain grid in metres that a map shows where it knows no streets, and what stands on it. Pure. */
import { metresBetween, type Place } from '../../../../../shared/kernel/distance.ts'
import { type Metres, type Plane, transverseMercator } from '../../../../../shared/kernel/transverse-mercator.ts'

/** Wider than this the outline of countries says more than a grid. */
export const WIDEST_GRID = 200_000
const LEAST_STEP = 10
/** Beyond this the plane of the origin is not true enough. */
const FARTHEST = 50_000

/** 10, 20, 50, 100, … metres: the least of them that is not shorter than asked. */
export function roundStep(least: number): number {
  for (let power = LEAST_STEP; ; power *= 10)
    for (const factor of [1, 2, 5]) if (power * factor >= least) return power * factor
}

/** The greatest of the same lengths that is not longer than asked; null below the least. */
export function roundBelow(most: number): number | null {
  if (most < LEAST_STEP) return null
  let best = LEAST_STEP
  for (let power = LEAST_STEP; power <= most; power *= 10)
    for (const factor of [1, 2, 5]) if (power * factor <= most) best = power * factor
  return best
}

export interface GridLine {
  /** Metres from the origin. */
  readonly at: number
  readonly places: readonly Place[]
}

export interface Grid {
  readonly plane: Plane
  readonly step: number
  /** Whether lines are counted from the origin that was asked for. */
  readonly fromOrigin: boolean
  /** From south to north, and from west to east. */
  readonly norths: readonly GridLine[]
  readonly easts: readonly GridLine[]
}

export interface View {
  readonly corners: readonly Place[]
  readonly center: Place
  /** Pixels from edge to edge. */
  readonly width: number
}

const SAMPLES = 8
const BETWEEN_LINES = 48
const MOST_LINES = 60

export const metresAcross = ({ corners: [one, other] }: View): number =>
  one === undefined || other === undefined ? Number.POSITIVE_INFINITY : metresBetween(one, other)

/** @returns null where a map shows so much that the outline is drawn instead */
export function gridOf(view: View, origin: Place | null): Grid | null {
  const across = metresAcross(view)
  if (!(across < WIDEST_GRID) || view.width === 0) return null
  const near = origin !== null && metresBetween(origin, view.center) < FARTHEST
  const plane = transverseMercator(near ? origin : view.center)
  const step = roundStep((across / view.width) * BETWEEN_LINES)
  const at = view.corners.map((corner) => plane.forward(corner))
  const range = (pick: (metres: Metres) => number): number[] => {
    const values = at.map(pick)
    const [least, most] = [Math.ceil(Math.min(...values) / step) - 1, Math.floor(Math.max(...values) / step) + 1]
    return Array.from(
      { length: Math.max(0, Math.min(MOST_LINES, most - least + 1)) },
      (_, index) => (least + index) * step,
    )
  }
  const [easts, norths] = [range(({ east }) => east), range(({ north }) => north)]
  const along = (values: readonly number[], place: (value: number) => Metres): Place[] => {
    const [first = 0, last = 0] = [values[0], values.at(-1)]
    return Array.from({ length: SAMPLES + 1 }, (_, index) =>
      plane.inverse(place(first + ((last - first) * index) / SAMPLES)),
    )
  }
  return {
    plane,
    step,
    fromOrigin: near,
    norths: easts.map((east) => ({ at: east, places: along(norths, (north) => ({ east, north })) })),
    easts: norths.map((north) => ({ at: north, places: along(easts, (east) => ({ east, north })) })),
  }
}

const RING_CORNERS = 72

/** A circle on the ground. */
export function ringAround(center: Place, metres: number): Place[] {
  const plane = transverseMercator(center)
  return Array.from({ length: RING_CORNERS + 1 }, (_, index) => {
    const angle = (2 * Math.PI * index) / RING_CORNERS
    return plane.inverse({ east: metres * Math.sin(angle), north: metres * Math.cos(angle) })
  })
}

/** Metres along a line. */
export const lengthOf = (places: readonly Place[]): number =>
  places.slice(1).reduce((sum, place, index) => sum + metresBetween(places[index] as Place, place), 0)

export interface Arrow {
  readonly x: number
  readonly y: number
  /** Degrees clockwise from up. */
  readonly turn: number
}

const BETWEEN_ARROWS = 70

/** Where a drawn line says which way it goes: in the middle of a short one, and again and again on a long one. */
export function arrowsAlong(line: readonly { readonly x: number; readonly y: number }[]): Arrow[] {
  const lengths = line.slice(1).map((to, index) => {
    const from = line[index] as { x: number; y: number }
    return Math.hypot(to.x - from.x, to.y - from.y)
  })
  const whole = lengths.reduce((sum, length) => sum + length, 0)
  const count = Math.min(200, Math.max(1, Math.floor(whole / BETWEEN_ARROWS)))
  const arrows: Arrow[] = []
  let [passed, index] = [0, 0]
  for (let arrow = 0; arrow < count && whole > 16; arrow++) {
    const due = (whole * (arrow + 0.5)) / count
    while (index < lengths.length - 1 && passed + (lengths[index] as number) < due) {
      passed += lengths[index] as number
      index += 1
    }
    const [from, to] = [line[index], line[index + 1]]
    const length = lengths[index]
    if (from === undefined || to === undefined || length === undefined || length === 0) continue
    const part = (due - passed) / length
    arrows.push({
      x: from.x + part * (to.x - from.x),
      y: from.y + part * (to.y - from.y),
      turn: (Math.atan2(to.x - from.x, from.y - to.y) * 180) / Math.PI,
    })
  }
  return arrows
}
