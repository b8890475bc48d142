// @module-tag merge
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import type { DockState } from '../../shared/docking/docking.ts'
import { sha256Of } from '../support/given.ts'
import { isLong, patience } from '../support/scale.ts'
import { startStation, succeed, temporaryFolder } from '../support/station.ts'

/**
 * I6 for folders that are watched, of which what the station has is removed: killed in whichever state, started again. Nothing is gone from
 * the folder that the store cannot give back, and at the end every file is there once and the folder is empty.
 */
const TARGETS: readonly DockState[] = ['copying', 'committed', 'listed', 'verifying']
const KILLS = isLong ? 40 : TARGETS.length
const FILES = 6

let place: Awaited<ReturnType<typeof temporaryFolder>>
let data: string
let folder: string
beforeAll(async () => {
  place = await temporaryFolder('watched-killed')
  data = path.join(place.dir, 'data')
  folder = path.join(place.dir, 'incoming')
  mkdirSync(data)
  mkdirSync(folder)
})
afterAll(() => place?.dispose())

const column = (sql: string): string[] => {
  const file = path.join(data, 'sallyport.db')
  if (!existsSync(file)) return []
  const db = openRaw(file, { readOnly: true })
  try {
    return db.prepare(sql).pluck().all() as string[]
  } finally {
    db.close()
  }
}
const stateNow = (): string | undefined => column('SELECT state FROM dock_sessions ORDER BY session_id DESC LIMIT 1')[0]
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe('I6 a station that is killed while it takes in a folder', () => {
  it(`${KILLS} times, loses nothing and takes nothing twice`, {
    timeout: patience(KILLS * 30_000 + 90_000),
  }, async () => {
    const env = {
      SALLYPORT_MIN_FREE_BYTES: '0',
      SALLYPORT_RESERVE_BYTES: '1048576',
      SALLYPORT_DOCK_LANES: '1',
      SALLYPORT_DOCK_ROOT: path.join(place.dir, 'bays'),
      SALLYPORT_DOCK_SYNC: JSON.stringify([{ folder, stillSeconds: 1, after: 'clear' }]),
    }
    mkdirSync(env.SALLYPORT_DOCK_ROOT)
    const put = new Map<string, string>()
    const blob = (sha256: string): string => path.join(data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
    const nothingLost = (): void => {
      const left = new Set(readdirSync(folder))
      for (const [name, sha256] of put)
        if (!left.has(name)) expect([name, sha256Of(readFileSync(blob(sha256)))]).toEqual([name, sha256])
    }
    const killedIn = new Set<string>()
    for (let kill = 0; kill < KILLS; kill++) {
      for (let at = 0; at < FILES; at++) {
        const bytes = randomBytes(1_500_000)
        bytes.fill(0, 0, 2)
        put.set(`${kill}-${at}.bin`, sha256Of(bytes))
        writeFileSync(path.join(folder, `${kill}-${at}.bin`), bytes)
      }
      const before = column('SELECT session_id FROM dock_sessions WHERE ended = 1').length
      const station = await startStation({ data, env })
      const end = Date.now() + patience(15_000)
      const isOver = (): boolean => column('SELECT session_id FROM dock_sessions WHERE ended = 1').length > before
      while (Date.now() < end && stateNow() !== TARGETS[kill % TARGETS.length] && !isOver()) await pause(1)
      await station.kill()
      killedIn.add(stateNow() ?? 'before')
      nothingLost()
    }
    const station = await startStation({ data, env })
    const end = Date.now() + patience(60_000)
    while (readdirSync(folder).length > 0 || stateNow() !== 'released') {
      if (Date.now() > end)
        throw new Error(
          `not at rest: ${readdirSync(folder).length} left, ${stateNow()}, ${JSON.stringify(column('SELECT DISTINCT clearing_reason FROM dock_files'))}\n${station.logs()}`,
        )
      await pause(50)
    }
    await station.stop()
    nothingLost()
    expect(column("SELECT sha256 FROM resources WHERE role = 'original' AND state = 'UserCompleted'").sort()).toEqual(
      [...put.values()].sort(),
    )
    const verified = JSON.parse(await succeed(['verify', '--json'], { data, env }))
    expect(verified.problems ?? []).toEqual([])
    killedIn.delete('released')
    console.info(`I6 folder: ${KILLS} kills, in ${[...killedIn].sort().join(', ')}`)
    expect(killedIn.size).toBeGreaterThanOrEqual(1)
  })
})
