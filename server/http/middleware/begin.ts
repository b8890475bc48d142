/** The outermost layer: sets correlation id, source and abort signal, and writes one log line and one observation for each request. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Log } from '../../platform/log/log.ts'
import { arrivalOf, forwardedSource } from '../arrival.ts'
import type { Middleware } from '../context.ts'
import { withinNetworks } from '../../platform/network/networks.ts'

export interface Observed {
  readonly route: string
  readonly method: string
  readonly status: number
  /** Seconds. */
  readonly seconds: number
  /** Number of equal requests that this stands for. Default: 1. */
  readonly count?: number
  /** Remote address. This and the next two are unknown for requests that the gate refused. */
  readonly source?: string
  readonly principal?: Principal
  /** Whether the request came over TLS. */
  readonly secure?: boolean
}

export interface BeginDeps {
  readonly log: Log
  readonly observe: (request: Observed) => void
  readonly stopping: () => boolean
  readonly publicUrlIsForeign: boolean
  /** Networks of the proxies whose X-Forwarded-For counts. */
  readonly proxies: readonly string[]
  /** Aborted when the time for running requests is over. */
  readonly end: AbortSignal
}

/** Form of an id that is accepted from the client. It goes into headers, logs and the ledger. */
const SANE = /^[A-Za-z0-9._-]{1,64}$/

export function saneCorrelationId(req: IncomingMessage): string | null {
  const incoming = req.headers['x-correlation-id']
  return typeof incoming === 'string' && SANE.test(incoming) ? incoming : null
}

/** Milliseconds that an unread body may still arrive after the answer. Then the socket is closed. */
const LINGER = 5_000

export function begin({ log, observe, stopping, end, publicUrlIsForeign, proxies }: BeginDeps): Middleware {
  // The line has no member that needs redaction, and the search for one costs eight times as much as the line.
  const lines = log.child({}, { redact: [] })
  const isProxy = withinNetworks(proxies)
  return async (ctx, next) => {
    const { req, res } = ctx
    const forwarded = forwardedSource(req, isProxy)
    const started = performance.now()
    const correlationId = saneCorrelationId(req) ?? randomUUID()
    res.setHeader('X-Correlation-Id', correlationId)
    const aborting = new AbortController()
    const abort = (): void => aborting.abort()
    end.addEventListener('abort', abort)
    Object.assign(ctx.state, {
      correlationId,
      source: forwarded ?? sourceOf(req),
      // Never `local`: what came through a proxy gets nothing that only this machine gets.
      arrival: forwarded === null ? arrivalOf(req, publicUrlIsForeign) : 'network',
      origin: '',
      log,
      stopping,
      signal: aborting.signal,
      abort,
    })
    res.once('close', () => {
      end.removeEventListener('abort', abort)
      if (!res.writableFinished) aborting.abort()
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
      // The path only: the query contains signatures and API keys.
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
 * A refused upload may still be arriving. It gets some time, so that the client reads the refusal instead of a reset. Then it is cut off;
 * otherwise a client that sends one byte a second would hold the socket for ever.
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

/** IPv4 addresses have their usual form, also from a dual-stack socket. */
export function sourceOf(req: IncomingMessage): string {
  return (req.socket.remoteAddress ?? 'unknown').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '')
}
