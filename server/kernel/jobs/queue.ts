import { EventEmitter } from 'node:events'
import type { Database, Tx } from '../database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import {
  countBusy,
  findJob,
  insertJob,
  type JobRow,
  jobsOf,
  keyIsTaken,
  kindsWaiting,
  listJobs,
  markEnded,
  markRunning,
  nextDue,
  nextReady,
  requeueRunning,
  wakeWaiting,
} from './jobs.store.ts'
import {
  FinalFailure,
  type JobHandler,
  type JobHandlers,
  type JobPayload,
  type JobState,
  type JobView,
  type NewJob,
  NotYet,
} from './types.ts'

/** After this many attempts a job has failed. People can retry it. */
const MOST_ATTEMPTS = 3
const RETRY_AFTER_MS = [5_000, 60_000]
/** The queue scans at least this often while jobs wait. */
const POLL_EVERY_MS = 60_000

export interface JobQueue {
  /** To be called in the transaction that makes the job necessary. The job starts after the commit, with `kick` or with the next scan. */
  enqueue(tx: Tx, job: NewJob): Promise<void>
  /** Starts a scan; to be called after the commit of an enqueued job. */
  kick(): void
  /** Queues jobs that a crash left running, and starts the queue. @throws Error when a job in the table has no handler, or a kind has two */
  start(): Promise<{ resumed: number }>
  /** Interrupts running jobs, which are queued again, and waits for them. */
  stop(): Promise<void>
  /** In the caller's transaction. @returns the job before the cancellation, or null when it is missing or has ended */
  cancel(tx: Tx, id: string): Promise<JobView | null>
  /** Queues a failed or cancelled job again. In the caller's transaction. */
  retry(tx: Tx, id: string): Promise<JobView | null>
  find(id: string): Promise<JobView | null>
  list(filter: { states?: readonly JobState[]; before?: string; count: number }): Promise<JobView[]>
  ofSubjects(subjects: readonly string[]): Promise<JobView[]>
  /** Calls `listener` for every change of a job, including progress. @returns a function that ends the subscription */
  watch(listener: (job: JobView) => void): () => void
  /** Resolves when no job is queued or running. Waiting jobs do not count. */
  idle(): Promise<void>
  /** Runs waiting jobs at once, since the tool or file that they need may be there now. */
  wake(): Promise<void>
}

/** Joins the handlers of all features. @throws Error when two features handle the same kind, since one of them would never run */
export function joinHandlers(...features: readonly JobHandlers[]): JobHandlers {
  const joined: Record<string, JobHandler> = {}
  for (const [kind, handler] of features.flatMap((handlers) => Object.entries(handlers))) {
    if (Object.hasOwn(joined, kind)) throw new Error(`Two handlers for jobs of kind ${kind}`)
    joined[kind] = handler
  }
  return joined
}

interface Deps {
  db: Database
  clock: Clock
  log: Log
  /** A function, since handlers need the queue and are made after it. */
  handlers: () => JobHandlers
  concurrency: number
  /** Kinds with a slot of their own, so that they and the other kinds do not wait for each other. */
  dedicatedKinds?: readonly string[]
  /** False while the station takes no writes. Jobs then wait; call `kick` afterwards. */
  mayRun?: () => boolean
}

interface Running {
  row: JobRow
  abort: AbortController
  progress: number | null
  message: string
  cancelled: boolean
  done: Promise<void>
}

export function createJobQueue({
  db,
  clock,
  log,
  handlers,
  concurrency: lanes,
  dedicatedKinds: apart = [],
  mayRun = () => true,
}: Deps): JobQueue {
  const running = new Map<number, Running>()
  const events = new EventEmitter().setMaxListeners(0)
  let stopping = false
  let started = false
  let scan: Promise<void> | null = null
  let scanAgain = false
  let timer: NodeJS.Timeout | null = null

  const viewOf = (row: JobRow): JobView => {
    const live = running.get(row.job_id)
    return {
      id: String(row.job_id),
      kind: row.kind,
      subject: row.subject,
      state: row.state as JobState,
      attempts: row.attempts,
      progress: row.state === 'done' ? 1 : (live?.progress ?? null),
      message: live === undefined || live.message === '' ? row.message : live.message,
      createdUtc: row.created_utc,
      startedUtc: row.started_utc,
      finishedUtc: row.finished_utc,
    }
  }
  const announce = async (id: number): Promise<void> => {
    const row =
      events.listenerCount('job') > 0 || events.listenerCount('ended') > 0 ? await findJob(db.read, id) : undefined
    if (row !== undefined) events.emit('job', viewOf(row))
  }

  const end = async (
    id: number,
    state: JobState,
    message: string,
    extra: { runAfter?: number; attempts?: number } = {},
  ): Promise<void> => {
    const ended = state === 'done' || state === 'failed' || state === 'cancelled'
    await db.transaction((tx) =>
      markEnded(tx, id, { state, message, finishedUtc: ended ? isoMillis(clock.now()) : null, ...extra }),
    )
  }

  const recordOutcome = async (job: Running, error: unknown): Promise<void> => {
    const { job_id: id, attempts, kind } = job.row
    if (error === undefined) return end(id, 'done', job.message)
    if (job.cancelled) return end(id, 'cancelled', 'Cancelled.')
    // The station's stop interrupted the job, so the attempt does not count.
    if (stopping) return end(id, 'queued', '', { attempts: attempts - 1 })
    const { message } = error as Error
    if (error instanceof NotYet)
      return end(id, 'waiting', message, { runAfter: clock.now() + error.retryAfterMs, attempts: attempts - 1 })
    if (error instanceof FinalFailure || attempts >= MOST_ATTEMPTS) {
      log.warn({ job: id, kind, attempts, err: error }, 'a job failed')
      return end(id, 'failed', error instanceof FinalFailure ? message : failureText(message))
    }
    log.info({ job: id, kind, attempts, err: error }, 'a job failed and is tried again')
    return end(id, 'queued', `Attempt ${attempts} failed; it is tried again.`, {
      runAfter: clock.now() + (RETRY_AFTER_MS[attempts - 1] ?? 60_000),
    })
  }

  const runJob = async (job: Running): Promise<void> => {
    const { row } = job
    let failure: unknown
    try {
      await (handlers()[row.kind] as JobHandler)({
        id: String(row.job_id),
        kind: row.kind,
        payload: JSON.parse(row.payload) as JobPayload,
        attempt: row.attempts,
        signal: job.abort.signal,
        progress: (fraction, message) => {
          job.progress = fraction
          job.message = message
          events.emit('job', { ...viewOf({ ...row, state: 'running' }), progress: fraction, message })
        },
      })
    } catch (error) {
      failure = error ?? new Error('failed without saying why')
    }
    try {
      await recordOutcome(job, failure)
    } catch (error) {
      // The database is closed or failed. The row stays `running`, and the next start queues it again.
      log.error({ job: row.job_id, err: error }, 'the end of a job could not be written')
    }
    running.delete(row.job_id)
    await announce(row.job_id).catch(() => {})
    kick()
  }

  const startJobs = async (kinds: readonly string[], most: number): Promise<void> => {
    const busy = (): number => [...running.values()].filter(({ row }) => kinds.includes(row.kind)).length
    while (!stopping && mayRun() && busy() < most) {
      const row = await nextReady(db.read, kinds, clock.now())
      if (row === undefined) break
      const claimed = await db.transaction(async (tx) => {
        // A job that ends the process each time (by its file) must not be tried for ever.
        if (row.attempts >= MOST_ATTEMPTS) {
          await markEnded(tx, row.job_id, {
            state: 'failed',
            message: 'Given up: every attempt ended early.',
            finishedUtc: isoMillis(clock.now()),
          })
          return null
        }
        return (await markRunning(tx, row.job_id, isoMillis(clock.now())))
          ? ((await findJob(tx, row.job_id)) ?? null)
          : null
      })
      if (claimed === null) continue
      const job: Running = {
        row: claimed,
        abort: new AbortController(),
        progress: null,
        message: '',
        cancelled: false,
        done: Promise.resolve(),
      }
      running.set(claimed.job_id, job)
      job.done = runJob(job)
      await announce(claimed.job_id)
    }
  }

  const startReadyJobs = async (): Promise<void> => {
    // Read once, so that a job that becomes due during the scan either starts now or gets the timer.
    const now = clock.now()
    const kinds = Object.keys(handlers())
    await startJobs(
      kinds.filter((kind) => !apart.includes(kind)),
      lanes,
    )
    if (apart.length > 0) await startJobs(apart, 1)
    if (stopping) return
    // Jobs that are due but did not start found all slots taken. The end of a job starts the next scan.
    const due = await nextDue(db.read, now)
    if (timer !== null) clearTimeout(timer)
    timer = due === null ? null : setTimeout(kick, Math.min(Math.max(due - clock.now(), 1), POLL_EVERY_MS)).unref()
  }

  const kick = (): void => {
    if (stopping || !started) return
    if (scan !== null) {
      scanAgain = true
      return
    }
    scan = startReadyJobs()
      .catch((error: unknown) => log.error({ err: error }, 'the job queue could not scan for jobs'))
      .finally(() => {
        scan = null
        events.emit('ended')
        if (scanAgain) {
          scanAgain = false
          kick()
        }
      })
  }

  return {
    enqueue: (tx, job) => {
      if (handlers()[job.kind] === undefined) throw new Error(`No handler for jobs of kind ${job.kind}`)
      return insertJob(tx, job, isoMillis(clock.now()))
    },
    kick,
    start: async () => {
      const known = handlers()
      const unhandled = (await kindsWaiting(db.read)).filter((kind) => known[kind] === undefined)
      if (unhandled.length > 0) throw new Error(`Jobs without a handler: ${unhandled.join(', ')}`)
      const resumed = await db.transaction(async (tx) => {
        await wakeWaiting(tx)
        return requeueRunning(tx)
      })
      started = true
      kick()
      return { resumed }
    },
    stop: async () => {
      stopping = true
      if (timer !== null) clearTimeout(timer)
      for (const job of running.values()) job.abort.abort(new Error('The station is stopping'))
      await scan
      await Promise.all([...running.values()].map((job) => job.done))
    },
    cancel: async (tx, id) => {
      const row = await findJob(tx, Number(id))
      if (row === undefined || !['queued', 'waiting', 'running'].includes(row.state)) return null
      const live = running.get(row.job_id)
      if (live === undefined) {
        await markEnded(tx, row.job_id, {
          state: 'cancelled',
          message: 'Cancelled.',
          finishedUtc: isoMillis(clock.now()),
        })
      } else {
        live.cancelled = true
        live.abort.abort(new Error('Cancelled'))
      }
      return viewOf(row)
    },
    retry: async (tx, id) => {
      const row = await findJob(tx, Number(id))
      if (row === undefined || !['failed', 'cancelled', 'waiting'].includes(row.state)) return null
      // Another job with the same key is queued already.
      if (row.dedup_key !== null && row.state !== 'waiting' && (await keyIsTaken(tx, row.dedup_key))) return null
      await markEnded(tx, row.job_id, { state: 'queued', message: '', finishedUtc: null, runAfter: 0, attempts: 0 })
      return viewOf(row)
    },
    find: async (id) => {
      const row = await findJob(db.read, Number(id))
      return row === undefined ? null : viewOf(row)
    },
    list: async ({ states, before, count }) => {
      const rows = await listJobs(db.read, {
        count,
        ...(states === undefined ? {} : { states }),
        ...(before === undefined ? {} : { before: Number(before) }),
      })
      return rows.map(viewOf)
    },
    ofSubjects: async (subjects) => (subjects.length === 0 ? [] : (await jobsOf(db.read, subjects)).map(viewOf)),
    watch: (listener) => {
      events.on('job', listener)
      return () => events.off('job', listener)
    },
    idle: async () => {
      for (;;) {
        if (running.size === 0 && scan === null && (await countBusy(db.read)) === 0) return
        await new Promise<void>((resolve) => {
          const wait = setTimeout(resolve, 200)
          events.once('ended', () => {
            clearTimeout(wait)
            resolve()
          })
        })
      }
    },
    wake: async () => {
      await db.transaction(wakeWaiting)
      kick()
    },
  }
}

/** Text for people about a failure whose message was not written for them. */
function failureText(message: string): string {
  return `It failed ${MOST_ATTEMPTS} times and was given up. ${message.split('\n', 1)[0]?.slice(0, 300) ?? ''}`.trim()
}
