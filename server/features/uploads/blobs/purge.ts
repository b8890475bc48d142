import type { Database, Tx } from '../../../kernel/database/database.ts'
import { type ClockReading, clockBelief } from '../../../platform/clock/clock-trust.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { IsHeld } from './acknowledge.ts'
import * as rows from './uploads.store.ts'

const DAY = 24 * 60 * 60 * 1000

/**
 * Decisions 6: only never-completed resources are purged, 24 h after their last acknowledged block, never after a clock jump of over
 * an hour. The rows hold wall-clock times, so the wall clock must be believed first (platform/clock/clock-trust.ts).
 */
export interface PurgeRules {
  /** Ids of the resources that may be purged now, none while the clock is not believed. */
  purgeable(reading: ClockReading): Promise<number[]>
  /** Asked again inside the purging transaction: a block may have been acknowledged meanwhile. */
  isPurgeable(tx: Tx, resourceId: number, reading: ClockReading): Promise<boolean>
}

interface Ports {
  readonly database: Pick<Database, 'read'>
  readonly clock: Clock
  readonly isHeld: IsHeld
}

export function purgeRules({ database, clock, isHeld }: Ports): PurgeRules {
  const believed = clockBelief(clock)
  const limitFor = (reading: ClockReading): number | null => (believed(reading) ? reading.wall - DAY : null)
  return {
    purgeable: async (reading) => {
      const limit = limitFor(reading)
      return limit === null ? [] : rows.staleResources(database.read, limit, isoMillis(limit))
    },
    isPurgeable: async (tx, resourceId, reading) => {
      const limit = limitFor(reading)
      if (limit === null || (await isHeld(tx, resourceId))) return false
      return (await rows.staleResources(tx, limit, isoMillis(limit), resourceId)).length === 1
    },
  }
}
