/** The one way an answer leaves: status, headers, and a body that is text, bytes or a stream. */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FrameContext } from './context.ts'

export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Readable | Buffer | string | undefined
}

/** Milliseconds that a client may take nothing of a stream. */
const STALLED = 60_000

const BODYLESS = new Set([204, 205, 304])

/**
 * Writes the answer. Resolves when all of it was handed to the socket; a client that went away, or a stream that broke, destroys the
 * socket (a cut answer must never look like a whole one) and resolves too, after the stream has been destroyed.
 */
export async function send(ctx: FrameContext, answer: WireAnswer): Promise<void> {
  const { res } = ctx
  // The framework's own writer would leave a socket open for ever when a stream fails half way.
  ctx.respond = false
  const { body } = answer
  if (res.headersSent || !res.writable) {
    discard(body)
    return
  }
  try {
    res.statusCode = answer.status
    for (const [name, value] of Object.entries(answer.headers)) {
      const before = name === 'Vary' ? res.getHeader(name) : undefined
      res.setHeader(name, before === undefined ? value : `${String(before)}, ${value}`)
    }
    if (ctx.state.stopping()) res.setHeader('Connection', 'close')
  } catch (error) {
    // A header that Node refuses (a line break in it): nothing of this answer may go out.
    discard(body)
    for (const name of Object.keys(answer.headers)) res.removeHeader(name)
    throw error
  }
  const empty = BODYLESS.has(answer.status)
  if (!(body instanceof Readable)) {
    const data = body ?? ''
    // A text goes out in one piece with the headers.
    if (!empty && !res.hasHeader('Content-Length')) res.setHeader('Content-Length', Buffer.byteLength(data))
    res.end(empty || ctx.method === 'HEAD' ? undefined : data)
    return
  }
  if (empty || ctx.method === 'HEAD') {
    discard(body)
    res.end()
    return
  }
  if (res.getHeader('Content-Type')?.toString().startsWith('text/event-stream') === true) res.flushHeaders()
  const endWatch = watchReader(res)
  try {
    await pipeline(body, res)
  } catch (error) {
    res.destroy()
    if (!ctx.state.signal.aborted)
      ctx.state.log.warn({ correlationId: ctx.state.correlationId, err: error }, 'an answer was cut short')
  } finally {
    endWatch()
  }
}

/** A reader that takes nothing would keep the file open for ever. Not by the socket's own timeout: Node uses that for keep-alive. */
function watchReader(res: ServerResponse): () => void {
  let before = -1
  const timer = setInterval(() => {
    const written = res.socket?.bytesWritten ?? 0
    if (res.writableNeedDrain && written === before) res.destroy()
    before = written
  }, STALLED)
  timer.unref()
  return () => clearInterval(timer)
}

function discard(body: WireAnswer['body']): void {
  if (!(body instanceof Readable)) return
  body.on('error', () => {})
  body.destroy()
}
