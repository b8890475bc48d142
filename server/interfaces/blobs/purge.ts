import type { Database, Tx } from '../../db/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import * as rows from './uploads.repository.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** Both clocks of the machine at one moment, in milliseconds (platform/clock). */
export interface ClockReading {
  readonly wall: number
  readonly monotonic: number
}

/**
 * Decisions 6: only never-completed resources are purged, 24 h after their last acknowledged block, never after a clock jump of over
 * an hour. The rows hold wall-clock times, so the wall clock must be believed first: within one run it must have advanced as the
 * monotonic clock did (a difference of over an hour is a jump, and nothing is purged until 24 h of running time later); and since no
 * clock tells of a jump while the station was off, nothing is purged in the first hour of a run, in which a wrong clock is set right.
 */
export interface PurgeRules {
  /** Ids of the resources that may be purged now, none while the clock is not believed. */
  purgeable(reading: ClockReading): Promise<number[]>
  /** Asked again inside the purging transaction: a block may have been acknowledged meanwhile. */
  isPurgeable(tx: Tx, resourceId: number, reading: ClockReading): Promise<boolean>
}

export function purgeRules({ database, clock }: { database: Pick<Database, 'read'>; clock: Clock }): PurgeRules {
  const started = clock.monotonic()
  let base: ClockReading = { wall: clock.now(), monotonic: started }
  let believedFrom = started + HOUR

  const limitFor = (reading: ClockReading): number | null => {
    const drift = reading.wall - base.wall - (reading.monotonic - base.monotonic)
    if (Math.abs(drift) > HOUR) {
      base = reading
      believedFrom = reading.monotonic + DAY
    }
    return reading.monotonic >= believedFrom ? reading.wall - DAY : null
  }
  return {
    purgeable: async (reading) => {
      const limit = limitFor(reading)
      return limit === null ? [] : rows.staleResources(database.read, limit, isoMillis(limit))
    },
    isPurgeable: async (tx, resourceId, reading) => {
      const limit = limitFor(reading)
      return limit !== null && (await rows.staleResources(tx, limit, isoMillis(limit), resourceId)).length === 1
    },
  }
}
