/** The lease under which one node of several runs the tasks that one node runs (docs/decisions/0024). A station has none and needs none. */
import type { Clock } from '../platform/clock/clock.ts'
import type { Log } from '../platform/log/log.ts'
import type { Database } from './database/database.ts'
import { isTaken, noteRun, ranSince, releaseLease, takeLease } from './task-lease.store.ts'

/** As for jobs: a node that dies is followed by another one within 60 seconds. */
const LEASE_MS = 30_000
const RENEW_EVERY_MS = 10_000

export interface TaskLease {
  /** Takes the lease when it is free, and from then on renews it. */
  start(): Promise<void>
  isHeld(): boolean
  /** Aborted when the lease is lost; a new one after it was taken again. */
  signal(): AbortSignal
  /** Whether a task with this interval is due by the database, which then knows that it runs now. */
  beginRun(task: string, everyMs: number): Promise<boolean>
  /** Gives the lease back, so that the next node need not wait for its end. */
  stop(): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Log
  readonly node: string
  /** A node that takes no writes, or whose clock is wrong, runs no tasks. What it held ends with its lease. */
  readonly mayRun: () => boolean
  readonly leaseMs?: number
  readonly renewEveryMs?: number
}

export function createTaskLease({
  db,
  clock,
  log,
  node,
  mayRun,
  leaseMs = LEASE_MS,
  renewEveryMs = RENEW_EVERY_MS,
}: Deps): TaskLease {
  let heldUntil = Number.NEGATIVE_INFINITY
  let held = new AbortController()
  let timer: NodeJS.Timeout | null = null
  let round: Promise<void> | null = null
  const isHeld = (): boolean => clock.monotonic() < heldUntil

  const lose = (): void => {
    heldUntil = Number.NEGATIVE_INFINITY
    held.abort(new Error('This node does not run the scheduled tasks any more'))
    log.warn('this node does not run the scheduled tasks any more')
  }
  const take = async (): Promise<void> => {
    // Over: another node may have it by now, and what runs here under it must end, whether this node may take it again or not.
    if (heldUntil >= 0 && !isHeld()) lose()
    if (!mayRun() || (heldUntil < 0 && (await isTaken(db.read, node)))) return
    // Counted from before the statement: this node never believes longer than the database.
    const asked = clock.monotonic()
    const had = heldUntil >= 0
    if (await db.transaction((tx) => takeLease(tx, node, leaseMs))) {
      heldUntil = asked + leaseMs
      if (had) return
      held = new AbortController()
      log.info('this node runs the scheduled tasks now')
    } else if (had) lose()
  }
  const takeInTurn = (): Promise<void> => {
    round ??= take()
      .catch((error: unknown) => log.warn({ err: error }, 'the lease of the scheduled tasks could not be renewed'))
      .finally(() => {
        round = null
      })
    return round
  }

  return {
    start: async () => {
      await takeInTurn()
      timer = setInterval(() => void takeInTurn(), renewEveryMs).unref()
    },
    isHeld,
    signal: () => held.signal,
    beginRun: async (task, everyMs) => {
      // A timer is never exact: without these 10 %, a task of a minute would run every second minute.
      if (await ranSince(db.read, task, everyMs * 0.9)) return false
      return db.transaction((tx) => noteRun(tx, task, node))
    },
    stop: async () => {
      if (timer !== null) clearInterval(timer)
      await round
      if (!isHeld()) return
      heldUntil = Number.NEGATIVE_INFINITY
      await db
        .transaction((tx) => releaseLease(tx, node))
        .catch((error: unknown) => log.warn({ err: error }, 'the lease of the scheduled tasks could not be given back'))
    },
  }
}
