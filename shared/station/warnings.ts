/** Warnings about the station that an administrator may waive for a time. Pure. */
import { instantOf } from '../kernel/time-zones.ts'

/** No place for backups, no place for copies of checkpoints, and a machine that does not say whether its clock is right. */
export const STATION_WARNINGS = ['backup', 'checkpoints', 'clock'] as const
export type StationWarning = (typeof STATION_WARNINGS)[number]

/** A waiver ends on a later day than the one on which it is given, and at most so many days later. */
export const LONGEST_WAIVER_DAYS = 90

/** Milliseconds since 1970 at which a day begins in the zone: the day of `at`, or one so many days later. */
export function dayStart(at: number, zone: string, daysLater = 0): number {
  // Swedish writes a date as ISO 8601 does.
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at)
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return instantOf({ year, month, day: day + daysLater, hour: 0, minute: 0, second: 0 }, zone).ms
}

/** The earliest and the latest end that a waiver may have. */
export function waiverEnds(now: number, zone: string): { readonly earliest: number; readonly latest: number } {
  return { earliest: dayStart(now, zone, 1), latest: dayStart(now, zone, LONGEST_WAIVER_DAYS) }
}
