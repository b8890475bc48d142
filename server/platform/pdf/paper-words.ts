/** Words, amounts and times on paper, as the pages write them, in one language and one time zone. Pure. */
import { type Catalogue, filled, textFor } from '../../../shared/messages/wording.ts'

export type Language = 'en' | 'fr'
export const LANGUAGES = ['en', 'fr'] as const

const UNITS = { en: ['B', 'kB', 'MB', 'GB', 'TB'], fr: ['o', 'ko', 'Mo', 'Go', 'To'] } as const
const NBSP = '\u00a0'

export type Values = Readonly<Record<string, string | number>>

export interface PaperWords<Key extends string = string> {
  readonly language: Language
  say(word: Key, values?: Values): string
  bytes(count: number): string
  count(value: number): string
  /** One digit behind the point. */
  decimal(value: number): string
  /** An instant with its zone; a dash where it is not known. */
  time(utc: string | null): string
  day(utc: string | null): string
  /** From milliseconds. */
  length(millis: number): string
  /** A correction of a clock, from seconds: with its sign. */
  offset(seconds: number): string
  /** A place in a recording, from seconds. */
  position(seconds: number): string
}

/** @param zone IANA name: every time is written in it, with its letters */
export function paperWords<Key extends string>(words: Catalogue, language: Language, zone: string): PaperWords<Key> {
  const tag = language === 'fr' ? 'fr-FR' : 'en-GB'
  const plural = new Intl.PluralRules(tag)
  // A list of thousands of files asks for as many numbers, and making a format takes longer than using it.
  const formats = [0, 1, 2].map(
    (digits) => new Intl.NumberFormat(tag, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  )
  const number = (value: number, digits: 0 | 1 | 2): string => (formats[digits] as Intl.NumberFormat).format(value)
  const time = new Intl.DateTimeFormat(language === 'fr' ? 'fr-FR' : 'en-US', {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  /** In British English zones have letters, where they have any. */
  const letters = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'short' })
  const partsOf = (utc: string): Readonly<Record<string, string>> =>
    Object.fromEntries(time.formatToParts(new Date(utc)).map(({ type, value }) => [type, value]))
  const length = (millis: number): string => {
    const seconds = Math.abs(millis) / 1000
    if (seconds < 60) return `${number(seconds, seconds < 10 ? 1 : 0)}${NBSP}s`
    const whole = Math.round(seconds)
    const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
    const rest = `${minutes}${NBSP}min ${whole % 60}${NBSP}s`
    return hours === 0 ? rest : `${number(hours, 0)}${NBSP}h ${rest}`
  }
  return {
    language,
    say: (word, values = {}) => {
      const count = values['count']
      const text = textFor(words, word, count, plural) ?? words[`${word}_other`] ?? word
      const given: Values =
        typeof count === 'number' ? { ...values, shown: values['shown'] ?? number(count, 0) } : values
      return filled(text, (part) => given[part])
    },
    count: (value) => number(value, 0),
    decimal: (value) => number(value, 1),
    bytes: (exact) => {
      let [value, unit] = [exact, 0]
      while (unit < 4 && value >= 999.5) [value, unit] = [value / 1000, unit + 1]
      const digits = unit < 2 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0
      return `${number(value, digits)}${NBSP}${UNITS[language][unit] ?? ''}`
    },
    time: (utc) => {
      if (utc === null) return '–'
      const part = partsOf(utc)
      const name = letters.formatToParts(new Date(utc)).find(({ type }) => type === 'timeZoneName')?.value ?? zone
      return `${part['day']} ${part['month']} ${part['year']} ${part['hour']}:${part['minute']}:${part['second']} ${name}`
    },
    day: (utc) => {
      if (utc === null) return '–'
      const part = partsOf(utc)
      return `${part['day']} ${part['month']} ${part['year']}`
    },
    length,
    offset: (seconds) => `${seconds < 0 ? '–' : '+'}${length(seconds * 1000)}`,
    position: (seconds) => {
      const whole = Math.max(0, Math.floor(seconds * 1000 + 1e-4))
      const two = (value: number): string => String(value).padStart(2, '0')
      const hours = Math.floor(whole / 3_600_000)
      const clock = `${two(Math.floor(whole / 60_000) % 60)}:${two(Math.floor(whole / 1000) % 60)}`
      return `${hours > 0 ? `${hours}:` : ''}${clock}.${String(whole % 1000).padStart(3, '0')}`
    },
  }
}
