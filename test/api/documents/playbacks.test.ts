import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Call } from '../../../server/kernel/ledger/call.ts'
import type { StoredEntry } from '../../../server/kernel/ledger/format.ts'
import { storedEntry } from '../../../server/kernel/ledger/format.ts'
import { createLedger } from '../../../server/kernel/ledger/ledger.ts'
import { createVersions } from '../../../server/kernel/versions/versions.ts'
import { openTestDatabase } from '../../support/rows.ts'
import { purgeStale } from '../../../server/features/uploads/ingest/purge.ts'
import type { NewEvidence } from '../../../server/kernel/evidence/model.ts'
import { INSPECT } from '../../../shared/media/derivations.ts'
import { createRecords } from '../../../server/kernel/evidence/records.ts'
import { resourceById } from '../../../server/kernel/evidence/records.store.ts'
import { createPlaybacks } from '../../../server/features/evidence/playbacks.ts'
import { seedStation } from '../../../server/features/identity/users/users.service.ts'
import { createJobQueue } from '../../../server/kernel/jobs/queue.ts'
import { manualClock } from '../../../server/platform/clock/manual-clock.ts'
import { createLog } from '../../../server/platform/log/log.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import { temporaryFolder } from '../../support/station.ts'

/** What takes hours by the clock, with the parts themselves and a clock that is turned by hand. */
async function parts() {
  const { dir, dispose } = await temporaryFolder('playbacks')
  const db = await openTestDatabase({ file: path.join(dir, 'sallyport.db') })
  const clock = manualClock()
  const log = createLog('silent')
  const ledger = createLedger({ db, clock, log })
  onTestFinished(async () => {
    await ledger.stop()
    await db.close()
    await dispose()
  })
  const entries = async (): Promise<StoredEntry[]> =>
    (await db.read.selectFrom('ledger').select('body').orderBy('seq').execute()).map(({ body }) => storedEntry(body))
  return { db, clock, log, ledger, entries }
}

const officer = (id: string): Call => ({
  actor: { kind: 'user', id, name: `officer.${id}`, kId: `urn:user:station:officer.${id}:${id}` },
  source: '192.168.1.20',
  correlationId: `call-${id}`,
})
const CLIP = { type: 'resource', id: '7', name: 'clip.mp4' }

it('I1 a playback is one entry at its start and one at its end with the bytes of all its requests', async () => {
  const { ledger, clock, entries } = await parts()
  const playbacks = createPlaybacks({ ledger, clock })
  for (const bytes of [100, 200, 300]) {
    const sent = await playbacks.touch(officer('1'), CLIP, '3')
    sent(bytes)
    sent(bytes)
    clock.advance(30_000)
    await playbacks.sweep()
  }
  const other = await playbacks.touch(officer('2'), CLIP, '3')
  other(5)
  clock.advance(61_000)
  await playbacks.sweep()
  const told = (await entries()).map(({ actor, action, object, bytes, correlationId, detail }) => [
    actor.id,
    action,
    object.id,
    bytes,
    correlationId,
    detail,
  ])
  expect(told).toEqual([
    ['1', 'resource.played.started', '7', null, 'call-1', { evidenceId: '3' }],
    ['2', 'resource.played.started', '7', null, 'call-2', { evidenceId: '3' }],
    ['1', 'resource.played.ended', '7', 600, 'call-1', { evidenceId: '3', seconds: 60 }],
    ['2', 'resource.played.ended', '7', 5, 'call-2', { evidenceId: '3', seconds: 0 }],
  ])
  // A later request is a playback of its own.
  ;(await playbacks.touch(officer('1'), CLIP, '3'))(1)
  await playbacks.stop()
  expect((await entries()).slice(4).map(({ action, bytes }) => [action, bytes])).toEqual([
    ['resource.played.started', null],
    ['resource.played.ended', 1],
  ])
})

it('I1 one request that plays for an hour is one playback, and its bytes are not lost', async () => {
  const { ledger, clock, entries } = await parts()
  const playbacks = createPlaybacks({ ledger, clock })
  const sent = await playbacks.touch(officer('1'), CLIP, '3')
  for (let minute = 0; minute < 60; minute++) {
    clock.advance(60_000)
    await playbacks.sweep()
  }
  expect(await entries()).toHaveLength(1)
  sent(1_000_000)
  clock.advance(61_000)
  await playbacks.sweep()
  expect((await entries()).map(({ action, bytes, detail }) => [action, bytes, detail?.['seconds']])).toEqual([
    ['resource.played.started', null, undefined],
    ['resource.played.ended', 1_000_000, 3600],
  ])
})

it('I1 a purge is an entry, and ends the resource as Failed', async () => {
  const { db, ledger, clock, log, entries } = await parts()
  const call: Call = { actor: INTERNAL, source: 'station', correlationId: 'seed' }
  await db.transaction((tx) => seedStation(tx, ledger, call, { tenant: 'station', now: clock.now() }))
  const jobs = createJobQueue({ db, clock, log, handlers: () => ({ [INSPECT]: async () => {} }), concurrency: 1 })
  const records = createRecords({ ledger, versions: createVersions({ db }), jobs, clock })
  const given: NewEvidence = {
    Name: 'left behind',
    device: null,
    deviceIdentity: null,
  }
  const [purgeable, kept] = await db.transaction(async (tx) => {
    const evidence = await records.createEvidence(tx, call, 'station', given)
    const resource = {
      name: 'a.bin',
      mimeType: 'x/y',
      start: null,
      end: null,
      timeOffset: null,
      expectedSha256: null,
      expectedLength: null,
    }
    return [
      await records.createResource(tx, call, evidence, resource),
      await records.createResource(tx, call, evidence, resource),
    ]
  })
  const before = (await entries()).length
  const steps: string[] = []
  const uploads = {
    purgeable: async () => [purgeable.resource_id, kept.resource_id, 4711],
    // A block came meanwhile for the second.
    isPurgeable: async (_tx: unknown, id: number) => id === purgeable.resource_id,
    forget: async (_tx: unknown, id: number) => void steps.push(`forget ${id}`),
    discard: async (id: number) => void steps.push(`discard ${id}`),
  }
  expect(await purgeStale({ db, ledger, records, uploads, clock })).toBe(1)
  expect(steps).toEqual([`forget ${purgeable.resource_id}`, `discard ${purgeable.resource_id}`])
  expect((await resourceById(db.read, purgeable.resource_id))?.state).toBe('Failed')
  expect((await resourceById(db.read, kept.resource_id))?.state).toBe('None')
  expect(
    (await entries()).slice(before).map(({ action, object, outcome, actor }) => [action, object.id, outcome, actor.id]),
  ).toEqual([
    ['resource.refused', String(purgeable.resource_id), 'failed', '0'],
    ['upload.purged', String(purgeable.resource_id), 'ok', '0'],
  ])
})
