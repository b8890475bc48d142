/** Instants in the zone of the station. Every function takes what `new Date()` takes; what is no time gives an empty text. */
import { numberFormat, tagOf, NBSP, wordsOf } from './number-labels.ts'

export type Instant = string | number | Date

export interface InstantOptions {
  readonly precision?: 'day' | 'minute' | 'second' | 'millisecond' | undefined
  /** The zone's letters behind it: once per view, and on every export. */
  readonly zone?: boolean | undefined
  readonly year?: boolean | undefined
  readonly date?: boolean | undefined
}

const formats = new Map<string, Intl.DateTimeFormat>()

const partsOf = (format: Intl.DateTimeFormat, date: Date): Record<string, string> =>
  Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]))

/** American English has the three-letter months that a column needs (British English writes Sept). */
const monthTag = (locale: string): string => (locale.startsWith('en') ? 'en-US' : tagOf(locale))

let last: { readonly key: string; readonly parts: Readonly<Record<string, string>> } | null = null

/** Everything a wall clock shows. A list asks for day and time of one instant after the other, so the last answer is kept. */
function wallClock(locale: string, zone: string, date: Date): Readonly<Record<string, string>> {
  const kind = `${locale} ${zone}`
  const key = `${kind} ${date.getTime()}`
  if (last?.key === key) return last.parts
  const format =
    formats.get(kind) ??
    new Intl.DateTimeFormat(monthTag(locale), {
      timeZone: zone,
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
      hourCycle: 'h23',
    })
  formats.set(kind, format)
  const parts = partsOf(format, date)
  last = { key, parts }
  return parts
}

/** `CET`, `EST`; zones without letters of their own give `GMT+9`. */
export function zoneLetters(zone: string, at: Instant): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return ''
  const read = (locale: string): string => {
    const kind = `letters ${locale} ${zone}`
    const format = formats.get(kind) ?? new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' })
    formats.set(kind, format)
    return partsOf(format, date)['timeZoneName'] ?? zone
  }
  const british = read('en-GB')
  return british.startsWith('GMT') && british !== 'GMT' ? read('en-US') : british
}

/** The day as `20 Nov 2026`, without year `20 Nov`. */
export function day(locale: string, zone: string, at: Instant, year = true): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return ''
  const parts = wallClock(locale, zone, date)
  return `${parts['day']} ${parts['month']}${year ? ` ${parts['year']}` : ''}`
}

/** The clock as `02:47:31`, 24 hours; written alike in every language. */
export function timeOfDay(
  locale: string,
  zone: string,
  at: Instant,
  precision: 'minute' | 'second' | 'millisecond' = 'minute',
): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return ''
  const parts = wallClock(locale, zone, date)
  const clock = `${parts['hour']}:${parts['minute']}`
  if (precision === 'minute') return clock
  return `${clock}:${parts['second']}${precision === 'millisecond' ? `.${parts['fractionalSecond']}` : ''}`
}

/** `20 Nov 2026 02:47:31 CET`. */
export function instant(locale: string, place: string, at: Instant, options: InstantOptions = {}): string {
  const { precision = 'second', zone = false, year = true, date = true } = options
  if (Number.isNaN(new Date(at).getTime())) return ''
  return [
    ...(date ? [day(locale, place, at, year)] : []),
    ...(precision === 'day' ? [] : [timeOfDay(locale, place, at, precision)]),
    ...(zone ? [zoneLetters(place, at)] : []),
  ].join(' ')
}

/** Today the time alone, `02:00`; before, the day as well. */
export function timeOrDay(locale: string, zone: string, at: Instant, now: Instant): string {
  const same = day(locale, zone, at) === day(locale, zone, now)
  return same ? timeOfDay(locale, zone, at) : instant(locale, zone, at, { precision: 'minute', year: false })
}

/** Under an hour away `4 min ago` or `in 8 min`, else the day and the minute. Its place has the exact time on hover. */
export function relative(locale: string, zone: string, at: Instant, now: Instant): string {
  const seconds = (new Date(at).getTime() - new Date(now).getTime()) / 1000
  if (Number.isNaN(seconds)) return ''
  if (Math.abs(seconds) >= 3600) return instant(locale, zone, at, { precision: 'minute' })
  const minutes = Math.trunc(seconds / 60)
  if (minutes === 0) return wordsOf(locale).now
  const words = new Intl.RelativeTimeFormat(tagOf(locale), { style: 'short', numeric: 'always' })
  return words.format(minutes, 'minute').replace(/(\d) /, `$1${NBSP}`).replace('min.', 'min')
}

/** What was added to a camera's clock, in seconds: `+1 min 12 s`, `−3 s`, `+0.240 s`. */
export function offset(locale: string, seconds: number): string {
  const sign = seconds < 0 ? '−' : '+'
  const size = Math.abs(seconds)
  if (size < 60) {
    const digits = Number.isInteger(size) ? 0 : 3
    return `${sign}${numberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(size)}${NBSP}s`
  }
  const whole = Math.round(size)
  const { day: days, hour: hours } = wordsOf(locale)
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(whole / 86_400), days],
    [Math.floor(whole / 3600) % 24, hours],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ]
  return `${sign}${parts
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${numberFormat(locale, {}).format(value)}${NBSP}${unit}`)
    .join(NBSP)}`
}
