import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRaw } from '../../server/db/raw.ts'
import type { DockState } from '../../shared/domain/dock.ts'
import { isLong, patience } from '../support/scale.ts'
import { sha256Of } from '../support/given.ts'
import { startStation, succeed, temporaryFolder } from '../support/station.ts'
import { CameraFolder } from './world.ts'

/**
 * I6: a station that is killed while cameras are docked, in whichever states they are, and started again. Afterwards every camera is
 * released, every file is in the store once, and nothing is gone from a camera that the store cannot give back.
 */
const TARGETS: readonly DockState[] = [
  'detected',
  'identified',
  'listed',
  'copying',
  'verifying',
  'committed',
  'cleared',
]
const KILLS = isLong ? 10 * TARGETS.length : TARGETS.length

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let data: string
let root: string
/** In which a session was when its station was killed. */
const killedIn = new Set<string>()

const database = <T>(work: (db: ReturnType<typeof openRaw>) => T): T => {
  const db = openRaw(path.join(data, 'sallyport.db'), { readOnly: true })
  try {
    return work(db)
  } finally {
    db.close()
  }
}
const states = (): string[] =>
  database((db) => db.prepare('SELECT state FROM dock_sessions ORDER BY session_id').pluck().all()) as string[]
const env = (): Record<string, string> => ({
  SALLYPORT_MIN_FREE_BYTES: '0',
  SALLYPORT_RESERVE_BYTES: '1048576',
  SALLYPORT_DOCK_ROOT: root,
  SALLYPORT_DOCK_CLEAR: 'at-once',
  SALLYPORT_DOCK_LANES: '2',
})
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

beforeAll(async () => {
  folder = await temporaryFolder('dock-killed')
  data = path.join(folder.dir, 'data')
  root = path.join(folder.dir, 'bays')
  mkdirSync(data)
  mkdirSync(root)
})
afterAll(() => folder?.dispose())

describe('I6 a station that is killed while it docks', () => {
  it(`${KILLS} times, loses nothing, takes nothing twice, and clears nothing that it cannot give back`, {
    timeout: patience(KILLS * 20_000 + 120_000),
  }, async () => {
    const cameras: CameraFolder[] = []
    /** Whatever is not on its camera any more, the store gives back. */
    const nothingLost = (): void => {
      for (const camera of cameras) {
        const left = new Set(camera.left())
        for (const { path: name, sha256 } of camera.files) {
          if (left.has(name)) continue
          const blob = path.join(data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
          expect(sha256Of(readFileSync(blob))).toBe(sha256)
          const entries = database((db) =>
            db
              .prepare(
                'SELECT count(*) FROM ledger WHERE CAST(body AS TEXT) LIKE \'%"action":"resource.completed"%\' || ? || \'%\'',
              )
              .pluck()
              .get(sha256),
          )
          expect(entries).toBe(1)
        }
      }
    }
    for (let kill = 0; kill < KILLS; kill++) {
      const target = TARGETS[kill % TARGETS.length] as DockState
      const station = await startStation({ data, env: env() })
      const camera = new CameraFolder(root, `bay-${kill}`, { serial: `K${kill}`, recordings: [2, 2], bytes: 2_000_000 })
      cameras.push(camera)
      camera.plugIn()
      // The newest is on its way through all of them; the others go on where their station was killed.
      const end = Date.now() + patience(5_000)
      while (Date.now() < end && states()[kill] !== target && states()[kill] !== 'released') await pause(1)
      await station.kill()
      for (const state of states()) killedIn.add(state)
      nothingLost()
    }
    const files = cameras.flatMap((camera) => camera.files)
    const station = await startStation({ data, env: env() })
    const end = Date.now() + patience(40_000)
    while (cameras.some((camera) => camera.left().length > 0) || states().some((state) => state !== 'released')) {
      if (Date.now() > end)
        throw new Error(
          `not at rest: ${JSON.stringify(states())} ${cameras.map((one) => one.left().length)}\n${station.logs()}`,
        )
      await pause(50)
    }
    nothingLost()
    const originals = database((db) =>
      db.prepare("SELECT sha256 FROM resources WHERE role = 'original' AND state = 'UserCompleted'").pluck().all(),
    ) as string[]
    expect(originals.sort()).toEqual(files.map(({ sha256 }) => sha256).sort())
    const open = database((db) => db.prepare("SELECT count(*) FROM evidence WHERE state = 'None'").pluck().get())
    expect(open).toBe(0)
    const cleared = database((db) =>
      db.prepare("SELECT count(*) FROM dock_files WHERE clearing = 'cleared'").pluck().get(),
    )
    expect(cleared).toBe(files.length)
    await station.stop()
    const verified = JSON.parse(await succeed(['verify', '--json'], { data, env: env() }))
    expect(verified.problems ?? []).toEqual([])
    // It says something only where it was killed in the middle.
    killedIn.delete('released')
    expect(killedIn.size).toBeGreaterThanOrEqual(4)
  })
})
