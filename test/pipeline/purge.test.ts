import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Call } from '../../server/kernel/ledger/call.ts'
import { createLedger, type Ledger } from '../../server/kernel/ledger/ledger.ts'
import { createVersions } from '../../server/kernel/versions/versions.ts'
import type { Database } from '../../server/kernel/database/database.ts'
import { purgeStale } from '../../server/features/uploads/ingest/purge.ts'
import { createRecords, type Records } from '../../server/kernel/evidence/records.ts'
import { openStaging, type StagingArea } from '../../server/storage/staging/staging.ts'
import { type Uploads, uploads as createUploads } from '../../server/features/uploads/blobs/uploads.ts'
import { createJobQueue } from '../../server/kernel/jobs/queue.ts'
import { type ManualClock, manualClock } from '../../server/platform/clock/manual-clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { openTestDatabase } from '../support/rows.ts'

const HOUR = 3_600_000
const call: Call = {
  actor: { kind: 'cli', id: 'test', name: 'cli:test', kId: '' },
  source: 'cli',
  correlationId: 'purge',
}

/** Decisions 6: only never-completed resources, 24 h after their last acknowledged block, never after a clock jump of over an hour. */
describe('purge', () => {
  let folder: string
  let db: Database
  let ledger: Ledger
  let records: Records
  let staging: StagingArea
  let uploads: Uploads
  let clock: ManualClock

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-purge-'))
    clock = manualClock()
    const log = createLog('silent')
    db = await openTestDatabase({ file: join(folder, 'a.db') })
    ledger = createLedger({ db, clock, log })
    const jobs = createJobQueue({ db, clock, log, handlers: () => ({}), concurrency: 1 })
    records = createRecords({ ledger, versions: createVersions({ db }), jobs, clock })
    staging = await openStaging({ root: join(folder, 'uploads') })
    uploads = createUploads({
      database: db,
      staging,
      blocks: null,
      nodeId: 'node',
      clock,
      mayWrite: async () => 'yes',
      onStorageFault: (error) => {
        throw error
      },
    })
    await db.transaction((tx) =>
      tx.insertInto('tenants').values({ tenant_id: 'station', name_key: 'station', created_utc: '' }).execute(),
    )
  })
  afterEach(async () => {
    await staging.close()
    await db.close()
    rmSync(folder, { recursive: true })
  })

  const openResource = async (name: string): Promise<number> => {
    const row = await db.transaction(async (tx) => {
      const evidence = await records.createEvidence(tx, call, 'station', {
        Name: name,
        device: null,
        deviceIdentity: null,
      })
      const given = {
        name,
        mimeType: 'text/plain',
        start: null,
        end: null,
        timeOffset: null,
        expectedSha256: null,
        expectedLength: null,
      }
      return records.createResource(tx, call, evidence, given)
    })
    return row.resource_id
  }
  const putBlock = async (id: number, block = '00'): Promise<void> => {
    const bytes = Buffer.from('a block')
    const upload = await uploads.find('station', String(id))
    const sums = { md5: false, crc64: false }
    await uploads.putBlock(upload, Buffer.from(block), bytes.length, sums, async (part) => {
      await part.push(bytes)
      return { length: bytes.length }
    })
  }
  const purge = () => purgeStale({ db, ledger, records, uploads, clock })
  const stateOf = async (id: number) =>
    (await db.read.selectFrom('resources').select('state').where('resource_id', '=', id).executeTakeFirstOrThrow())
      .state

  it('removes uploads that were left for 24 hours, with a ledger entry, and nothing else', async () => {
    const left = await openResource('left')
    await putBlock(left)
    clock.advance(2 * HOUR)
    const later = await openResource('later')
    await putBlock(later)
    clock.advance(22 * HOUR - 60_000)
    expect(await purge()).toBe(0)
    clock.advance(120_000)
    expect(await purge()).toBe(1)
    expect([await stateOf(left), await stateOf(later)]).toEqual(['Failed', 'None'])
    expect([existsSync(join(staging.root, String(left))), existsSync(join(staging.root, String(later)))]).toEqual([
      false,
      true,
    ])
    const entries = await ledger.entriesFor('resource', String(left), { count: 10 })
    expect(entries.map(({ entry }) => entry.action)).toContain('upload.purged')
    expect(entries[0]?.entry.actor.kind).toBe('internal')
    expect(await purge()).toBe(0)
  })

  it('counts from the last acknowledged block', async () => {
    const id = await openResource('slow')
    await putBlock(id)
    clock.advance(20 * HOUR)
    await putBlock(id, '01')
    clock.advance(20 * HOUR)
    expect(await purge()).toBe(0)
    clock.advance(5 * HOUR)
    expect(await purge()).toBe(1)
  })

  it('removes nothing for a day after the clock jumped', async () => {
    const id = await openResource('jump')
    await putBlock(id)
    clock.advance(2 * HOUR)
    clock.set(clock.now() + 48 * HOUR)
    expect(await purge()).toBe(0)
    clock.advance(23 * HOUR)
    expect(await purge()).toBe(0)
    clock.advance(2 * HOUR)
    expect(await purge()).toBe(1)
    expect(await stateOf(id)).toBe('Failed')
  })

  it('S19: asks again in its transaction whether it is open still, and still left', async () => {
    const [left, done, later] = [await openResource('left'), await openResource('done'), await openResource('later')]
    for (const id of [left, done]) await putBlock(id)
    clock.advance(25 * HOUR)
    await putBlock(later)
    await db.transaction(async (tx) => {
      await tx.updateTable('resources').set({ state: 'Failed' }).where('resource_id', '=', done).execute()
    })
    // As they were when the list was made.
    const stale = { ...uploads, purgeable: async () => [done, later, left, 999_999] }
    expect(await purgeStale({ db, ledger, records, uploads: stale, clock })).toBe(1)
    expect([await stateOf(left), await stateOf(later)]).toEqual(['Failed', 'None'])
    const purged = await Promise.all(
      [done, later].map((id) => ledger.entriesFor('resource', String(id), { count: 10 })),
    )
    expect(purged.flat().map(({ entry }) => entry.action)).not.toContain('upload.purged')
    expect(existsSync(join(staging.root, String(later)))).toBe(true)
  })
})
