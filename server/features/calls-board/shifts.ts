/** Shifts: a day split where people change over. Pure; reckoned on the wall of the station's own zone. */
import { dayAfter } from '../../../shared/kernel/days.ts'
import { instantOf } from '../../../shared/kernel/time-zones.ts'

/** Minutes after midnight on the wall, in order; a shift lasts until the next one begins, the last one into the next day. */
export interface ShiftStart {
  readonly name: string
  readonly minute: number
}

/** The default: three shifts of eight hours, without names. */
export const USUAL_SHIFTS: readonly ShiftStart[] = [
  { name: '', minute: 6 * 60 },
  { name: '', minute: 14 * 60 },
  { name: '', minute: 22 * 60 },
]

export interface ShiftOf extends ShiftStart {
  readonly index: number
  readonly from: number
  readonly to: number
}

/** A calendar's reckoning in one zone. */
export interface Calendar {
  /** Milliseconds since 1970 at which the wall shows this. */
  readonly at: (date: string, minute: number) => number
  /** The date on the wall, `2026-11-20`. */
  readonly dateOf: (millis: number) => string
}

export function calendarIn(timeZone: string): Calendar {
  const dates = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return {
    at: (date, minute) => {
      const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
      return instantOf({ year, month, day, hour: Math.floor(minute / 60), minute: minute % 60, second: 0 }, timeZone).ms
    },
    dateOf: (millis) => dates.format(millis),
  }
}

const DAY = 86_400_000

/** Of the week in which the day lies. */
export const mondayOf = (date: string): string => dayAfter(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7))

/** ISO 8601: the week in which the Thursday lies. @param monday its first day */
export function weekNumber(monday: string): { readonly year: number; readonly week: number } {
  const thursday = Date.parse(`${dayAfter(monday, 3)}T00:00:00Z`)
  const year = new Date(thursday).getUTCFullYear()
  return { year, week: Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * DAY)) + 1 }
}

/** Those that begin on this date. The last one ends where the first of the next day begins: each moment is in one shift. */
export function shiftsOn(date: string, starts: readonly ShiftStart[], calendar: Calendar): ShiftOf[] {
  const next = dayAfter(date, 1)
  const begins = [...starts.map(({ minute }) => calendar.at(date, minute)), calendar.at(next, starts[0]?.minute ?? 0)]
  return starts.map((start, index) => ({
    ...start,
    index,
    from: begins[index] as number,
    to: begins[index + 1] as number,
  }))
}

/** The date whose shifts are on at that moment, and the one of them. */
export function shiftAt(
  millis: number,
  starts: readonly ShiftStart[],
  calendar: Calendar,
): { readonly date: string; readonly index: number } {
  const today = calendar.dateOf(millis)
  for (const date of [today, dayAfter(today, -1)]) {
    const on = shiftsOn(date, starts, calendar).find(({ from, to }) => from <= millis && millis < to)
    if (on !== undefined) return { date, index: on.index }
  }
  return { date: today, index: 0 }
}
