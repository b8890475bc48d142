import type { z } from 'zod'
import type { DockTileModel, DockWallModel } from '../../../shared/contract/dock.ts'
import { timeOf } from '../../../shared/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import type { ServerEvent } from '../event-stream.ts'
import { deviceOf, NOTHING, progressOf, timeOf as timeText } from './dock.models.ts'
import { type Counts, countsOf, type SessionRow } from './dock.repository.ts'
import { createPaces } from './paces.ts'
import { baysOf, onTheWall, type WornDevice, wornDevices } from './wall.repository.ts'

/** The dock wall: what stands in the bays now, for whoever looks, and for whoever goes on looking. */
export interface Wall {
  look(tenant: string): Promise<WallOut>
  /** Told at once, when something changed, and often enough to know that the wall still lives. @returns ends it */
  watch(tenant: string, send: (event: ServerEvent) => boolean): () => void
}

/** What is under way now; compose.ts supplies it. */
export interface DockLive {
  /** Whether this station looks for cameras at all. */
  readonly docks: boolean
  /** Sessions whose camera stands in a bay. */
  docked(): readonly number[]
  waiting(sessionId: number): boolean
  /** Bytes of files under way. */
  underWay(sessionId: number): number
}

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly live: DockLive
  readonly timeZone: string
  /** Whether people are named. */
  readonly names: boolean
}

export type WallOut = z.input<typeof DockWallModel>
type TileOut = z.input<typeof DockTileModel>

const DAY_MS = 86_400_000
const UNKNOWN_MS = 120_000
/** More than one wall shows. */
const MOST_TILES = 256
const MOST_BAYS = 512
const MOST_EMPTY = 64
const ROUND_MS = 1000
/** Whoever hears nothing for longer knows that the wall is not what the bays are. */
const SURELY_MS = 3000

export function createWall(deps: Deps): Wall {
  const { db, clock, live } = deps
  const paces = createPaces(clock.monotonic)
  const look = async (tenant: string): Promise<WallOut> => {
    const now = clock.now()
    const docked = live.docked()
    const rows = await onTheWall(db.read, tenant, {
      docked,
      awaitedSince: now - DAY_MS,
      unknownSince: now - UNKNOWN_MS,
      most: MOST_TILES,
    })
    const ids = rows.map((row) => row.session_id)
    const counts = await countsOf(db.read, ids)
    const devices = await wornDevices(
      db.read,
      rows.flatMap(({ device_id: id }) => (id === null ? [] : [id])),
      timeOf(now).ticks,
    )
    const bays = await baysOf(db.read, tenant, {
      places: rows.map(({ bay }) => bay),
      since: now - 7 * DAY_MS,
      most: MOST_BAYS,
    })
    const numbers = new Map(bays.map(({ place, number }) => [place, number]))
    const tiles = rows.map((row): TileOut => {
      const id = row.session_id
      const underWay = live.underWay(id)
      const of = counts.get(id) ?? { ...NOTHING, session_id: id }
      const pace = row.state === 'copying' ? paces.of(id, of.bytes_done + underWay) : null
      return {
        ...tileOf(row, of, { present: docked.includes(id), waiting: live.waiting(id), underWay, pace }),
        ...whose(row, devices, deps.names),
        Number: numbers.get(row.bay) ?? 0,
      }
    })
    paces.forget(docked)
    const full = new Set(rows.map(({ bay }) => bay))
    // Where no cameras are looked for, an empty bay would be a promise.
    const empty = live.docks ? bays.filter(({ place }) => !full.has(place)).slice(0, MOST_EMPTY) : []
    return {
      TimeUtc: isoMillis(now),
      Docks: live.docks,
      TimeZone: deps.timeZone,
      // What stands in a bay comes before what was pulled out of it.
      Tiles: tiles.sort((one, other) => one.Number - other.Number || Number(other.Present) - Number(one.Present)),
      Empty: empty
        .map(({ place, number }) => ({ Bay: place, Number: number }))
        .sort((one, other) => one.Number - other.Number),
    }
  }
  return { look, watch: createWatch(deps, look) }
}

interface Listener {
  readonly tenant: string
  told: string
  at: number
}

/** One round serves everybody who watches; without anybody nothing is looked at. */
function createWatch({ clock, log }: Deps, look: Wall['look']): Wall['watch'] {
  const listeners = new Map<(event: ServerEvent) => boolean, Listener>()
  let timer: ReturnType<typeof setInterval> | null = null
  let busy = false
  const round = async (): Promise<void> => {
    for (const tenant of new Set([...listeners.values()].map((one) => one.tenant))) {
      const wall = await look(tenant)
      const text = JSON.stringify({ ...wall, TimeUtc: '' })
      for (const [send, listener] of listeners) {
        const due = listener.told !== text || clock.monotonic() - listener.at >= SURELY_MS
        if (listener.tenant !== tenant || !due || !send({ event: 'wall', data: wall })) continue
        listener.told = text
        listener.at = clock.monotonic()
      }
    }
  }
  const go = (): void => {
    if (busy) return
    busy = true
    round()
      .catch((error: unknown) => log.warn({ err: error }, 'the dock wall could not be told'))
      .finally(() => {
        busy = false
      })
  }
  return (tenant, send) => {
    listeners.set(send, { tenant, told: '', at: Number.NEGATIVE_INFINITY })
    timer ??= setInterval(go, ROUND_MS).unref()
    go()
    return () => {
      listeners.delete(send)
      if (listeners.size > 0 || timer === null) return
      clearInterval(timer)
      timer = null
    }
  }
}

interface Now {
  readonly present: boolean
  readonly waiting: boolean
  readonly underWay: number
  readonly pace: number | null
}

function tileOf(row: SessionRow, counts: Counts, now: Now) {
  const progress = progressOf(counts, now.underWay)
  const left = progress.Bytes - progress.BytesDone
  const device = deviceOf(row)
  return {
    DockSessionId: String(row.session_id),
    Bay: row.bay,
    // That it was pulled shows in what cannot be read any more before the system's list of volumes says so.
    Present: now.present && row.state !== 'pulled',
    State: row.state,
    // While it is being cleared it is not to be taken; a volume that is no camera was not touched.
    SafeToTake: row.state === 'released' || row.state === 'refused' || row.state === 'cleared',
    SerialNumber: device?.SerialNumber ?? null,
    Model: device?.Model ?? null,
    ...progress,
    Foreign: counts.strangers,
    Cleared: counts.cleared,
    BytesPerSecond: now.pace,
    SecondsLeft: now.pace !== null && now.pace > 0 ? left / now.pace : null,
    Waiting: now.waiting,
    Reason: row.reason,
    DetectedTimeUtc: isoMillis(row.detected_at),
    FirstByteTimeUtc: timeText(row.first_byte_at),
    ReleasedTimeUtc: timeText(row.released_at),
  }
}

/** Whose camera it is. That somebody wears it is no secret; who it is, only where the station says so. */
function whose(row: SessionRow, devices: ReadonlyMap<string, WornDevice>, names: boolean) {
  const device = row.device_id === null ? undefined : devices.get(row.device_id)
  const wearers = device?.wearers ?? []
  return {
    Name: device?.name ?? null,
    Assigned: row.device_id === null ? null : wearers.length > 0,
    Wearer: names && wearers.length === 1 ? (wearers[0] ?? null) : null,
  }
}
