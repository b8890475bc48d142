/** S19: what completing an upload and reading in a folder refuse, one question at a time. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Call } from '../../server/kernel/ledger/call.ts'
import { createLedger, type Ledger } from '../../server/kernel/ledger/ledger.ts'
import { createVersions } from '../../server/kernel/versions/versions.ts'
import type { Database } from '../../server/kernel/database/database.ts'
import { type Completion, createCompletion } from '../../server/features/uploads/ingest/completion.ts'
import { createDecryption } from '../../server/features/uploads/ingest/decryption.ts'
import { createFolderIngest, type FolderIngest } from '../../server/features/uploads/ingest/folder.ts'
import { INSPECT } from '../../shared/media/derivations.ts'
import { createRecords, type Records } from '../../server/kernel/evidence/records.ts'
import { type ResourceRow, resourceById } from '../../server/kernel/evidence/records.store.ts'
import { openStaging, type StagingArea } from '../../server/storage/staging/staging.ts'
import { openBlobStore } from '../../server/storage/folder/store.ts'
import type { BlobStore } from '../../server/storage/store.ts'
import { type Uploads, uploads as createUploads } from '../../server/features/uploads/blobs/uploads.ts'
import { createJobQueue } from '../../server/kernel/jobs/queue.ts'
import { systemClock as clock } from '../../server/platform/clock/clock.ts'
import { openReserve } from '../../server/platform/files/reserve.ts'
import { freeBytesNow, spaceOf } from '../../server/platform/files/space.ts'
import { walk } from '../../server/platform/files/walk.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { openStationMode, type StationMode } from '../../server/kernel/mode.ts'
import { openTestDatabase } from '../support/rows.ts'

const call: Call = {
  actor: { kind: 'cli', id: 'test', name: 'cli:test', kId: '' },
  source: 'cli',
  correlationId: 'intake',
}
const CLAIMS_NOTHING = { sha256: null, length: null }

let folder: string
let db: Database
let ledger: Ledger
let records: Records
let staging: StagingArea
let store: BlobStore
let uploads: Uploads
let mode: StationMode
let completion: Completion
let folderIngest: (requireBytes?: StationMode['requireBytes']) => FolderIngest

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sallyport-intake-'))
  const log = createLog('silent')
  db = await openTestDatabase({ file: path.join(folder, 'a.db') })
  ledger = createLedger({ db, clock, log })
  // It is never started: what is enqueued stays queued.
  const jobs = createJobQueue({ db, clock, log, handlers: () => ({ [INSPECT]: async () => {} }), concurrency: 1 })
  records = createRecords({ ledger, versions: createVersions({ db }), jobs, clock })
  store = await openBlobStore({ root: path.join(folder, 'blobs'), now: clock.now })
  staging = await openStaging({ root: path.join(folder, 'blobs', '.staging', 'uploads') })
  mode = await openStationMode({
    space: () => spaceOf(folder),
    dataFolder: { isReplaced: () => false, freeBytes: () => freeBytesNow(folder) },
    minFreeBytes: 0,
    reserve: await openReserve(path.join(folder, 'reserve'), 0),
    log,
    ticks: clock.monotonic,
    onFailed: () => {},
  })
  uploads = createUploads({
    database: db,
    staging,
    blocks: store.blocks,
    nodeId: 'node',
    clock,
    mayWrite: mode.admission,
    onStorageFault: (error) => {
      throw error
    },
  })
  completion = createCompletion({
    db,
    store,
    records,
    jobs,
    uploads: {
      assemble: async (resourceId) => {
        const found = await uploads.assemble(resourceId, store)
        return found === null ? null : { staged: found.staged, encryption: null }
      },
      release: uploads.release,
      forget: uploads.forget,
      discard: uploads.discard,
    },
    decrypt: createDecryption({ store, privateKey: async () => null }),
    log,
    stillAllowed: async () => true,
    requireWrites: mode.requireWrites,
  })
  folderIngest = (requireBytes = mode.requireBytes) =>
    createFolderIngest({ db, store, records, jobs, clock, walk, lanes: 1, requireBytes })
  await db.transaction((tx) =>
    tx.insertInto('tenants').values({ tenant_id: 'station', name_key: 'station', created_utc: '' }).execute(),
  )
})
afterEach(async () => {
  await ledger.stop()
  await staging.close()
  await store.close()
  await db.close()
  rmSync(folder, { recursive: true })
})

const openResource = (): Promise<ResourceRow> =>
  db.transaction(async (tx) => {
    const evidence = await records.createEvidence(tx, call, 'station', {
      Name: 'left',
      device: null,
      deviceIdentity: null,
    })
    return records.createResource(tx, call, evidence, {
      name: 'a file',
      mimeType: 'text/plain',
      start: null,
      end: null,
      timeOffset: null,
      expectedSha256: null,
      expectedLength: null,
    })
  })
async function uploaded(bytes: Uint8Array): Promise<ResourceRow> {
  const row = await openResource()
  const upload = await uploads.find('station', String(row.resource_id))
  const options = { conditions: {}, md5: null, properties: {}, metadata: [] }
  await uploads.putBlob(
    call,
    upload,
    bytes.length,
    { md5: false, crc64: false },
    async (part) => {
      await part.push(Buffer.from(bytes))
      return { length: bytes.length }
    },
    options,
  )
  return row
}
const blobs = () => db.read.selectFrom('blobs').select('sha256').execute()

describe('S19: an upload is completed', () => {
  it('while the station takes writes, and otherwise waits as it is', async () => {
    const row = await uploaded(Buffer.from('the only copy'))
    mode.fail('EIO')
    await expect(completion.complete(call, row, CLAIMS_NOTHING)).rejects.toMatchObject({ code: 'ReadOnly' })
    expect((await resourceById(db.read, row.resource_id))?.state).toBe('None')
    expect(await blobs()).toEqual([])
    expect(await uploads.committed(row.resource_id)).toMatchObject({ length: 13 })
    expect(existsSync(path.join(staging.root, String(row.resource_id)))).toBe(true)
  })

  it('where its resource is there, and still open', async () => {
    const row = await uploaded(Buffer.from('the only copy'))
    const gone = { ...row, resource_id: 999_999 }
    await expect(completion.complete(call, gone, CLAIMS_NOTHING)).rejects.toMatchObject({ code: 'ResourceNotOpen' })
    expect((await completion.complete(call, row, CLAIMS_NOTHING)).state).toBe('UserCompleted')
  })
})

describe('S19: a folder is read in', () => {
  const media = (): string => {
    const at = path.join(folder, 'media')
    mkdirSync(at)
    return at
  }

  it('while the station takes bytes; each file that it does not take is told with the reason', async () => {
    const at = media()
    writeFileSync(path.join(at, 'a'), 'a file')
    mode.fail('EIO')
    const { signal } = new AbortController()
    const report = await folderIngest().ingest(call, 'station', { paths: [at], signal, onProgress: () => {} })
    expect(report).toMatchObject({
      ingested: [],
      failed: [{ path: path.join(at, 'a'), reason: 'The disk failed: EIO' }],
    })
    expect(await blobs()).toEqual([])
  })

  it('until it is stopped, also where what comes next would not be read', async () => {
    const at = media()
    for (const name of ['a', 'b', 'c']) symlinkSync('/dev/null', path.join(at, name))
    const stop = new AbortController()
    const told: string[] = []
    const onProgress = (text: string): void => {
      told.push(text)
      stop.abort(new Error('stopped by hand'))
    }
    await expect(
      folderIngest().ingest(call, 'station', { paths: [at], signal: stop.signal, onProgress }),
    ).rejects.toThrow('stopped by hand')
    expect(told).toHaveLength(1)
  })

  it('and the file that was under way when it was stopped is not said to have failed', async () => {
    const at = media()
    writeFileSync(path.join(at, 'a'), 'a file')
    const stop = new AbortController()
    const told: string[] = []
    const requireBytes = async (bytes: number): Promise<void> => {
      await mode.requireBytes(bytes)
      stop.abort(new Error('stopped by hand'))
    }
    await expect(
      folderIngest(requireBytes).ingest(call, 'station', {
        paths: [at],
        signal: stop.signal,
        onProgress: (text) => told.push(text),
      }),
    ).rejects.toThrow('stopped by hand')
    expect(told).toEqual([])
    expect(await blobs()).toEqual([])
  })
})
