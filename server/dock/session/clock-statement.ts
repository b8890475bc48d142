import { parseTime, type Time } from '../../../shared/domain/time.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import type { ClockSync } from '../../platform/clock/sync.ts'
import type { ClockReading } from '../ports.ts'

/** The camera's clock against the station's at docking, and the station's against true time as far as the machine knows (decisions 5). */
export interface ClockStatement {
  readonly round?: number
  /** Null: nothing on the camera tells what its clock shows; its times are given as they are. */
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
  const millis = Number(time.ticks / 10_000n) + statement.camera.offsetMilliseconds
  // A clock so wrong that the sum is no time any more corrects nothing.
  if (!(millis > -62_135_596_800_000 && millis < 253_402_300_800_000)) return time
  return parseTime(isoMillis(millis), { utcMember: true }) ?? time
}

/** `TimeOffset` of a resource: an ISO 8601 duration (decisions 6). Null where nothing is known of the camera's clock. */
export function timeOffsetOf(statement: ClockStatement | null): string | null {
  if (statement?.camera == null) return null
  const { offsetMilliseconds: offset } = statement.camera
  const whole = Math.abs(offset)
  const seconds = (whole / 1000).toFixed(3).replace(/\.?0+$/, '')
  return `${offset < 0 ? '-' : ''}PT${seconds}S`
}
