import type { z } from 'zod'
import type { DockTileModel, DockWallModel } from '../../../../shared/docking/contract.ts'
import { timeOf } from '../../../../shared/kernel/time.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { ServerEvent } from '../../../http/event-stream.ts'
import { bytesUnderWay, deviceOf, NOTHING, progressOf, timeOf as timeText } from './dock.models.ts'
import { type Counts, countsOf, type SessionRow } from './dock.store.ts'
import { type AtWork, createTimeLeft, type Expected } from './time-left.ts'
import { baysOf, onTheWall, type WornDevice, wornDevices } from './wall.store.ts'

/** The dock wall: what stands in the bays now, for whoever looks, and for whoever goes on looking. */
export interface Wall {
  look(tenant: string): Promise<WallOut>
  /** Told at once, when something changed, and often enough to know that the wall still lives. @returns ends it */
  watch(tenant: string, send: (event: ServerEvent) => boolean): () => void
}

/** What is under way now; app.ts supplies it. */
export interface DockLive {
  /** Whether this station looks for cameras at all. */
  readonly docks: boolean
  /** Sessions whose camera stands in a bay. */
  docked(): readonly number[]
  /** Those whose camera waits for a lane, longest waiting first. */
  waiting(): readonly number[]
  /** By how many bytes a camera ranks behind others for the next lane. */
  served(sessionId: number): number
  /** Files that are being copied; each byte counts twice in `done`. */
  underWay(sessionId: number): {
    readonly hub: string
    readonly files: readonly { readonly length: number; readonly done: number }[]
  }
  readonly lanes: number
  readonly lanesOfACamera: number
  /** Whether everything is copied once more before it counts as safe. */
  readonly secondCopies: boolean
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
  const timeLeft = createTimeLeft({
    ticks: clock.monotonic,
    lanes: live.lanes,
    lanesOfACamera: live.lanesOfACamera,
  })
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
    const waiting = live.waiting()
    const expected = timeLeft.look(atWork(rows, { docked, waiting, counts, live }))
    const tiles = rows.map((row): TileOut => {
      const id = row.session_id
      const of = counts.get(id) ?? { ...NOTHING, session_id: id }
      const now = {
        present: docked.includes(id),
        waiting: waiting.includes(id),
        underWay: bytesUnderWay(live.underWay(id).files),
        expected: expected.get(id) ?? null,
      }
      return {
        ...tileOf(row, of, now),
        ...whose(row, devices, deps.names),
        Number: numbers.get(row.bay) ?? 0,
      }
    })
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
  sentText: string
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
        const due = listener.sentText !== text || clock.monotonic() - listener.at >= SURELY_MS
        if (listener.tenant !== tenant || !due || !send({ event: 'wall', data: wall })) continue
        listener.sentText = text
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
    listeners.set(send, { tenant, sentText: '', at: Number.NEGATIVE_INFINITY })
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
  readonly expected: Expected | null
}

/** Those that have work left of which something can be said, in the order in which they came to wait. */
function atWork(
  rows: readonly SessionRow[],
  {
    docked,
    waiting,
    counts,
    live,
  }: { docked: readonly number[]; waiting: readonly number[]; counts: ReadonlyMap<number, Counts>; live: DockLive },
): AtWork[] {
  const found = rows.flatMap((row): AtWork[] => {
    const { session_id: id, state } = row
    // One that waits for the volume of second copies waits for a person.
    const works = state === 'copying' || (state === 'verifying' && row.reason === null)
    if (!works || !docked.includes(id)) return []
    const of = counts.get(id) ?? { ...NOTHING, session_id: id }
    const { hub, files } = live.underWay(id)
    return [
      {
        id,
        hub,
        state,
        underWay: files,
        files: of.files,
        filesDone: of.files_done,
        bytes: of.bytes,
        bytesDone: of.bytes_done,
        served: live.served(id),
        second: live.secondCopies ? of.second_left : 0,
      },
    ]
  })
  const places = new Map(waiting.map((id, place) => [id, place]))
  return found.sort((one, other) => (places.get(one.id) ?? -1) - (places.get(other.id) ?? -1))
}

function tileOf(row: SessionRow, counts: Counts, now: Now) {
  const progress = progressOf(counts, now.underWay)
  const { expected } = now
  const isNext = now.waiting && expected !== null && expected.starts > 0
  const device = deviceOf(row)
  return {
    DockSessionId: String(row.session_id),
    Bay: row.bay,
    // That it was pulled shows in what cannot be read any more before the system's list of volumes says so.
    Present: now.present && row.state !== 'pulled',
    State: row.state,
    // While it is being cleared it is not to be taken; a volume that is no camera was not touched.
    SafeToTake:
      (row.state === 'released' || row.state === 'refused' || row.state === 'cleared') && counts.not_looked_at === 0,
    SerialNumber: device?.SerialNumber ?? null,
    Model: device?.Model ?? null,
    ...progress,
    Foreign: counts.foreign,
    Cleared: counts.cleared,
    BytesPerSecond: row.state === 'copying' ? (expected?.pace ?? null) : null,
    SecondsLeft: finite(expected?.ends),
    Waiting: now.waiting,
    StartsInSeconds: isNext ? finite(expected.starts) : null,
    Before: isNext ? expected.before : null,
    Reason: row.reason,
    DetectedTimeUtc: isoMillis(row.detected_at),
    FirstByteTimeUtc: timeText(row.first_byte_at),
    ReleasedTimeUtc: timeText(row.released_at),
  }
}

const finite = (seconds: number | undefined): number | null =>
  seconds !== undefined && Number.isFinite(seconds) ? seconds : null

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
