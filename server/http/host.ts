/**
 * Refuses requests for other hosts before routing (promise S13). A page that made its name resolve to this machine (DNS rebinding) sends
 * that name as Host and is refused. Requests with a foreign Origin are refused too, except from the pages that `allowPage` lets in.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { type Fault, fault } from '../../shared/kernel/errors.ts'
import type { FrameContext, Middleware } from './context.ts'
import { firstOfEach, parseQuery } from './read-request.ts'
import { send } from './wire.ts'

/** The origins of a listener on loopback. */
export function loopbackOrigins(port: number): string[] {
  return ['127.0.0.1', 'localhost', '[::1]'].map((host) => new URL(`http://${host}:${port}`).origin)
}

/**
 * @param origins all configured origins (scheme, host, port) of the listener, in the form of `URL.origin`. Called for each request, since
 *   a port may be known only once the server listens. The LAN's listener has origins of its own; neither accepts the other's.
 */
export function hostAndOrigin(
  origins: (secure: boolean) => readonly string[],
  mayShare: MayShare = async () => false,
): Middleware {
  return async (ctx, next) => {
    ctx.state.origin = matchOrigin(ctx.req, origins('encrypted' in ctx.req.socket))
    // An absolute target is reduced to its path.
    if (!ctx.req.url?.startsWith('/')) ctx.req.url = pathOfAbsolute(ctx.req.url ?? '')
    const sent = headerValues(ctx.req, 'origin')
    // Foreign pages get a refusal instead of an answer that they could not read.
    const foreign = sent.length > 1 || (sent[0] !== undefined && sent[0] !== ctx.state.origin)
    if (foreign && (sent.length > 1 || !(await allowPage(ctx, sent[0] as string, mayShare)))) {
      throw fault('OriginNotAllowed', 'Requests from pages of other origins are refused.')
    }
    if (foreign && isPreflight(ctx)) return send(ctx, { status: 204, headers: PREFLIGHT_HEADERS })
    if (isTlsName(ctx.req, ctx.state.origin, origins(false)))
      ctx.res.setHeader('Strict-Transport-Security', `max-age=${TLS_ONLY_SECONDS}`)
    await next()
  }
}

/** One day: long enough that a browser in daily use never falls back to plain HTTP, short enough to undo. */
const TLS_ONLY_SECONDS = 86_400

/**
 * Whether the answer gets Strict-Transport-Security (RFC 6797). A browser that does not trust the certificate yet ignores the header, so
 * that pairing stays possible. The header applies to all ports of a name, so a name that is also served without TLS never gets it.
 * Addresses in numbers never get it either.
 */
function isTlsName(request: IncomingMessage, origin: string, plain: readonly string[]): boolean {
  if (!('encrypted' in request.socket) || !origin.startsWith('https:')) return false
  const { hostname } = new URL(origin)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || hostname === 'localhost') return false
  return plain.every((one) => !one.startsWith('http:') || new URL(one).hostname !== hostname)
}

const ABSOLUTE = /^(https?):\/\/([^/?#]*)(.*)$/i

/** @returns the configured origin that the request names @throws Fault HostNotAllowed, InvalidModel */
function matchOrigin(request: IncomingMessage, origins: readonly string[]): string {
  const hosts = headerValues(request, 'host')
  // RFC 9112 3.2: a request without Host, or with several, is a bad request.
  if (hosts.length !== 1) throw fault('InvalidModel', 'A request must have exactly one Host header.')
  const host = hosts[0] as string
  const target = request.url ?? ''
  if (!target.startsWith('/')) {
    const absolute = ABSOLUTE.exec(target)
    // RFC 9112 3.2.2: the authority of the target counts. Honest clients never send one that differs from Host.
    if (absolute?.[2] === undefined || absolute[2].toLowerCase() !== host.toLowerCase()) throw hostNotAllowed()
  }
  const secure = 'encrypted' in request.socket
  const found = origins.filter((origin) => matchesOrigin(host, origin))
  const same = found.find((origin) => origin.startsWith('https:') === secure) ?? found[0]
  if (same === undefined) throw hostNotAllowed()
  return same
}

/** Compared as text and not parsed, so that user names, paths and other spellings of an address never match. */
function matchesOrigin(host: string, origin: string): boolean {
  const url = new URL(origin)
  const hostName = host.toLowerCase()
  if (hostName === url.host) return true
  return url.port === '' && hostName === `${url.hostname}:${url.protocol === 'https:' ? 443 : 80}`
}

/** All values of a header. Node itself joins or drops repeated ones. */
function headerValues(request: IncomingMessage, name: string): string[] {
  const raw = request.rawHeaders
  return raw.filter((_value, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name)
}

function pathOfAbsolute(target: string): string {
  const rest = ABSOLUTE.exec(target)?.[3] ?? ''
  return rest.startsWith('/') ? rest : `/${rest}`
}

const hostNotAllowed = (): Fault => fault('HostNotAllowed', 'This station does not accept this host name.')

// CORS (decisions 8), for CAD push only. A page of another origin may read answers when an integration lists that origin, the address
// contains the API key of this integration, and the request has no cookie. Credentials that a browser adds itself must never give a foreign
// page access.

/** Whether pages of the origin may use the API key. */
export type MayShare = (apiKey: string, origin: string) => Promise<boolean>

const SHARED_PREFIX = '/cadservice/'
const SHARED_METHODS = 'GET, POST'
const SHARED_HEADERS = 'Content-Type, Idempotency-Key, X-Correlation-Id'
const EXPOSED_HEADERS = 'Location, Retry-After, X-Correlation-Id'
/** Seconds that a browser remembers the preflight. A revoked key stops working at once all the same. */
const PREFLIGHT_SECONDS = '600'

/** The API key in the address of a request; null when there is none or the request is not CAD push. */
function keyInAddress(request: IncomingMessage): string | null {
  const url = request.url ?? ''
  return url.startsWith(SHARED_PREFIX) ? (firstOfEach(parseQuery(url))['apikey'] ?? null) : null
}

/** Sets the CORS headers when the page may read the answer. @returns whether it may */
async function allowPage(ctx: FrameContext, origin: string, mayShare: MayShare): Promise<boolean> {
  const { req, res } = ctx
  const key = keyInAddress(req)
  if (key === null || req.headers.cookie !== undefined || !(await mayShare(key, origin))) return false
  res.setHeader('Access-Control-Allow-Origin', origin)
  res.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS)
  res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
  res.setHeader('Vary', 'Origin')
  return true
}

/** Whether the request is a CORS preflight. */
const isPreflight = ({ req, method }: FrameContext): boolean =>
  method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined

const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': SHARED_METHODS,
  'Access-Control-Allow-Headers': SHARED_HEADERS,
  'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  'Cache-Control': 'no-store',
} as const
