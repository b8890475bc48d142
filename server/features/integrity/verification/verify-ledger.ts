import { Worker } from 'node:worker_threads'
import type { LedgerExtent } from './verify.store.ts'
import type { VerifyAnswer, VerifyRequest } from './verify.worker.ts'
import { sizesOutside, verifyCheckpoints } from './verify-checkpoints.ts'
import type { Segment, SegmentResult } from './verify-segment.ts'
import type { Problem } from './verify.types.ts'

export interface VerifyLedgerOptions {
  /** The station's database; it may be in use. */
  readonly file: string
  /** Raw Ed25519 keys that ever signed for this station, oldest first. */
  readonly publicKeys: readonly Uint8Array[]
  /** Signed checkpoints kept outside the database. They reveal an older copy and a cut-off end. */
  readonly outside?: readonly string[]
  readonly signal?: AbortSignal
  /** Called with the number of checked entries and of all entries. */
  readonly onProgress?: (done: number, all: number) => void
}

export interface LedgerReport {
  readonly entries: number
  readonly checkpoints: number
  /** In the order of the entries they are about. */
  readonly problems: readonly Problem[]
  /** Problems beyond the first thousand of a thread. */
  readonly leftOut: number
  /** The first changed entry, or the range that contains it; null when all entries are unchanged. */
  readonly firstBad: { readonly from: number; readonly to: number } | null
  readonly seconds: number
}

const THREADS = 2
/** With fewer entries a second thread would start too late to help. */
const ENTRIES_FOR_TWO_THREADS = 20_000

/**
 * Reads every entry up to the current last one and checks bytes, chain, leaf, order, columns and clock, then every checkpoint. On separate
 * threads. @throws when the database cannot be opened, or the signal's reason.
 */
export async function verifyLedger(options: VerifyLedgerOptions): Promise<LedgerReport> {
  const started = performance.now()
  options.signal?.throwIfAborted()
  const threads = [openThread(options.file)]
  const stop = (): void => {
    for (const thread of threads) thread.end(options.signal?.reason)
  }
  options.signal?.addEventListener('abort', stop, { once: true })
  try {
    const [first] = threads as [Thread]
    const { extent } = (await first.ask('extent')) as { extent: LedgerExtent }
    const parts = segmentsOf(extent, options.outside ?? [])
    while (threads.length < parts.length) threads.push(openThread(options.file))
    const done = parts.map(() => 0)
    const work = parts.map(async (segment, index) => {
      const thread = threads[index] as Thread
      const answer = await thread.ask(segment, (progress) => {
        done[index] = progress
        options.onProgress?.(
          done.reduce((sum, part) => sum + part, 0),
          extent.count,
        )
      })
      return (answer as { segment: SegmentResult }).segment
    })
    const segments = await Promise.all(work)
    const checkpoints = await verifyCheckpoints({
      segments,
      last: extent.last,
      stored: extent.checkpoints,
      publicKeys: options.publicKeys,
      outside: options.outside ?? [],
    })
    const problems = [...segments.flatMap((segment) => segment.problems), ...checkpoints]
    return report(problems, segments, extent, started)
  } finally {
    options.signal?.removeEventListener('abort', stop)
    for (const thread of threads) thread.end()
  }
}

function segmentsOf({ last, checkpoints }: LedgerExtent, outside: readonly string[]): Segment[] {
  const marks = [...new Set([...checkpoints.map(({ size }) => size), ...sizesOutside(outside)])].sort((a, b) => a - b)
  const count = last < ENTRIES_FOR_TWO_THREADS ? 1 : THREADS
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((last * index) / count) + 1
    const to = Math.floor((last * (index + 1)) / count)
    // Each thread ignores the marks of the others.
    return { from, to, marks }
  })
}

function report(
  problems: readonly Problem[],
  segments: readonly SegmentResult[],
  extent: LedgerExtent,
  started: number,
): LedgerReport {
  // Sorted by their end: findings of a checkpoint about a range come after findings of the entries in it.
  const inOrder = [...problems].sort((a, b) => (a.entries?.to ?? Infinity) - (b.entries?.to ?? Infinity))
  return {
    entries: extent.count,
    checkpoints: extent.checkpoints.length,
    problems: inOrder,
    leftOut: segments.reduce((sum, { leftOut }) => sum + leftOut, 0),
    firstBad: inOrder[0]?.entries ?? null,
    seconds: (performance.now() - started) / 1000,
  }
}

/** Sends one request to a new thread. @throws the signal's reason; Error when the database cannot be read. */
export async function askThread(
  file: string,
  request: VerifyRequest,
  signal?: AbortSignal,
  onProgress?: (done: number) => void,
): Promise<VerifyAnswer> {
  signal?.throwIfAborted()
  const thread = openThread(file)
  const stop = (): void => thread.end(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await thread.ask(request, onProgress)
  } finally {
    signal?.removeEventListener('abort', stop)
    thread.end()
  }
}

interface Thread {
  ask(request: VerifyRequest, onProgress?: (done: number) => void): Promise<VerifyAnswer>
  end(reason?: unknown): void
}

function openThread(file: string): Thread {
  const worker = new Worker(new URL('./verify.worker.ts', import.meta.url), { workerData: { file } })
  let waiting: {
    resolve(answer: VerifyAnswer): void
    reject(error: unknown): void
    onProgress?: (done: number) => void
  } | null = null
  let ended: unknown = null

  const fail = (error: unknown): void => {
    ended ??= error
    waiting?.reject(ended)
    waiting = null
  }
  worker.on('message', (answer: VerifyAnswer) => {
    if ('progress' in answer) return waiting?.onProgress?.(answer.progress)
    const current = waiting
    waiting = null
    if ('failure' in answer)
      current?.reject(
        Object.assign(new Error(`The database could not be read: ${answer.failure}`), { code: answer.code }),
      )
    else current?.resolve(answer)
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The verifying thread ended')))
  return {
    ask: (request, onProgress) =>
      new Promise((resolve, reject) => {
        if (ended !== null) return reject(ended)
        waiting = { resolve, reject, ...(onProgress && { onProgress }) }
        worker.postMessage(request)
      }),
    end: (reason) => {
      if (reason !== undefined) fail(reason)
      void worker.terminate()
    },
  }
}
