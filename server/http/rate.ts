/** A token bucket for each principal, or for each source where nobody signed in (decisions 1, Limits). */
import { Fault } from '../../shared/contract/errors.ts'
import type { Principal } from '../../shared/domain/principal.ts'
import type { Clock } from '../platform/clock/clock.ts'

export interface RateLimits {
  /** Requests a minute. */
  readonly ratePerson: number
  readonly rateService: number
}

export interface RateLimiter {
  /** Takes one. @throws Fault TooManyRequests with the seconds until there is one again. */
  take(principal: Principal | null, source: string): void
}

interface Bucket {
  tokens: number
  at: number
  readonly perMinute: number
}

/** Buckets kept; more than this many at once are forgotten from the oldest, so that a flood of sources cannot fill the memory. */
const MOST_BUCKETS = 10_000

export function createRateLimiter({ ratePerson, rateService }: RateLimits, clock: Clock): RateLimiter {
  const buckets = new Map<string, Bucket>()
  return {
    take: (principal, source) => {
      const key = principal === null ? `source ${source}` : `${principal.kind} ${principal.id}`
      const perMinute = principal?.kind === 'service' ? rateService : ratePerson
      const now = clock.monotonic()
      const bucket = buckets.get(key) ?? { tokens: perMinute, at: now, perMinute }
      bucket.tokens = Math.min(perMinute, bucket.tokens + ((now - bucket.at) * perMinute) / 60_000)
      bucket.at = now
      // Put last again: the oldest is the one that was unused longest.
      buckets.delete(key)
      buckets.set(key, bucket)
      if (buckets.size > MOST_BUCKETS) buckets.delete(buckets.keys().next().value as string)
      if (bucket.tokens < 1) {
        const seconds = ((1 - bucket.tokens) * 60) / perMinute
        throw new Fault('TooManyRequests', `At most ${perMinute} requests a minute.`, {
          retryAfter: Math.ceil(seconds),
        })
      }
      bucket.tokens -= 1
    },
  }
}
