/** The only source of time in the server. Two implementations: the machine's, and the one tests move by hand. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. */
  now(): number
  /** Never goes back; milliseconds from an arbitrary start. For durations and for noticing that the wall clock jumped. */
  monotonic(): number
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }

/** ISO 8601 UTC with milliseconds, as the ledger writes time (decisions 12). */
export const isoMillis = (epochMillis: number): string => new Date(epochMillis).toISOString()
