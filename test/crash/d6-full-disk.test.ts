// @module-tag counted
// @module-tag merge
import { randomInt } from 'node:crypto'
import { closeSync, openSync, readdirSync, rmSync, statfsSync, writeSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type Acknowledged,
  blockId,
  type Integrator,
  type Journal,
  openJournal,
  Refused,
} from '../support/integrator.ts'
import { type Disk, openPowerBench, powerMissing } from '../support/power.ts'
import { scale } from '../support/scale.ts'
import { temporaryFolder } from '../support/station.ts'
import { judge, told } from './judge.ts'
import { openResource, uploadWhole } from './traffic.ts'
import { freshBytes, makeWorld, within } from './world.ts'

const ROUNDS = scale(5, 20, 1)
const MIB = 2 ** 20
/** Well above what the database keeps inside its own files (kernel/database/database.ts, PADDING) and one part of the reserve. */
const FLOOR = 48 * MIB
const missing = powerMissing()

describe.skipIf(missing !== null)(missing === null ? 'D6 full disks' : `D6 full disks (skipped: ${missing})`, () => {
  it(`D6 a full disk loses nothing, ${ROUNDS} rounds`, { timeout: 60_000 + ROUNDS * 60_000 }, async () => {
    const bench = await openPowerBench((await temporaryFolder('d6')).dir)
    onTestFinished(() => bench.dispose())
    const disk = await bench.disk('small', 320 + ROUNDS * 16)
    const world = await makeWorld('d6', {
      data: path.join(disk.mount, 'data'),
      // The reserve is given back in parts: what a stranger takes of it is one part, and the next start has the rest.
      env: { SALLYPORT_RESERVE_BYTES: String(64 * MIB), SALLYPORT_MIN_FREE_BYTES: String(FLOOR) },
    })
    onTestFinished(() => world.dispose())
    const journal = openJournal(path.join(world.folder, 'journal'))
    const refusals: Record<string, number> = {}
    let reads = 0

    for (let round = 0; round < ROUNDS; round++) {
      // After the start, which brings the database's own files to size.
      const first = await world.start()
      fill(disk, 'filler', FLOOR + randomInt(6, 14) * MIB)
      const open = await openResource(first.integrator, journal, `open-${round}`)
      await first.integrator.putBlock(open.uploadUri, { id: blockId(0), bytes: freshBytes(50_000, 50_000) })
      journal.note({ kind: 'block', ...open, blockId: blockId(0), sha256: '', length: 50_000 })
      const status = await uploadUntilRefused(first.integrator, journal)
      refusals[status] = (refusals[status] ?? 0) + 1
      expect(freeOf(disk), 'the floor was broken').toBeGreaterThan(FLOOR - 4 * MIB)

      fill(disk, 'ballast', 0)
      reads += await readEverything(first.integrator, journal, 5)
      expect(Number(await refusalOf(first.integrator, journal)), 'an upload at 100 %').toBeGreaterThanOrEqual(400)
      const before = blobsIn(world.blobs)
      await first.station.kill()

      fill(disk, 'ballast-2', 0)
      const second = await world.start()
      const faults = await judge(world, second.integrator, journal.entries())
      expect(faults, `started at 100 %: ${told(faults)}\n${second.station.logs()}`).toEqual([])
      expect(blobsIn(world.blobs), 'something was purged to make room').toEqual(before)
      reads += await readEverything(second.integrator, journal, 5)
      const after = await judge(world, second.integrator, journal.entries())
      expect(after, told(after)).toEqual([])
      await second.station.stop()

      // Somebody makes room: the station takes its reserve again.
      for (const name of ['filler', 'ballast', 'ballast-2']) rmSync(path.join(disk.mount, name), { force: true })
      await (await world.start()).station.stop()
    }
    const third = await world.start()
    await uploadWhole(third.integrator, journal, freshBytes(100_000, 100_000))
    const faults = await judge(world, third.integrator, journal.entries())
    expect(faults, told(faults)).toEqual([])
    await third.station.stop()
    const kept = journal.entries().filter((entry: Acknowledged) => entry.kind === 'complete').length
    console.info(
      `D6: ${ROUNDS} rounds, ${kept} files kept, ${reads} reads at 100 %, refused with ${JSON.stringify(refusals)}`,
    )
    journal.close()
  })
})

describe.skipIf(missing !== null)(missing === null ? 'D6 starts' : `D6 starts (skipped: ${missing})`, () => {
  it('D6 a start on a disk filled meanwhile has room for the shared memory of the WAL', {
    timeout: 120_000,
  }, async () => {
    const bench = await openPowerBench((await temporaryFolder('d6-start')).dir)
    onTestFinished(() => bench.dispose())
    const disk = await bench.disk('small', 320)
    const world = await makeWorld('d6-start', {
      data: path.join(disk.mount, 'data'),
      env: { SALLYPORT_RESERVE_BYTES: String(64 * MIB), SALLYPORT_MIN_FREE_BYTES: String(FLOOR) },
    })
    onTestFinished(() => world.dispose())
    const journal = openJournal(path.join(world.folder, 'journal'))
    onTestFinished(() => journal.close())
    const first = await world.start()
    await uploadWhole(first.integrator, journal, freshBytes(100_000, 100_000))
    await first.station.kill()

    // The shared memory is made anew at each start. On blocks smaller than a page SQLite leaves holes in it, and a hole that no block
    // is left for ends the process with SIGBUS.
    rmSync(path.join(world.data, 'sallyport.db-shm'), { force: true })
    fill(disk, 'ballast', 0)
    const second = await world.start()
    const faults = await judge(world, second.integrator, journal.entries())
    expect(faults, told(faults)).toEqual([])
    await second.station.stop()
  })
})

const freeOf = (disk: Disk): number => {
  const { bavail, bsize } = statfsSync(disk.mount)
  return bavail * bsize
}

/** A file of somebody else's that leaves `free` bytes on the disk. */
function fill(disk: Disk, name: string, free: number): void {
  const file = openSync(path.join(disk.mount, name), 'w')
  try {
    for (let size = MIB; size >= 512; ) {
      if (freeOf(disk) - size < free) {
        size /= 2
        continue
      }
      try {
        writeSync(file, Buffer.alloc(size, 1))
      } catch {
        size /= 2
      }
    }
  } finally {
    closeSync(file)
  }
}

async function uploadUntilRefused(integrator: Integrator, journal: Journal): Promise<string> {
  for (let file = 0; file < 200; file++) {
    const status = await refusalOf(integrator, journal)
    if (status !== '200') return status
  }
  throw new Error('200 files of half a mebibyte fitted above the floor')
}

/** One upload. @returns 200, or the status with which some step of it was refused */
async function refusalOf(integrator: Integrator, journal: Journal): Promise<string> {
  try {
    // The station has the machine for itself no more than in other suites.
    await within(6000, 'an upload near the floor', uploadWhole(integrator, journal, freshBytes(500_000, 524_288)))
    return '200'
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    expect(error.status, error.message).not.toBe(500)
    return String(error.status)
  }
}

async function readEverything(integrator: Integrator, journal: Journal, most: number): Promise<number> {
  const complete = journal.entries().filter((entry) => entry.kind === 'complete')
  for (const { evidenceId, resourceId } of complete.slice(-most)) {
    const { correlationId } = await integrator.content(evidenceId, resourceId)
    journal.note({ kind: 'read', resourceId, correlationId })
  }
  return Math.min(most, complete.length)
}

const blobsIn = (blobs: string): string[] =>
  readdirSync(blobs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name) && !entry.parentPath.includes('/.'))
    .map(({ name }) => name)
    .sort()
