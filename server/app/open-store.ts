import { fileThreads } from '../config/file-threads.ts'
import type { Tx } from '../kernel/database/database.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Log } from '../platform/log/log.ts'
import { openBlobStore } from '../storage/folder/store.ts'
import type { BlobStore } from '../storage/store.ts'
import { hasBlobRows, requireOwnBlobs, type RequireOwn } from './own-blobs.ts'

interface Parts {
  readonly db: Tx
  readonly origin: string
  /** Whether the station had entries or checkpoints when it began to start. */
  readonly established: boolean
  readonly mayRecord: () => boolean
  readonly clock: Clock
  readonly log: Log
  readonly fail: (error: Error) => void
}

/** Opens the blob store that the settings name: a folder, or a bucket with a scratch folder. @throws NotOwnBlobs, BucketUnusable, Error */
export async function openStore(
  settings: Kernel['settings'],
  { db, origin, established, mayRecord, clock, log, fail }: Parts,
): Promise<{ store: BlobStore; requireOwn: RequireOwn }> {
  const { blobUrl, blobsDir } = settings
  const station = { origin, established, mayRecord, inObjectStore: blobUrl !== undefined }
  const requireOwn = await requireOwnBlobs(blobsDir, db, station, log)
  const common = {
    root: blobsDir,
    fileThreads: fileThreads(),
    now: clock.now,
    onUnknownOutcome: fail,
    onProblem: (problem: Error) => log.warn({ err: problem }, 'a problem of the blob store, without harm'),
  }
  if (blobUrl === undefined) return { store: await openBlobStore(common), requireOwn }
  // Loaded only where it is used: the client of the object store is large.
  const { openS3BlobStore } = await import('../storage/s3/store.ts')
  const store = await openS3BlobStore({
    ...common,
    address: blobUrl,
    owner: { origin, tenant: settings.tenant, hasBlobs: () => hasBlobRows(db), mayRecord },
    scratchBytes: settings.scratchBytes,
  })
  log.info({ bucket: blobUrl.bucket, prefix: blobUrl.prefix, ...store.facts }, `blobs lie in ${store.about}`)
  return {
    store,
    requireOwn: async () => {
      await requireOwn()
      await store.requireOwn()
    },
  }
}
