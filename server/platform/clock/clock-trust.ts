import type { Clock } from './clock.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** Both clocks of the machine at one moment, in milliseconds. */
export interface ClockReading {
  readonly wall: number
  readonly monotonic: number
}

/**
 * Whether the wall clock may be believed by what cannot be undone. Within one run it must have advanced as the monotonic clock did (a
 * difference of over an hour is a jump, and it is not believed until 24 h of running time later); and since no clock tells of a jump
 * while the station was off, it is not believed in the first hour of a run, in which a wrong clock is set right.
 * @param warmUp how long it is not believed after the start
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
