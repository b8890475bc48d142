/**
 * Limits how many requests the station works on at a time (promise L5). Requests beyond the limit are refused at once, so that admitted
 * requests are answered in time.
 *
 * The number of places follows the delay of the event loop. Two late turns in a row mean that one processor cannot carry the work: the
 * number falls. It rises again while turns are on time. Only a request that needs the processor holds a place. After a second in which the
 * event loop was on time, a request is taken to wait for a disk, a tool or a slow client (promise U8), and gives its place back.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

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
