/** Rules by which failed sign-ins delay the next attempt (decisions 13). Pure, over rows of the table. Times in milliseconds. */
import { RELEASE_ONLY } from '../../../../shared/identity/sign-in.ts'
import type { FailuresRow } from './failures.store.ts'

export interface FailureRules {
  /** Failures are counted together until there was none for this long. */
  readonly windowMillis: number
  /** Number of failures that locks; null: this subject is only delayed, never locked. */
  readonly locksAt: number | null
  readonly lockMillis: number
  /** Failures without a delay. Each further one doubles the delay, from one second. */
  readonly free: number
  readonly longestWait: number
}

const WINDOW = 15 * 60_000

/** A lock that only an administrator ends. */
export const UNTIL_RELEASED = 'until-released'
/** How long a lock holds: seconds, or until it is released. */
export type LockTime = number | typeof UNTIL_RELEASED

const USUAL_LOCK = 15 * 60_000

/**
 * For one source at one account, or one open session. Five failures in 15 minutes lock; before that the delays are 0, 0, 1, 2, 4 seconds.
 * These locks always expire: only the lock for all unfamiliar sources may wait for an administrator.
 */
export const ownRules = (lock: LockTime): FailureRules => ({
  windowMillis: WINDOW,
  locksAt: 5,
  lockMillis: lock === UNTIL_RELEASED ? USUAL_LOCK : lock * 1000,
  free: 1,
  longestWait: 4_000,
})

/** For all unfamiliar sources of an account together: `locksAt` failures within the window lock the account for all of them. */
export interface UnfamiliarRules {
  readonly windowMillis: number
  readonly locksAt: number
  readonly lockedUntil: (now: number) => number
}

export const unfamiliarRules = (lock: LockTime): UnfamiliarRules =>
  lock === UNTIL_RELEASED
    ? { windowMillis: WINDOW, locksAt: 5, lockedUntil: () => RELEASE_ONLY }
    : { windowMillis: WINDOW, locksAt: 20, lockedUntil: (now) => now + lock * 1000 }

/** For one source over all names for which it is unfamiliar. A whole shift may share one address. */
export const SOURCE_RULES: FailureRules = {
  windowMillis: WINDOW,
  locksAt: null,
  lockMillis: 0,
  free: 20,
  longestWait: 60_000,
}

/** The row while it still counts, else null. */
function countingRow(row: FailuresRow | null, rules: FailureRules, now: number): FailuresRow | null {
  if (row === null) return null
  if (row.locked_until !== null) return now < row.locked_until ? row : null
  return now - row.last_at < rules.windowMillis ? row : null
}

/** Milliseconds until the next attempt is accepted; 0: now. */
export function waitOf(row: FailuresRow | null, rules: FailureRules, now: number): number {
  const counted = countingRow(row, rules, now)
  if (counted === null) return 0
  if (counted.locked_until !== null) return Math.min(counted.locked_until - now, rules.lockMillis)
  if (counted.failures <= rules.free) return 0
  const wait = Math.min(rules.longestWait, 1000 * 2 ** (counted.failures - rules.free - 1))
  // A clock that was set back must not turn a second into a day.
  return Math.min(wait, Math.max(0, counted.last_at + wait - now))
}

/** The row after one more failure. */
export function afterFailure(row: FailuresRow | null, rules: FailureRules, now: number): FailuresRow {
  const counted = countingRow(row, rules, now)
  const failures = (counted?.failures ?? 0) + 1
  const locks = rules.locksAt !== null && failures >= rules.locksAt
  return {
    failures,
    first_at: counted?.first_at ?? now,
    last_at: now,
    locked_until: locks ? now + rules.lockMillis : null,
  }
}
