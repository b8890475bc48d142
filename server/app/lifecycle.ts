/** How a station starts and ends: what an unclean end left is put right, features start in their order, and stop in the other one. */
import { randomUUID } from 'node:crypto'
import { INTERNAL } from '../../shared/kernel/principal.ts'
import type { SandboxKind } from '../../shared/media/rules.ts'
import { seedStation } from '../features/identity/users/users.service.ts'
import type { Checkpoints } from '../features/integrity/verification/checkpoints.ts'
import { recordRows } from '../features/integrity/verification/row-baseline.ts'
import { readRowsInDoubt } from '../features/integrity/verification/rows-in-doubt.ts'
import type { Disposition } from '../features/retention/disposition/disposition.ts'
import type { Uploads } from '../features/uploads/blobs/uploads.ts'
import { blobIsKnown, insertQuarantine } from '../kernel/evidence/records.store.ts'
import type { Feature, Kernel } from '../kernel/kernel.ts'
import type { Call } from '../kernel/ledger/call.ts'
import { type Scheduler, startTasks } from '../kernel/scheduler.ts'
import { isoMillis } from '../platform/clock/clock.ts'
import { type RequireOwn, UPLOADS } from './own-blobs.ts'
import { doubtsFolder } from './trusted-start.ts'

interface Parts {
  readonly kernel: Kernel
  /** In the order in which they start. */
  readonly features: readonly Feature[]
  readonly checkpoints: Checkpoints
  readonly requireOwnBlobs: RequireOwn
  readonly uploads: Uploads
  readonly disposition: Disposition
  /** How media tools are confined here. */
  readonly confined: () => Promise<SandboxKind>
}

export interface Lifecycle {
  /** Seeds a new station and puts right what an unclean end left. Before this nothing may be written. */
  prepare(): Promise<void>
  /** Says in the ledger that it started, takes up jobs and tasks. @param ready told when requests may be answered */
  start(ready: () => void): Promise<void>
  /** Runs jobs until none is left, for a command without a station; a station that runs does them by itself. */
  finishJobs(signal: AbortSignal, onProgress: (text: string) => void): Promise<void>
  stop(): Promise<void>
}

const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })
const STATION = { type: 'station', id: '1', name: '' }

export function createLifecycle(parts: Parts): Lifecycle {
  const { kernel, features, checkpoints } = parts
  const { db, ledger, jobs, clock, log, mode } = kernel
  let scheduler: Scheduler | null = null
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
        seedStation(tx, ledger, ownCall(), { tenant: kernel.settings.tenant, now: clock.now() }),
      )
      await recordRows(db, ledger, ownCall(), await readRowsInDoubt(doubtsFolder(kernel.settings.data)))
      await recover(parts)
    },

    start: async (ready) => {
      await ledger.record(ownCall(), {
        action: 'station.started',
        object: STATION,
        detail: { sandbox: await parts.confined() },
      })
      mode.onChange((reason) => writeModeDown(kernel, reason))
      await checkpoints.take('start')
      endHours = checkpoints.hourly()
      await takeUpJobs()
      started = true
      for (const feature of features) await feature.catchUp?.()
      scheduler = startTasks(
        features.flatMap(({ tasks = [] }) => tasks),
        log,
      )
      ready()
      for (const feature of features) await feature.start?.()
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
      for (const feature of features.toReversed()) await feature.stop?.()
      await scheduler?.stop()
      await jobs.stop()
      await ledger.stop()
      const well = mode.mayRecord()
      if (well && started) {
        await db.transaction((tx) => ledger.append(tx, ownCall(), { action: 'station.stopped', object: STATION }))
      }
      if (well) await checkpoints.take('stop')
      await kernel.staging.close()
      await kernel.store.close()
      await db.close()
    },
  }
}

function writeModeDown({ ledger, log, jobs }: Kernel, reason: string | null): void {
  if (reason === null) jobs.kick()
  const said = reason === null ? {} : { reason }
  ledger
    .record(ownCall(), { action: 'station.readOnly', object: STATION, detail: { readOnly: reason !== null }, ...said })
    .catch((error: unknown) => log.error({ err: error }, 'the change of mode could not be written down'))
}

/** Temporaries without a live upload, blobs whose intent nobody followed, uploads without a row (docs/guarantees.md, Durability). */
async function recover({ kernel, requireOwnBlobs, uploads, disposition }: Parts): Promise<void> {
  const { db, ledger, store, clock, log, mode } = kernel
  // First: what was destroyed must not be taken for a stranger and put aside.
  await requireOwnBlobs()
  await disposition.recover()
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
