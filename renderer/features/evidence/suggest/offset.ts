/** The clock of a recorder that was wrong, as people say it: *4 min fast*. Pure. */

export type ClockWas = 'right' | 'fast' | 'slow'

export interface ClockOffset {
  readonly was: ClockWas
  /** NaN while the field is empty. */
  readonly minutes: number
  readonly seconds: number
}

export const RIGHT: ClockOffset = { was: 'right', minutes: 0, seconds: 0 }

const whole = (value: number): number => (Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0)

/** By how much, without the sign. */
export const secondsOf = ({ was, minutes, seconds }: ClockOffset): number =>
  was === 'right' ? 0 : whole(minutes) * 60 + whole(seconds)

/** A clock that was fast showed too much: the true time is earlier. */
export function corrected(at: string, offset: ClockOffset): string {
  const by = secondsOf(offset) * 1000
  const time = Date.parse(at) + (offset.was === 'slow' ? by : -by)
  return new Date(time).toISOString().replace('.000Z', 'Z')
}
