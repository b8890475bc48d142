/** A job as its handler sees it. Payloads carry ids only: the handler reloads, so that it is safe to run twice. */
export interface JobContext {
  readonly id: string
  readonly kind: string
  readonly payload: Readonly<Record<string, string>>
  /** 1 on the first run. */
  readonly attempt: number
  /** Aborted on cancel and on shutdown. */
  readonly signal: AbortSignal
  /** `fraction` 0–1 or null when unknown; `message` in words for a person. Lives in memory only: a restarted job starts anew. */
  progress(fraction: number | null, message: string): void
}

export type JobHandler = (job: JobContext) => Promise<void>

/** Thrown by a handler when another attempt cannot help: the job fails at once, with this message for a person. */
export class FinalFailure extends Error {
  override readonly name = 'FinalFailure'
}

/** Thrown by a handler when what it needs is not there yet (a missing tool, another job): the job waits without using an attempt. */
export class NotYet extends Error {
  override readonly name = 'NotYet'
  /** Milliseconds until it is tried again. */
  readonly lookAgainMs: number

  /** @param lookAgainMs a minute, as long as somebody takes to install a tool; less where another job is waited for */
  constructor(message: string, lookAgainMs = 60_000) {
    super(message)
    this.lookAgainMs = lookAgainMs
  }
}

export interface NewJob {
  readonly kind: string
  readonly payload: Readonly<Record<string, string>>
  /** What the job works on, e.g. `resource:12`; jobs are found by it. */
  readonly subject?: string
  /** A job with the same key that has not ended is not made twice. */
  readonly key?: string
  /** Jobs of a smaller order run first, those of the same order as they were enqueued; 0 unless said. */
  readonly order?: number
}

export const JOB_STATES = ['queued', 'running', 'waiting', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]

/** A job as others see it. */
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
