/** One docking under measurement: a station of its own, its wall looked at as a screen does, and what its rows say afterwards. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { openRaw } from '../../../server/kernel/database/sqlite/raw.ts'
import { callControl } from '../../../server/platform/control/control.ts'
import { type ConnectionFile, signIn } from '../../support/integrator.ts'
import { type Station, startStation } from '../../support/station.ts'
import { loopDelay } from '../stage.ts'
import type { Card } from './cards.ts'

export interface Tile {
  readonly DockSessionId: string
  readonly Bay: string
  readonly State: string
  readonly SafeToTake: boolean
  readonly Files: number
  readonly Bytes: number
  readonly BytesDone: number
  readonly SecondsLeft: number | null
  readonly Waiting: boolean
}

export interface Look {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly tiles: readonly Tile[]
}

export interface SessionTimes {
  readonly session_id: number
  readonly bay: string
  readonly state: string
  readonly before: string | null
  readonly reason: string | null
  readonly round: number
  readonly detected_at: number
  readonly first_byte_at: number | null
  readonly last_byte_at: number | null
  readonly committed_at: number | null
  readonly released_at: number | null
}

export interface FileOutcomes {
  readonly bay: string
  readonly path: string
  readonly outcome: string
  readonly read_back: string | null
  readonly reason: string | null
}

const ENV = { SALLYPORT_MIN_FREE_BYTES: '0', SALLYPORT_RESERVE_BYTES: '1048576', SALLYPORT_RATE_SERVICE: '100000000' }

export interface Docking {
  readonly station: Station
  /** A token of an integration that may manage devices. */
  readonly token: string
  readonly looks: readonly Look[]
  /** When a card was last put in, by its bay. */
  readonly pluggedAt: ReadonlyMap<string, number>
  plug(card: Card): void
  pull(card: Card): void
  /** Until every one of these has been released. @throws after that many seconds */
  released(cards: readonly Card[], seconds: number): Promise<void>
  sessions(): SessionTimes[]
  files(): FileOutcomes[]
  /** The station's own reading of its event loop since this was asked last, and the most memory that it ever had. */
  strain(): Promise<{ loopP99Ms: number; loopMaxMs: number; rssMiB: number }>
  end(): Promise<void>
}

const LOOK_MS = 250
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export async function openDocking(data: string, bays: string, env: Record<string, string> = {}): Promise<Docking> {
  const station = await startStation({ data, env: { ...ENV, SALLYPORT_DOCK_ROOT: bays, ...env } })
  const token = await tokenOf(station)
  const looks: Look[] = []
  const pluggedAt = new Map<string, number>()
  let ended = false
  const watching = watch()

  async function watch(): Promise<void> {
    while (!ended) {
      const due = performance.now() + LOOK_MS
      const answer = await fetch(`${station.url}/api/v1/tenant/station/dock/wall`)
      if (!answer.ok) throw new Error(`The wall answered ${answer.status}`)
      looks.push({ at: Date.now(), tiles: ((await answer.json()) as { Tiles: Tile[] }).Tiles })
      await pause(Math.max(0, due - performance.now()))
    }
  }
  watching.catch(() => {})

  const rows = <T>(sql: string): T[] => {
    const db = openRaw(path.join(data, 'sallyport.db'), { readOnly: true })
    try {
      return db.prepare(sql).all() as T[]
    } finally {
      db.close()
    }
  }
  // An empty folder is no camera: a look between the making of a mount point and the mounting of its card.
  const sessions = (): SessionTimes[] =>
    rows("SELECT * FROM dock_sessions WHERE state <> 'refused' ORDER BY session_id")

  return {
    station,
    token,
    looks,
    pluggedAt,
    plug: (card) => {
      pluggedAt.set(card.name, Date.now())
      card.plug()
    },
    pull: (card) => card.pull(),
    released: async (cards, seconds) => {
      const names = new Set(cards.map(({ name }) => name))
      const until = performance.now() + seconds * 1000
      for (;;) {
        const done = sessions().filter(({ bay, state }) => state === 'released' && names.has(bay))
        if (done.length === names.size) return
        if (performance.now() > until)
          throw new Error(
            `${done.length} of ${names.size} cameras were released after ${seconds} s: ${JSON.stringify(sessions().map(({ bay, state }) => `${bay} ${state}`))}\n${station.logs()}`,
          )
        await pause(100)
      }
    },
    sessions,
    files: () =>
      rows(
        "SELECT s.bay, f.path, f.outcome, f.read_back, f.reason FROM dock_files f JOIN dock_sessions s USING (session_id) WHERE f.outcome <> 'foreign' ORDER BY f.file_id",
      ),
    strain: async () => {
      const { p99Ms, maxMs } = await loopDelay(station.url)
      const most = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${station.pid}/status`, 'utf8'))?.[1]
      return { loopP99Ms: p99Ms, loopMaxMs: maxMs, rssMiB: Math.round(Number(most) / 1024) }
    },
    end: async () => {
      ended = true
      await watching
      await station.stop()
    },
  }
}

async function tokenOf(station: Station): Promise<string> {
  const args = { name: 'bench', policies: ['ManageDevices'], group: null, baseUrl: station.url }
  const made = await callControl(
    station.data,
    { command: 'integration.create', args, user: 'bench' },
    () => {},
    new AbortController().signal,
  )
  return signIn((made as { result: { connection: ConnectionFile } }).result.connection, station.url)
}
