/** How bytes come in: uploads, their completion, folders that are read in. */
import type { Kernel } from '../kernel/kernel.ts'
import { blobRoutes } from '../features/uploads/blobs/blobs.route-list.ts'
import { linkSigner } from '../features/uploads/blobs/blobs.signature.ts'
import { isStillHeld } from '../features/uploads/blobs/upload-addresses.ts'
import { namedKeys } from '../features/uploads/ingest/encryption-data.ts'
import { purgeStale } from '../features/uploads/ingest/purge.ts'
import { isoMillis } from '../platform/clock/clock.ts'
import { uploadAuthority } from '../features/uploads/upload-authority.ts'
import { createCompletion } from '../features/uploads/ingest/completion.ts'
import { createDecryption } from '../features/uploads/ingest/decryption.ts'
import { createFolderIngest } from '../features/uploads/ingest/folder.ts'
import { encryptionOf } from '../features/uploads/blobs/uploads.store.ts'
import { uploads as createUploads } from '../features/uploads/blobs/uploads.ts'
import { enabledMember } from '../features/identity/tokens/tokens.store.ts'
import { walk } from '../platform/files/walk.ts'
import { isDiskFailure, uploadRefused } from './refusals.ts'

const HOUR = 3_600_000
/** Evidence whose uploader went away is completed by the platform after so long (decisions 6). */
const UNFINISHED_AFTER = 24 * HOUR

export function uploadsFeature(kernel: Kernel) {
  const { settings, db, ledger, store, staging, records, jobs, access, mode, keys, clock, log } = kernel
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
    decrypt: createDecryption({ store, privateKey: keys.tenant.privateKey }),
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
      { name: 'purge', everyMs: 600_000, run: () => purgeStale({ db, ledger, records, uploads, clock }) },
      {
        name: 'unfinished evidence',
        everyMs: HOUR,
        run: () => completion.completeUnfinished(isoMillis(clock.now() - UNFINISHED_AFTER)),
      },
    ],
  }
}
