/**
 * Evidence whose file gives a local time without its zone: `start_utc` is null, `container_start_utc` holds the local time as it was
 * written, and `start_ticks` the instant that it is in the station's zone, by which lists and search sort and filter (decisions 13).
 * Where the file has the time of a GPS receiver and none of its own, `container_start_utc` holds that instant behind `gps:`.
 */
import { isLocalTime } from '../../../shared/kernel/local-time.ts'

const SECOND = 10_000_000n

/** UTC with the precision of the local time. */
export function takenStart(local: string, ticks: bigint): string {
  const fraction = ((ticks % SECOND) + SECOND) % SECOND
  const digits = /\.(\d+)$/.exec(local)?.[1]?.length ?? 0
  const shown = digits === 0 ? '' : `.${String(fraction).padStart(7, '0').slice(0, digits)}`
  return `${new Date(Number((ticks - fraction) / 10_000n)).toISOString().slice(0, 19)}${shown}Z`
}

const GPS = 'gps:'
export const gpsContainer = (instant: string): string => `${GPS}${instant}`
export const isGpsContainer = (container: string): boolean => container.startsWith(GPS)

interface StartColumns {
  readonly start_utc: string | null
  readonly start_ticks: bigint | null
  readonly container_start_utc: string | null
}

/** How a version says it. Rows come with ticks as numbers, which are exact to 200 ns. A version tells what the station took the local time for then: its zone may be set to another one. */
export function containerState({ start_utc: start, start_ticks: ticks, container_start_utc: container }: StartColumns) {
  if (container === null) return {}
  if (isGpsContainer(container)) return { GpsStartTimeUtc: container.slice(GPS.length) }
  if (!isLocalTime(container)) return { ContainerStartTimeUtc: container }
  const taken = start === null && ticks !== null ? { LocalStartTakenAsUtc: takenStart(container, BigInt(ticks)) } : {}
  return { LocalStartTime: container, ...taken }
}
