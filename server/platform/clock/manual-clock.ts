import type { Clock } from './clock.ts'

export interface ManualClock extends Clock {
  /** Advances both clocks, as when time passes. */
  advance(millis: number): void
  /** Sets the wall clock only, as a person would. */
  set(epochMillis: number): void
}

export function manualClock(start = Date.UTC(2026, 10, 21, 6, 0, 0)): ManualClock {
  let wall = start
  let steady = 0
  return {
    now: () => wall,
    monotonic: () => steady,
    advance: (millis) => {
      wall += millis
      steady += millis
    },
    set: (epochMillis) => {
      wall = epochMillis
    },
  }
}
