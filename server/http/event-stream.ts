/** Server-sent events as a bytes answer (WHATWG HTML 9.2). */
import { PassThrough } from 'node:stream'
import type { z } from 'zod'
import type { BytesAnswer } from './bytes.ts'

export interface ServerEvent {
  readonly event?: string
  readonly id?: string
  /** Without data it is no event for the page: it only says up to where the page has heard. */
  readonly data?: unknown
}

/** Bytes that may wait for a slow reader. Beyond this, events are dropped for it. */
const MOST_WAITING = 256 * 1024
/** Milliseconds between comment lines, which show that the connection still works. */
const HEARTBEAT = 15_000

/**
 * @param models of the route: what an event of each name carries. Members that a model does not name are left out; data that breaks its
 *   model, or an event without one, ends the stream, and the frame logs why. Pages take what comes as it is (decision 42).
 * @param subscribe gets `send` and returns the function that unsubscribes; called once, before the answer begins. `send` returns false
 *   when it dropped the event because the reader is too slow.
 * @param signal of the request; its abort ends the stream. The frame aborts it when the station stops.
 */
export function eventStream(
  models: Readonly<Record<string, z.ZodType>>,
  subscribe: (send: (event: ServerEvent) => boolean) => () => void,
  signal: AbortSignal,
  heartbeat = HEARTBEAT,
): BytesAnswer {
  const out = new PassThrough()
  const write = (text: string): true => {
    out.write(text)
    return true
  }
  const send = ({ event, id, data }: ServerEvent): boolean => {
    if (out.writableEnded || out.destroyed || out.writableLength + out.readableLength > MOST_WAITING) return false
    const head = `${event === undefined ? '' : `event: ${oneLine(event)}\n`}${id === undefined ? '' : `id: ${oneLine(id)}\n`}`
    if (data === undefined) return write(`${head}\n`)
    const checked = models[event ?? '']?.safeParse(data)
    if (checked?.success === true) return write(`${head}data: ${JSON.stringify(checked.data)}\n\n`)
    out.destroy(new Error(`The event ${event} breaks the contract: ${checked?.error.message ?? 'it has no model'}`))
    return false
  }
  out.write(': connected\n\n')
  const unsubscribe = subscribe(send)
  const timer = setInterval(() => {
    if (out.writableLength + out.readableLength <= MOST_WAITING) out.write(': still here\n\n')
  }, heartbeat).unref()
  const stop = (): void => {
    clearInterval(timer)
    if (!out.writableEnded) out.end()
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  out.once('close', () => {
    signal.removeEventListener('abort', stop)
    clearInterval(timer)
    unsubscribe()
  })
  const headers = {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  }
  return { status: 200, headers, body: out }
}

const oneLine = (text: string): string => text.replaceAll(/[\r\n\0]/g, ' ')
