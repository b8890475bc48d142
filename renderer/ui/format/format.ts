/**
 * How numbers, lengths and people are written (guide, Words). Pure: the locale is an argument.
 * Times are in times.ts; `useFormat()` binds all of them to the reader's language and the station's zone.
 */
import { numberFormat, NBSP, wordsOf } from './number-labels.ts'

export * from './times.ts'

/** `12,418`; in French `12 418`. */
export function count(locale: string, value: number): string {
  return numberFormat(locale, { maximumFractionDigits: 0 }).format(value)
}

/** A share of 0 to 1 as `62 %`. What is not whole is never rounded up to 100. */
export function percent(locale: string, share: number): string {
  const whole = share >= 1 ? 100 : Math.floor(Math.max(0, share) * 100)
  return `${count(locale, whole)}${NBSP}%`
}

/** Two decimals under ten, one under a hundred, none above: `1.90 GB`, `10.7 GB`, `640 MB`. Bytes and kilobytes are whole. */
function amount(locale: string, bytes: number): string {
  const { units } = wordsOf(locale)
  let value = Math.max(0, bytes)
  let unit = 0
  // 999.95 MB would be written as 1,000 MB: it is 1.00 GB.
  while (unit < units.length - 1 && value >= 999.5) {
    value /= 1000
    unit += 1
  }
  const digits = unit < 2 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0
  const written = numberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)
  return `${written}${NBSP}${units[unit] ?? ''}`
}

/** Decimal units: `1.90 GB`; in French `1,90 Go`. */
export const bytes = amount

/** Every byte, for the hover: `1,898,234,112 bytes`. */
export function exactBytes(locale: string, value: number): string {
  return wordsOf(locale).bytes(count(locale, value), value === 1)
}

/** Bytes a second: `38.0 MB/s`. */
export function speed(locale: string, bytesPerSecond: number): string {
  return `${amount(locale, bytesPerSecond)}${wordsOf(locale).perSecond}`
}

/** The two biggest parts of a length in seconds: `45 s`, `18 min 40 s`, `6 h 02 min`, `3 d 4 h`. */
export function duration(locale: string, seconds: number): string {
  const words = wordsOf(locale)
  const whole = Math.max(0, Math.round(seconds))
  const part = (value: number, unit: string, pad = false): string =>
    `${pad ? String(value).padStart(2, '0') : count(locale, value)}${NBSP}${unit}`
  if (seconds > 0 && seconds < 9.95 && !Number.isInteger(seconds))
    return `${numberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(seconds)}${NBSP}s`
  if (whole < 60) return part(whole, 's')
  if (whole < 3600) return `${part(Math.floor(whole / 60), 'min')}${NBSP}${part(whole % 60, 's', true)}`
  const minutes = Math.round(whole / 60)
  if (minutes < 24 * 60) return `${part(Math.floor(minutes / 60), words.hour)}${NBSP}${part(minutes % 60, 'min', true)}`
  const hours = Math.round(whole / 3600)
  return `${part(Math.floor(hours / 24), words.day)}${NBSP}${part(hours % 24, words.hour)}`
}

/** A place in a recording: `06:24.240`, `1:02:03.000`, without milliseconds `18:40`. Never rounded on to the next frame. */
export function position(seconds: number, milliseconds = true): string {
  // A ten-thousandth takes up what binary fractions lose: 384.24 × 1000 is 384239.99….
  const total = Math.max(0, Math.floor(seconds * 1000 + 1e-4))
  const two = (value: number): string => String(value).padStart(2, '0')
  const hours = Math.floor(total / 3_600_000)
  const clock = `${two(Math.floor(total / 60_000) % 60)}:${two(Math.floor(total / 1000) % 60)}`
  const fraction = milliseconds ? `.${String(total % 1000).padStart(3, '0')}` : ''
  return `${hours > 0 ? `${hours}:` : ''}${clock}${fraction}`
}

/** Whole minutes from one minute on, tens of seconds below; "about" while it is not sure. */
export function timeLeft(locale: string, seconds: number, sure = false): string {
  if (!Number.isFinite(seconds)) return ''
  const rounded = seconds < 60 ? Math.max(10, Math.ceil(seconds / 10) * 10) : Math.ceil(seconds / 60) * 60
  const long = rounded >= 3600
  const words = wordsOf(locale)
  const minutes = Math.ceil(rounded / 60)
  const length = long
    ? `${Math.floor(minutes / 60)}${NBSP}${words.hour}${NBSP}${String(minutes % 60).padStart(2, '0')}${NBSP}min`
    : rounded < 60
      ? `${rounded}${NBSP}s`
      : `${minutes}${NBSP}min`
  return sure ? length : words.about(length)
}

export interface PersonName {
  readonly FirstName?: string | null | undefined
  readonly LastName?: string | null | undefined
  readonly Username?: string | null | undefined
}

/** `Jean-Luc` gives `J.-L.`, `Anna Maria` gives `A. M.`. */
function given(first: string): string {
  return first
    .trim()
    .split(/\s+/)
    .filter((name) => name !== '')
    .map((name) =>
      name
        .split('-')
        .filter((part) => part !== '')
        .map((part) => `${[...part][0]?.toLocaleUpperCase() ?? ''}.`)
        .join('-'),
    )
    .join(' ')
}

/** `D. Okafor`; whoever has no last name is called by the user name. */
export function person(name: PersonName): string {
  const last = name.LastName?.trim() ?? ''
  const first = name.FirstName?.trim() ?? ''
  if (last === '') return first === '' ? (name.Username ?? '') : first
  return first === '' ? last : `${given(first)} ${last}`
}

/** As in a list: `Okafor, D.` */
export function personInList(name: PersonName): string {
  const last = name.LastName?.trim() ?? ''
  const first = name.FirstName?.trim() ?? ''
  return last === '' || first === '' ? person(name) : `${last}, ${given(first)}`
}

/** Two letters for the round mark: `DO`. */
export function initials(name: PersonName | null | undefined): string {
  const letters = [name?.FirstName, name?.LastName].map((part) => [...(part?.trim() ?? '')][0] ?? '').join('')
  return (letters === '' ? ([...(name?.Username ?? '')][0] ?? '') : letters).toLocaleUpperCase()
}
