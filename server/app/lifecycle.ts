import { randomUUID } from 'node:crypto'
import { INTERNAL } from '../../shared/kernel/principal.ts'
import type { Settings } from '../config/settings.ts'
import type { Call } from '../kernel/ledger/call.ts'
import type { Checkpoints } from '../features/integrity/verification/checkpoints.ts'
import type { Ledger } from '../kernel/ledger/ledger.ts'
import { recordRows } from '../features/integrity/verification/row-baseline.ts'
import { readRowsInDoubt } from '../features/integrity/verification/rows-in-doubt.ts'
import type { Database } from '../kernel/database/database.ts'
import type { Disposition } from '../features/retention/disposition/disposition.ts'
import type { Completion } from '../features/uploads/ingest/completion.ts'
import { purgeStale } from '../features/uploads/ingest/purge.ts'
import type { Records } from '../kernel/evidence/records.ts'
import { blobIsKnown, insertQuarantine } from '../kernel/evidence/records.store.ts'
import type { StagingArea } from '../storage/staging/staging.ts'
import type { BlobStore } from '../storage/store.ts'
import type { Uploads } from '../features/uploads/blobs/uploads.ts'
import type { Playbacks } from '../features/evidence/playbacks.ts'
import { forgetAnswers } from '../http/idempotency.store.ts'
import { seedStation } from '../features/identity/users/users.service.ts'
import type { JobQueue } from '../kernel/jobs/queue.ts'
import { type Clock, isoMillis } from '../platform/clock/clock.ts'
import type { MediaTools } from '../platform/ffmpeg/media-tools.ts'
import type { Log } from '../platform/log/log.ts'
import type { StationKeys } from '../platform/secrets/keys.ts'
import { type Maintenance, startMaintenance } from './maintenance.ts'
import type { StationMode } from './mode.ts'
import type { RequireOwn } from './own-blobs.ts'
import { doubtsFolder } from './trusted-start.ts'

/** The folder in the store's staging that belongs to the upload protocol; it looks after what is in it by itself. */
export const UPLOADS = 'uploads'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Evidence whose uploader went away is completed by the platform after so long (decisions 6). */
const UNFINISHED_AFTER = 24 * HOUR

export interface LifecycleParts {
  settings: Settings
  db: Database
  ledger: Ledger
  checkpoints: Checkpoints
  store: BlobStore
  requireOwnBlobs: RequireOwn
  staging: StagingArea
  uploads: Uploads
  jobs: JobQueue
  playbacks: Playbacks
  mode: StationMode
  keys: StationKeys
  completion: Completion
  disposition: Disposition
  records: Records
  media: MediaTools
  clock: Clock
  log: Log
}

export interface Lifecycle {
  /** Seeds a new station and puts right what an unclean end left. Before this nothing may be written. */
  prepare(): Promise<void>
  /** Says in the ledger that it started, takes up jobs and chores. */
  start(): Promise<void>
  /** Runs jobs until none is left, for a command without a station; a station that runs does them by itself. */
  finishJobs(signal: AbortSignal, onProgress: (text: string) => void): Promise<void>
  stop(): Promise<void>
}

const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })
const STATION = { type: 'station', id: '1', name: '' }

export function createLifecycle(parts: LifecycleParts): Lifecycle {
  const { db, ledger, checkpoints, jobs, clock, log, mode } = parts
  let maintenance: Maintenance | null = null
  let endHours: (() => void) | null = null
  let started = false
  let working = false
  const takeUpJobs = async (): Promise<void> => {
    if (working) return
    working = true
    await jobs.start()
  }

  return {
    prepare: async () => {
      await db.transaction((tx) =>
        seedStation(tx, ledger, ownCall(), { tenant: parts.settings.tenant, now: clock.now() }),
      )
      await recordRows(db, ledger, ownCall(), await readRowsInDoubt(doubtsFolder(parts.settings.data)))
      await recover(parts)
    },

    start: async () => {
      await ledger.record(ownCall(), {
        action: 'station.started',
        object: STATION,
        detail: { sandbox: await parts.media.confined() },
      })
      mode.onChange((reason) => writeModeDown(parts, reason))
      await checkpoints.take('start')
      endHours = checkpoints.hourly()
      await takeUpJobs()
      maintenance = startMaintenance(chores(parts), log)
      started = true
    },

    finishJobs: async (signal, onProgress) => {
      if (started) return
      const unwatch = jobs.watch((job) => onProgress(`${job.kind} of ${job.subject}: ${job.message || job.state}`))
      try {
        await takeUpJobs()
        const stopped = new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
        })
        await Promise.race([jobs.idle(), stopped])
      } finally {
        unwatch()
      }
    },

    stop: async () => {
      endHours?.()
      await maintenance?.stop()
      await jobs.stop()
      const well = mode.mayRecord()
      if (well) await parts.playbacks.stop()
      await ledger.stop()
      if (well && started) {
        await db.transaction((tx) => ledger.append(tx, ownCall(), { action: 'station.stopped', object: STATION }))
      }
      if (well) await checkpoints.take('stop')
      await parts.staging.close()
      await parts.store.close()
      await db.close()
    },
  }
}

function writeModeDown({ ledger, log, jobs }: LifecycleParts, reason: string | null): void {
  if (reason === null) jobs.kick()
  const said = reason === null ? {} : { reason }
  ledger
    .record(ownCall(), { action: 'station.readOnly', object: STATION, detail: { readOnly: reason !== null }, ...said })
    .catch((error: unknown) => log.error({ err: error }, 'the change of mode could not be written down'))
}

/** Temporaries without a live upload, blobs whose intent nobody followed, uploads without a row (docs/guarantees.md, Durability). */
async function recover(all: LifecycleParts): Promise<void> {
  const { db, ledger, store, requireOwnBlobs, uploads, disposition, clock, log, mode } = all
  // First: what was destroyed must not be taken for a stranger and put aside.
  await requireOwnBlobs()
  await disposition.settle()
  const report = await store.recover((sha256) => blobIsKnown(db.read, sha256), [UPLOADS], requireOwnBlobs)
  const parts = await uploads.recover(requireOwnBlobs)
  for (const sha256 of report.missing) log.error({ sha256 }, 'a blob that the database knows is not in the store')
  const found =
    report.temporariesRemoved +
    report.intentsSettled +
    report.quarantined.length +
    report.missing.length +
    parts.removed
  if (found === 0 || !mode.mayWrite()) return
  await db.transaction(async (tx) => {
    for (const { path, reason, sha256, length, timeUtc } of report.quarantined) {
      await insertQuarantine(tx, {
        path,
        reason,
        sha256,
        length,
        resourceId: null,
        createdUtc: timeUtc ?? isoMillis(clock.now()),
      })
    }
    await ledger.append(tx, ownCall(), {
      action: 'system.recovered',
      object: STATION,
      outcome: report.missing.length > 0 ? 'failed' : 'ok',
      detail: {
        temporariesRemoved: report.temporariesRemoved,
        intentsSettled: report.intentsSettled,
        quarantined: report.quarantined.map(({ sha256, length }) => ({ sha256, length })),
        missing: [...report.missing],
        uploadFoldersRemoved: parts.removed,
      },
    })
  })
}

function chores(parts: LifecycleParts) {
  const { db, ledger, records, uploads, clock, completion, keys, jobs, media, playbacks, mode } = parts
  // As the station starts: what appears before the first round counts too.
  let known = media.stamp().catch(() => '')
  return [
    { name: 'playbacks', everyMs: 20_000, run: () => playbacks.sweep() },
    { name: 'free space', everyMs: 5_000, run: () => mode.look() },
    { name: 'purge', everyMs: 10 * MINUTE, run: () => purgeStale({ db, ledger, records, uploads, clock }) },
    {
      name: 'unfinished evidence',
      everyMs: HOUR,
      run: () => completion.completeUnfinished(isoMillis(clock.now() - UNFINISHED_AFTER)),
    },
    { name: 'what is due', everyMs: 15_000, run: () => parts.disposition.sortDue() },
    { name: 'disposition', everyMs: MINUTE, run: () => parts.disposition.step() },
    { name: 'old answers', everyMs: HOUR, run: () => db.transaction((tx) => forgetAnswers(tx, clock.now())) },
    { name: 'token keys', everyMs: HOUR, run: () => keys.tokens.rotateWhenDue() },
    {
      name: 'media tools',
      everyMs: 15_000,
      // What waits for a tool goes on when one appears.
      run: async () => {
        const now = await media.stamp()
        if (now !== (await known)) await jobs.wake()
        known = Promise.resolve(now)
      },
    },
  ]
}
