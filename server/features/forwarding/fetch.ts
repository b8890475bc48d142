/** Fetches the bytes of a forwarded original back. They are hashed and placed like all bytes that come in (docs/architecture.md). */
import { alarmReason } from '../../../shared/messages/alarm-reasons.ts'
import { jobReason } from '../../../shared/messages/job-reasons.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import type { Database } from '../../kernel/database/database.ts'
import { resourceObject } from '../../kernel/evidence/objects.ts'
import { placeAndCommit } from '../../kernel/evidence/place-and-commit.ts'
import { evidenceOf, resourceById } from '../../kernel/evidence/records.store.ts'
import {
  FinalFailure,
  type JobContext,
  type JobHandlers,
  jobKind,
  type NewJob,
  NotYet,
} from '../../kernel/jobs/types.ts'
import type { Alarms } from '../../kernel/ledger/alarms.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { writeStream } from '../../platform/files/write-stream.ts'
import type { BlobStore } from '../../storage/store.ts'
import { HeadquartersAway, type HeadquartersClient, HeadquartersRefusal } from './client.ts'
import * as rows from './forwarding.store.ts'

type FetchPayload = { readonly resourceId: string }
export const FETCH_JOB = jobKind<FetchPayload>('forwarding.fetch', 'any node')

export const fetchJob = (resourceId: number): NewJob =>
  FETCH_JOB.newJob(
    { resourceId: String(resourceId) },
    { subject: `resource:${resourceId}`, key: `${FETCH_JOB.name}:${resourceId}` },
  )

const DAY = 86_400_000
/** What somebody fetched stays here so long, whatever the clear rule says. */
const KEPT_DAYS = 7

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly alarms: Pick<Alarms, 'raise'>
  readonly store: BlobStore
  readonly clock: Clock
  /** Null where no headquarters is set, or it is another one than that of the receipt. */
  readonly clientFor: (tenant: string, address: string, signal: AbortSignal) => Promise<HeadquartersClient | null>
}

export const createFetching = (deps: Deps): JobHandlers => FETCH_JOB.handledBy((job) => fetchBytes(deps, job))

async function fetchBytes(deps: Deps, job: JobContext<FetchPayload>): Promise<void> {
  const { db, store, clock, ledger } = deps
  const id = Number(job.payload.resourceId)
  const resource = await resourceById(db.read, id)
  const receipt = await rows.receiptOf(db.read, id)
  if (resource === undefined || resource.sha256 === null || receipt === undefined)
    throw new FinalFailure(jobReason('noReceipt'))
  if ((await rows.forwardedBlob(db.read, resource.sha256)) === undefined) return
  const { tenant_id: tenant } = await evidenceOf(db.read, resource.evidence_id)
  const client = await deps.clientFor(tenant, receipt.address, job.signal)
  if (client === null) throw new FinalFailure(jobReason('notConnected', { address: receipt.address }))
  const temporary = await store.temporary('fetch')
  try {
    const path = `${temporary.dir}/original`
    job.progress(0, jobReason('fetching', { address: receipt.address }))
    const response = await client.openContent(receipt.remote_evidence_id, receipt.remote_resource_id, 0)
    await writeStream(path, response, (bytes) =>
      job.progress(
        receipt.length === 0 ? null : bytes / receipt.length,
        jobReason('fetching', { address: receipt.address }),
      ),
    )
    job.signal.throwIfAborted()
    const staged = await store.adopt(path, { signal: job.signal })
    if (staged.sha256 !== resource.sha256 || staged.length !== receipt.length)
      return await otherBytes(deps, job, resource.sha256, staged)
    const call = { actor: INTERNAL, source: 'station', correlationId: `job-${job.id}` }
    await placeAndCommit({ db: db.inBackground, store }, staged, async (tx) => {
      await job.requireLease(tx)
      const at = clock.now()
      await rows.deleteForwardedBlob(tx, staged.sha256, { at, dueAt: at + DAY, readBack: staged.readBack })
      for (const named of await rows.resourcesWithBytes(tx, staged.sha256))
        await rows.keepUntil(tx, named.resource_id, at + KEPT_DAYS * DAY)
      await ledger.append(tx, call, {
        action: 'resource.fetched',
        object: resourceObject(resource),
        sha256: staged.sha256,
        bytes: staged.length,
        detail: {
          evidenceId: String(resource.evidence_id),
          address: receipt.address,
          remoteResourceId: receipt.remote_resource_id,
        },
      })
    })
    job.progress(1, jobReason('fetched'))
  } catch (error) {
    if (error instanceof HeadquartersAway) throw new NotYet(jobReason('headquartersAway', { why: error.message }))
    if (error instanceof HeadquartersRefusal) throw new FinalFailure(error.message)
    throw error
  } finally {
    await temporary.dispose()
  }
}

async function otherBytes(
  { db, alarms }: Deps,
  job: JobContext<FetchPayload>,
  expected: string,
  { sha256 }: { readonly sha256: string },
): Promise<never> {
  const call = { actor: INTERNAL, source: 'station', correlationId: `job-${job.id}` }
  await db.inBackground.transaction(async (tx) => {
    await job.requireLease(tx)
    await alarms.raise(tx, call, {
      kind: 'forwarding',
      subject: `resource ${job.payload.resourceId}`,
      message: alarmReason('otherBytes'),
      detail: { expected, found: sha256 },
    })
  })
  throw new FinalFailure(jobReason('otherBytes'))
}
