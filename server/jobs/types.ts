/** A job as its handler sees it. Payloads carry ids only: the handler reloads, so that it is safe to run twice. */
export interface JobContext {
  readonly id: string
  readonly kind: string
  readonly payload: Readonly<Record<string, string>>
  /** 1 on the first run. */
  readonly attempt: number
  /** Aborted on cancel and on shutdown. */
  readonly signal: AbortSignal
  /** `fraction` 0–1 or null when unknown; `message` in words for a person. Throttled by the queue. */
  progress(fraction: number | null, message: string): void
}

export type JobHandler = (job: JobContext) => Promise<void>

/** Thrown by a handler when another attempt cannot help: the job fails at once, with this message for a person. */
export class FinalFailure extends Error {
  override readonly name = 'FinalFailure'
}

/** Thrown by a handler when what it needs is not on this machine yet (a missing tool): the job waits without using an attempt. */
export class NotYet extends Error {
  override readonly name = 'NotYet'
}

export interface NewJob {
  readonly kind: string
  readonly payload: Readonly<Record<string, string>>
  /** A job with the same key that is still queued or running is not made twice. */
  readonly key?: string
}
