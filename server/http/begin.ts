/**
 * The outermost layers: correlation id, source, abort signal and default headers of each request, whether it came from this machine, through
 * a proxy or over the network, and one log line and one observation of it.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import type { Principal } from '../../shared/kernel/principal.ts'
import type { Arrival } from '../kernel/ledger/call.ts'
import type { Log } from '../platform/log/log.ts'
import { LOOPBACK_NETWORKS, plainAddress, withinNetworks } from '../platform/network/networks.ts'
import type { Middleware } from './context.ts'

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

interface BeginDeps {
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
/** Parts that may wait for the end of one response. */
const MOST_WAITING = 20

export function begin({ log, observe, stopping, end, publicUrlIsForeign, proxies }: BeginDeps): Middleware {
  // The line has no member that needs redaction, and the search for one costs eight times as much as the line.
  const lines = log.child({}, { redact: [] })
  const isProxy = withinNetworks(proxies)
  return async (ctx, next) => {
    const { req, res } = ctx
    const forwarded = forwardedSource(req, isProxy)
    const started = performance.now()
    // A request whose body was left half-way has no socket any more when it is over.
    const secure = 'encrypted' in req.socket
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
    // A stream has some eleven parts that wait for its end, and none more for each byte. Node would write a warning about each stream.
    res.setMaxListeners(MOST_WAITING)
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
        secure,
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
  const socket = req.socket as Socket | null
  if (req.complete || socket === null) return
  const timer = setTimeout(() => {
    if (!req.complete) socket.destroy()
  }, LINGER)
  timer.unref()
  req.once('end', () => clearTimeout(timer))
  res.socket?.once('close', () => clearTimeout(timer))
}

const pathOf = (url: string | undefined): string => (url ?? '').split('?', 1)[0]?.slice(0, 500) ?? ''

/** IPv4 addresses have their usual form, also from a dual-stack socket. */
function sourceOf(req: IncomingMessage): string {
  return (req.socket.remoteAddress ?? 'unknown').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '')
}

/** Headers that proxies add. Browsers and clients that connect to the station directly never send them. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
] as const

const isLoopbackAddress = withinNetworks(LOOPBACK_NETWORKS)

/**
 * A connection from loopback is `local` only at the listener on loopback (the one without TLS), and only when no proxy can be in between.
 * A header can only take privileges away, never give one.
 * @param publicUrlIsForeign a proxy on this machine is expected; some proxies add no header
 */
export function arrivalOf(req: Pick<IncomingMessage, 'socket' | 'headers'>, publicUrlIsForeign: boolean): Arrival {
  const forwarded = PROXY_HEADERS.some((name) => req.headers[name] !== undefined)
  const loopback = isLoopbackAddress(req.socket.remoteAddress ?? '')
  if (forwarded || (loopback && publicUrlIsForeign)) return 'proxied'
  return loopback && !('encrypted' in req.socket) ? 'local' : 'network'
}

/**
 * The address of the client that a configured proxy names in X-Forwarded-For: the last one in it that is no proxy itself. What stands before
 * it was written by the client and is not believed. Null for every other connection, and where the header is missing or names no address.
 * @param isProxy whether an address is one of the configured proxies
 */
export function forwardedSource(
  req: Pick<IncomingMessage, 'socket' | 'headers'>,
  isProxy: (address: string) => boolean,
): string | null {
  if (!isProxy(req.socket.remoteAddress ?? '')) return null
  const hops = [req.headers['x-forwarded-for'] ?? ''].flat().join(',').split(',')
  for (const hop of hops.toReversed()) {
    const address = plainAddress(hop.trim())
    if (isIP(address) === 0) return null
    if (!isProxy(address)) return address
  }
  return null
}

/** Whether the configured public address has another host than loopback. A proxy then stands in front of the station. */
export function isForeignUrl(publicUrl: string | undefined): boolean {
  if (publicUrl === undefined) return false
  const { hostname } = new URL(publicUrl)
  return hostname !== 'localhost' && !isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''))
}

/** Default headers: they keep browsers from treating JSON as a page. The headers of an answer replace them. */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

export const securityHeaders: Middleware = async (ctx, next) => {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) ctx.res.setHeader(name, value)
  await next()
}
