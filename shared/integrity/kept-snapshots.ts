/** Which snapshots are kept: for each of the last days, weeks and months that have one, the newest. */
export const KEPT = { daily: 7, weekly: 4, monthly: 12 } as const

const DAY = 86_400_000

/** Of a moment in UTC; weeks begin on Monday. */
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7)
const weekOf = (at: number): string => dayOf(at - ((new Date(at).getUTCDay() + 6) % 7) * DAY)

/**
 * @param times milliseconds since 1970, one for each snapshot, in any order
 * @returns those that stay; the newest is always among them
 */
export function keptSnapshots(times: readonly number[]): Set<number> {
  const newestFirst = [...times].sort((a, b) => b - a)
  const kept = new Set(newestFirst.slice(0, 1))
  const keep = (of: (at: number) => string, most: number): void => {
    const seen = new Set<string>()
    for (const at of newestFirst) {
      const name = of(at)
      if (seen.has(name)) continue
      if (seen.size === most) return
      seen.add(name)
      kept.add(at)
    }
  }
  keep(dayOf, KEPT.daily)
  keep(weekOf, KEPT.weekly)
  keep(monthOf, KEPT.monthly)
  return kept
}

/**
 * By when every snapshot is gone that was made until `at`, where one is made every so many hours (at most a month's) from then on: the
 * newest of its month goes when so many later months have one.
 */
export function goneBy(at: number, everyHours: number): number {
  const then = new Date(at)
  return Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + KEPT.monthly, 1) + everyHours * 3_600_000
}

/** Of a folder of snapshots: `20261121T153000123Z`. */
export const snapshotName = (at: number): string => new Date(at).toISOString().replaceAll(/[-:.]/g, '')

/** @returns null for what is no name of a snapshot */
export function snapshotTime(name: string): number | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(name)
  if (parts === null) return null
  const [, year, month, day, hour, minute, second, millis] = parts
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}Z`)
  return Number.isNaN(at) || snapshotName(at) !== name ? null : at
}
