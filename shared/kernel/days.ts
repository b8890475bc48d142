/** Days on the wall of the station, as `2026-11-30`. */
import { instantOf } from './time-zones.ts'

/** The day in this zone. @param at milliseconds since 1970, or ISO 8601 */
export const dayIn = (zone: string, at: number | string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(at),
  )

/** Noon of the day in this zone, in UTC: it is the same day in every neighbouring zone. */
export function noonOf(day: string, zone: string): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return new Date(instantOf({ year, month, day: date, hour: 12, minute: 0, second: 0 }, zone).ms).toISOString()
}

/** The day so many days later, or earlier where it is negative. @param day as `2026-11-30` */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
