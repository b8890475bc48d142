/** Rate limits: a token bucket for each principal, or for each source without a sign-in (decisions 1, Limits). */
import { hash } from 'node:crypto'
import { Fault } from '../../shared/kernel/errors.ts'
import type { Principal } from '../../shared/kernel/principal.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { sourceNetwork } from '../platform/network/networks.ts'

export interface RateLimits {
  /** Requests a minute. */
  readonly ratePerson: number
  readonly rateService: number
}

export interface RateLimiter {
  /**
   * Takes one token. @throws Fault TooManyRequests with the seconds until the next token
   * @param credential the Authorization header as received
   */
  take(principal: Principal | null, source: string, credential?: string): void
  /**
   * The refusal that still applies to this credential, or null. It spares the recognition of the caller, which is most of the cost of an
   * answer.
   */
  earlierRefusal(credential: string): Fault | null
}

interface Bucket {
  tokens: number
  at: number
  readonly perMinute: number
}

/** Most buckets. Beyond this number the oldest is dropped, so that a flood of sources cannot fill the memory. */
const MOST_BUCKETS = 10_000

export function createRateLimiter({ ratePerson, rateService }: RateLimits, clock: Clock): RateLimiter {
  const buckets = new Map<string, Bucket>()
  /** Refusals by the hash of the credential, with their end on the monotonic clock. The credential itself is not kept. */
  const refusals = new Map<string, { readonly until: number; readonly perMinute: number }>()
  return {
    earlierRefusal: (credential) => {
      // The usual case; it avoids the hash.
      if (refusals.size === 0) return null
      const key = hash('sha256', credential)
      const found = refusals.get(key)
      if (found === undefined) return null
      const left = found.until - clock.monotonic()
      if (left > 0) return tooMany(found.perMinute, left / 1000)
      refusals.delete(key)
      return null
    },
    take: (principal, source, credential) => {
      const key = principal === null ? `source ${sourceNetwork(source)}` : `${principal.kind} ${principal.id}`
      const perMinute = principal?.kind === 'service' ? rateService : ratePerson
      const now = clock.monotonic()
      const bucket = buckets.get(key) ?? { tokens: perMinute, at: now, perMinute }
      bucket.tokens = Math.min(perMinute, bucket.tokens + ((now - bucket.at) * perMinute) / 60_000)
      bucket.at = now
      // Move the bucket to the end: the first in the map is the one that was unused longest.
      buckets.delete(key)
      buckets.set(key, bucket)
      if (buckets.size > MOST_BUCKETS) buckets.delete(buckets.keys().next().value as string)
      if (bucket.tokens < 1) {
        const seconds = Math.ceil(((1 - bucket.tokens) * 60) / perMinute)
        if (credential !== undefined) {
          refusals.set(hash('sha256', credential), { until: now + seconds * 1000, perMinute })
          if (refusals.size > MOST_BUCKETS) refusals.delete(refusals.keys().next().value as string)
        }
        throw tooMany(perMinute, seconds)
      }
      bucket.tokens -= 1
    },
  }
}

const tooMany = (perMinute: number, seconds: number): Fault =>
  new Fault('TooManyRequests', `At most ${perMinute} requests a minute.`, { retryAfter: Math.ceil(seconds) })
