/** When a moment of a recording was, by the camera's clock and by the station's (decisions 6: corrected = camera + offset). Pure. */
import { parseDuration } from '../../../../../shared/domain/durations.ts'
import { parseTime } from '../../../../../shared/domain/time.ts'

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
}

const TICKS = 10_000_000

const iso = (ticks: bigint): string | null => {
  const millis = Number(ticks >= 0n ? ticks / 10_000n : (ticks - 9_999n) / 10_000n)
  const date = new Date(millis)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** The moment `seconds` into a recording. Never rounded up: a frame is not told to be later than it is. */
export function momentAt({ start, offset }: ClockSource, seconds: number): Moment {
  const begun = start === null ? null : parseTime(start, { utcMember: true })
  const by = offset === null ? null : parseDuration(offset)
  const added = by === null ? null : Number(by.ticks) / TICKS
  if (begun === null) return { recorded: null, corrected: null, offset: added }
  // A ten-thousandth of a millisecond takes up what binary fractions lose.
  const at = begun.ticks + BigInt(Math.floor(seconds * TICKS + 1))
  return {
    recorded: iso(at),
    corrected: by === null ? null : iso(at + by.ticks),
    offset: added,
  }
}

interface Timed {
  readonly StartTimeUtc: string | null
  readonly TimeOffset?: string | null
}

const same = (one: string, other: string): boolean =>
  parseTime(one, { utcMember: true })?.ticks === parseTime(other, { utcMember: true })?.ticks

/**
 * The clock of an original. Where it says nothing itself, the evidence's start stands for it as long as it is the only one; a start that
 * a person gave differently from the camera's is not corrected by the camera's offset.
 */
export function clockOf(evidence: Timed, original: Timed, only: boolean): ClockSource {
  const own = original.StartTimeUtc
  const offset = original.TimeOffset ?? null
  if (own === null) return { start: only ? evidence.StartTimeUtc : null, offset }
  const said = evidence.StartTimeUtc
  if (only && said !== null && !same(said, own)) return { start: said, offset: null }
  return { start: own, offset }
}

/** The middle word: what is to be shown large. */
export const shownTime = ({ corrected, recorded }: Moment): string | null => corrected ?? recorded
