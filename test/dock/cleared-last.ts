/** What I6 asks of a station that ends in the middle: of cameras in its bays nothing is gone that the store cannot give back. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { patience } from '../support/scale.ts'
import { sha256Of } from '../support/given.ts'
import type { Station } from '../support/station.ts'
import { CameraFolder } from './world.ts'

export interface Shift {
  readonly cameras: readonly CameraFolder[]
  readonly env: Readonly<Record<string, string>>
  /** Another camera of four files, in a bay of its own. */
  plugOne(): CameraFolder
  /** The state of the newest session in its bay; null before there is one. */
  stateOf(camera: CameraFolder): string | null
  states(): string[]
  /** @throws where a file is neither on its camera nor in the store with its one entry */
  nothingLost(): void
  /** Who has nothing left and was released goes home, as a camera would; those that stay are looked at again and again. */
  sendHome(): void
  /** Until everything is through, then every file is there once. @throws after its time */
  atRest(station: Station): Promise<void>
}

export function openShift(data: string, root: string): Shift {
  mkdirSync(root, { recursive: true })
  const cameras: CameraFolder[] = []
  const home = new Set<CameraFolder>()
  /** Blobs that were read whole once; at the end they are read again. */
  const seen = new Set<string>()

  const rows = <T>(work: (db: ReturnType<typeof openRaw>) => T, nothing: T): T => {
    const file = path.join(data, 'sallyport.db')
    if (!existsSync(file)) return nothing
    const db = openRaw(file, { readOnly: true })
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  const column = (sql: string, ...values: unknown[]): string[] =>
    rows((db) => db.prepare(sql).pluck().all(values) as string[], [])
  const states = (): string[] => column('SELECT state FROM dock_sessions ORDER BY session_id')

  const nothingLost = (all = false): void => {
    const gone = cameras.flatMap((camera) => {
      const left = new Set(camera.left())
      return camera.files.filter(({ path: name }) => !left.has(name))
    })
    if (gone.length === 0) return
    const entries = column(
      'SELECT json_extract(CAST(body AS TEXT), \'$.sha256\') FROM ledger WHERE CAST(body AS TEXT) LIKE \'%"action":"resource.completed"%\'',
    )
    for (const { sha256 } of gone) {
      expect(entries.filter((one) => one === sha256)).toEqual([sha256])
      if (seen.has(sha256) && !all) continue
      const blob = path.join(data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
      expect(sha256Of(readFileSync(blob))).toBe(sha256)
      seen.add(sha256)
    }
  }
  const stateOf = ({ name }: CameraFolder): string | null =>
    column('SELECT state FROM dock_sessions WHERE bay = ? ORDER BY session_id DESC LIMIT 1', name)[0] ?? null

  return {
    cameras,
    env: {
      SALLYPORT_MIN_FREE_BYTES: '0',
      SALLYPORT_RESERVE_BYTES: '1048576',
      SALLYPORT_DOCK_ROOT: root,
      SALLYPORT_DOCK_CLEAR: 'at-once',
      SALLYPORT_DOCK_LANES: '2',
    },
    plugOne: () => {
      const number = cameras.length
      const camera = new CameraFolder(root, `bay-${number}`, {
        serial: `K${number}`,
        recordings: [2, 2],
        bytes: 2_000_000,
      })
      cameras.push(camera)
      camera.plugIn()
      return camera
    },
    stateOf,
    states,
    nothingLost: () => nothingLost(),
    sendHome: () => {
      for (const camera of cameras) {
        if (home.has(camera) || camera.left().length > 0 || stateOf(camera) !== 'released') continue
        camera.pull()
        home.add(camera)
      }
    },
    atRest: async (station) => {
      const end = Date.now() + patience(60_000)
      while (cameras.some((camera) => camera.left().length > 0) || states().some((state) => state !== 'released')) {
        if (Date.now() > end)
          throw new Error(
            `not at rest: ${JSON.stringify(states())} ${cameras.map((one) => one.left().length)}\n${station.logs()}`,
          )
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      nothingLost(true)
      const files = cameras.flatMap((camera) => camera.files)
      expect(column("SELECT sha256 FROM resources WHERE role = 'original' AND state = 'UserCompleted'").sort()).toEqual(
        files.map(({ sha256 }) => sha256).sort(),
      )
      expect(column("SELECT evidence_id FROM evidence WHERE state = 'None'")).toEqual([])
      expect(column("SELECT file_id FROM dock_files WHERE clearing = 'cleared'")).toHaveLength(files.length)
    },
  }
}
