/** Cells in which positions and tracks are counted: the tiles of web maps, which keep their place while a map is moved. Pure. */
import type { Place } from '../kernel/distance.ts'
import type { Shape } from '../kernel/wkt-shapes.ts'

export type Box = readonly [west: number, south: number, east: number, north: number]

/** Cells of this level are 38 m wide at the equator; finer ones would show the noise of receivers. */
export const FINEST_CELLS = 20
/** Cells of one answer. */
export const MOST_CELLS = 8_192
/** As many as a map has side by side where it chooses the level by itself. */
const FITTING = 40
/** Web maps end here. */
const NORTHMOST = 85.051_128_779_806_6

interface Point {
  readonly x: number
  readonly y: number
}

/** In cells from the north-west of the map. */
function pointOf({ latitude, longitude }: Place, level: number): Point {
  const sine = Math.sin((Math.max(-NORTHMOST, Math.min(NORTHMOST, latitude)) * Math.PI) / 180)
  const whole = 2 ** level
  return {
    x: (longitude / 360 + 0.5) * whole,
    y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * whole,
  }
}

export function boundsOfCell(x: number, y: number, level: number): Box {
  const whole = 2 ** level
  const latitude = (row: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / whole))) * 180) / Math.PI
  return [(x / whole) * 360 - 180, latitude(y + 1), ((x + 1) / whole) * 360 - 180, latitude(y)]
}

/** The columns and rows of an area, both inclusive. `columns` is how many there are, also across the antimeridian. */
interface Window {
  readonly left: number
  readonly top: number
  readonly columns: number
  readonly rows: number
  readonly level: number
}

function windowOf([west, south, east, north]: Box, level: number): Window {
  const whole = 2 ** level
  const last = whole - 1
  const [least, most] = [
    pointOf({ latitude: north, longitude: west }, level),
    pointOf({ latitude: south, longitude: east < west ? east + 360 : east }, level),
  ]
  const within = (value: number): number => Math.max(0, Math.min(last, Math.floor(value)))
  const [left, top] = [within(least.x), within(least.y)]
  const right = Math.max(left, Math.min(left + last, Math.floor(most.x)))
  return { left, top, columns: Math.min(whole, right - left + 1), rows: within(most.y) - top + 1, level }
}

export function mayBeCounted(area: Box, level: number): boolean {
  const { columns, rows } = windowOf(area, level)
  return columns * rows <= MOST_CELLS
}

/** The finest level that leaves at most so many cells side by side. */
export function levelFor(area: Box): number {
  for (let level = FINEST_CELLS; level > 0; level--) {
    const { columns, rows } = windowOf(area, level)
    if (Math.max(columns, rows) <= FITTING) return level
  }
  return 0
}

/** Cells side by side in a tile of a map. */
const IN_TILE_LEVELS = 3
const EDGE = 1e-6

/**
 * What a map asks for: the tiles that it shows, whole, so that a small move asks for nothing new, and cells of an eighth of a tile, or larger
 * ones where these would be too many.
 */
export function tilesAbout(shown: Box, zoom: number): { readonly area: Box; readonly level: number } {
  const whole = Math.max(0, Math.min(FINEST_CELLS - IN_TILE_LEVELS, Math.round(zoom)))
  const { left, top, columns, rows } = windowOf(shown, whole)
  const [west, , , north] = boundsOfCell(left, top, whole)
  const [, south, east] = boundsOfCell((left + columns - 1) % 2 ** whole, top + rows - 1, whole)
  const inset = (360 / 2 ** whole) * EDGE
  const area: Box = [west, south + inset, east - inset, north - inset]
  let level = whole + IN_TILE_LEVELS
  while (level > 0 && !mayBeCounted(area, level)) level -= 1
  return { area, level }
}

export interface Cell {
  readonly x: number
  readonly y: number
  readonly count: number
}

/** Counts how many objects were in each cell of an area. */
export function countCells(area: Box, level: number) {
  const window = windowOf(area, level)
  const counts = new Map<number, number>()
  const add = (cells: Iterable<number>, by: number): void => {
    for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + by)
  }
  return {
    /** @param times how many objects have this position */
    position: (place: Place, times = 1): void => add(cellsOf([{ kind: 'point', places: [place] }], window), times),
    /** One object. */
    shapes: (shapes: readonly Shape[]): void => add(cellsOf(shapes, window), 1),
    cells: (): Cell[] => {
      const whole = 2 ** level
      return [...counts].map(([cell, count]) => ({
        x: (window.left + (cell % window.columns)) % whole,
        y: window.top + Math.floor(cell / window.columns),
        count,
      }))
    },
  }
}

/** Each once, by its number in the window. An area on the map is no place where somebody was. */
function cellsOf(shapes: readonly Shape[], window: Window): Set<number> {
  const found = new Set<number>()
  for (const shape of shapes) {
    if (shape.kind === 'area') continue
    // The line goes the short way round the earth, and the window may lie in any turn of it.
    let before: Point | null = null
    for (const place of shape.places) {
      const at = beside(pointOf(place, window.level), before, window)
      // Points of a track lie close together: most of them are in the cell of the one before.
      if (before === null || !isSameCell(before, at)) markLine(before ?? at, at, window, found)
      before = at
    }
  }
  return found
}

function beside(point: Point, before: Point | null, { level }: Window): Point {
  const whole = 2 ** level
  return before === null ? point : { x: point.x + Math.round((before.x - point.x) / whole) * whole, y: point.y }
}

const isSameCell = (one: Point, other: Point): boolean =>
  Math.floor(one.x) === Math.floor(other.x) && Math.floor(one.y) === Math.floor(other.y)

function markLine(from: Point, to: Point, window: Window, found: Set<number>): void {
  const whole = 2 ** window.level
  const { left, columns } = window
  // The turns of the earth in which it may be in the window: most often one, or none.
  const first = Math.ceil((left - Math.max(from.x, to.x)) / whole)
  const last = Math.floor((left + columns - Math.min(from.x, to.x)) / whole)
  for (let turn = first; turn <= last; turn++) {
    const shift = turn * whole - left
    const part = partWithin(
      { x: from.x + shift, y: from.y - window.top },
      { x: to.x + shift, y: to.y - window.top },
      window,
    )
    if (part !== null) markPart(part[0], part[1], window, found)
  }
}

/** The part of a line within a window that begins at 0, by Liang and Barsky: what lies outside costs nothing, however long it is. */
export function partWithin(
  from: Point,
  to: Point,
  { columns, rows }: Pick<Window, 'columns' | 'rows'>,
): [Point, Point] | null {
  if (Math.max(from.x, to.x) < 0 || Math.min(from.x, to.x) > columns) return null
  if (Math.max(from.y, to.y) < 0 || Math.min(from.y, to.y) > rows) return null
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  let [start, end] = [0, 1]
  for (const [step, room] of [
    [-dx, from.x],
    [dx, columns - from.x],
    [-dy, from.y],
    [dy, rows - from.y],
  ] as const) {
    if (step === 0) {
      if (room < 0) return null
    } else if (step < 0) start = Math.max(start, room / step)
    else end = Math.min(end, room / step)
  }
  if (start > end) return null
  const at = (part: number): Point => ({ x: from.x + part * dx, y: from.y + part * dy })
  return [at(start), at(end)]
}

/** Every cell that the line passes through, from border to border. */
function markPart(from: Point, to: Point, { columns, rows }: Window, found: Set<number>): void {
  const mark = (x: number, y: number): void => {
    const [column, row] = [Math.floor(x), Math.floor(y)]
    if (column >= 0 && column < columns && row >= 0 && row < rows) found.add(row * columns + column)
  }
  mark(from.x, from.y)
  if (isSameCell(from, to)) return
  mark(to.x, to.y)
  const crossings = [0, 1, ...bordersBetween(from.x, to.x), ...bordersBetween(from.y, to.y)].sort((a, b) => a - b)
  crossings.slice(1).forEach((at, index) => {
    const middle = (at + (crossings[index] as number)) / 2
    mark(from.x + middle * (to.x - from.x), from.y + middle * (to.y - from.y))
  })
}

/** Where on the way from one to the other whole numbers are, as parts of it. */
function bordersBetween(from: number, to: number): number[] {
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  const first = Math.ceil(low)
  return Array.from(
    { length: Math.max(0, Math.floor(high) - first + 1) },
    (_, index) => (first + index - from) / (to - from),
  ).filter((part) => part > 0 && part < 1)
}
