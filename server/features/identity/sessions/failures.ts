/** How failed sign-ins hold up the next try (decisions 13): pure rules over what the table keeps. Times in milliseconds. */
import { RELEASE_ONLY } from '../../../../shared/identity/sign-in.ts'
import type { FailuresRow } from './failures.store.ts'

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

/** A lock that only an administrator ends. */
export const UNTIL_RELEASED = 'until-released'
/** How long a lock holds: seconds, or until it is released. */
export type LockTime = number | typeof UNTIL_RELEASED

const USUAL_LOCK = 15 * 60_000

/**
 * One source at one account, or one open session. Five in 15 minutes lock; before that 0, 0, 1, 2, 4 seconds lie between tries. These
 * locks always end by themselves: only the lock for all unfamiliar sources may wait for an administrator.
 */
export const ownRules = (lock: LockTime): FailureRules => ({
  windowMillis: WINDOW,
  locksAt: 5,
  lockMillis: lock === UNTIL_RELEASED ? USUAL_LOCK : lock * 1000,
  free: 1,
  longestWait: 4_000,
})

/** All sources together that are not familiar for an account: so many failures within the window lock it for all of them. */
export interface UnfamiliarRules {
  readonly windowMillis: number
  readonly locksAt: number
  readonly lockedUntil: (now: number) => number
}

export const unfamiliarRules = (lock: LockTime): UnfamiliarRules =>
  lock === UNTIL_RELEASED
    ? { windowMillis: WINDOW, locksAt: 5, lockedUntil: () => RELEASE_ONLY }
    : { windowMillis: WINDOW, locksAt: 20, lockedUntil: (now) => now + lock * 1000 }

/** One source over all names together that it is not familiar for. A whole shift may sit behind one address. */
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
