/** A database as that of a station, with one evidence and two people, in a scratch folder: for checks that must not touch the station's own rows. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Principal } from '../../../shared/kernel/principal.ts'
import { type Database, openDatabase } from '../../kernel/database/database.ts'
import { createRecords } from '../../kernel/evidence/records.ts'
import { createLedger } from '../../kernel/ledger/ledger.ts'
import { createVersions } from '../../kernel/versions/versions.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { makeFolderIn, writeNew } from '../../platform/files/trees.ts'
import type { Log } from '../../platform/log/log.ts'
import { type FolderStore, openBlobStore } from '../../storage/folder/store.ts'
import type { ScratchArea } from './checks/check.ts'
import * as rows from './scratch-station.store.ts'

export interface ScratchStation {
  readonly db: Database
  readonly file: string
  readonly store: FolderStore
  readonly evidenceId: number
  /** Of the evidence's only file. */
  readonly sha256: string
  readonly content: Uint8Array
  /** Who brought the evidence in, and so may do everything with it. */
  readonly owner: Principal
  /** Somebody without any right. */
  readonly stranger: Principal
  close(): Promise<void>
}

const TENANT = 'scratch'

/** @param name of its folder in the scratch area @param content of its evidence's file */
export async function openScratchStation(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  { data, blobs }: ScratchArea,
  name: string,
  content: Uint8Array,
): Promise<ScratchStation> {
  await makeFolderIn(join(data, name))
  await makeFolderIn(join(blobs, name))
  const file = join(data, name, 'scratch.db')
  const db = await openDatabase({ file })
  const store = await openBlobStore({ root: join(blobs, name, 'blobs'), workers: 1, now: clock.now }).catch(
    async (error: unknown) => {
      await db.close()
      throw error
    },
  )
  const close = async (): Promise<void> => {
    await store.close()
    await db.close()
  }
  try {
    const source = join(data, name, 'file')
    await writeNew(source, content)
    const placed = await store.place(await store.copyIn(source))
    const ledger = createLedger({ db, clock, log })
    // What would be derived from the file is nobody's concern here.
    const jobs = { enqueue: async () => {} }
    const records = createRecords({ ledger, versions: createVersions({ db }), jobs, clock })
    const made = await db.transaction(async (tx) => {
      const { owner, stranger } = await rows.insertPeople(tx, TENANT, clock.now())
      const call = { actor: owner, source: 'validation', correlationId: randomUUID() }
      await ledger.append(tx, call, { action: 'tenant.created', object: { type: 'tenant', id: TENANT, name: TENANT } })
      const evidence = await records.createEvidence(tx, call, TENANT, {
        Name: 'scratch',
        device: null,
        deviceIdentity: null,
      } as Parameters<typeof records.createEvidence>[3])
      const resource = await records.createResource(tx, call, evidence, {
        name: 'scratch.bin',
        mimeType: 'application/octet-stream',
        start: null,
        end: null,
        timeOffset: null,
        expectedSha256: null,
        expectedLength: null,
      })
      await records.completeResource(tx, call, resource, placed)
      return { owner, stranger, evidenceId: evidence.evidence_id }
    })
    await store.confirm(placed)
    await ledger.stop()
    return { ...made, db, file, store, sha256: placed.sha256, content, close }
  } catch (error) {
    await close()
    throw error
  }
}
