/** Sends answers: status, headers, and a body that is text, bytes or a stream. All answers go through here. */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FrameContext } from './context.ts'

export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Readable | Buffer | string | undefined
}

/** Milliseconds without progress of a client after which a stream is ended. */
const STALLED = 60_000

const BODYLESS = new Set([204, 205, 304])

/**
 * Writes the answer. Resolves when all of it was given to the socket. When the client disconnects or the stream fails, the socket is
 * destroyed, since a cut answer must never look complete; the call then resolves after the stream has been destroyed.
 */
export async function send(ctx: FrameContext, answer: WireAnswer): Promise<void> {
  const { res } = ctx
  // Koa's own writer would leave the socket open for ever when a stream fails half way.
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
    // Node refuses the header (a line break in it). Nothing of this answer may be sent.
    discard(body)
    for (const name of Object.keys(answer.headers)) res.removeHeader(name)
    throw error
  }
  const empty = BODYLESS.has(answer.status)
  if (!(body instanceof Readable)) {
    const data = body ?? ''
    // Text goes out in one piece with the headers.
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

/** Ends a stream to a stalled reader, which would keep the file open for ever. The socket's own timeout is used by Node for keep-alive. */
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
