/** When a moment of a recording was, by the camera's clock and by the station's (decisions 6: corrected = camera + offset). Pure. */
import type { RecordedClockOut } from '../../../../../shared/evidence/recorded-clock.contract.ts'
import { type ClockSourceName, type FileTimes, fileClock } from '../../../../../shared/evidence/recorded-time.ts'
import { parseDuration } from '../../../../../shared/kernel/durations.ts'
import type { ShownClock } from '../../../../../shared/evidence/clock-lines.ts'
import { parseTime } from '../../../../../shared/kernel/time.ts'

export interface Moment {
  /** ISO 8601, milliseconds; null where the camera had no clock. */
  readonly recorded: string | null
  /** Null where it had none, or where nobody compared it. */
  readonly corrected: string | null
  /** Seconds added to the camera's clock; null where nobody compared it. */
  readonly offset: number | null
}

/** What a clock is read from. */
export interface ClockSource {
  /** When the recording began, by the camera. */
  readonly start: string | null
  /** ISO 8601 duration. */
  readonly offset: string | null
  /** When it began by the station, where no time of the camera is known. */
  readonly corrected?: string | null
  readonly source?: ClockSourceName
  /** Plus or minus, in seconds. */
  readonly error?: number | null
  readonly zoneUnknown?: boolean
  /** What the device wrote where it named no zone. */
  readonly local?: string | undefined
}

const TICKS = 10_000_000

const iso = (ticks: bigint): string | null => {
  const millis = Number(ticks >= 0n ? ticks / 10_000n : (ticks - 9_999n) / 10_000n)
  const date = new Date(millis)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** The moment `seconds` into a recording. Never rounded up: a frame is not told to be later than it is. */
export function momentAt({ start, offset, corrected = null }: ClockSource, seconds: number): Moment {
  const begun = start === null ? null : parseTime(start, { utcMember: true })
  const by = offset === null ? null : parseDuration(offset)
  const added = by === null ? null : Number(by.ticks) / TICKS
  // A ten-thousandth of a millisecond takes up what binary fractions lose.
  const passed = BigInt(Math.floor(seconds * TICKS + 1))
  if (begun === null) {
    const told = corrected === null ? null : parseTime(corrected, { utcMember: true })
    return { recorded: null, corrected: told === null ? null : iso(told.ticks + passed), offset: added }
  }
  const at = begun.ticks + passed
  return {
    recorded: iso(at),
    corrected: by === null ? null : iso(at + by.ticks),
    offset: added,
  }
}

interface Timed {
  readonly Clock: RecordedClockOut
}

/**
 * The clock of an original, by what the station says of its evidence (shared/evidence/recorded-time.ts).
 * @param only whether it is the evidence's only original, whose start the evidence's stands for
 */
export function clockOf({ Clock }: Timed, original: FileTimes, only: boolean): ClockSource {
  const { start, offset } = fileClock(Clock, original, only)
  return {
    start,
    offset,
    corrected: start === null && only ? Clock.CorrectedTimeUtc : null,
    source: Clock.Source,
    error: Clock.UncertaintySeconds,
    // Of the first file; a local time of that one says nothing of the zone of the others.
    zoneUnknown: only && Clock.ZoneUnknown,
    ...(only && Clock.LocalTime !== undefined ? { local: Clock.LocalTime } : {}),
  }
}

/**
 * The clock of one of several pictures: by its own metadata, where nothing else says when it was taken. The evidence's time is that of
 * another picture. @param own as the station read it from this picture
 */
export const clockOfPicture = (clock: ClockSource, own: RecordedClockOut | null): ClockSource =>
  own === null || clock.start !== null || (clock.corrected ?? null) !== null
    ? clock
    : clockOf({ Clock: own }, NO_FILE, true)

/** Of an evidence without any file. */
export const clockOfEvidence = (evidence: Timed): ClockSource => clockOf(evidence, NO_FILE, true)
const NO_FILE: FileTimes = { StartTimeUtc: null, TimeOffset: null }

/** What both lines of a clock need of it at a moment. */
export function shownAt(clock: ClockSource, seconds: number): ShownClock {
  const { source, error, zoneUnknown, local } = clock
  return { ...momentAt(clock, seconds), source, error, zoneUnknown, local }
}

/** What is to be shown large. */
export const shownTime = ({ corrected, recorded }: Moment): string | null => corrected ?? recorded
