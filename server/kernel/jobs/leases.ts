/** Leases of the jobs of a node, where several nodes share a database (docs/decisions/0024). */
import type { Database, Tx } from '../database/database.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import { type JobRow, renewLeases, requeueAbandoned, type Runner, someAbandoned } from './jobs.store.ts'

/**
 * A job whose node does not renew its lease for so long is taken over. The last renewal, the lease and the next look of another node lie at
 * most 40 seconds apart, which leaves 20 of the 60 that are promised for a database that is slow.
 */
export const LEASE_MS = 30_000
/** Two renewals in a row may fail. */
export const RENEW_EVERY_MS = 10_000

type Run = Pick<JobRow, 'job_id' | 'run_number'>

interface Deps {
  readonly db: Database
  readonly log: Log
  readonly runner: Runner
  readonly everyMs: number
  readonly clock: Pick<Clock, 'monotonic'>
  readonly runs: () => readonly Run[]
  /** Another node has this job now. */
  readonly onLost: (id: number) => void
  /** In the transaction that queues jobs of other nodes again. */
  readonly onRequeued: (tx: Tx, ids: readonly number[]) => Promise<void>
  /** Called after each round: jobs that other nodes queued start here within one. */
  readonly afterRound: () => void
}

/** Renews the leases of this node's jobs, and queues the jobs of nodes that do not renew theirs. @returns a function that ends it */
export function keepLeases({
  db,
  log,
  runner,
  everyMs,
  clock,
  runs,
  onLost,
  onRequeued,
  afterRound,
}: Deps): () => void {
  let busy = false
  let reachedAt = clock.monotonic()
  /** After an outage of the database every lease has ended, and after a pause of this node it cannot tell: all nodes get a round to renew. */
  const wasAway = (): boolean => clock.monotonic() - reachedAt > runner.leaseMs - everyMs
  const round = async (): Promise<void> => {
    const mine = runs()
    // A node without work writes nothing.
    if (mine.length > 0 || (await someAbandoned(db.read))) await renew(mine)
    reachedAt = clock.monotonic()
  }
  const renew = async (mine: readonly Run[]): Promise<void> => {
    const { kept, abandoned } = await db.transaction(async (tx) => {
      // Its own first: a node that was paused keeps what nobody has taken.
      const still = await renewLeases(tx, mine, runner)
      const queued = wasAway() ? [] : await requeueAbandoned(tx)
      await onRequeued(tx, queued)
      return { kept: still, abandoned: queued }
    })
    if (abandoned.length > 0) log.warn({ jobs: abandoned }, 'jobs whose node does not answer are queued again')
    for (const { job_id: id } of mine) if (!kept.has(id)) onLost(id)
  }
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    round()
      .catch((error: unknown) => log.warn({ err: error }, 'the leases of jobs could not be renewed'))
      .finally(() => {
        busy = false
        afterRound()
      })
  }, everyMs).unref()
  return () => clearInterval(timer)
}
