/** The part of the composition by which bytes come in: uploads, their completion, folders that are read in. */
import type { Settings } from '../config/settings.ts'
import type { Ledger } from '../kernel/ledger/ledger.ts'
import type { Database } from '../kernel/database/database.ts'
import type { Access } from '../kernel/access/access.ts'
import { uploadAuthority } from '../features/uploads/upload-authority.ts'
import { type Completion, createCompletion } from '../features/uploads/ingest/completion.ts'
import { createDecryption } from '../features/uploads/ingest/decryption.ts'
import { createFolderIngest, type FolderIngest } from '../features/uploads/ingest/folder.ts'
import type { Records } from '../kernel/evidence/records.ts'
import type { StagingArea } from '../storage/staging/staging.ts'
import type { BlobStore } from '../storage/store.ts'
import { encryptionOf } from '../features/uploads/blobs/uploads.store.ts'
import { type Uploads, uploads as createUploads } from '../features/uploads/blobs/uploads.ts'
import { enabledMember } from '../features/identity/tokens/tokens.store.ts'
import type { JobQueue } from '../kernel/jobs/queue.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { walk } from '../platform/files/walk.ts'
import type { Log } from '../platform/log/log.ts'
import type { StationKeys } from '../platform/secrets/keys.ts'
import type { StationMode } from './mode.ts'
import { isDiskFailure } from './refusals.ts'

interface Deps {
  readonly settings: Settings
  readonly db: Database
  readonly ledger: Ledger
  readonly store: BlobStore
  readonly staging: StagingArea
  readonly records: Records
  readonly jobs: JobQueue
  readonly access: Access
  readonly mode: StationMode
  /** Opens what was encrypted for the tenant. */
  readonly privateKey: StationKeys['tenant']['privateKey']
  readonly clock: Clock
  readonly log: Log
}

export interface Intake {
  readonly uploads: Uploads
  readonly completion: Completion
  readonly ingest: FolderIngest
}

export function composeIntake(deps: Deps): Intake {
  const { settings, db, ledger, store, staging, records, jobs, access, mode, clock, log } = deps
  const fail = (error: Error): void => mode.fail(error.message)
  const uploads = createUploads({
    database: db,
    staging,
    clock,
    mayWrite: mode.admission,
    onStorageFault: fail,
    onCommitted: async (tx, call, { resourceId, length, blocks }) => {
      const object = { type: 'resource', id: String(resourceId), name: '' }
      await ledger.append(tx, call, { action: 'upload.committed', object, bytes: length, detail: { blocks } })
    },
  })
  const completion = createCompletion({
    db,
    store,
    records,
    jobs,
    uploads: {
      assemble: async (resourceId) => {
        try {
          const found = await uploads.assemble(resourceId, store)
          return found === null ? null : { staged: found.staged, encryption: encryptionOf(found.metadata) }
        } catch (error) {
          if (isDiskFailure(error)) fail(error)
          throw error
        }
      },
      release: uploads.release,
      forget: uploads.forget,
      discard: uploads.discard,
    },
    decrypt: createDecryption({ store, privateKey: deps.privateKey }),
    log,
    stillAllowed: uploadAuthority({ db, access, isMember: async (id) => (await enabledMember(db.read, id)) !== null }),
    requireWrites: mode.requireWrites,
  })
  const ingest = createFolderIngest({
    db,
    store,
    records,
    jobs,
    clock,
    walk,
    lanes: settings.ingestLanes,
    requireBytes: mode.requireBytes,
  })
  return { uploads, completion, ingest }
}
