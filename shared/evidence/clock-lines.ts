/** The two lines of every time of a recording: the corrected time, and what the device recorded with how it was put right. Pure. */
import type { RecordedClockOut } from './recorded-clock.contract.ts'
import { parseDuration } from '../kernel/durations.ts'
import type { ClockSourceName } from './recorded-time.ts'

export interface ShownClock {
  /** The instant on the station's time, in ISO 8601; null when it is not known. */
  readonly corrected: string | null
  /** What the device wrote, in ISO 8601 and shown in the same zone; null when it has no clock. */
  readonly recorded: string | null
  /** Seconds added to the device's clock; null where no comparison was made. */
  readonly offset: number | null
  /** Plus or minus, in seconds. */
  readonly error?: number | null | undefined
  readonly source?: ClockSourceName | undefined
  readonly estimated?: boolean | undefined
  readonly zoneUnknown?: boolean | undefined
  /** What the device wrote where it named no zone. */
  readonly local?: string | undefined
}

/** What it writes times and lengths with: the formats of a page (renderer/ui/format), or those of paper. */
export interface ClockFormat {
  instant(at: string, options: { precision?: 'second' | 'millisecond'; zone?: boolean; date?: boolean }): string
  day(at: string): string
  offset(seconds: number): string
  duration(seconds: number): string
}

const TICKS_A_SECOND = 10_000_000

/** Seconds; null where it is no duration. */
export function secondsOf(offset: string | null): number | null {
  const by = offset === null ? null : parseDuration(offset)
  return by === null ? null : Number(by.ticks) / TICKS_A_SECOND
}

/** As the station says it of an evidence. */
export const shownClock = (clock: RecordedClockOut): ShownClock => ({
  corrected: clock.CorrectedTimeUtc,
  recorded: clock.DeviceTimeUtc,
  offset: secondsOf(clock.Offset),
  error: clock.UncertaintySeconds,
  source: clock.Source,
  zoneUnknown: clock.ZoneUnknown,
  local: clock.LocalTime,
})

export type ClockWord =
  | 'noClock'
  | 'recordedAt'
  | 'notCompared'
  | 'clockRight'
  | 'correctedBy'
  | 'correctedAbout'
  | 'timeUnknown'
  | 'typedBy'
  | 'typedSame'
  | 'typed'
  | 'offsetGiven'
  | 'fromFile'
  | 'fromGps'
  | 'localAt'
  | 'zoneUnknown'

export type SayClock = (word: ClockWord, values?: Readonly<Record<string, string>>) => string

interface Shown {
  readonly precision?: 'second' | 'millisecond'
  /** Whether the corrected time says its zone. */
  readonly zone?: boolean
  /** Whether the offset stands without the word *corrected*: a cell of a table has no room for it. */
  readonly short?: boolean
}

export function clockLines(
  clock: ShownClock,
  say: SayClock,
  format: ClockFormat,
  { precision = 'second', zone = true, short = false }: Shown = {},
): { readonly main: string; readonly below: string } {
  const { corrected, recorded } = clock
  const main = corrected ?? recorded
  return {
    main:
      main === null
        ? say('timeUnknown')
        : format.instant(main, { precision, zone: zone && clock.zoneUnknown !== true }),
    below: [
      // First: a cell of a table has room for the beginning alone, and what stands above must not be taken for an instant.
      ...(clock.zoneUnknown === true ? [say('zoneUnknown')] : []),
      recorded === null
        ? clock.local === undefined
          ? say('noClock')
          : say('localAt', { time: localText(clock.local) })
        : say('recordedAt', {
            time: format.instant(recorded, { precision, date: differs(format, corrected, recorded) }),
          }),
      ...howWords(clock, say, format, short),
    ].join(' · '),
  }
}

/** How the corrected time was made from the recorded one. */
function howWords(clock: ShownClock, say: SayClock, format: ClockFormat, short: boolean): readonly string[] {
  const { recorded, offset, error, source, estimated = false } = clock
  if (recorded === null) return source === 'person' ? [say('typed')] : []
  if (source === 'gps')
    return [say('fromGps'), ...(clock.local === undefined ? [] : [say('localAt', { time: localText(clock.local) })])]
  if (offset === null) return [...(source === 'container' ? [say('fromFile')] : []), say('notCompared')]
  const plusMinus = error === null || error === undefined ? '' : ` ±${format.duration(error)}`
  const by = { offset: format.offset(offset) }
  if (source === 'person') return [offset === 0 ? say('typedSame') : say('typedBy', by)]
  const changed = estimated ? say('correctedAbout', by) : say('correctedBy', by)
  const put = offset === 0 ? say('clockRight') : short ? by.offset : changed
  return [`${put}${plusMinus}`, ...(source === 'device' ? [say('offsetGiven')] : [])]
}

/** Exactly as the device wrote it: in no zone. */
const localText = (local: string): string => local.replace('T', ' ')

/** The day is written again only where the two clocks stand on different days. */
function differs(format: ClockFormat, corrected: string | null, recorded: string): boolean {
  return corrected === null || format.day(corrected) !== format.day(recorded)
}
