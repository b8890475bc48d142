import type { Readable } from 'node:stream'
import { BlobFault } from './blobs.faults.ts'

/** How slow a sender may be (U8). Time during which the station itself was slow does not count. */
export interface Patience {
  /** Milliseconds without a byte that end the connection; also the window for the minimum speed. */
  readonly windowMs: number
  /** Minimum speed in bytes a second; a slower sender is disconnected. */
  readonly floorBytesPerSecond: number
}

export const PATIENCE: Patience = { windowMs: 30_000, floorBytesPerSecond: 1024 }

/** Bytes buffered for a busy reader before the socket is paused. */
const MAX_BUFFERED = 256 * 1024

const MOST_SILENCE_MS = 1000

export interface BodyReader {
  /** The next chunk, null at the end. @throws BlobFault RequestTimeout, IncompleteBody; the signal's reason */
  next(): Promise<Buffer | null>
  /** Makes the waiting call of `next`, or the next one, throw this error once. */
  interrupt(error: Error): void
  /** Reads and drops the rest, within limits, for senders that read the answer only after they have sent everything. @returns whether the end was reached */
  drain(limits: { bytes: number; ms: number }): Promise<boolean>
}

/** Reads a request's body with a watchdog. Chunks are those of the socket, never joined. */
export function bodyReader(body: Readable, signal: AbortSignal, patience: Patience = PATIENCE): BodyReader {
  let chunks: Buffer[] = []
  let held = 0
  let ended = body.readableEnded
  let failure: Error | null = null
  let interruption: Error | null = null
  let wake: (() => void) | null = null
  const turn = (): void => {
    wake?.()
    wake = null
  }
  const fail = (error: Error): void => {
    failure ??= error
    turn()
  }

  body.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    held += chunk.length
    if (held >= MAX_BUFFERED) body.pause()
    turn()
  })
  body.on('end', () => {
    ended = true
    turn()
  })
  // When a sender disconnects, the stream emits `error` or, in some cases, only `close`.
  body.on('error', () => fail(new BlobFault('IncompleteBody')))
  body.on('close', () => {
    if (!ended) fail(new BlobFault('IncompleteBody'))
  })
  if (body.destroyed && !ended) failure = new BlobFault('IncompleteBody')
  const onAbort = (): void => fail(signal.reason instanceof Error ? signal.reason : new BlobFault('IncompleteBody'))
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })

  let waited = 0
  let received = 0
  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      const since = performance.now()
      const timer = setTimeout(() => fail(new BlobFault('RequestTimeout')), patience.windowMs)
      wake = () => {
        clearTimeout(timer)
        waited += performance.now() - since
        resolve()
      }
    })
  const judge = (): void => {
    if (waited < patience.windowMs) return
    if (received < (patience.floorBytesPerSecond * waited) / 1000) fail(new BlobFault('RequestTimeout'))
    waited = 0
    received = 0
  }
  const next = async (): Promise<Buffer | null> => {
    for (;;) {
      if (failure !== null) throw failure
      if (interruption !== null) {
        const error = interruption
        interruption = null
        throw error
      }
      const chunk = chunks.shift()
      if (chunk !== undefined) {
        held -= chunk.length
        received += chunk.length
        judge()
        if (chunks.length === 0) body.resume()
        return chunk
      }
      if (ended) return null
      body.resume()
      await wait()
    }
  }
  return {
    next,
    interrupt: (error) => {
      interruption = error
      turn()
    },
    drain: async ({ bytes, ms }) => {
      const until = performance.now() + ms
      let drained = 0
      // A silent sender is probably waiting for the answer.
      const timer = setTimeout(() => fail(new BlobFault('RequestTimeout')), Math.min(ms, MOST_SILENCE_MS))
      try {
        while (drained < bytes && performance.now() < until) {
          const chunk = await next()
          if (chunk === null) return true
          drained += chunk.length
          timer.refresh()
        }
        return false
      } catch {
        return false
      } finally {
        clearTimeout(timer)
        chunks = []
      }
    },
  }
}
