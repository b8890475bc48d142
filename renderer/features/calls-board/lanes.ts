/** Where the blocks of a row stand: shares of the axis, and lanes where they would lie over each other. Pure. */
import type { BoardItem } from './queries.ts'

export interface Axis {
  readonly from: number
  readonly to: number
}

export interface Placed {
  readonly item: BoardItem
  /** Percent of the axis. */
  readonly left: number
  readonly width: number
  readonly lane: number
}

/** Percent of the axis: a block is never drawn narrower. */
const LEAST = 3.4

export const shareAt = (millis: number, { from, to }: Axis): number => ((millis - from) / (to - from)) * 100

export function placed(
  items: readonly BoardItem[],
  axis: Axis,
): { readonly blocks: readonly Placed[]; readonly lanes: number } {
  const ends: number[] = []
  const blocks = items.map((item) => {
    const start = Math.min(100 - LEAST, Math.max(0, shareAt(Date.parse(item.FromUtc), axis)))
    const end = item.ToUtc === null ? start : Math.min(100, shareAt(Date.parse(item.ToUtc), axis))
    const width = Math.max(LEAST, end - start)
    const free = ends.findIndex((taken) => taken <= start)
    const lane = free === -1 ? ends.length : free
    ends[lane] = start + width
    return { item, left: start, width, lane }
  })
  return { blocks, lanes: Math.max(1, ends.length) }
}

const HOUR = 3_600_000

/** Ticks at whole hours, few enough to be read. */
export function ticksOf({ from, to }: Axis): number[] {
  const step = HOUR * ([1, 2, 3, 6, 12, 24].find((hours) => (to - from) / (hours * HOUR) <= 12) ?? 24)
  const ticks: number[] = []
  for (let at = from; at < to - step / 4; at += step) ticks.push(at)
  return ticks
}

/** Of a block, where its recordings lie, in percent of it. */
export function barsOf({ FromUtc, ToUtc, Recorded }: BoardItem): { readonly left: number; readonly width: number }[] {
  const [from, to] = [Date.parse(FromUtc), ToUtc === null ? null : Date.parse(ToUtc)]
  if (to === null || to <= from) return Recorded.length > 0 ? [{ left: 0, width: 100 }] : []
  return Recorded.map((span) => {
    const left = shareAt(Date.parse(span.FromUtc), { from, to })
    return { left, width: shareAt(Date.parse(span.ToUtc), { from, to }) - left }
  })
}
