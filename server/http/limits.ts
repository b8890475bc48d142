/**
 * Limits how many requests the station works on at a time (promise L5), and how many a caller may send in a minute (decisions 1, Limits).
 * Requests beyond the first limit are refused at once, so that admitted requests are answered in time.
 *
 * The number of places follows the delay of the event loop. Two late turns in a row mean that one processor cannot carry the work: the
 * number falls. It rises again while turns are on time. Only a request that needs the processor holds a place. After a second in which the
 * event loop was on time, a request is taken to wait for a disk, a tool or a slow client (promise U8), and gives its place back.
 */
import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from '../../shared/kernel/errors.ts'
import type { Principal } from '../../shared/kernel/principal.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { sourceNetwork } from '../platform/network/networks.ts'

/**
 * `transfer`: block uploads, event streams and files of the pages. They have limits of their own; here only their number is bounded, so
 * that transfers are not cut off and windows stay open. `ordinary`: every other request.
 */
export type RequestClass = 'ordinary' | 'transfer'

export interface Admission {
  /** Takes a place until the response is closed. @returns false when no place is free; the request must then be refused */
  enter(requestClass: RequestClass, request: IncomingMessage, response: ServerResponse): boolean
  /** Called every `TICK` milliseconds. @param late delay of the event loop in milliseconds */
  tick(late: number): void
  /** The current number of places, and the requests under way. */
  state(): { readonly places: number; readonly inside: number }
}

export const TICK = 100
const MOST_PLACES = 256
/** This many cameras may finish their uploads at the same moment (promise L1) and must not be refused. */
const FEWEST_PLACES = 64
/** Ordinary requests, including those that gave their places back: the number waiting for a disk is bounded too. */
const MOST_INSIDE = 512
const MOST_TRANSFERS = 2_048
/** Milliseconds. */
const LATE_MS = 50
const RELEASED_AFTER = 1_000

interface AdmittedRequest {
  readonly since: number
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /**
   * `working`: holds a place. `waiting`: gave its place back and waits for a disk or a tool. `client`: waits for its client only; time
   * limits elsewhere apply to it.
   */
  state: 'working' | 'waiting' | 'transfer' | 'client'
}

/** @param now milliseconds that never go back */
export function createAdmission(now: () => number = () => performance.now()): Admission {
  const admitted = new Set<AdmittedRequest>()
  const count = { working: 0, waiting: 0, transfer: 0, client: 0 }
  let places = MOST_PLACES
  let wasLate = false

  const setState = (entry: AdmittedRequest, state: AdmittedRequest['state']): void => {
    count[entry.state]--
    count[state]++
    entry.state = state
  }
  const releasePlace = (entry: AdmittedRequest): void => {
    if (entry.state !== 'working' && entry.state !== 'waiting') return
    if (now() - entry.since < RELEASED_AFTER) return
    const forClient = !entry.request.complete || entry.response.headersSent
    if (forClient) setState(entry, 'client')
    // While the event loop is late, a request of a second ago may still wait for the processor. It keeps its place.
    else if (entry.state === 'working' && !wasLate) setState(entry, 'waiting')
  }

  return {
    enter: (requestClass, request, response) => {
      const free =
        requestClass === 'transfer'
          ? count.transfer < MOST_TRANSFERS
          : count.working < places && count.working + count.waiting < MOST_INSIDE
      if (!free) return false
      const state = requestClass === 'transfer' ? 'transfer' : 'working'
      const entry: AdmittedRequest = { since: now(), request, response, state }
      count[entry.state]++
      admitted.add(entry)
      response.once('close', () => {
        count[entry.state]--
        admitted.delete(entry)
      })
      return true
    },
    tick: (late) => {
      // One late turn may come from a single long task. Two in a row mean overload.
      const strained = late > LATE_MS && wasLate
      wasLate = late > LATE_MS
      places = strained
        ? Math.max(FEWEST_PLACES, Math.floor(places * 0.75))
        : Math.min(MOST_PLACES, places + (wasLate ? 0 : 16))
      for (const entry of admitted) releasePlace(entry)
    },
    state: () => ({ places, inside: admitted.size }),
  }
}

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

/** A token bucket for each principal, or for each source without a sign-in. */
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
