/** Where the axis of a recording is labelled: its ends, and round times of the clock between them (docs/develop/screens.md, Charts). Pure. */
import { type ClockSource, momentAt, shownTime } from './recorded.ts'

export interface Tick {
  readonly seconds: number
  /** A whole minute: its seconds need not be written. */
  readonly whole: boolean
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400]

export function ticksOf(duration: number, clock: ClockSource, most: number): readonly Tick[] {
  if (!(duration > 0)) return []
  const ends: Tick[] = [
    { seconds: 0, whole: false },
    { seconds: duration, whole: false },
  ]
  const step = STEPS.find((size) => duration / size <= most - 1)
  if (step === undefined || most < 3) return ends
  const start = shownTime(momentAt(clock, 0))
  const begins = start === null ? 0 : Date.parse(start) / 1000
  const first = Math.ceil(begins / step) * step - begins
  const between: Tick[] = []
  // Labels must not run into those of the ends.
  const room = (duration / most) * 0.9
  for (let seconds = first; seconds < duration; seconds += step)
    if (seconds > room && duration - seconds > room)
      between.push({ seconds, whole: step >= 60 && Math.round(begins + seconds) % 60 === 0 })
  return [ends[0] as Tick, ...between, ends[1] as Tick]
}

/**
 * Left edges of labels that stand as near to their places as they can without lying over each other. In order of their places; CSS pixels.
 * Where there is no room for all, the last ones lie on top of each other at the end.
 */
export function spread(places: readonly number[], widths: readonly number[], room: number): readonly number[] {
  const left: number[] = []
  let free = 0
  for (const [index, place] of places.entries()) {
    const width = widths[index] ?? 0
    const wished = Math.max(free, Math.min(place - width / 2, room - width))
    left.push(wished)
    free = wished + width
  }
  let limit = room
  for (let index = left.length - 1; index >= 0; index--) {
    const width = widths[index] ?? 0
    left[index] = Math.max(0, Math.min(left[index] ?? 0, limit - width))
    limit = left[index] ?? 0
  }
  return left
}
