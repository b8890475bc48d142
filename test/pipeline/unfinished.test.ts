import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import { createVersions } from '../../server/kernel/versions/versions.ts'
import type { Database } from '../../server/kernel/database/database.ts'
import { createDecryption } from '../../server/features/uploads/ingest/decryption.ts'
import { createCompletion } from '../../server/features/uploads/ingest/completion.ts'
import { countListed } from '../../server/kernel/evidence/list.store.ts'
import { createRecords } from '../../server/kernel/evidence/records.ts'
import { evidenceOf } from '../../server/kernel/evidence/records.store.ts'
import { openBlobStore } from '../../server/storage/folder/store.ts'
import type { BlobStore } from '../../server/storage/store.ts'
import { createJobQueue } from '../../server/kernel/jobs/queue.ts'
import { systemClock as clock } from '../../server/platform/clock/clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { type Given, givenStation } from '../support/given.ts'
import { openTestDatabase } from '../support/rows.ts'

/** Decisions 6: evidence whose uploader went away is completed by the platform, and listed as unfinished until somebody says it is whole. */
describe('evidence that its uploader left', () => {
  let given: Given
  let db: Database
  let store: BlobStore
  beforeAll(async () => {
    given = await givenStation()
  })
  afterAll(async () => {
    await store?.close()
    await db?.close()
    await given.close()
  })

  it('is completed by the platform, as unfinished, and by somebody, as whole', async () => {
    const left = await given.completed(randomBytes(50))
    const open = await given.resource((await given.evidence()).EvidenceId)
    await given.stop()
    db = await openTestDatabase({ file: given.file })
    store = await openBlobStore({ root: `${given.data}/blobs`, now: clock.now })
    const log = createLog('silent')
    const ledger = createLedger({ db, clock, log })
    const jobs = createJobQueue({ db, clock, log, handlers: () => ({}), concurrency: 1 })
    const records = createRecords({ ledger, versions: createVersions({ db }), jobs, clock })
    const nothing = async (): Promise<void> => {}
    const completion = createCompletion({
      db,
      store,
      records,
      jobs,
      uploads: { assemble: async () => null, release: nothing, forget: nothing, discard: nothing },
      decrypt: createDecryption({ store, privateKey: async () => null }),
      log,
      stillAllowed: async () => true,
      requireWrites: () => {},
    })
    const unfinished = async (): Promise<number> =>
      (await db.longRead(countListed(db.read, 'station', { unfinished: true }, null, Number.POSITIVE_INFINITY)))[0]
        ?.total ?? 0
    // The one with an open file.
    expect(await unfinished()).toBe(1)
    expect(await completion.completeUnfinished('9999')).toBe(1)
    const row = await evidenceOf(db.read, Number(left.evidenceId))
    expect([row.state, row.unfinished, await unfinished()]).toEqual(['UserCompleted', 1, 2])
    expect((await evidenceOf(db.read, Number(open.EvidenceId))).state).toBe('None')
    const version = await createVersions({ db }).find('evidence', row.evidence_id, row.concurrency_id)
    expect([version?.author.kind, version?.state['Unfinished'], version?.state['Files']]).toEqual([
      'internal',
      true,
      [left.resourceId],
    ])
    const call = {
      actor: { kind: 'user' as const, id: '1', name: 'okafor', kId: '' },
      source: '127.0.0.1',
      correlationId: 'x',
    }
    await db.transaction((tx) => records.completeEvidence(tx, call, row))
    expect([(await evidenceOf(db.read, row.evidence_id)).unfinished, await unfinished()]).toEqual([0, 1])
    await ledger.stop()
  })
})
