import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database } from '../../../kernel/database/database.ts'
import type { JobQueue } from '../../../kernel/jobs/queue.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { JobContext, NewJob } from '../../../kernel/jobs/types.ts'
import { orderOf } from '../../../kernel/evidence/derivation-order.ts'
import type { MediaFacts } from '../../../kernel/evidence/model.ts'
import { type Records, resourceObject } from '../../../kernel/evidence/records.ts'
import type { ResourceRow } from '../../../kernel/evidence/records.store.ts'
import type { BlobStore, StagedBlob } from '../../../storage/store.ts'
import type { Deriver, View, Work } from './types.ts'

/** What all jobs of derivation share. */

export interface DeriveDeps {
  db: Database
  store: BlobStore
  deriver: Deriver<StagedBlob>
  records: Records
  ledger: Ledger
  jobs: Pick<JobQueue, 'enqueue' | 'kick' | 'ofSubjects'>
  clock: Clock
  /** The station's: local times without a zone are sorted by it. */
  timeZone: string
}

export const callOf = (job: JobContext): Call => ({
  actor: INTERNAL,
  source: 'station',
  correlationId: `job-${job.id}`,
})

/** One job of a kind for one resource; a second one like it is not made while it has not ended. */
export const jobFor = (kind: string, resourceId: number): NewJob => ({
  kind,
  payload: { resourceId: String(resourceId) },
  subject: `resource:${resourceId}`,
  key: `${kind}:${resourceId}`,
  order: orderOf(kind, resourceId),
})

/** Which program's idea of the facts a row holds. */
export const versionOf = (row: { media: string | null }): number =>
  row.media === null ? 0 : ((JSON.parse(row.media) as MediaFacts).Version ?? 0)

export async function recordFailure(
  { db, ledger }: Pick<DeriveDeps, 'db' | 'ledger'>,
  job: JobContext,
  row: ResourceRow,
  work: Work | View,
  reason: string,
): Promise<void> {
  await db.transaction((tx) =>
    ledger.append(tx, callOf(job), {
      action: 'derivation.failed',
      object: resourceObject(row),
      outcome: 'failed',
      reason,
      detail: { evidenceId: String(row.evidence_id), work },
    }),
  )
}
