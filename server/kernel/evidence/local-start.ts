/**
 * Evidence whose file gives a local time without its zone: `start_utc` is null, `container_start_utc` holds the local time as it was
 * written, and `start_ticks` the instant that it is in the station's zone, by which lists and search sort and filter (decisions 13).
 * Where the file has the time of a GPS receiver and none of its own, `container_start_utc` holds that instant behind `gps:`.
 * Where nothing but the evidence itself said when it began, and a person put that right, `container_start_utc` holds what it said behind
 * `given:` (I12: a recorded time is never hidden).
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

const GIVEN = 'given:'
export const givenContainer = (instant: string): string => `${GIVEN}${instant}`
/** What the evidence said before a person put it right; null where the column holds something else. */
export const givenIn = (container: string): string | null =>
  container.startsWith(GIVEN) ? container.slice(GIVEN.length) : null

/** The instant that the file itself says, with or without a receiver; null for a local time and for what was given with the evidence. */
export function instantIn(container: string): string | null {
  if (isGpsContainer(container)) return container.slice(GPS.length)
  return isLocalTime(container) || givenIn(container) !== null ? null : container
}

interface StartColumns {
  readonly start_utc: string | null
  readonly start_ticks: bigint | null
  readonly container_start_utc: string | null
}

/** How a version says it. Rows come with ticks as numbers, which are exact to 200 ns. A version tells what the station took the local time for then: its zone may be set to another one. */
export function containerState({ start_utc: start, start_ticks: ticks, container_start_utc: container }: StartColumns) {
  if (container === null) return {}
  const given = givenIn(container)
  if (given !== null) return { GivenStartTimeUtc: given }
  if (isGpsContainer(container)) return { GpsStartTimeUtc: container.slice(GPS.length) }
  if (!isLocalTime(container)) return { ContainerStartTimeUtc: container }
  const taken = start === null && ticks !== null ? { LocalStartTakenAsUtc: takenStart(container, BigInt(ticks)) } : {}
  return { LocalStartTime: container, ...taken }
}
