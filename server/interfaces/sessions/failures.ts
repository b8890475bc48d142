/** How failed sign-ins hold up the next try (decisions 10): pure rules over what the table keeps. Times in milliseconds. */
import type { FailuresRow } from './sessions.repository.ts'

export interface FailureRules {
  /** Failures are counted together until there was none for so long. */
  readonly windowMillis: number
  /** So many lock; null: this subject is never locked, only held up. */
  readonly locksAt: number | null
  readonly lockMillis: number
  /** Failures that cost nothing; each further one doubles the wait, from one second. */
  readonly free: number
  readonly longestWait: number
}

const WINDOW = 15 * 60_000

/** Five in 15 minutes lock the account; before that 0, 0, 1, 2, 4 seconds lie between tries. */
export const accountRules = (lockMillis: number): FailureRules => ({
  windowMillis: WINDOW,
  locksAt: 5,
  lockMillis,
  free: 1,
  longestWait: 4_000,
})

/** A whole shift may sit behind one address. */
export const SOURCE_RULES: FailureRules = {
  windowMillis: WINDOW,
  locksAt: null,
  lockMillis: 0,
  free: 20,
  longestWait: 60_000,
}

/** What still counts of a row; null: nothing. */
function counting(row: FailuresRow | null, rules: FailureRules, now: number): FailuresRow | null {
  if (row === null) return null
  if (row.locked_until !== null) return now < row.locked_until ? row : null
  return now - row.last_at < rules.windowMillis ? row : null
}

/** Milliseconds until the next try is looked at; 0: now. */
export function waitOf(row: FailuresRow | null, rules: FailureRules, now: number): number {
  const counted = counting(row, rules, now)
  if (counted === null) return 0
  if (counted.locked_until !== null) return Math.min(counted.locked_until - now, rules.lockMillis)
  if (counted.failures <= rules.free) return 0
  const wait = Math.min(rules.longestWait, 1000 * 2 ** (counted.failures - rules.free - 1))
  // A clock that was set back must not turn a second into a day.
  return Math.min(wait, Math.max(0, counted.last_at + wait - now))
}

/** The row after one more failure. */
export function afterFailure(row: FailuresRow | null, rules: FailureRules, now: number): FailuresRow {
  const counted = counting(row, rules, now)
  const failures = (counted?.failures ?? 0) + 1
  const locks = rules.locksAt !== null && failures >= rules.locksAt
  return {
    failures,
    first_at: counted?.first_at ?? now,
    last_at: now,
    locked_until: locks ? now + rules.lockMillis : null,
  }
}
