import type { Clock } from './clock.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** Both clocks of the machine at the same time, in milliseconds. */
export interface ClockReading {
  readonly wall: number
  readonly monotonic: number
}

/**
 * Whether acts that cannot be undone may rely on the wall clock. It must advance like the monotonic clock: after a jump of over an hour it is
 * not trusted for 24 hours of running time. It is not trusted in the first hour after a start either, since a jump while the station was off
 * cannot be detected, and a wrong clock is corrected in that time.
 * @param warmUp milliseconds without trust after the start
 */
export function clockBelief(clock: Clock, warmUp = HOUR): (reading?: ClockReading) => boolean {
  const started = clock.monotonic()
  let base: ClockReading = { wall: clock.now(), monotonic: started }
  let believedFrom = started + warmUp
  return (reading = { wall: clock.now(), monotonic: clock.monotonic() }) => {
    const drift = reading.wall - base.wall - (reading.monotonic - base.monotonic)
    if (Math.abs(drift) > HOUR) {
      base = reading
      believedFrom = reading.monotonic + DAY
    }
    return reading.monotonic >= believedFrom
  }
}
