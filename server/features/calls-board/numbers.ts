/**
 * Gaps in a device's own numbers. Cameras count their recordings in the names of files; a number that is missing between two recordings is a
 * recording that was never brought, or was removed. Pure.
 */

export interface Numbered {
  /** What the name is without the number: only names that are otherwise alike are compared. */
  readonly series: string
  readonly number: number
  /** As it is written, with its zeros. */
  readonly digits: number
}

const RUNS = /\d+/g
/** Longer than a gap ever is: the counter was set back, or the numbers mean something else. */
export const MOST_MISSING = 50

/** The number in the name of a file; null where it holds none that counts. The last run of digits, unless that tells a date or a time. */
export function numberIn(name: string): Numbered | null {
  const stem = name.replace(/\.[^.]*$/, '')
  const runs = [...stem.matchAll(RUNS)]
  const last = runs.at(-1)
  if (last === undefined) return null
  const [digits] = last
  if (digits.length < 2 || digits.length > 9) return null
  if (isDate(digits) || (isTime(digits) && runs.slice(0, -1).some(([run]) => isDate(run)))) return null
  // Dots and dashes between digits are how dates and times are written.
  if (/\d[.:-]$/.test(stem.slice(0, last.index)) && digits.length === 2) return null
  const series = `${stem.slice(0, last.index).replaceAll(RUNS, '#')}${'0'.repeat(digits.length)}${stem.slice(last.index + digits.length)}`
  return { series: series.toLowerCase(), number: Number(digits), digits: digits.length }
}

/** 20261120, also with the time behind it. */
function isDate(run: string): boolean {
  if (run.length !== 8 && run.length !== 14) return false
  const [century, month, day] = [Number(run.slice(0, 2)), Number(run.slice(4, 6)), Number(run.slice(6, 8))]
  return (century === 19 || century === 20) && month >= 1 && month <= 12 && day >= 1 && day <= 31
}

/** 024107 */
const isTime = (run: string): boolean =>
  run.length === 6 && Number(run.slice(0, 2)) < 24 && Number(run.slice(2, 4)) < 60 && Number(run.slice(4)) < 60

export interface Named {
  readonly at: number
  readonly name: string
}

export interface Gap<T extends Named> {
  readonly before: T
  readonly after: T
  /** As the camera would have written them. */
  readonly missing: readonly string[]
}

/** @param recordings of one device, in any order @param known numbers that were here, by series: what was destroyed since is not missing */
export function gapsIn<T extends Named>(recordings: readonly T[], known: readonly string[] = []): Gap<T>[] {
  const seen = new Set(known.flatMap(keyOf))
  for (const { name } of recordings) for (const key of keyOf(name)) seen.add(key)
  const last = new Map<string, { one: T; number: number }>()
  const gaps: Gap<T>[] = []
  for (const one of recordings.toSorted((a, b) => a.at - b.at)) {
    const read = numberIn(one.name)
    if (read === null) continue
    const before = last.get(read.series)
    last.set(read.series, { one, number: read.number })
    if (before === undefined) continue
    const count = read.number - before.number - 1
    if (count < 1 || count > MOST_MISSING) continue
    const missing = Array.from({ length: count }, (_, at) => before.number + 1 + at)
      .filter((number) => !seen.has(`${read.series} ${number}`))
      .map((number) => String(number).padStart(read.digits, '0'))
    if (missing.length > 0) gaps.push({ before: before.one, after: one, missing })
  }
  return gaps
}

const keyOf = (name: string): string[] => {
  const read = numberIn(name)
  return read === null ? [] : [`${read.series} ${read.number}`]
}
