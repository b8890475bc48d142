import { jobReason } from '../../../shared/messages/job-reasons.ts'
import { EventEmitter } from 'node:events'
import type { Database, Tx } from '../database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import {
  countBusy,
  findJob,
  insertJob,
  type JobEnd,
  type JobRow,
  jobsOf,
  keyIsTaken,
  kindsWaiting,
  listJobs,
  markEnded,
  markRunning,
  nextDue,
  nextReady,
  renewLeases,
  requeueRunning,
  type Runner,
  wakeWaiting,
} from './jobs.store.ts'
import { keepLeases, LEASE_MS, RENEW_EVERY_MS } from './leases.ts'
import { hearOfJobs, progressWriter, tellOfJobs } from './news.ts'
import {
  FinalFailure,
  type JobContext,
  type JobHandler,
  type JobHandlers,
  type JobPayload,
  type JobState,
  type JobView,
  JobsHalted,
  LeaseLost,
  type NewJob,
  NotYet,
} from './types.ts'

/** After this many attempts a job has failed. People can retry it. */
const MOST_ATTEMPTS = 3
const RETRY_AFTER_MS = [5_000, 60_000]
/** After this time the end of a job that could not be written is tried again. */
const AGAIN_MS = 10_000
/** The queue scans at least this often while jobs wait. */
const POLL_EVERY_MS = 60_000
/** Looking for a dedicated kind passes all open jobs before it, 22 ms with 90,000 of them. The next look comes after so many times as long. */
const PAUSE_OF_DEDICATED = 20
/** A look may also have waited for other writers: whoever asked for a check must not wait many times as long as they do. */
const LONGEST_PAUSE_MS = 1_000
/** Commits of several nodes follow each other closely: the queue scans once for those of this time. */
const SCAN_AFTER_CHANGES_MS = 500

export interface JobQueue {
  /** To be called in the transaction that makes the job necessary. The job starts after the commit, with `kick` or with the next scan. */
  enqueue(tx: Tx, job: NewJob): Promise<void>
  /** Starts a scan; to be called after the commit of an enqueued job. */
  kick(): void
  /** Queues jobs that a crash of this node left running, and starts the queue. @throws Error when a job in the table has no handler, or a kind has two */
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
  /** Calls `listener` for every change of a job of any node, including progress. @returns a function that ends the subscription */
  watch(listener: (job: JobView) => void): () => void
  /** Resolves when no job is queued or running. Waiting jobs do not count. @throws JobsHalted while jobs are left and none may run */
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
  /** This node, where several may share the database; null on a station, which needs no leases. */
  node?: { readonly id: string; readonly leaseMs?: number; readonly renewEveryMs?: number } | null
}

interface Running {
  row: JobRow
  abort: AbortController
  progress: number | null
  message: string
  cancelled: boolean
  /** Another node has the job now. */
  lost: boolean
  /** The handler ended the job in a transaction of its own, which may have been undone. */
  completed: boolean
  done: Promise<void>
}

/** What a queue holds while it runs. */
interface QueueState {
  readonly running: Map<number, Running>
  /** `job`: one changed. `ended`: a scan ended. */
  readonly events: EventEmitter
  started: boolean
  stopping: boolean
  scan: Promise<void> | null
  /** A kick came during the scan, which may have passed the new job already. */
  scanAgain: boolean
  /** Ended jobs whose end could not be written, on a station: the next scan tries again. */
  readonly unwritten: Map<Running, unknown>
  /** By the monotonic clock: when dedicated kinds are looked for again. */
  dedicatedAfter: number
  timer: NodeJS.Timeout | null
  stopLeases: () => void
  /** Null on a station. */
  readonly progress: ReturnType<typeof progressWriter> | null
}

/** Tells the other nodes of jobs that a transaction changes. @param teller as for `tellOfJobs` */
const tell = async ({ node = null }: Deps, tx: Tx, ids: readonly number[], teller = node?.id ?? null): Promise<void> =>
  node === null ? undefined : tellOfJobs(tx, teller, ids)

/** Null on a station. */
const runnerOf = ({ node = null }: Deps): Runner | null =>
  node === null ? null : { node: node.id, leaseMs: node.leaseMs ?? LEASE_MS }

export function createJobQueue(deps: Deps): JobQueue {
  const { db, clock, handlers } = deps
  const live = new Map<number, Running>()
  const { log, node = null } = deps
  const isRunning = (run: { readonly row: Pick<JobRow, 'job_id'> }): boolean => live.get(run.row.job_id) === run
  const state: QueueState = {
    running: live,
    events: new EventEmitter().setMaxListeners(0),
    started: false,
    stopping: false,
    scan: null,
    scanAgain: false,
    unwritten: new Map(),
    dedicatedAfter: 0,
    timer: null,
    stopLeases: () => {},
    progress: node === null ? null : progressWriter({ db, log, node: node.id, isRunning }),
  }
  const { running, events } = state
  const view = (row: JobRow): JobView => viewOf(running, row)
  return {
    enqueue: (tx, job) => {
      if (handlers()[job.kind] === undefined) throw new Error(`No handler for jobs of kind ${job.kind}`)
      return insertJob(tx, job, isoMillis(clock.now()), deps.node?.id ?? null)
    },
    kick: () => kick(deps, state),
    start: () => start(deps, state),
    stop: async () => {
      state.stopping = true
      state.progress?.stop()
      if (state.timer !== null) clearTimeout(state.timer)
      for (const job of running.values()) job.abort.abort(new Error('The station is stopping'))
      await state.scan
      await Promise.all([...running.values()].map((job) => job.done))
      // Last: a job that takes long to end is still this node's.
      state.stopLeases()
    },
    cancel: (tx, id) => cancel(deps, state, tx, id),
    retry: async (tx, id) => {
      const row = await findJob(tx, Number(id))
      if (row === undefined || !['failed', 'cancelled', 'waiting'].includes(row.state)) return null
      // Another job with the same key is queued already.
      if (row.dedup_key !== null && row.state !== 'waiting' && (await keyIsTaken(tx, row.dedup_key))) return null
      await markEnded(tx, row.job_id, { state: 'queued', message: '', finishedUtc: null, runAfter: 0, attempts: 0 })
      await tell(deps, tx, [row.job_id], null)
      return view(row)
    },
    find: async (id) => {
      const row = await findJob(db.read, Number(id))
      return row === undefined ? null : view(row)
    },
    list: async ({ states, before, count }) => {
      const rows = await listJobs(db.read, {
        count,
        ...(states === undefined ? {} : { states }),
        ...(before === undefined ? {} : { before: Number(before) }),
      })
      return rows.map(view)
    },
    ofSubjects: async (subjects) => (subjects.length === 0 ? [] : (await jobsOf(db.read, subjects)).map(view)),
    watch: (listener) => {
      events.on('job', listener)
      return () => events.off('job', listener)
    },
    idle: () => idle(deps, state),
    wake: async () => {
      await db.transaction(wakeWaiting)
      kick(deps, state)
    },
  }
}

async function start(deps: Deps, state: QueueState): Promise<{ resumed: number }> {
  const known = deps.handlers()
  const unhandled = (await kindsWaiting(deps.db.read)).filter((kind) => known[kind] === undefined)
  // A node of a newer program may have ordered them, and does them.
  if (unhandled.length > 0 && runnerOf(deps) === null)
    throw new Error(`Jobs without a handler: ${unhandled.join(', ')}`)
  const resumed = await deps.db.transaction(async (tx) => {
    await wakeWaiting(tx)
    const ids = await requeueRunning(tx, deps.node?.id ?? null)
    await tell(deps, tx, ids, null)
    return ids.length
  })
  state.started = true
  shareJobs(deps, state)
  kick(deps, state)
  return { resumed }
}

/** Only where several nodes share the database. */
function shareJobs(deps: Deps, state: QueueState): void {
  const runner = runnerOf(deps)
  if (runner === null) return
  const { db, clock, log, node } = deps
  state.stopLeases = keepLeases({
    db,
    clock,
    log,
    runner,
    everyMs: node?.renewEveryMs ?? RENEW_EVERY_MS,
    runs: () => [...state.running.values()].map(({ row }) => row),
    onLost: (id) => {
      const job = state.running.get(id)
      if (job === undefined) return
      job.lost = true
      job.abort.abort(new LeaseLost())
    },
    onRequeued: (tx, ids) => tell(deps, tx, ids, null),
    afterRound: () => kick(deps, state),
  })
  hearOfJobs({
    db,
    log,
    node: runner.node,
    isWatched: () => state.events.listenerCount('job') > 0,
    onChanged: (row) => state.events.emit('job', viewOf(state.running, row)),
  })
  let soon = false
  db.onRowsChanged(() => {
    if (soon) return
    soon = true
    setTimeout(() => {
      soon = false
      kick(deps, state)
    }, SCAN_AFTER_CHANGES_MS).unref()
  })
}

async function cancel(deps: Deps, { running }: QueueState, tx: Tx, id: string): Promise<JobView | null> {
  const { clock } = deps
  const row = await findJob(tx, Number(id))
  if (row === undefined || !['queued', 'waiting', 'running'].includes(row.state)) return null
  const live = running.get(row.job_id)
  if (live === undefined) {
    await markEnded(tx, row.job_id, {
      state: 'cancelled',
      message: jobReason('cancelled'),
      finishedUtc: isoMillis(clock.now()),
    })
    await tell(deps, tx, [row.job_id], null)
  } else {
    live.cancelled = true
    live.abort.abort(new Error('Cancelled'))
  }
  return viewOf(running, row)
}

async function idle({ db, mayRun = () => true }: Deps, state: QueueState): Promise<void> {
  for (;;) {
    if (state.running.size === 0 && state.scan === null) {
      const left = await countBusy(db.read)
      if (left === 0) return
      if (!mayRun())
        throw new JobsHalted(`The station takes no writes now, and ${left} ${left === 1 ? 'job waits' : 'jobs wait'}.`)
    }
    await new Promise<void>((resolve) => {
      const wait = setTimeout(resolve, 200)
      state.events.once('ended', () => {
        clearTimeout(wait)
        resolve()
      })
    })
  }
}

function kick(deps: Deps, state: QueueState): void {
  if (state.stopping || !state.started) return
  if (state.scan !== null) {
    state.scanAgain = true
    return
  }
  state.scan = startReadyJobs(deps, state)
    .catch((error: unknown) => deps.log.error({ err: error }, 'the job queue could not scan for jobs'))
    .finally(() => {
      state.scan = null
      state.events.emit('ended')
      if (state.scanAgain) {
        state.scanAgain = false
        kick(deps, state)
      }
    })
}

async function startReadyJobs(deps: Deps, state: QueueState): Promise<void> {
  const { db, clock, dedicatedKinds = [] } = deps
  await writeEnds(deps, state)
  // Read once, so that a job that becomes due during the scan either starts now or gets the timer.
  const now = clock.now()
  const kinds = Object.keys(deps.handlers())
  await startJobs(
    deps,
    state,
    kinds.filter((kind) => !dedicatedKinds.includes(kind)),
    deps.concurrency,
  )
  const dedicatedIn = dedicatedKinds.length > 0 ? await startDedicated(deps, state, dedicatedKinds) : null
  if (state.stopping) return
  // Jobs that are due but did not start found all slots taken. The end of a job starts the next scan.
  const due = await nextDue(db.read, now)
  if (state.timer !== null) clearTimeout(state.timer)
  const again = state.unwritten.size > 0 ? AGAIN_MS : null
  const waits = [due === null ? null : due - clock.now(), dedicatedIn, again].filter((wait) => wait !== null)
  const wait = waits.length === 0 ? null : Math.min(Math.max(Math.min(...waits), 1), POLL_EVERY_MS)
  state.timer = wait === null ? null : setTimeout(() => kick(deps, state), wait).unref()
}

/** @returns milliseconds after which they have to be looked for; null when that was done now */
async function startDedicated(deps: Deps, state: QueueState, kinds: readonly string[]): Promise<number | null> {
  const { clock } = deps
  const began = clock.monotonic()
  if (began < state.dedicatedAfter) return state.dedicatedAfter - began
  await startJobs(deps, state, kinds, 1)
  const ended = clock.monotonic()
  state.dedicatedAfter = ended + Math.min(PAUSE_OF_DEDICATED * (ended - began), LONGEST_PAUSE_MS)
  return null
}

async function startJobs(deps: Deps, state: QueueState, kinds: readonly string[], most: number): Promise<void> {
  const { db, clock, mayRun = () => true, node = null } = deps
  const { running } = state
  const busy = (): number => [...running.values()].filter(({ row }) => kinds.includes(row.kind)).length
  while (!state.stopping && mayRun() && busy() < most) {
    const here = node === null ? null : { node: node.id, running: running.keys() }
    const row = await nextReady(db.read, kinds, clock.now(), here)
    if (row === undefined) break
    const claimed = await claim(deps, row)
    if (claimed === null) continue
    const job: Running = {
      row: claimed,
      abort: new AbortController(),
      progress: null,
      message: '',
      cancelled: false,
      lost: false,
      completed: false,
      done: Promise.resolve(),
    }
    running.set(claimed.job_id, job)
    job.done = runJob(deps, state, job)
    await announce(db, state, claimed.job_id)
  }
}

/** @returns the job as it runs now; null when it was given up, or is not ready any more */
const claim = (deps: Deps, row: JobRow): Promise<JobRow | null> =>
  deps.db.transaction(async (tx) => {
    const now = isoMillis(deps.clock.now())
    // A job that ends the process each time (by its file) must not be tried for ever.
    if (row.attempts >= MOST_ATTEMPTS) {
      const current = await findJob(tx, row.job_id)
      if (current?.state !== row.state || current.run_number !== row.run_number) return null
      const message = jobReason('givenUp')
      await markEnded(tx, row.job_id, { state: 'failed', message, finishedUtc: now })
      await tell(deps, tx, [row.job_id], null)
      return null
    }
    if (!(await markRunning(tx, row, now, runnerOf(deps)))) return null
    await tell(deps, tx, [row.job_id])
    return (await findJob(tx, row.job_id)) ?? null
  })

async function runJob(deps: Deps, state: QueueState, job: Running): Promise<void> {
  const { row } = job
  let failure: unknown
  try {
    await (deps.handlers()[row.kind] as JobHandler)(contextOf(deps, state, job))
  } catch (error) {
    failure = error ?? new Error('failed without saying why')
  }
  try {
    await settle(deps, job, failure, state.stopping)
  } catch (error) {
    // The database is full, failed or closed. The row stays `running`: the next scan writes its end, or the next start queues it again. Where
    // several nodes share the database, one of them queues it again when its lease has ended.
    deps.log.error({ job: row.job_id, err: error }, 'the end of a job could not be written')
    if (runnerOf(deps) === null) state.unwritten.set(job, failure)
  }
  state.running.delete(row.job_id)
  await announce(deps.db, state, row.job_id).catch(() => {})
  kick(deps, state)
}

/** Until one cannot be written again. */
async function writeEnds(deps: Deps, state: QueueState): Promise<void> {
  if (deps.mayRun?.() === false) return
  for (const [job, failure] of state.unwritten) {
    const isWritten = await settle(deps, job, failure, false).then(
      () => true,
      () => false,
    )
    if (!isWritten) return
    state.unwritten.delete(job)
    await announce(deps.db, state, job.row.job_id).catch(() => {})
  }
}

function contextOf(deps: Deps, state: QueueState, job: Running): JobContext {
  const { row } = job
  const runner = runnerOf(deps)
  return {
    id: String(row.job_id),
    kind: row.kind,
    payload: JSON.parse(row.payload) as JobPayload,
    attempt: row.attempts,
    signal: job.abort.signal,
    progress: (fraction, message) => {
      job.progress = fraction
      job.message = message
      const view = viewOf(state.running, { ...row, state: 'running' })
      state.events.emit('job', { ...view, progress: fraction, message })
      state.progress?.changed(job)
    },
    requireLease: async (tx) => {
      // A station has one node: nobody else can have taken it.
      if (runner === null) return
      const kept = await renewLeases(tx, [row], runner)
      if (!kept.has(row.job_id)) throw new LeaseLost()
    },
    complete: async (tx, message) => {
      job.completed = true
      const end = { state: 'done', message, finishedUtc: isoMillis(deps.clock.now()) } as const
      if (!(await markEnded(tx, row.job_id, end, row.run_number))) throw new LeaseLost()
      await tell(deps, tx, [row.job_id])
    },
  }
}

/** Whether nothing is left to write: another node has the job, or its own transaction ended it and was committed. */
async function hasEnded({ db, log }: Deps, job: Running, failure: unknown): Promise<boolean> {
  const { row } = job
  if (job.lost || failure instanceof LeaseLost) {
    log.warn({ job: row.job_id, kind: row.kind }, 'a job was taken over by another node, or cancelled there')
    return true
  }
  if (!job.completed) return false
  const current = await findJob(db.read, row.job_id)
  return current?.state !== 'running' || current.run_number !== row.run_number
}

/** Writes how a job ended. */
async function settle(deps: Deps, job: Running, failure: unknown, stopping: boolean): Promise<void> {
  if (!(await hasEnded(deps, job, failure))) await recordOutcome(deps, job, failure, stopping)
}

async function recordOutcome(deps: Deps, job: Running, error: unknown, stopping: boolean): Promise<void> {
  const { clock, log } = deps
  const { job_id: id, attempts, kind } = job.row
  if (error === undefined) return end(deps, job, 'done', job.message)
  if (job.cancelled) return end(deps, job, 'cancelled', jobReason('cancelled'))
  // The station's stop interrupted the job, so the attempt does not count.
  if (stopping) return end(deps, job, 'queued', '', { attempts: attempts - 1 })
  const { message } = error as Error
  if (error instanceof NotYet)
    return end(deps, job, 'waiting', message, { runAfter: clock.now() + error.retryAfterMs, attempts: attempts - 1 })
  if (error instanceof FinalFailure || attempts >= MOST_ATTEMPTS) {
    log.warn({ job: id, kind, attempts, err: error }, 'a job failed')
    return end(deps, job, 'failed', error instanceof FinalFailure ? message : failureText(message))
  }
  log.info({ job: id, kind, attempts, err: error }, 'a job failed and is tried again')
  return end(deps, job, 'queued', jobReason('triedAgain', { attempt: attempts }), {
    runAfter: clock.now() + (RETRY_AFTER_MS[attempts - 1] ?? 60_000),
  })
}

async function end(
  deps: Deps,
  { row }: Running,
  state: JobState,
  message: string,
  extra: Pick<JobEnd, 'runAfter' | 'attempts'> = {},
): Promise<void> {
  const { db, clock, log } = deps
  const ended = state === 'done' || state === 'failed' || state === 'cancelled'
  const finishedUtc = ended ? isoMillis(clock.now()) : null
  const written = await db.transaction(async (tx) => {
    const isMine = await markEnded(tx, row.job_id, { state, message, finishedUtc, ...extra }, row.run_number)
    if (isMine) await tell(deps, tx, [row.job_id])
    return isMine
  })
  if (!written)
    log.warn(
      { job: row.job_id, kind: row.kind, state },
      'the end of a job does not count: it is not this node’s any more',
    )
}

async function announce(db: Database, { running, events }: QueueState, id: number): Promise<void> {
  const row =
    events.listenerCount('job') > 0 || events.listenerCount('ended') > 0 ? await findJob(db.read, id) : undefined
  if (row !== undefined) events.emit('job', viewOf(running, row))
}

function viewOf(running: ReadonlyMap<number, Running>, row: JobRow): JobView {
  const live = running.get(row.job_id)
  return {
    id: String(row.job_id),
    kind: row.kind,
    subject: row.subject,
    state: row.state as JobState,
    attempts: row.attempts,
    progress: row.state === 'done' ? 1 : live === undefined ? elsewhere(row) : live.progress,
    message: live === undefined || live.message === '' ? row.message : live.message,
    createdUtc: row.created_utc,
    startedUtc: row.started_utc,
    finishedUtc: row.finished_utc,
  }
}

/** How far a run of another node is, as it wrote last. */
const elsewhere = (row: JobRow): number | null => (row.state === 'running' ? row.progress : null)

/** Text for people about a failure whose message was not written for them. */
function failureText(message: string): string {
  return jobReason('failedOften', { times: MOST_ATTEMPTS, why: message.split('\n', 1)[0]?.slice(0, 300) ?? '' }).trim()
}
