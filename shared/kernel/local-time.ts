/** A local time as a device wrote it, without the zone that it belongs to: `YYYY-MM-DDTHH:MM:SS`, with up to 7 fraction digits. Pure. */
import { parseTime, type Time } from './time.ts'
import { instantOf } from './time-zones.ts'

const LOCAL = /^([1-9]\d{3})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,7}))?$/

export const isLocalTime = (text: string): boolean => LOCAL.test(text)

/**
 * The instant of a local time, taken as a clock in this zone shows it. A time that this zone shows twice is the earlier one of both. Null
 * where the text is no local time, or the instant is beyond the year 9999.
 */
export function localTimeIn(local: string, zone: string): Time | null {
  const match = LOCAL.exec(local)
  if (match === null || parseTime(local, { utcMember: true }) === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const { ms } = instantOf({ year, month, day, hour, minute, second }, zone)
  const instant = new Date(ms)
  if (instant.getUTCFullYear() > 9999) return null
  const fraction = match[7] === undefined ? '' : `.${match[7]}`
  return parseTime(`${instant.toISOString().slice(0, 19)}${fraction}Z`, { utcMember: true })
}
