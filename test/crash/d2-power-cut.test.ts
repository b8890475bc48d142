import { randomInt, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Acknowledged, blockId, openJournal, Refused, sha256 } from '../support/integrator.ts'
import {
  corruptBelowCache,
  type Disk,
  flush,
  openPowerBench,
  type PowerBench,
  powerMissing,
  standStill,
} from '../support/power.ts'
import { scale } from '../support/scale.ts'
import { makeShim, type Shim, type ShimRule, shimMissing } from '../support/shim.ts'
import { command, type Station, temporaryFolder } from '../support/station.ts'
import { type Faults, hashOfFile, judge, told } from './judge.ts'
import { openResource, randomMoment, startTraffic, uploadWhole } from './traffic.ts'
import { freshBytes, freshSource, makeWorld, pause, type World, within } from './world.ts'

const CUTS = scale(6, 60, 2)
const MUTANT_CUTS = scale(2, 10)
const missing = powerMissing() ?? shimMissing()
const named = (name: string): string => (missing === null ? name : `${name} (skipped: ${missing})`)

let bench: PowerBench
beforeAll(async () => {
  if (missing === null) bench = await openPowerBench((await temporaryFolder('d2')).dir)
})
afterAll(async () => {
  if (missing === null) await bench.dispose()
})

interface Powered {
  world: World
  disks: Disk[]
  /** Cuts the power of all disks and leaves the station dead and the disks mounted again. @returns what was acknowledged by then */
  cut(station: Station, entries: () => Acknowledged[]): Promise<Acknowledged[]>
}

let disksMade = 0

async function powered(volumes: 1 | 2): Promise<Powered> {
  const number = ++disksMade
  const main = await bench.disk(`station-${number}`, 400)
  const second = volumes === 2 ? await bench.disk(`blobs-${number}`, 400) : null
  const disks = second === null ? [main] : [second, main]
  const world = await makeWorld('d2', {
    data: path.join(main.mount, 'data'),
    ...(second === null ? {} : { blobs: path.join(second.mount, 'blobs') }),
  })
  onTestFinished(() => world.dispose())
  for (const disk of disks) await flush(disk)
  return {
    world,
    disks,
    cut: async (station, entries) => {
      // Several disks are copied one after the other: nobody may write between.
      if (disks.length > 1) await standStill(station)
      const acknowledged = entries()
      await bench.cut(disks, () => station.kill())
      return acknowledged
    },
  }
}

const completed = (acknowledged: readonly Acknowledged[]): number =>
  acknowledged.filter(({ kind }) => kind === 'complete').length

describe.skipIf(missing !== null)(named('D2 power cuts'), () => {
  for (const volumes of [1, 2] as const) {
    const cuts = CUTS / 2
    it(`D2 U1 acknowledged means kept across ${cuts} power cuts, blobs and database on ${volumes} volume${volumes === 1 ? '' : 's'}`, {
      tags: ['counted'],
      timeout: (cuts + 2) * 60_000,
    }, async () => {
      const { world, cut } = await powered(volumes)
      const everything: Acknowledged[] = []
      for (let round = 0; round <= cuts; round++) {
        const { station, integrator } = await world.start()
        const faults = await judge(world, integrator, everything)
        expect(faults, `after cut ${round}: ${told(faults)}\n${station.logs()}`).toEqual([])
        if (round === cuts) {
          await station.stop()
          break
        }
        const journal = openJournal(path.join(world.folder, `journal-${round}`))
        const traffic = startTraffic({
          world,
          integrator,
          journal,
          lanes: ['whole', 'whole', 'blocks', 'ingest', 'reads'],
        })
        await randomMoment(journal, 80)
        // By chance all moments may be early ones: the last cut waits for files enough to say something about.
        if (round === cuts - 1)
          for (const until = Date.now() + 30_000; Date.now() < until && completed(journal.entries()) <= cuts; )
            await pause(5)
        everything.push(...(await cut(station, () => journal.entries())))
        await traffic.end()
        expect(traffic.surprises).toEqual([])
        journal.close()
      }
      expect(completed(everything)).toBeGreaterThan(cuts)
      console.info(
        `D2 U1: ${cuts} cuts on ${volumes} volume(s), ${everything.length} acknowledgements kept, ${completed(everything)} files`,
      )
    })
  }

  const mutants: { name: string; volumes: 1 | 2; rules(world: World): ShimRule[] }[] = [
    {
      name: 'synchronous=NORMAL (commits do not sync the log)',
      volumes: 1,
      rules: ({ data }) => [{ call: 'sync', path: `${data}/*-wal`, action: 'skip', sticky: true }],
    },
    {
      name: 'no fsync of blobs',
      volumes: 1,
      // Reading past the cache writes out what it is about to read: read-back would do the work of the missing fsync.
      rules: ({ blobs }) => [
        { call: 'sync', on: 'file', path: `${blobs}/*`, action: 'skip', sticky: true },
        { call: 'open', path: `${blobs}/*`, action: 'cached', sticky: true },
      ],
    },
    {
      name: 'no fsync of folders, on two volumes',
      volumes: 2,
      rules: ({ blobs }) => [{ call: 'sync', on: 'folder', path: `${blobs}*`, action: 'skip', sticky: true }],
    },
  ]
  it('D2 finds nothing in the same cuts without a mutant', { tags: ['merge'], timeout: 240_000 }, async () => {
    for (const volumes of [1, 2] as const) {
      const faults = await faultsOfMutant(volumes, ({ data }) => [
        { call: 'sync', path: `${data}*`, action: 'after', at: 1_000_000 },
      ])
      expect(faults, told(faults)).toEqual([])
    }
  })

  for (const mutant of mutants) {
    it(`D2 finds the mutant "${mutant.name}" in each of ${MUTANT_CUTS} cuts`, {
      tags: ['merge'],
      timeout: 60_000 + MUTANT_CUTS * 120_000,
    }, async () => {
      const found: string[] = []
      for (let round = 0; round < MUTANT_CUTS; round++) {
        const faults = await faultsOfMutant(mutant.volumes, mutant.rules)
        if (faults.length > 0) found.push(faults[0] as string)
      }
      expect(found).toHaveLength(MUTANT_CUTS)
      console.info(
        `D2 mutant ${mutant.name}: found in ${found.length} of ${MUTANT_CUTS} cuts, e.g. ${found[0]?.slice(0, 160)}`,
      )
    })
  }

  it(`D2 U1 a byte corrupted below the cache before read-back is never acknowledged, ${scale(2, 10)} uploads and ingests`, {
    tags: ['merge'],
    timeout: scale(120_000, 600_000),
  }, async () => {
    const machine = await powered(1)
    const uploads: string[] = []
    for (let round = 0; round < scale(2, 10); round++) {
      uploads.push(await corruptedUploadIsNotKept(machine))
      await corruptedIngestIsRefused(machine.world, machine.disks[0] as Disk)
    }
    console.info(`D2 corrupted below the cache: uploads ${uploads.join(', ')}; ${uploads.length} ingests refused`)
  })

  it(`D2 finds the mutant "read-back through the cache" in each of ${MUTANT_CUTS} cuts`, {
    tags: ['merge'],
    timeout: 60_000 + MUTANT_CUTS * 120_000,
  }, async () => {
    for (let round = 0; round < MUTANT_CUTS; round++) {
      const { world, disks, cut } = await powered(1)
      const shim = makeShim(world.folder, [{ call: 'open', path: `${world.blobs}/*`, action: 'cached', sticky: true }])
      const { station, integrator } = await world.start(shim.env)
      const journal = openJournal(path.join(world.folder, 'journal'))
      const upload = await openResource(integrator, journal, 'corrupted')
      await stageCorrupted(world, disks[0] as Disk, integrator, upload.uploadUri)
      await integrator.putBlockList(upload.uploadUri, [blockId(0)])
      const { value } = await integrator.completeResource(upload.evidenceId, upload.resourceId, {})
      journal.note({
        kind: 'complete',
        ...upload,
        sha256: value.Sha256 as string,
        length: value.LengthInBytes as number,
      })
      const acknowledged = await cut(station, () => journal.entries())
      journal.close()
      shim.close()
      expect((await judgeAfterCut(world, acknowledged)).length).toBeGreaterThan(0)
    }
  })
})

/** One sequential client and a cut right after an acknowledgement: nobody else's fsync can save what the mutant left unsaved. */
async function faultsOfMutant(volumes: 1 | 2, rules: (world: World) => ShimRule[]): Promise<Faults> {
  const { world, disks, cut } = await powered(volumes)
  const first = await world.start()
  // Its first start makes keys and reserves; they are on the disk before the mutant takes over.
  await first.station.stop()
  for (const disk of disks) await flush(disk)
  const shim = makeShim(world.folder, rules(world))
  const { station, integrator } = await world.start(shim.env)
  const journal = openJournal(path.join(world.folder, 'journal'))
  for (let file = 0; file < 3; file++) await uploadWhole(integrator, journal, freshBytes(5_000, 60_000))
  expect(shim.met(), 'the mutant was never met').toBeGreaterThan(0)
  const acknowledged = await cut(station, () => journal.entries())
  journal.close()
  shim.close()
  const faults = await judgeAfterCut(world, acknowledged)
  return faults
}

/** A station that does not even start again has failed too. */
async function judgeAfterCut(world: World, acknowledged: Acknowledged[]): Promise<Faults> {
  try {
    const { station, integrator } = await world.start()
    const faults = await judge(world, integrator, acknowledged)
    await station.kill()
    return faults
  } catch (error) {
    return [`it does not start: ${(error as Error).message}`]
  }
}

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
    : []

/** Puts one block and inverts a byte of it on the disk; the page cache still has what was sent. @returns the block's bytes */
async function stageCorrupted(
  world: World,
  disk: Disk,
  integrator: { putBlock(uri: string, block: { id: string; bytes: Uint8Array }): Promise<unknown> },
  uploadUri: string,
): Promise<Buffer> {
  const staging = path.join(world.blobs, '.staging')
  const before = new Set(filesIn(staging))
  const bytes = freshBytes(50_000, 60_000)
  await integrator.putBlock(uploadUri, { id: blockId(0), bytes })
  const file = filesIn(staging).find((name) => !before.has(name))
  if (file === undefined) throw new Error(`The block is in no new file of ${staging}`)
  // Written past the cache, perhaps: reading brings it in.
  expect(await hashOfFile(file)).toBe(sha256(bytes))
  await corruptBelowCache(disk, file, randomInt(0, bytes.length))
  expect(await hashOfFile(file), 'the page cache must still hold what was sent').toBe(sha256(bytes))
  return bytes
}

/** Refused, or mended from what memory still had: after the power is gone the disk must hold what was acknowledged. */
async function corruptedUploadIsNotKept({ world, disks, cut }: Powered): Promise<'refused' | 'mended'> {
  const { station, integrator } = await world.start()
  const journal = openJournal(path.join(world.folder, `journal-${randomUUID()}`))
  const upload = await openResource(integrator, journal, 'corrupted')
  const bytes = await stageCorrupted(world, disks[0] as Disk, integrator, upload.uploadUri)
  const sent = { Sha256: sha256(bytes), LengthInBytes: bytes.length }
  let refused = false
  try {
    await integrator.putBlockList(upload.uploadUri, [blockId(0)])
    await integrator.completeResource(upload.evidenceId, upload.resourceId, sent)
    journal.note({ kind: 'complete', ...upload, sha256: sent.Sha256, length: bytes.length })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    refused = true
    const { value } = await integrator.resources(upload.evidenceId)
    expect(value[0]?.State).not.toBe('UserCompleted')
  }
  const acknowledged = (await cut(station, () => journal.entries())).filter(({ kind }) => kind !== 'block')
  journal.close()
  const faults = await judgeAfterCut(world, acknowledged)
  expect(faults, told(faults)).toEqual([])
  return refused ? 'refused' : 'mended'
}

async function corruptedIngestIsRefused(world: World, disk: Disk): Promise<void> {
  const source = freshSource(world.folder, 1, 50_000, 60_000)
  const [file] = source.files
  const shim: Shim = makeShim(world.folder, [
    { call: 'sync', on: 'file', path: `${world.blobs}/.staging/*`, action: 'hold', armed: false },
  ])
  const { station, integrator } = await world.start(shim.env)
  shim.arm()
  const ingest = command(['ingest', source.dir], { data: world.data, env: world.env })
  await within(
    20_000,
    'the copy',
    (async () => {
      while (shim.acted() === 0) await pause(20)
    })(),
  )
  const held = filesIn(path.join(world.blobs, '.staging')).filter((name) => !name.endsWith('.json'))
  const copy = (
    await Promise.all(
      held.map(async (name) => ((await hashOfFile(name)) === sha256(file?.bytes as Buffer) ? name : null)),
    )
  ).find((name) => name !== null)
  if (copy === undefined || copy === null) throw new Error(`The copy is in none of ${held.join(', ')}`)
  await corruptBelowCache(disk, copy, randomInt(0, file?.bytes.length as number))
  shim.release()
  const { code } = await ingest
  expect(code, 'an ingest whose bytes the disk did not keep must not be reported as done').not.toBe(0)
  const faults = await judge(world, integrator, [])
  expect(faults, told(faults)).toEqual([])
  await station.stop()
  shim.close()
  rmSync(source.dir, { recursive: true })
}
