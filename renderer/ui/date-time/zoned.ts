/** Between ISO 8601 in UTC, as it is kept, and the wall clock of the station's zone, as it is typed. */
import { parseAbsolute, type ZonedDateTime } from '@internationalized/date'

/** null for what is missing or no instant. */
export function toZoned(iso: string | null, zone: string): ZonedDateTime | null {
  if (iso === null || Number.isNaN(Date.parse(iso))) return null
  return parseAbsolute(new Date(iso).toISOString(), zone)
}

/** Always UTC with `Z`; an hour that the clock has twice keeps the one that was meant. */
export const toIso = (value: ZonedDateTime): string => value.toAbsoluteString()
