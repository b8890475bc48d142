/** Rules of tasks on cases, for the station and the window (decisions 32). */

/** Of the text of a task, in UTF-16 units. */
export const LONGEST_TASK = 500
/** On one case, deleted ones not counted. */
export const MOST_TASKS = 500
/** Listed at once to one person. */
export const MOST_OWN_TASKS = 200

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** Whether the text is a day of the calendar, as `2026-11-30`, in the years 1970 to 2999. */
export function isCalendarDate(value: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(value) ?? []
  if (year < '1970' || year > '2999') return false
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.toISOString().startsWith(value)
}
