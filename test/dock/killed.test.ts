// @module-tag merge
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DockState } from '../../shared/docking/docking.ts'
import { isLong, patience } from '../support/scale.ts'
import { startStation, succeed, temporaryFolder } from '../support/station.ts'
import { openShift, type Shift } from './cleared-last.ts'

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
/** The promise asks for 20 in the gate and 200 in the long run. The gate has one for each state: it has 25 minutes for everything. */
const KILLS = isLong ? 200 : TARGETS.length

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let data: string
let shift: Shift
/** In which a session was when its station was killed. */
const killedIn = new Set<string>()
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

beforeAll(async () => {
  folder = await temporaryFolder('dock-killed')
  data = path.join(folder.dir, 'data')
  mkdirSync(data)
  shift = openShift(data, path.join(folder.dir, 'bays'))
})
afterAll(() => folder?.dispose())

describe('I6 a station that is killed while it docks', () => {
  it(`${KILLS} times, loses nothing, takes nothing twice, and clears nothing that it cannot give back`, {
    timeout: patience(KILLS * 20_000 + 120_000),
  }, async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const target = TARGETS[kill % TARGETS.length] as DockState
      shift.sendHome()
      const station = await startStation({ data, env: shift.env })
      const camera = shift.plugOne()
      // The newest is on its way through all of them; the others go on where their station was killed.
      const end = Date.now() + patience(5_000)
      for (let state = shift.stateOf(camera); Date.now() < end; state = shift.stateOf(camera)) {
        if (state === target || state === 'released') break
        await pause(1)
      }
      await station.kill()
      for (const state of shift.states()) killedIn.add(state)
      shift.nothingLost()
    }
    const station = await startStation({ data, env: shift.env })
    await shift.atRest(station)
    await station.stop()
    const verified = JSON.parse(await succeed(['verify', '--json'], { data, env: shift.env }))
    expect(verified.problems ?? []).toEqual([])
    // It says something only where it was killed in the middle.
    killedIn.delete('released')
    expect(killedIn.size).toBeGreaterThanOrEqual(4)
    console.info(`I6: ${KILLS} kills, in ${[...killedIn].sort().join(', ')}`)
  })
})
