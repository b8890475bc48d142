/** Start and stop of a station: it cleans up after an unclean end, starts features in their order, and stops them in reverse. */
import { JobsHalted } from '../kernel/jobs/types.ts'
import { randomUUID } from 'node:crypto'
import { INTERNAL } from '../../shared/kernel/principal.ts'
import type { SandboxKind } from '../../shared/media/rules.ts'
import { seedStation } from '../features/identity/users/users.service.ts'
import type { Checkpoints } from '../features/integrity/verification/checkpoints.ts'
import { recordRows } from '../features/integrity/verification/row-baseline.ts'
import { readRowsInDoubt } from '../features/integrity/verification/rows-in-doubt.ts'
import type { Packages } from '../features/packages/packages.service.ts'
import type { Disposition } from '../features/retention/disposition/disposition.ts'
import type { Uploads } from '../features/uploads/blobs/uploads.ts'
import { removalsAtStart } from '../kernel/evidence/blob-removals.ts'
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
  readonly packages: Pick<Packages, 'recover'>
  /** How media tools are confined on this machine. */
  readonly confined: () => Promise<SandboxKind>
}

export interface Lifecycle {
  /** Seeds a new station and cleans up after an unclean end. Nothing may be written before it. */
  prepare(): Promise<void>
  /** Records the start in the ledger, and starts jobs, tasks and features. @param ready called when requests may be answered */
  start(ready: () => void): Promise<void>
  /** Runs all jobs, for a command without a running station. Does nothing in a running station, which runs them itself. */
  finishJobs(signal: AbortSignal, onProgress: (text: string) => void): Promise<void>
  /** Ends the work that the station does by itself. Requests are answered as before. */
  retire(): Promise<void>
  stop(): Promise<void>
}

const stationCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })
const STATION = { type: 'station', id: '1', name: '' }

export function createLifecycle(parts: Parts): Lifecycle {
  const { kernel, features, checkpoints } = parts
  const { db, ledger, jobs, clock, log, mode, taskLease } = kernel
  let scheduler: Scheduler | null = null
  let started = false
  let working = false
  const startJobs = async (): Promise<void> => {
    if (working) return
    working = true
    await jobs.start()
  }

  return {
    prepare: async () => {
      await db.transaction((tx) =>
        seedStation(tx, ledger, stationCall(), { tenant: kernel.settings.tenant, now: clock.now() }),
      )
      await recordRows(db, ledger, stationCall(), await readRowsInDoubt(doubtsFolder(kernel.settings.data)))
      await recover(parts)
    },

    start: async (ready) => {
      await ledger.record(stationCall(), {
        action: 'station.started',
        object: STATION,
        // Rules that are set outside of the station stand in the ledger with the start from which they apply.
        detail: {
          version: kernel.version,
          sandbox: await parts.confined(),
          disclosureApproval: [...kernel.settings.disclosureApproval],
          ...(kernel.nodes.areSeveral && { node: { ...kernel.node } }),
        },
      })
      mode.onChange((reason) => recordMode(kernel, reason))
      await checkpoints.take('start')
      await startJobs()
      started = true
      for (const feature of features) await feature.catchUp?.()
      await taskLease?.start()
      scheduler = startTasks(
        features.flatMap(({ tasks = [] }) => tasks),
        log,
        db,
        taskLease,
      )
      ready()
      for (const feature of features) await feature.start?.()
    },

    finishJobs: async (signal, onProgress) => {
      if (started) return
      const unwatch = jobs.watch((job) => onProgress(`${job.kind} of ${job.subject}: ${job.message || job.state}`))
      try {
        await startJobs()
        const stopped = new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
        })
        await Promise.race([jobs.idle(), stopped]).catch((error: unknown) => {
          // What was done is not where it seems to be, or may not be durable.
          if (error instanceof JobsHalted && !mode.mayRecord()) throw new Error(mode.reason() ?? error.message)
          throw error
        })
      } finally {
        unwatch()
      }
    },

    retire: async () => {
      await scheduler?.stop()
      await jobs.stop()
    },

    stop: async () => {
      for (const feature of features.toReversed()) await feature.stop?.()
      await scheduler?.stop()
      await taskLease?.stop()
      await jobs.stop()
      await ledger.stop()
      const mayRecord = mode.mayRecord() && !mode.isRetired()
      if (mayRecord && started) {
        await db.transaction((tx) =>
          ledger.append(tx, stationCall(), {
            action: 'station.stopped',
            object: STATION,
            ...(kernel.nodes.areSeveral && { detail: { node: { ...kernel.node } } }),
          }),
        )
      }
      if (mayRecord) await checkpoints.take('stop')
      await kernel.staging.close()
      await kernel.store.close()
      await kernel.keys.close()
      await db.close()
    },
  }
}

function recordMode({ ledger, log, jobs }: Kernel, reason: string | null): void {
  if (reason === null) jobs.kick()
  const reasonMember = reason === null ? {} : { reason }
  ledger
    .record(stationCall(), {
      action: 'station.readOnly',
      object: STATION,
      detail: { readOnly: reason !== null },
      ...reasonMember,
    })
    .catch((error: unknown) => log.error({ err: error }, 'the change of mode could not be recorded'))
}

/** Cleans up temporary files without a live upload, blobs with an open intent, and uploads without a row (docs/guarantees.md, Durability). */
async function recover({ kernel, requireOwnBlobs, uploads, disposition, packages }: Parts): Promise<void> {
  const { db, ledger, store, clock, log, mode } = kernel
  // First, so that destroyed blobs are not quarantined as orphans.
  await requireOwnBlobs()
  await disposition.recover()
  await packages.recover()
  const removals = removalsAtStart({ db, store, mayWrite: mode.mayWrite }, blobIsKnown)
  const report = await store.recover(removals.isKnown, [UPLOADS], requireOwnBlobs)
  await removals.end()
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
    await ledger.append(tx, stationCall(), {
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
