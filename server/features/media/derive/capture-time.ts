/** When a picture or recording was made, by what its metadata says (decisions 13, *Times*). Pure. */
import type { CaptureTime } from '../../../../shared/media/rules.ts'
import { localTimeIn } from '../../../../shared/kernel/local-time.ts'
import { parseDuration, shifted } from '../../../../shared/kernel/durations.ts'
import { type RecordedTime, recordedTime } from '../../../../shared/evidence/recorded-time.ts'
import { parseTime, type Time } from '../../../../shared/kernel/time.ts'
import { takenStart } from '../../../kernel/evidence/local-start.ts'

export interface CaptureClaims {
  readonly captured: CaptureTime | null
  /** UTC, of the GPS receiver. */
  readonly gpsTime: string | null
}

export interface CaptureDecision {
  /** Null: what the file says names no instant. */
  readonly start: Time | null
  readonly startFrom: 'file' | 'gps' | null
  /** The local time that the file gives without its zone, and the instant that it is in the zone of the station. */
  readonly local: { readonly text: string; readonly taken: Time } | null
  /** For a person; null where the file says the instant itself. */
  readonly note: string | null
}

const MINUTE_TICKS = 600_000_000n
const HOUR_TICKS = 60n * MINUTE_TICKS
/** Clocks on earth show from 12 hours before UTC to 14 hours after it; a camera's own may be off by some minutes more. */
const EARLIEST = -12n * HOUR_TICKS - 15n * MINUTE_TICKS
const LATEST = 14n * HOUR_TICKS + 15n * MINUTE_TICKS
/** The clock of the station may be behind. */
const AHEAD = 10n * MINUTE_TICKS
/** Receivers without a fix begin here once more: GPS counts its weeks only up to 1,024. */
const GPS_RESTART = '2019-04-07'

export const GPS_USED = 'The picture gives its time without a time zone. The GPS time in it was taken.'
export const ZONE_UNKNOWN =
  'The picture gives its time without a time zone. It is kept as local time, and sorted as if in the station\u2019s zone.'
export const GPS_IN_FUTURE = `The GPS time in the picture lies in the future and was not used. ${ZONE_UNKNOWN}`
export const GPS_APART = `The GPS time and the camera\u2019s own time in the picture are so far apart that no time zone explains it, so neither is taken for the true time. ${ZONE_UNKNOWN}`

/**
 * A time with its offset goes first, then the GPS time. A GPS time that no zone can bring together with the camera's own time proves that
 * one of both clocks is wrong and does not say which: receivers repeat an old time or lose 1,024 weeks, cameras are never set. No instant
 * is made from either then; the camera's time is kept, since the other pictures of the same card go by it too.
 * @param now milliseconds since 1970
 */
export function decideCapture({ captured, gpsTime }: CaptureClaims, zone: string, now: number): CaptureDecision {
  if (captured !== null && captured.offset !== null) {
    const start = parseTime(`${captured.text}${captured.offset}`, { utcMember: false })
    return { start, startFrom: start === null ? null : 'file', local: null, note: null }
  }
  const gps = gpsTime === null ? null : parseTime(gpsTime, { utcMember: false })
  const future = gps !== null && gps.ticks > BigInt(now) * 10_000n + AHEAD
  const taken = captured === null ? null : localTimeIn(captured.text, zone)
  if (captured === null || taken === null) {
    const used = gps === null || future || gps.text.startsWith(GPS_RESTART) ? null : gps
    return { start: used, startFrom: used === null ? null : 'gps', local: null, note: null }
  }
  const local = { text: captured.text, taken }
  if (gps === null) return { start: null, startFrom: null, local, note: ZONE_UNKNOWN }
  if (future) return { start: null, startFrom: null, local, note: GPS_IN_FUTURE }
  return isExplained(captured.text, gps)
    ? { start: gps, startFrom: 'gps', local, note: GPS_USED }
    : { start: null, startFrom: null, local, note: GPS_APART }
}

export interface CapturedStart {
  readonly start: Time | null
  /** The local time as if in the zone of the station. */
  readonly taken: Time | null
}

/**
 * Put right by the offset of the camera's clock (decisions 13), which is not that of the GPS receiver.
 * @param timeOffset ISO 8601 duration, as it was given with the file
 */
export function putRight({ start, startFrom, local }: CaptureDecision, timeOffset: string | null): CapturedStart {
  const offset = timeOffset === null ? null : parseDuration(timeOffset)
  const by = (time: Time | null): Time | null => (time === null || offset === null ? time : shifted(time, offset))
  return { start: startFrom === 'gps' ? start : by(start), taken: by(local?.taken ?? null) }
}

/** What one picture says of its own time. Null: nothing. @param now milliseconds since 1970 */
export function pictureTime(
  claims: CaptureClaims,
  timeOffset: string | null,
  zone: string,
  now: number,
): RecordedTime | null {
  const decision = decideCapture(claims, zone, now)
  const { start, taken } = putRight(decision, timeOffset)
  const { local, startFrom } = decision
  if (start === null && (taken === null || local === null)) return null
  return recordedTime({
    start: start?.text ?? takenStart(local?.text ?? '', taken?.ticks ?? 0n),
    startSource: null,
    containerStart: startFrom === 'file' ? (decision.start?.text ?? null) : null,
    file: { start: null, offset: timeOffset },
    docked: null,
    zoneUnknown: start === null,
    localTime: local?.text ?? null,
    fromGps: startFrom === 'gps',
  })
}

/** Whether some zone shows this local time at that instant. */
function isExplained(local: string, instant: Time): boolean {
  const shown = parseTime(local, { utcMember: true })
  if (shown === null) return false
  const apart = shown.ticks - instant.ticks
  return apart >= EARLIEST && apart <= LATEST
}
