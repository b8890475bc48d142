import type { Tx } from '../database/database.ts'

/** Ids, and what a handler cannot look up. The handler loads the rows itself, so that a job is safe to run twice. */
export type JobPayload = Readonly<Record<string, string>>

/** A job as its handler sees it. */
export interface JobContext<Payload extends JobPayload = JobPayload> {
  readonly id: string
  readonly kind: string
  readonly payload: Payload
  /** 1 on the first run. */
  readonly attempt: number
  /** Aborted on cancel and on shutdown. */
  readonly signal: AbortSignal
  /** `fraction` is 0–1, or null when unknown; `message` is text for people. A restarted job begins at zero. */
  progress(fraction: number | null, message: string): void
  /**
   * To be called in each transaction of a handler that changes something. Where several nodes share a database another node may have taken
   * the job over while this one did not answer; then nothing of it may be committed here. @throws LeaseLost, which undoes the transaction
   */
  requireLease(tx: Tx): Promise<void>
  /**
   * Ends the job in the transaction of its effect: neither is there without the other. For work that would be done again if the job ran twice.
   * @throws LeaseLost, which undoes the transaction
   */
  complete(tx: Tx, message: string): Promise<void>
}

/** Another node took the job over, or somebody cancelled it there. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  constructor() {
    super('This node does not have the job any more.')
  }
}

/**
 * Where jobs of a kind run, when several nodes share a database. `the node that queued it`: what the job needs is on that machine alone, such
 * as a file or a volume. No other node runs it, also when that one is away for good.
 */
export type JobPlace = 'any node' | 'the node that queued it'

export type JobHandler<Payload extends JobPayload = JobPayload> = (job: JobContext<Payload>) => Promise<void>

/** The handler of each kind of job. */
export type JobHandlers = Readonly<Record<string, JobHandler>>

/** Jobs are left, and none of them may run: the station takes no writes. */
export class JobsHalted extends Error {
  override readonly name = 'JobsHalted'
}

/** For work that need not wait for such jobs. @throws any other error */
export function unlessHalted(error: unknown): void {
  if (!(error instanceof JobsHalted)) throw error
}

/** Thrown by a handler when another attempt cannot help. The job fails at once, with this message for people. */
export class FinalFailure extends Error {
  override readonly name = 'FinalFailure'
}

/** Thrown by a handler when something that it needs is not available yet (a tool, another job). The job waits; the attempt does not count. */
export class NotYet extends Error {
  override readonly name = 'NotYet'
  /** Milliseconds until it is tried again. */
  readonly retryAfterMs: number

  /** @param retryAfterMs default one minute, enough to install a tool; shorter when the job waits for another job */
  constructor(message: string, retryAfterMs = 60_000) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

export interface NewJob {
  readonly kind: string
  readonly payload: JobPayload
  /** The object of the job, such as `resource:12`. Jobs can be found by it. */
  readonly subject?: string
  /** No second job is created while one with the same key has not ended. */
  readonly key?: string
  /** Jobs of a smaller order run first; jobs of the same order run in the order of their creation. Default: 0. */
  readonly order?: number
  /** Default: any node. */
  readonly runsOn?: JobPlace
}

/** A kind of job. Its jobs and its handler have the same payload. */
export interface JobKind<Payload extends JobPayload> {
  /** As stored, such as `fixity.check`. */
  readonly name: string
  readonly runsOn: JobPlace
  newJob(payload: Payload, options?: Omit<NewJob, 'kind' | 'payload' | 'runsOn'>): NewJob
  handledBy(handler: JobHandler<Payload>): JobHandlers
}

export const jobKind = <Payload extends JobPayload>(name: string, runsOn: JobPlace): JobKind<Payload> => ({
  name,
  runsOn,
  newJob: (payload, options = {}) => ({ kind: name, payload, runsOn, ...options }),
  // Rows of this kind are written by newJob alone, so their payload is of this type.
  handledBy: (handler) => ({ [name]: (job) => handler(job as JobContext<Payload>) }),
})

export const JOB_STATES = ['queued', 'running', 'waiting', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]

/** A job as shown outside the queue. */
export interface JobView {
  readonly id: string
  readonly kind: string
  readonly subject: string
  readonly state: JobState
  readonly attempts: number
  /** 0–1, or null when unknown. */
  readonly progress: number | null
  readonly message: string
  readonly createdUtc: string
  readonly startedUtc: string | null
  readonly finishedUtc: string | null
}
