/** A token bucket for each principal, or for each source where nobody signed in (decisions 1, Limits). */
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
   * Takes one. @throws Fault TooManyRequests with the seconds until there is one again.
   * @param credential what the request brought to be recognised by, as it came
   */
  take(principal: Principal | null, source: string, credential?: string): void
  /**
   * The same refusal for whoever was just told when to come again and comes before, known by what they bring: without finding out once
   * more who they are, which costs most of an answer.
   */
  spent(credential: string): Fault | null
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
  /** By the hash of what they brought: until when, on the same clock. Secrets are not kept. */
  const told = new Map<string, { readonly until: number; readonly perMinute: number }>()
  return {
    spent: (credential) => {
      // The usual case, and nothing is reckoned for it.
      if (told.size === 0) return null
      const key = hash('sha256', credential)
      const found = told.get(key)
      if (found === undefined) return null
      const left = found.until - clock.monotonic()
      if (left > 0) return tooMany(found.perMinute, left / 1000)
      told.delete(key)
      return null
    },
    take: (principal, source, credential) => {
      const key = principal === null ? `source ${sourceNetwork(source)}` : `${principal.kind} ${principal.id}`
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
        const seconds = Math.ceil(((1 - bucket.tokens) * 60) / perMinute)
        if (credential !== undefined) {
          told.set(hash('sha256', credential), { until: now + seconds * 1000, perMinute })
          if (told.size > MOST_BUCKETS) told.delete(told.keys().next().value as string)
        }
        throw tooMany(perMinute, seconds)
      }
      bucket.tokens -= 1
    },
  }
}

const tooMany = (perMinute: number, seconds: number): Fault =>
  new Fault('TooManyRequests', `At most ${perMinute} requests a minute.`, { retryAfter: Math.ceil(seconds) })
