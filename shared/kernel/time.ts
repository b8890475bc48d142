/** Times as decisions 1 has them: ISO 8601, 0–7 fraction digits, `Z` or an offset; given back in UTC with the precision received. */

export interface Time {
  /** UTC with `Z` and the precision received. */
  readonly text: string
  /** 100 ns ticks since 1970-01-01, which is what is compared and sorted. */
  readonly ticks: bigint
}

const PATTERN = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,7}))?)?(Z|[+-]\d{2}:?\d{2})?$/
const TICKS_PER_MILLI = 10_000n

/**
 * @param options.utcMember members named `…Utc` without an offset are taken as UTC; others without one are refused.
 * @returns null when the text is no such time.
 */
export function parseTime(text: string, options: { utcMember: boolean }): Time | null {
  const match = PATTERN.exec(text)
  if (match === null) return null
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone] = match
  if (zone === undefined && !options.utcMember) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const offset = offsetMinutes(zone ?? 'Z')
  if (offset === null) return null
  // The parser rolls the 30th of February over into March; that is refused.
  const wall = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return null
  const millis = wall - offset * 60_000
  const instant = new Date(millis)
  if (instant.getUTCFullYear() < 1 || instant.getUTCFullYear() > 9999) return null
  const utc = instant.toISOString().slice(0, 19)
  return {
    text: fraction === '' ? `${utc}Z` : `${utc}.${fraction}Z`,
    ticks: BigInt(millis) * TICKS_PER_MILLI + BigInt(fraction.padEnd(7, '0')),
  }
}

/** The station's own times: milliseconds, UTC. */
export function timeOf(epochMillis: number): Time {
  return { text: new Date(epochMillis).toISOString(), ticks: BigInt(epochMillis) * TICKS_PER_MILLI }
}

function offsetMinutes(zone: string): number | null {
  if (zone === 'Z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(-2))
  if (hours > 14 || minutes > 59) return null
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
