import { jobReason } from '../../../../shared/messages/job-reasons.ts'
import { INTERNAL, type Principal } from '../../../../shared/kernel/principal.ts'
import type { Alarms } from '../../../kernel/ledger/alarms.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database } from '../../../kernel/database/database.ts'
import type { JobQueue } from '../../../kernel/jobs/queue.ts'
import { FinalFailure, type JobContext, type JobHandlers, jobKind, type NewJob } from '../../../kernel/jobs/types.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { PrincipalThen } from '../../../kernel/evidence/model.ts'
import { evidenceObject, principalThen, resourceObject } from '../../../kernel/evidence/objects.ts'
import { forwardedTo } from '../../../kernel/evidence/forwarded.store.ts'
import { type EvidenceRow, type ResourceRow, resourceById } from '../../../kernel/evidence/records.store.ts'
import type { BlobStore } from '../../../storage/store.ts'
import { keepResult, RESULTS, saidOf } from './blob-result.ts'
import { insertCheck } from '../../../kernel/evidence/checks.store.ts'

type CheckPayload = {
  readonly resourceId: string
  /** Who asked, as JSON of PrincipalThen. */
  readonly by: string
}
export const CHECK_JOB = jobKind<CheckPayload>('fixity.check', 'any node')

/** Limits the speed, because the disks also serve playback. */
const BYTES_PER_SECOND = 128 * 1024 * 1024

export interface Fixity {
  /**
   * Enqueues a check of these resources, all of one evidence. A check that is already enqueued is not begun twice.
   * @param about the resource when there is one, else the whole evidence
   * @returns the job of each, in order
   */
  request(call: Call, about: ResourceRow | EvidenceRow, resources: readonly ResourceRow[]): Promise<string[]>
  readonly handlers: JobHandlers
}

interface Deps {
  db: Database
  store: Pick<BlobStore, 'verifyBlob'>
  ledger: Ledger
  clock: Clock
  alarms: Pick<Alarms, 'raise'>
  jobs: Pick<JobQueue, 'enqueue' | 'kick' | 'ofSubjects'>
}

/** *Check now* (promise I5): a job for each resource, which stores its result as a row and a ledger entry in one transaction. */
export function createFixity(deps: Deps): Fixity {
  const { db, ledger, jobs } = deps
  return {
    request: async (call, about, resources) => {
      const object = 'resource_id' in about ? resourceObject(about) : evidenceObject(about)
      await db.transaction(async (tx) => {
        for (const row of resources) await jobs.enqueue(tx, checkJob(row.resource_id, call.actor))
        await ledger.append(tx, call, {
          action: 'check.requested',
          object,
          detail: {
            evidenceId: String(about.evidence_id),
            resources: resources.map((row) => String(row.resource_id)),
          },
        })
      })
      jobs.kick()
      const found = await jobs.ofSubjects(resources.map((row) => `resource:${row.resource_id}`))
      const latest = new Map(
        found.filter(({ kind }) => kind === CHECK_JOB.name).map(({ subject, id }) => [subject, id]),
      )
      return resources.flatMap((row) => latest.get(`resource:${row.resource_id}`) ?? [])
    },
    handlers: CHECK_JOB.handledBy((job) => check(deps, job)),
  }
}

const checkJob = (resourceId: number, by: Principal): NewJob =>
  CHECK_JOB.newJob(
    { resourceId: String(resourceId), by: JSON.stringify(principalThen(by)) },
    { subject: `resource:${resourceId}`, key: `${CHECK_JOB.name}:${resourceId}` },
  )

async function check({ db, store, ledger, clock, alarms }: Deps, job: JobContext<CheckPayload>): Promise<void> {
  const row = await resourceById(db.read, Number(job.payload.resourceId))
  if (row === undefined || row.sha256 === null) throw new FinalFailure(jobReason('noBytes'))
  const expected = row.sha256
  const address = await forwardedTo(db.read, expected)
  if (address !== null) throw new FinalFailure(jobReason('bytesElsewhere', { address }))
  job.progress(0, jobReason('readingBack'))
  const verified = await store.verifyBlob(expected, {
    signal: job.signal,
    bytesPerSecond: BYTES_PER_SECOND,
    onProgress: (done, total) => job.progress(total === 0 ? null : done / total, jobReason('readingBack')),
  })
  job.signal.throwIfAborted()
  const result = RESULTS[verified.result]
  const by = JSON.parse(job.payload.by) as PrincipalThen
  const readBack = verified.found === null ? null : verified.readBack
  const call = { actor: INTERNAL, source: 'station', correlationId: `job-${job.id}` }
  const at = clock.now()
  await db.transaction(async (tx) => {
    await job.complete(tx, saidOf(verified))
    await insertCheck(tx, {
      resource_id: row.resource_id,
      expected_sha256: expected,
      found_sha256: verified.found,
      result,
      read_back: readBack,
      checked_utc: isoMillis(at),
      checked_by: JSON.stringify(by),
    })
    await ledger.append(tx, call, {
      action: 'resource.checked',
      object: resourceObject(row),
      outcome: result === 'matches' ? 'ok' : 'failed',
      ...(result === 'matches' ? {} : { reason: saidOf(verified) }),
      ...(verified.length === null ? {} : { bytes: verified.length }),
      sha256: expected,
      detail: { evidenceId: String(row.evidence_id), result, found: verified.found, readBack, requestedBy: by.KId },
    })
    await keepResult(tx, alarms, call, { sha256: expected, at, verified })
  })
}
