import { durationOf, shifted } from '../../../../shared/kernel/durations.ts'
import type { Time } from '../../../../shared/kernel/time.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import type { ClockSync } from '../../../platform/clock/sync.ts'
import type { ClockReading } from '../ports.ts'

/** The camera's clock against the station's at docking, and the station's against true time as far as the machine knows (decisions 5). */
export interface ClockStatement {
  readonly round?: number
  /** Null where the camera does not state its clock. Its times are then given as they are. */
  readonly camera: {
    readonly showedUtc: string
    readonly stationUtc: string
    /** Corrected = camera + offset. */
    readonly offsetMilliseconds: number
    /** The offset is right to this much either way. */
    readonly uncertaintyMilliseconds: number
    readonly how: string
  } | null
  readonly station: { readonly source: ClockSync['source']; readonly errorMilliseconds: number | null }
}

export function statementOf(reading: ClockReading | null, sync: ClockSync): ClockStatement {
  const station = { source: sync.source, errorMilliseconds: sync.errorMilliseconds }
  if (reading === null) return { camera: null, station }
  return {
    camera: {
      showedUtc: isoMillis(reading.camera),
      stationUtc: isoMillis(reading.station),
      offsetMilliseconds: Math.round(reading.station - reading.camera),
      uncertaintyMilliseconds: Math.ceil(reading.uncertainty),
      how: reading.how,
    },
    station,
  }
}

/** By the station's clock; a camera that tells nothing of its own is taken at its word. */
export function corrected(time: Time | null, statement: ClockStatement | null): Time | null {
  if (time === null || statement?.camera == null || statement.camera.offsetMilliseconds === 0) return time
  // A clock so wrong that the sum is no time any more corrects nothing.
  return shifted(time, { ticks: BigInt(statement.camera.offsetMilliseconds) * 10_000n, digits: 3 }) ?? time
}

/** `TimeOffset` of a resource: an ISO 8601 duration (decisions 6). Null where nothing is known of the camera's clock. */
export function timeOffsetOf(statement: ClockStatement | null): string | null {
  if (statement?.camera == null) return null
  return offsetText(statement.camera.offsetMilliseconds)
}

export const offsetText = (milliseconds: number): string => durationOf({ ticks: BigInt(milliseconds) * 10_000n })

/** By how much a time that this statement put right may still be wrong: the reading of the camera's clock, and the station's own error. */
export const uncertaintyOf = ({ camera, station }: Pick<ClockStatement, 'camera' | 'station'>): number | null =>
  camera === null ? null : Math.ceil(camera.uncertaintyMilliseconds + (station.errorMilliseconds ?? 0))
