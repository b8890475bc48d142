/** The composition root: builds every part once, in order. Read it to know the system. */
import { join } from 'node:path'
import type { Settings } from './config/settings.ts'
import { createCheckpoints } from './custody/checkpoints.ts'
import { createLedger } from './custody/ledger.ts'
import { createVersions } from './custody/versions.ts'
import { openDatabase } from './db/database.ts'
import { deriveHandlers } from './evidence/derive/derive.jobs.ts'
import { createDeriver } from './evidence/derive/derive.ts'
import { createCompletion } from './evidence/ingest/completion.ts'
import { createFolderIngest } from './evidence/ingest/folder.ts'
import { createRecords } from './evidence/records/records.ts'
import { openStaging } from './evidence/store/staging/staging.ts'
import { openBlobStore } from './evidence/store/store.ts'
import { type App, createApp } from './http/app.ts'
import { createMetrics } from './http/metrics.ts'
import { operationsRoutes } from './http/operations.ts'
import { serveFile } from './http/ranges.ts'
import { blobRoutes } from './interfaces/blobs/blobs.routes.ts'
import { linkSigner } from './interfaces/blobs/blobs.signature.ts'
import { uploads as createUploads } from './interfaces/blobs/uploads.ts'
import { documentRoutes } from './interfaces/documents/documents.handlers.ts'
import { createDocumentsService } from './interfaces/documents/documents.service.ts'
import { createPlaybacks } from './interfaces/documents/playbacks.ts'
import { jobRoutes } from './interfaces/jobs/jobs.handlers.ts'
import { tokenRoutes } from './interfaces/tokens/tokens.handlers.ts'
import { createTokens } from './interfaces/tokens/tokens.service.ts'
import { createUsers } from './interfaces/users/users.service.ts'
import { createJobQueue } from './jobs/queue.ts'
import { systemClock } from './platform/clock/clock.ts'
import type { ControlRequest } from './platform/control/control.ts'
import { createMediaTools } from './platform/ffmpeg/media-tools.ts'
import { walk } from './platform/files/walk.ts'
import type { Log } from './platform/log/log.ts'
import { openKeys } from './platform/secrets/keys.ts'
import { createCommands, type CommandRunner } from './commands.ts'
import { contractRoutes, VERSION } from './openapi.ts'
import { startMaintenance } from './maintenance.ts'

export interface Station {
  readonly app: App
  readonly log: Log
  /** The port that was bound; addresses follow from it. */
  bound(port: number): void
  loopbackUrl(): string
  /** Recovers, writes that it started, takes up its jobs. Before this nothing but operations is answered. */
  start(): Promise<void>
  command: CommandRunner
  advice(): Promise<string[]>
  /** Safe to call at any stage. */
  stop(): Promise<void>
}
