/** Places in a recording as they stand in the address: `12.48_33.04`, seconds, to the microsecond. Pure. */

const MOST = 50

export function marksIn(text: unknown): readonly number[] {
  if (typeof text === 'number') return marksIn(String(text))
  if (typeof text !== 'string' || text === '') return []
  const found = text
    .split('_')
    .filter((part) => /^\d{1,7}(\.\d{1,6})?$/.test(part))
    .map(Number)
  return [...new Set(found)].sort((a, b) => a - b).slice(0, MOST)
}

export const marksText = (marks: readonly number[]): string | undefined =>
  marks.length === 0 ? undefined : marks.map(placeText).join('_')

/** So exact that it still names the frame it was taken from, whatever the frame rate. */
export const placeText = (seconds: number): string => String(Math.round(seconds * 1e6) / 1e6)

/** Puts a mark, or takes the one away that stands within `near` seconds. */
export function toggled(marks: readonly number[], at: number, near: number): readonly number[] {
  const there = marks.find((mark) => Math.abs(mark - at) < near)
  if (there !== undefined) return marks.filter((mark) => mark !== there)
  if (marks.length >= MOST) return marks
  return [...marks, Number(placeText(at))].sort((a, b) => a - b)
}

/** A place from the address; null for anything that is none. */
export function placeIn(value: unknown): number | null {
  const seconds = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return value !== '' && Number.isFinite(seconds) && seconds >= 0 && seconds < 10_000_000 ? seconds : null
}
