/**
 * How many requests the station works on at a time (promise L5). More than it can answer would only make everybody wait for answers that
 * nobody waits for any more: what goes beyond the places is refused at once, and whoever is in is answered in time.
 *
 * The number of places follows the event loop. A turn that comes late, twice in a row, means that more is being worked on than one
 * processor carries: places become fewer; while turns are in time they become more again. A place is held by what needs the processor now.
 * Whoever was let in a second ago waits for a disk, for a tool or for a client that is slow (promise U8), and gives the place back.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * `work`: everything that is asked and answered. `apart`: uploads of blocks, event streams and the files of the pages, which have limits
 * of their own, so that bytes on their way are not broken and a window stays open; only their number is bounded.
 */
export type Lane = 'work' | 'apart'

export interface Admission {
  /** Takes a place until the answer is out. @returns false: there is none, and nothing may be done for this request */
  enter(lane: Lane, request: IncomingMessage, response: ServerResponse): boolean
  /** Every `TICK` milliseconds. @param late milliseconds that the event loop came late */
  tick(late: number): void
  /** Places that there are, and requests under way. */
  state(): { readonly places: number; readonly inside: number }
}

export const TICK = 100
const MOST_PLACES = 256
/** As many cameras may finish their uploads in one moment (promise L1): fewer places would refuse what the station is there for. */
const FEWEST_PLACES = 64
/** Of `work`, those that gave their places back included: what waits for a disk is not without end either. */
const MOST_INSIDE = 512
const MOST_APART = 2_048
/** Milliseconds. */
const LATE = 50
const SETTLED_AFTER = 1_000

interface Inside {
  readonly since: number
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** `outside`: only a client is still waited for; those have time limits of their own. */
  at: 'place' | 'settled' | 'apart' | 'outside'
}

/** @param now milliseconds that never go back */
export function createAdmission(now: () => number = () => performance.now()): Admission {
  const inside = new Set<Inside>()
  const count = { place: 0, settled: 0, apart: 0, outside: 0 }
  let places = MOST_PLACES
  let wasLate = false

  const move = (one: Inside, to: Inside['at']): void => {
    count[one.at]--
    count[to]++
    one.at = to
  }
  const settle = (one: Inside): void => {
    if (one.at !== 'place' && one.at !== 'settled') return
    if (now() - one.since < SETTLED_AFTER) return
    const forClient = !one.request.complete || one.response.headersSent
    if (forClient) move(one, 'outside')
    // While the event loop is late everything takes long, and what was let in a second ago waits for the processor still.
    else if (one.at === 'place' && !wasLate) move(one, 'settled')
  }

  return {
    enter: (lane, request, response) => {
      const free =
        lane === 'apart' ? count.apart < MOST_APART : count.place < places && count.place + count.settled < MOST_INSIDE
      if (!free) return false
      const one: Inside = { since: now(), request, response, at: lane === 'apart' ? 'apart' : 'place' }
      count[one.at]++
      inside.add(one)
      response.once('close', () => {
        count[one.at]--
        inside.delete(one)
      })
      return true
    },
    tick: (late) => {
      // Once is somebody's long sentence; twice is too many who speak.
      const strained = late > LATE && wasLate
      wasLate = late > LATE
      places = strained
        ? Math.max(FEWEST_PLACES, Math.floor(places * 0.75))
        : Math.min(MOST_PLACES, places + (wasLate ? 0 : 16))
      for (const one of inside) settle(one)
    },
    state: () => ({ places, inside: inside.size }),
  }
}
