/** Uploads, their completion, and the import of folders. */
import type { Kernel } from '../../kernel/kernel.ts'
import type { Task } from '../../kernel/scheduler.ts'
import { blobRoutes } from './blobs/blobs.route-list.ts'
import { linkSigner } from './blobs/blobs.signature.ts'
import { isStillHeld } from './blobs/upload-addresses.ts'
import { namedKeys } from './ingest/encryption-data.ts'
import { purgeStale } from './ingest/purge.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import { leftoversRemoval } from './leftovers.ts'
import { uploadAuthority } from './upload-authority.ts'
import { createCompletion } from './ingest/completion.ts'
import { createDecryption } from './ingest/decryption.ts'
import { createFolderIngest } from './ingest/folder.ts'
import { encryptionOf } from './blobs/uploads.store.ts'
import { uploads as createUploads } from './blobs/uploads.ts'
import { walk } from '../../platform/files/walk.ts'
import { isDiskFailure } from '../../storage/staging/staging.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'

const HOUR = 3_600_000
/** Milliseconds after which the platform completes evidence whose uploader stopped (decisions 6). */
const UNFINISHED_AFTER = 24 * HOUR

interface Needs {
  /** Whether a principal is an enabled member of the station. */
  readonly isMember: (principalId: number) => Promise<boolean>
}

export function uploadsFeature(kernel: Kernel, { isMember }: Needs) {
  const { settings, db, ledger, store, staging, records, jobs, access, mode, keys, clock, log } = kernel
  const fail = (error: Error): void => mode.fail(error.message)
  const uploads = createUploads({
    database: db,
    staging,
    blocks: store.blocks,
    clock,
    nodeId: kernel.node.id,
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
    decrypt: createDecryption({ store, privateKey: keys.tenant.privateKey }),
    log,
    stillAllowed: uploadAuthority({ db, access, isMember }),
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
  const signer = linkSigner(keys.uploadSecret)
  return {
    uploads,
    completion,
    ingest,
    /** Ids of the keys that open uploads name. */
    namedKeys: async () => namedKeys(await uploads.encryptionHeaders()),
    uris: {
      uri: (origin: string, tenant: string, id: number, principalId: string) =>
        `${origin}${signer.pathFor(tenant, String(id), clock.now(), principalId)}`,
    },
    routes: blobRoutes({
      uploads,
      signer,
      clock,
      stillHeld: (holder) => isStillHeld(db.read, holder),
      onRefused: uploadRefused(ledger),
    }),
    tasks: [
      {
        name: 'purge',
        runsOn: 'one node',
        everyMs: 600_000,
        run: () => purgeStale({ db, ledger, records, uploads, clock }),
      },
      {
        name: 'unfinished evidence',
        runsOn: 'one node',
        everyMs: HOUR,
        run: () => completion.completeUnfinished(isoMillis(clock.now() - UNFINISHED_AFTER)),
      },
      {
        name: 'leftovers of the blob store',
        runsOn: 'one node',
        everyMs: HOUR,
        run: leftoversRemoval({ store, uploads, clock }),
      },
    ] satisfies Task[],
  }
}

/** Forged and expired upload addresses, and writes to completed uploads. They are counted, because their sender is unknown. */
function uploadRefused(ledger: Ledger) {
  return async (call: Call, refused: { container: string; blob: string; reason: string }): Promise<void> => {
    ledger.tally(call, {
      action: 'upload.refused',
      object: { type: 'resource', id: refused.blob.slice(0, 64), name: '' },
      outcome: 'denied',
      reason: refused.reason,
    })
  }
}
