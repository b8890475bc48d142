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
import { FinalFailure, type JobHandler, type JobState, type JobView, type NewJob, NotYet } from './types.ts'

/** After these many attempts a job has failed; a person may retry it. */
const MOST_ATTEMPTS = 3
const RETRY_AFTER_MS = [5_000, 60_000]
/** The queue looks at least this often while something waits. */
const LOOK_AGAIN_MS = 60_000

export interface JobQueue {
  /** In the transaction that makes the job necessary. It starts when that transaction has committed and `kick` was called or the next look is due. */
  enqueue(tx: Tx, job: NewJob): Promise<void>
  /** Something was enqueued and committed. */
  kick(): void
  /** Puts what a crash left running back, and begins. @throws when a job in the table has no handler, or a kind has two. */
  start(): Promise<{ resumed: number }>
  /** Interrupts what runs (it is queued again) and waits for it. */
  stop(): Promise<void>
  /** In the caller's transaction. @returns the job as it was, or null when there is none or it has ended already. */
  cancel(tx: Tx, id: string): Promise<JobView | null>
  /** A failed or cancelled job is queued anew. In the caller's transaction. */
  retry(tx: Tx, id: string): Promise<JobView | null>
  find(id: string): Promise<JobView | null>
  list(filter: { states?: readonly JobState[]; before?: string; count: number }): Promise<JobView[]>
  ofSubjects(subjects: readonly string[]): Promise<JobView[]>
  /** Everything that changes about a job, progress included. @returns a function that ends the subscription. */
  watch(listener: (job: JobView) => void): () => void
  /** Resolves when nothing is queued or running (waiting ones do not count). */
  idle(): Promise<void>
  /** What jobs waited for may be there now. */
  wake(): Promise<void>
}

/** What does the jobs of each kind. */
export type JobHandlers = Readonly<Record<string, JobHandler>>

/** The handlers of all features. @throws Error where two features handle jobs of one kind: one of them would never run */
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
  /** Asked when jobs are enqueued and when the queue starts: handlers need the queue, so it comes first. */
  handlers: () => JobHandlers
  lanes: number
  /** Kinds with one lane of their own, so that neither they nor the others wait for each other. */
  apart?: readonly string[]
  /** False while the station takes no writes: jobs wait; `kick` when it is over. */
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

export function createJobQueue({ db, clock, log, handlers, lanes, apart = [], mayRun = () => true }: Deps): JobQueue {
  const running = new Map<number, Running>()
  const events = new EventEmitter().setMaxListeners(0)
  let stopping = false
  let started = false
  let looking: Promise<void> | null = null
  let again = false
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

  const settle = async (job: Running, error: unknown): Promise<void> => {
    const { job_id: id, attempts, kind } = job.row
    if (error === undefined) return end(id, 'done', job.message)
    if (job.cancelled) return end(id, 'cancelled', 'Cancelled.')
    // Interrupted by the station's own stop: not the job's fault, the attempt does not count.
    if (stopping) return end(id, 'queued', '', { attempts: attempts - 1 })
    const { message } = error as Error
    if (error instanceof NotYet)
      return end(id, 'waiting', message, { runAfter: clock.now() + error.lookAgainMs, attempts: attempts - 1 })
    if (error instanceof FinalFailure || attempts >= MOST_ATTEMPTS) {
      log.warn({ job: id, kind, attempts, err: error }, 'a job failed')
      return end(id, 'failed', error instanceof FinalFailure ? message : plain(message))
    }
    log.info({ job: id, kind, attempts, err: error }, 'a job failed and is tried again')
    return end(id, 'queued', `Attempt ${attempts} failed; it is tried again.`, {
      runAfter: clock.now() + (RETRY_AFTER_MS[attempts - 1] ?? 60_000),
    })
  }

  const runOne = async (job: Running): Promise<void> => {
    const { row } = job
    let failure: unknown
    try {
      await (handlers()[row.kind] as JobHandler)({
        id: String(row.job_id),
        kind: row.kind,
        payload: JSON.parse(row.payload) as Record<string, string>,
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
      await settle(job, failure)
    } catch (error) {
      // The database is gone or closing: the row stays `running` and is queued again at the next start.
      log.error({ job: row.job_id, err: error }, 'the end of a job could not be written')
    }
    running.delete(row.job_id)
    await announce(row.job_id).catch(() => {})
    kick()
  }

  const takeUp = async (kinds: readonly string[], most: number): Promise<void> => {
    const busy = (): number => [...running.values()].filter(({ row }) => kinds.includes(row.kind)).length
    while (!stopping && mayRun() && busy() < most) {
      const row = await nextReady(db.read, kinds, clock.now())
      if (row === undefined) break
      const mine = await db.transaction(async (tx) => {
        // A crash that repeats (a file that ends the process) must not be tried for ever.
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
      if (mine === null) continue
      const job: Running = {
        row: mine,
        abort: new AbortController(),
        progress: null,
        message: '',
        cancelled: false,
        done: Promise.resolve(),
      }
      running.set(mine.job_id, job)
      job.done = runOne(job)
      await announce(mine.job_id)
    }
  }

  const look = async (): Promise<void> => {
    // Read once: a job that becomes due while this looks must be ready now or get the timer, never neither.
    const now = clock.now()
    const kinds = Object.keys(handlers())
    await takeUp(
      kinds.filter((kind) => !apart.includes(kind)),
      lanes,
    )
    if (apart.length > 0) await takeUp(apart, 1)
    if (stopping) return
    // What was due already and did not start found the lanes full; the end of a job looks again.
    const due = await nextDue(db.read, now)
    if (timer !== null) clearTimeout(timer)
    timer = due === null ? null : setTimeout(kick, Math.min(Math.max(due - clock.now(), 1), LOOK_AGAIN_MS)).unref()
  }

  const kick = (): void => {
    if (stopping || !started) return
    if (looking !== null) {
      again = true
      return
    }
    looking = look()
      .catch((error: unknown) => log.error({ err: error }, 'the job queue could not look for work'))
      .finally(() => {
        looking = null
        events.emit('ended')
        if (again) {
          again = false
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
      const strangers = (await kindsWaiting(db.read)).filter((kind) => known[kind] === undefined)
      if (strangers.length > 0) throw new Error(`Jobs without a handler: ${strangers.join(', ')}`)
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
      await looking
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
      // Its successor is on its way already.
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
        if (running.size === 0 && looking === null && (await countBusy(db.read)) === 0) return
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

/** What a person is told of a failure whose text was not written for them. */
function plain(message: string): string {
  return `It failed ${MOST_ATTEMPTS} times and was given up. ${message.split('\n', 1)[0]?.slice(0, 300) ?? ''}`.trim()
}
