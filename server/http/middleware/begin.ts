/** The outermost layer: correlation id, source, abort signal, one line in the log and one observation for each request. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Log } from '../../platform/log/log.ts'
import { arrivalOf } from '../arrival.ts'
import type { Middleware } from '../context.ts'

export interface Observed {
  readonly route: string
  readonly method: string
  readonly status: number
  /** Seconds. */
  readonly seconds: number
  /** Of how many requests alike this is told; one where it is absent. */
  readonly count?: number
  /** Remote address; not known of those refused at the gate, as the next two. */
  readonly source?: string
  readonly principal?: Principal
  /** Whether it came over TLS. */
  readonly secure?: boolean
}

export interface BeginDeps {
  readonly log: Log
  readonly observe: (request: Observed) => void
  readonly stopping: () => boolean
  readonly publicUrlIsForeign: boolean
  /** Aborted when running requests have had their time. */
  readonly end: AbortSignal
}

/** An id from outside is kept when it is sane: it goes into headers, logs and the ledger. */
const SANE = /^[A-Za-z0-9._-]{1,64}$/

export function saneCorrelationId(req: IncomingMessage): string | null {
  const incoming = req.headers['x-correlation-id']
  return typeof incoming === 'string' && SANE.test(incoming) ? incoming : null
}

/** Milliseconds a body that nobody reads may go on arriving after the answer; then the socket is closed. */
const LINGER = 5_000

export function begin({ log, observe, stopping, end, publicUrlIsForeign }: BeginDeps): Middleware {
  // No member of the line has a name that is redacted, and looking for one costs eight times what the line does.
  const lines = log.child({}, { redact: [] })
  return async (ctx, next) => {
    const { req, res } = ctx
    const started = performance.now()
    const correlationId = saneCorrelationId(req) ?? randomUUID()
    res.setHeader('X-Correlation-Id', correlationId)
    const gone = new AbortController()
    const leave = (): void => gone.abort()
    end.addEventListener('abort', leave)
    Object.assign(ctx.state, {
      correlationId,
      source: sourceOf(req),
      arrival: arrivalOf(req, publicUrlIsForeign),
      origin: '',
      log,
      stopping,
      signal: gone.signal,
      leave,
    })
    res.once('close', () => {
      end.removeEventListener('abort', leave)
      if (!res.writableFinished) gone.abort()
      const seconds = (performance.now() - started) / 1000
      const route = ctx.state.route?.id ?? 'none'
      observe({
        route,
        method: req.method ?? '',
        status: res.statusCode,
        seconds,
        source: ctx.state.source,
        secure: 'encrypted' in req.socket,
        ...(ctx.state.principal === undefined ? {} : { principal: ctx.state.principal }),
      })
      // Never the query: signatures and API keys travel there.
      const line = {
        correlationId,
        method: req.method,
        path: pathOf(req.url),
        status: res.statusCode,
        ms: Math.round(seconds * 1000),
        source: ctx.state.source,
        principal: ctx.state.principal?.id,
        cut: !res.writableFinished,
      }
      if (ctx.state.route?.uncounted === true) lines.debug(line, 'request')
      else lines.info(line, 'request')
    })
    res.once('finish', () => closeLingering(req, res))
    await next()
  }
}

/**
 * A refused upload may still be on its way. It is given a moment, so that the client reads the refusal instead of a reset, and then cut:
 * otherwise a byte a second would hold the socket for ever.
 */
export function closeLingering(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete) return
  const { socket } = req
  const timer = setTimeout(() => {
    if (!req.complete) socket.destroy()
  }, LINGER)
  timer.unref()
  req.once('end', () => clearTimeout(timer))
  res.socket?.once('close', () => clearTimeout(timer))
}

const pathOf = (url: string | undefined): string => (url ?? '').split('?', 1)[0]?.slice(0, 500) ?? ''

/** IPv4 addresses are written as such, also when they came in over a socket for both. */
export function sourceOf(req: IncomingMessage): string {
  return (req.socket.remoteAddress ?? 'unknown').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '')
}
