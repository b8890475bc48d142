import type { Tx } from '../../../kernel/database/database.ts'
import type { JobQueue } from '../../../kernel/jobs/queue.ts'
import { FinalFailure, type JobContext, type JobHandler } from '../../../kernel/jobs/types.ts'
import { placeAndCommit } from '../../../kernel/evidence/place-and-commit.ts'
import { FACTS_VERSION, type MediaFacts } from '../../../kernel/evidence/model.ts'
import { inspectJob } from '../../../kernel/evidence/records.ts'
import { type ResourceRow, resourceById } from '../../../kernel/evidence/records.store.ts'
import { playedFrom, viewOf } from '../../../kernel/evidence/views.store.ts'
import { callOf, type DeriveDeps, jobFor, recordFailure, versionOf } from './job-parts.ts'
import type { View } from './types.ts'

const VIEWS: readonly View[] = ['strip', 'waveform']
const kindOf = (view: View): string => `derive.${view}`

/**
 * The jobs for what is made of the resource that is played, so that its time line is the player's. In the transaction that makes that
 * resource, or finds that it has none yet. @param tried kinds that are left alone
 */
export async function enqueueViews(
  tx: Tx,
  jobs: Pick<JobQueue, 'enqueue'>,
  original: ResourceRow,
  tried: ReadonlySet<string> = new Set(),
): Promise<void> {
  const played = await playedFrom(tx, original.resource_id)
  if (played === undefined) return
  for (const view of VIEWS) {
    if (tried.has(kindOf(view)) || !offers(played, view)) continue
    if ((await viewOf(tx, original.resource_id, view)) !== undefined) continue
    await jobs.enqueue(tx, jobFor(kindOf(view), original.resource_id))
  }
}

/** Whether there are pictures, or a sound. */
function offers(played: ResourceRow, view: View): boolean {
  const facts = played.media === null ? null : (JSON.parse(played.media) as MediaFacts)
  return view === 'strip' ? played.role === 'playable' : facts?.AudioCodec !== undefined
}

export const viewHandlers = (deps: DeriveDeps): Readonly<Record<string, JobHandler>> =>
  Object.fromEntries(VIEWS.map((view) => [kindOf(view), (job) => derive(deps, job, view)]))

async function derive(deps: DeriveDeps, job: JobContext, view: View): Promise<void> {
  const { db, store, deriver, records, jobs } = deps
  const row = await resourceById(db.read, Number(job.payload['resourceId']))
  const played = row === undefined ? undefined : await playedFrom(db.read, row.resource_id)
  if (row === undefined || played === undefined || played.sha256 === null)
    throw new FinalFailure('The resource is not there any more.')
  if ((await viewOf(db.read, row.resource_id, view)) !== undefined) return
  const source = { path: store.pathOf(played.sha256), sha256: played.sha256, name: played.name }
  const made = await deriver
    .deriveView(view, source, { signal: job.signal, progress: job.progress })
    .catch(async (error: unknown) => {
      if (error instanceof FinalFailure) await recordFailure(deps, job, row, view, error.message)
      throw error
    })
  try {
    await placeAndCommit(deps, made.staged, async (tx, blob) => {
      const { mimeType, layout, derivation } = made
      const resource = (await resourceById(tx, row.resource_id)) as ResourceRow
      await records.addView(tx, callOf(job), resource, { kind: view, mimeType, layout, blob, derivation })
      // Looked at while a tool was missing, which is there now.
      if (versionOf(resource) < FACTS_VERSION) await jobs.enqueue(tx, inspectJob(row.resource_id))
    })
  } finally {
    await made.dispose()
  }
  jobs.kick()
  job.progress(1, made.sandbox === 'none' ? 'The media programs ran without a sandbox on this machine.' : '')
}
