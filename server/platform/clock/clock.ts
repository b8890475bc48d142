/** The only source of time in the server. There are two implementations: the machine's clock, and a manual one for tests. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. */
  now(): number
  /** Milliseconds from an arbitrary start; never goes back. For durations and for detecting jumps of the wall clock. */
  monotonic(): number
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }

/** ISO 8601 UTC with milliseconds, the time format of the ledger (decisions 12). */
export const isoMillis = (epochMillis: number): string => new Date(epochMillis).toISOString()
