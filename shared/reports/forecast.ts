/** When a disk is full, by the growth of the days behind: a straight line, and how far it may be off. Pure. */

/** Days that the line goes through. */
export const FORECAST_DAYS = 90
/** Fewer say nothing. */
export const LEAST_DAYS = 14
/** Two-sided, of 95 %; the normal distribution is near enough from two weeks on. */
const CERTAIN = 1.96
/** Further ahead nothing is said. */
const MOST_AHEAD = 3_650

export interface Forecast {
  /** Bytes a day, and the ends of its range. */
  readonly perDay: number
  readonly least: number
  readonly most: number
  /** Days until the room is used up; null: not within ten years. */
  readonly fullIn: number | null
  /** At the fastest and at the slowest growth of the range. */
  readonly soonest: number | null
  readonly latest: number | null
}

/**
 * @param added bytes of each day, the oldest first, all days that are known
 * @param free bytes that may still be filled
 * @returns null where there are too few days
 */
export function forecast(added: readonly number[], free: number): Forecast | null {
  const days = added.slice(-FORECAST_DAYS)
  const count = days.length
  if (count < LEAST_DAYS) return null
  const perDay = days.reduce((sum, bytes) => sum + bytes, 0) / count
  const variance = days.reduce((sum, bytes) => sum + (bytes - perDay) ** 2, 0) / (count - 1)
  // Days that resemble the day before say less than their number.
  const margin = CERTAIN * Math.sqrt(variance / count) * Math.sqrt(correlated(days, perDay, variance))
  const [least, most] = [Math.max(0, perDay - margin), perDay + margin]
  return {
    perDay,
    least,
    most,
    fullIn: daysUntil(free, perDay),
    soonest: daysUntil(free, most),
    latest: daysUntil(free, least),
  }
}

/** By how much the variance of the mean grows because a day resembles the one before; 1 where it does not. */
function correlated(days: readonly number[], mean: number, variance: number): number {
  if (variance === 0) return 1
  let sum = 0
  for (let at = 1; at < days.length; at++) sum += ((days[at] as number) - mean) * ((days[at - 1] as number) - mean)
  const alike = Math.min(0.95, Math.max(0, sum / ((days.length - 1) * variance)))
  return (1 + alike) / (1 - alike)
}

function daysUntil(free: number, perDay: number): number | null {
  if (perDay <= 0) return null
  const days = Math.floor(Math.max(0, free) / perDay)
  return days > MOST_AHEAD ? null : days
}
