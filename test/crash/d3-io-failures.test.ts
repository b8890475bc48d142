// @module-tag merge
import { randomInt, randomUUID } from 'node:crypto'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, type Integrator, type Journal, openJournal, sha256 } from '../support/integrator.ts'
import { isLong, patience } from '../support/scale.ts'
import { makeShim, type ShimRule, shimMissing } from '../support/shim.ts'
import { command, type Station } from '../support/station.ts'
import { judge, told, withDatabase } from './judge.ts'
import { copyWorld, freshBytes, freshSource, makeWorld, pause, type World, within } from './world.ts'

const missing = shimMissing()

/** Where the station does I/O, and what may go wrong there. */
interface Kind {
  name: string
  rule(world: World): ShimRule
}

/** Every so many kinds are tried in `npm test`. */
const QUICK_EVERY = 4
/** Worlds at a time in the long run. */
const LANES = 4

const BLOBS = (pattern: string) => (world: World) => `${world.blobs}${pattern}`
const DATA = (pattern: string) => (world: World) => `${world.data}${pattern}`

const kind = (
  name: string,
  call: ShimRule['call'],
  action: 'EIO' | 'ENOSPC',
  where: (world: World) => string,
  on: ShimRule['on'] = 'any',
): Kind => ({
  name: `${action} from ${name}`,
  rule: (world) => ({ call, action, on, path: where(world), armed: false }),
})

const KINDS: readonly Kind[] = [
  kind('fsync of a temporary', 'sync', 'EIO', BLOBS('/.staging/*'), 'file'),
  kind('fsync of a blob folder', 'sync', 'EIO', BLOBS('/??*'), 'folder'),
  kind('fsync of an intent', 'sync', 'EIO', BLOBS('/.intents/*'), 'file'),
  kind('fsync of the log', 'sync', 'EIO', DATA('/*-wal')),
  kind('write of a temporary', 'write', 'ENOSPC', BLOBS('/.staging/*')),
  kind('write of a temporary', 'write', 'EIO', BLOBS('/.staging/*')),
  kind('write of the log', 'write', 'ENOSPC', DATA('/*-wal')),
  kind('write of the log', 'write', 'EIO', DATA('/*-wal')),
  kind('rename into place', 'rename', 'EIO', BLOBS('/*')),
  kind('open of a temporary', 'open', 'ENOSPC', BLOBS('/.staging/*')),
  kind('open of a blob or its folder', 'open', 'EIO', BLOBS('/??/*')),
  kind('mkdir', 'mkdir', 'ENOSPC', BLOBS('/*')),
  kind('unlink', 'unlink', 'EIO', BLOBS('/*')),
]

describe.skipIf(missing !== null)(
  missing === null ? 'D3 I/O failures' : `D3 I/O failures (skipped: ${missing})`,
  () => {
    let template: World
    let calls: number[]
    beforeAll(async () => {
      template = await makeWorld('d3')
      calls = await callsOfEachKind(template)
    }, 120_000)
    afterAll(() => template.dispose())

    it('D3 a healthy run meets two thirds of the kinds and more', () => {
      expect(calls.filter((count) => count === 0).length, `kinds never met: ${calls.join(' ')}`).toBeLessThan(
        KINDS.length / 3,
      )
    })

    for (const [index, one] of KINDS.entries())
      it(`D3 every single ${one.name} is survived, ${isLong ? 'all calls' : 'one call'}`, {
        tags: index % QUICK_EVERY === 0 ? [] : ['merge'],
        timeout: isLong ? 7_200_000 : 240_000,
      }, async () => {
        const of = calls[index] as number
        const chosen = isLong
          ? Array.from({ length: of }, (_, call) => call + 1)
          : of === 0
            ? []
            : [randomInt(1, of + 1)]
        const tried: string[] = []
        const left = chosen.values()
        // Most of a call is waiting for the disk and for processes to start: several worlds at a time, each with its own folder.
        await Promise.all(
          Array.from({ length: LANES }, async () => {
            for (const at of left) {
              const world = await copyWorld(template, 'd3')
              try {
                const outcome = await survives(world, one, at).catch((error: Error) => {
                  throw new Error(`${one.name}, call ${at} of ${of}: ${error.message}`, { cause: error })
                })
                tried.push(`${one.name}, call ${at} of ${of}: ${outcome}`)
              } finally {
                await world.dispose()
              }
            }
          }),
        )
        console.info(`D3: ${tried.length} failures survived\n  ${tried.join('\n  ')}`)
      })
  },
)

/** How often a whole, healthy run makes each kind of call. */
async function callsOfEachKind(template: World): Promise<number[]> {
  const world = await copyWorld(template, 'd3-count')
  const shim = makeShim(
    world.folder,
    KINDS.map((one) => ({ ...one.rule(world), action: 'count' as const })),
  )
  const script = makeScript(world)
  const { station, integrator } = await world.start(shim.env)
  for (const index of KINDS.keys()) shim.arm(index)
  await script.run(integrator)
  const counts = KINDS.map((_, index) => shim.met(index))
  await station.stop()
  shim.close()
  await world.dispose()
  return counts
}

/** One failure, a restart, the rest of the work. @returns how the station took it */
async function survives(world: World, one: Kind, at: number): Promise<string> {
  const shim = makeShim(world.folder, [one.rule(world)])
  const script = makeScript(world)
  const first = await world.start(shim.env)
  shim.arm(0, at)
  let noticed = 'nobody noticed'
  try {
    await script.run(first.integrator)
  } catch (error) {
    noticed = (error as Error).message.split('\n')[0]?.slice(0, 100) as string
    expect(noticed, `${one.name} ${at}`).not.toMatch(/took more than/)
  }
  const ending = await howItEnds(first.station)
  const acted = shim.acted()
  shim.close()

  const second = await world.start()
  const early = await judge(world, second.integrator, script.journal.entries())
  expect(early, `${one.name} ${at}: ${told(early)}\n${first.station.logs()}\n${second.station.logs()}`).toEqual([])
  // What was refused or lost its answer is asked for again under the same key; in the end everything is there once.
  await script.run(second.integrator)
  const faults = [...(await judge(world, second.integrator, script.journal.entries())), ...script.notOnce()]
  expect(faults, `${one.name} ${at}: ${told(faults)}\n${second.station.logs()}`).toEqual([])
  await second.station.stop()
  script.journal.close()
  return `${acted === 0 ? 'not reached; ' : ''}${noticed}; ${ending}`
}

/** Alive and well, or ended by itself within 5 s; whoever lives must still end when told to. */
async function howItEnds(station: Station): Promise<string> {
  const itself = await Promise.race([station.ended, pause(300).then(() => null)])
  if (itself !== null) return `ended by itself with ${itself.code ?? itself.signal}`
  station.signal('SIGTERM')
  const ended = await within(patience(10_000), 'SIGTERM', station.ended)
  return `went on, ended with ${ended.code ?? ended.signal} on SIGTERM`
}

interface Script {
  readonly journal: Journal
  /** Does what is not yet done. @throws at the first thing that fails */
  run(integrator: Integrator): Promise<void>
  notOnce(): string[]
}

/** The same few things in the same order, each under a key of its own, so that a call's number means the same in each run. */
function makeScript(world: World): Script {
  const journal = openJournal(path.join(world.folder, `journal-${randomUUID()}`))
  const source = freshSource(world.folder, 2, 20_000, 30_000)
  const uploads = [freshBytes(40_000, 40_000), freshBytes(60_000, 60_000)].map((bytes) => ({
    bytes,
    digest: sha256(bytes),
    name: `upload-${randomUUID()}`,
    keys: [randomUUID(), randomUUID()] as const,
    place: null as { evidenceId: string; resourceId: string; uploadUri: string } | null,
    evidenceId: null as string | null,
    committed: false,
    complete: false,
  }))
  let ingested = false

  const timely = <T>(what: string, work: Promise<T>): Promise<T> => within(patience(6000), what, work)
  const upload = async (
    integrator: Integrator,
    one: (typeof uploads)[number],
    blockSize: number | null,
  ): Promise<void> => {
    if (one.evidenceId === null) {
      const { value } = await timely('create evidence', integrator.createEvidence({ Name: one.name }, one.keys[0]))
      one.evidenceId = value.EvidenceId
      journal.note({ kind: 'evidence', evidenceId: one.evidenceId, name: one.name })
    }
    if (one.place === null) {
      const { value } = await timely(
        'create resource',
        integrator.createResource(one.evidenceId, { Name: `${one.name}.bin` }, one.keys[1]),
      )
      one.place = { evidenceId: one.evidenceId, resourceId: value.ResourceId, uploadUri: value.UploadUri }
      journal.note({ kind: 'resource', ...one.place })
    }
    if (one.complete) return
    const sent = { Sha256: one.digest, LengthInBytes: one.bytes.length }
    const { place } = one
    const complete = async (): Promise<void> => {
      await timely('complete', integrator.completeResource(place.evidenceId, place.resourceId, sent))
      journal.note({ kind: 'complete', ...place, sha256: one.digest, length: one.bytes.length })
      one.complete = true
    }
    // A completion whose answer was lost is asked for again before anything else: it may have taken place.
    if (one.committed) return complete()
    if (blockSize === null) await timely('put blob', integrator.putBlob(one.place.uploadUri, one.bytes))
    else {
      const blocks = blocksOf(one.bytes, blockSize)
      for (const block of blocks) {
        await timely('put block', integrator.putBlock(one.place.uploadUri, block))
        journal.note({
          kind: 'block',
          ...one.place,
          blockId: block.id,
          sha256: sha256(block.bytes),
          length: block.bytes.length,
        })
      }
      const ids = blocks.map(({ id }) => id)
      await timely('put block list', integrator.putBlockList(one.place.uploadUri, ids))
    }
    journal.note({ kind: 'committed', ...one.place, sha256: one.digest, length: one.bytes.length })
    one.committed = true
    await complete()
  }

  return {
    journal,
    run: async (integrator) => {
      await upload(integrator, uploads[0] as (typeof uploads)[number], null)
      await upload(integrator, uploads[1] as (typeof uploads)[number], 20_000)
      for (const { place } of uploads)
        if (place !== null) await timely('read', integrator.content(place.evidenceId, place.resourceId))
      if (ingested) return
      const { code, stderr } = await within(
        patience(15_000),
        'ingest',
        command(['ingest', source.dir], { data: world.data, env: world.env }),
      )
      if (code !== 0) throw new Error(`ingest ended with ${code}: ${stderr}`)
      ingested = true
      for (const { path: file, bytes } of source.files)
        journal.note({ kind: 'ingested', path: file, sha256: sha256(bytes), length: bytes.length })
    },
    notOnce: () =>
      withDatabase(world.data, (db) => {
        const faults: string[] = []
        for (const { name } of uploads) {
          const found = db.prepare('SELECT count(*) FROM evidence WHERE name = ?').pluck().get(name)
          if (Number(found) !== 1) faults.push(`evidence ${name} is there ${found} times`)
        }
        for (const { path: file, bytes } of source.files) {
          const found = db
            .prepare("SELECT count(*) FROM resources WHERE sha256 = ? AND role = 'original'")
            .pluck()
            .get(sha256(bytes))
          if (Number(found) !== 1) faults.push(`${file} is in evidence ${found} times`)
        }
        return faults
      }),
  }
}
