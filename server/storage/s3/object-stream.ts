import { addAbortListener } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { StorageFault } from '../faults.ts'
import { mayPass, objectFault } from './faults.ts'

interface Source {
  readonly key: string
  /** Length of the whole object. */
  readonly length: number
  readonly start: number
  /** Not included. */
  readonly end: number
  /** Milliseconds for which a broken connection is resumed without a single byte. */
  readonly patience: number
  get(start: number, end: number, signal: AbortSignal): Promise<{ body: Readable; contentRange: string | null }>
}

const WAIT = 100

/**
 * Streams a range of an object. No request is made before the first read. A connection that breaks is resumed at the byte where it broke;
 * an object that is not as long as it was fails the stream instead of ending it early.
 */
export function objectStream(source: Source): Readable {
  const stop = new AbortController()
  const chunks = chunksOf(source, stop.signal)
  let pulling = false
  return new Readable({
    read() {
      if (pulling) return
      pulling = true
      chunks.next().then(
        ({ value, done }) => {
          pulling = false
          if (this.destroyed) return
          this.push(done === true ? null : value)
        },
        (error: Error) => this.destroy(error),
      )
    },
    destroy: (error, done) => {
      stop.abort()
      // Also closes the connection; the generator may be waiting for an answer that was just cancelled.
      end(chunks)
      done(error)
    },
  })
}

function end(chunks: AsyncGenerator<Buffer, void, undefined>): void {
  chunks.return().catch(() => {})
}

async function* chunksOf(source: Source, signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
  const { key, length, end, patience } = source
  let at = source.start
  let until = performance.now() + patience
  while (at < end) {
    let body: Readable | null = null
    try {
      const answer = await source.get(at, end, signal)
      body = answer.body
      // Errors after the last read belong to nobody.
      body.on('error', () => {})
      addAbortListener(signal, () => answer.body.destroy())
      requireRange(answer.contentRange, at, length, key)
      for await (const chunk of body as AsyncIterable<Buffer>) {
        if (at + chunk.length > end)
          throw new StorageFault('StoreAway', 'The object store sent more than was asked for.')
        at += chunk.length
        until = performance.now() + patience
        yield chunk
      }
      if (at < end) throw new StorageFault('StoreAway', 'The object store ended an answer early.', { path: key })
    } catch (error) {
      if (signal.aborted) return
      const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
      if (status === 412 || status === 416) throw changed(key)
      if (!mayPass(error) || performance.now() + WAIT > until) throw objectFault(error, key)
      await sleep(WAIT, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
    } finally {
      body?.destroy()
    }
  }
}

const changed = (key: string): StorageFault =>
  new StorageFault('BlobDamaged', 'The blob is not as long as it was, or was replaced.', { path: key })

/** @throws StorageFault when the answer is not the range that was asked for */
function requireRange(header: string | null, at: number, length: number, key: string): void {
  const match = /^bytes (\d+)-\d+\/(\d+)$/.exec(header ?? '')
  if (match === null || Number(match[1]) !== at)
    throw new StorageFault('StoreAway', 'The object store did not answer with the range that was asked for.', {
      path: key,
    })
  if (Number(match[2]) !== length) throw changed(key)
}
