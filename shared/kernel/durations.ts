import type { Time } from './time.ts'

/** ISO 8601 durations of days, hours, minutes and seconds, as `TimeOffset` has them (decisions 6). */

const PATTERN = /^([+-])?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,7}))?S)?)?$/
const SECOND = 10_000_000n

export interface Duration {
  /** 100 ns each. */
  readonly ticks: bigint
  /** Of the fraction of a second, as written. */
  readonly digits: number
}

/** Null when the text is no such duration. */
export function parseDuration(text: string): Duration | null {
  const match = PATTERN.exec(text)
  if (match === null) return null
  const [, sign, days = '0', hours = '0', minutes = '0', seconds = '0', fraction = ''] = match
  const whole = ((BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n + BigInt(seconds)
  const ticks = whole * SECOND + BigInt(fraction.padEnd(7, '0'))
  return { ticks: sign === '-' ? -ticks : ticks, digits: fraction.length }
}

/** A duration as ISO 8601 text, in seconds and without zeros at the end. */
export function durationOf({ ticks }: Pick<Duration, 'ticks'>): string {
  const whole = ticks < 0n ? -ticks : ticks
  const fraction = String(whole % SECOND)
    .padStart(7, '0')
    .replace(/0+$/, '')
  return `${ticks < 0n ? '-' : ''}PT${whole / SECOND}${fraction === '' ? '' : `.${fraction}`}S`
}

/** `time` and the duration behind it, as precise as the more precise of the two. Null beyond the years 1 to 9999. */
export function shifted(time: Time, { ticks: by, digits }: Duration): Time | null {
  const ticks = time.ticks + by
  const fraction = ((ticks % SECOND) + SECOND) % SECOND
  const date = new Date(Number((ticks - fraction) / 10_000n))
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return null
  const precision = Math.max(digits, /\.(\d+)Z$/.exec(time.text)?.[1]?.length ?? 0)
  const kept = String(fraction).padStart(7, '0').slice(0, precision)
  return { text: `${date.toISOString().slice(0, 19)}${kept === '' ? '' : `.${kept}`}Z`, ticks }
}
