// @module-tag counted
// @module-tag merge
import { randomInt } from 'node:crypto'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Disk, flush, openPowerBench, type PowerBench, powerMissing, standStill } from '../support/power.ts'
import { isLong, patience, scale } from '../support/scale.ts'
import { startStation, succeed, temporaryFolder } from '../support/station.ts'
import { openShift } from './cleared-last.ts'

/**
 * I6 across power cuts: the station's disk is as it was at an instant at which cameras were being copied and cleared. What was removed from
 * a camera stays removed: its card is a disk of its own that lost nothing.
 */
/** As the promise asks. */
const CUTS = scale(6, 60, 2)
const missing = powerMissing()

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let bench: PowerBench
let disk: Disk
beforeAll(async () => {
  if (missing !== null) return
  folder = await temporaryFolder('dock-power')
  bench = await openPowerBench(path.join(folder.dir), scale(1536, 6144))
  disk = await bench.disk('station', scale(600, 2400))
  await flush(disk)
})
afterAll(async () => {
  if (missing !== null) return
  await bench?.dispose()
  await folder?.dispose()
})

describe.skipIf(missing !== null)(`I6 power cuts${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  it(`${CUTS} of them while cameras are docked: nothing is gone from one that the store cannot give back`, {
    timeout: patience(CUTS * 60_000 + 180_000),
  }, async () => {
    const data = path.join(disk.mount, 'data')
    const shift = openShift(data, path.join(folder.dir, 'bays'))
    const cutIn = new Set<string>()
    let gone = 0
    for (let cut = 0; cut < CUTS; cut++) {
      shift.sendHome()
      const station = await startStation({ data, env: shift.env })
      for (let more = 0; more < 3; more++) shift.plugOne()
      // From the first cleared file on anything may be lost that was not kept.
      const before = gone
      const left = (): number => shift.cameras.reduce((sum, camera) => sum + camera.left().length, 0)
      const all = shift.cameras.length * 4
      const end = Date.now() + patience(60_000)
      while (all - left() <= before && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 2))
      await new Promise((resolve) => setTimeout(resolve, randomInt(300)))
      // Stands still from here on: what it has not cleared by now it clears no more.
      await standStill(station)
      for (const state of shift.states()) cutIn.add(state)
      gone = all - left()
      expect(gone).toBeGreaterThan(before)
      await bench.cut([disk], () => station.kill())
      shift.nothingLost()
    }
    const station = await startStation({ data, env: shift.env })
    await shift.atRest(station)
    await station.stop()
    const verified = JSON.parse(await succeed(['verify', '--json'], { data, env: shift.env }))
    expect(verified.problems ?? []).toEqual([])
    console.info(`I6: ${CUTS} power cuts, ${gone} files cleared by the last, sessions ${[...cutIn].sort().join(', ')}`)
    if (isLong) expect(cutIn.size).toBeGreaterThanOrEqual(4)
  })
})
