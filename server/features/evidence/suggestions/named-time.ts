/** The times that a name of a file may say, such as `2026-11-21_2247` or `VID_20261121_224703`. Pure. */
import { parseTime } from '../../../../shared/kernel/time.ts'
import { instantOf } from '../../../../shared/kernel/time-zones.ts'

export interface NamedTime {
  /** ISO 8601 in UTC, to the second. */
  readonly utc: string
  /** What the name says, without a zone: `YYYY-MM-DDTHH:MM:SS`. */
  readonly wall: string
  /** The part of the name that was read. */
  readonly text: string
  /** 1: the name says seconds. 60: minutes only. 3600: the zone showed this time twice that night, or never. */
  readonly precisionSeconds: 1 | 60 | 3600
}

/** A name of some hundred characters holds no further times. */
const LONGEST = 1024
const FIRST_YEAR = 1990
const LAST_YEAR = 2199

const DATE = {
  yearFirst: String.raw`(?<year>\d{4})(?<d>[-_. ]?)(?<month>\d{2})\k<d>(?<day>\d{2})`,
  yearLast: String.raw`(?<one>\d{1,2})(?<d>[-_. ])(?<two>\d{1,2})\k<d>(?<year>\d{4})`,
}
const BETWEEN = String.raw`(?:[T_\-. ,]{0,3}|[_\-. ,]{1,3}at[_\-. ]{1,3}|[_\-. ,]{1,3}à[_\-. ]{1,3})`
const TIME = String.raw`(?<hour>\d{1,2})(?<t>[-_.:h]?)(?<minute>\d{2})(?:\k<t>(?<second>\d{2})|m(?<seconds>\d{2})s?)?(?:[.,]?\d{1,7})?`
/** A letter or a digit right behind would make it a part of something else. */
const AFTER = String.raw`(?:[ \u00a0\u202f]?(?<half>[AaPp])\.?[Mm]\.?)?(?<utc>Z|[_\- ]?(?:UTC|GMT))?(?![0-9A-Za-z])`

const YEAR_FIRST = new RegExp(`(?<![0-9])${DATE.yearFirst}${BETWEEN}${TIME}${AFTER}`)
const YEAR_LAST = new RegExp(`(?<![0-9])${DATE.yearLast}${BETWEEN}${TIME}${AFTER}`)
/** Phones of one maker write the time in UTC behind this prefix. */
const IN_UTC = /^PXL_/

/**
 * The first time in a name. Where day and month could be each other there are two, the day first. One that no calendar has, or that lies
 * after `before`, is none: a file is not named after what has not happened.
 * @param zone of the station, in which a recorder writes its names
 * @param before milliseconds since 1970: when the file came here
 */
export function namedTimes(name: string, zone: string, before: number): readonly NamedTime[] {
  const text = name.slice(0, LONGEST)
  const found = [YEAR_FIRST.exec(text), YEAR_LAST.exec(text)]
    .filter((match) => match !== null)
    .sort((one, other) => one.index - other.index)
  for (const match of found) {
    const times = timesIn(match, IN_UTC.test(text) ? 'utc' : zone).filter(({ utc }) => Date.parse(utc) <= before)
    if (times.length > 0) return times
  }
  return []
}

function timesIn({ 0: text, groups = {} }: RegExpExecArray, zone: string): readonly NamedTime[] {
  const { year = '', month, day, one = '', two = '' } = groups
  const dates =
    month !== undefined && day !== undefined
      ? [{ month, day }]
      : [
          { day: one, month: two },
          { day: two, month: one },
        ]
  const clock = clockIn(groups)
  if (clock === null) return []
  const inUtc = groups['utc'] === undefined ? zone : 'utc'
  const times = dates.map((date) => timeAt(`${year}-${padded(date.month)}-${padded(date.day)}`, clock, inUtc))
  const possible = times.filter((time) => time !== null)
  return possible
    .filter(({ utc }, at) => possible.findIndex((other) => other.utc === utc) === at)
    .map((time) => ({ ...time, text: text.trim() }))
}

interface Clock {
  readonly text: string
  readonly toSeconds: boolean
}

/** Null for an hour with one digit in a row of digits, which says nothing, and for an hour that no clock shows. */
function clockIn({
  hour = '',
  minute = '',
  second,
  seconds,
  half,
  t = '',
}: Record<string, string | undefined>): Clock | null {
  if (hour.length === 1 && t === '') return null
  const shown = Number(hour)
  if (half !== undefined && (shown < 1 || shown > 12)) return null
  const inDay = half === undefined ? shown : (shown % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const said = second ?? seconds
  return { text: `${padded(String(inDay))}:${minute}:${said ?? '00'}`, toSeconds: said !== undefined }
}

const padded = (digits: string): string => digits.padStart(2, '0')

function timeAt(date: string, { text, toSeconds }: Clock, zone: string): Omit<NamedTime, 'text'> | null {
  const year = Number(date.slice(0, 4))
  if (year < FIRST_YEAR || year > LAST_YEAR) return null
  const wall = `${date}T${text}`
  // It knows the lengths of months, and what a clock shows.
  if (parseTime(wall, { utcMember: true }) === null) return null
  const [, month = 0, day = 0, hour = 0, minute = 0, second = 0] = wall.split(/[-T:]/).map(Number)
  const { ms, doubtful } = instantOf({ year, month, day, hour, minute, second }, zone)
  return {
    utc: `${new Date(ms).toISOString().slice(0, 19)}Z`,
    wall,
    precisionSeconds: doubtful ? 3600 : toSeconds ? 1 : 60,
  }
}
