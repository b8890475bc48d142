/**
 * Only our names are answered (promise S13), before anything is routed. A page that made its name resolve to this machine (DNS
 * rebinding) brings that name as Host and is refused; so is whoever brings a foreign Origin, but for the pages of shared-pages.ts.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { type Fault, fault } from '../../../shared/kernel/errors.ts'
import type { Middleware } from '../context.ts'
import { send } from '../wire.ts'
import { isPreflight, type MayShare, PREFLIGHT_HEADERS, sharesWith } from './shared-pages.ts'

/** The origins a listener on loopback answers to. */
export function loopbackOrigins(port: number): string[] {
  return ['127.0.0.1', 'localhost', '[::1]'].map((host) => new URL(`http://${host}:${port}`).origin)
}

/**
 * @param origins every configured origin (scheme, host, port) of the listener, as `URL.origin` writes them; asked at every request, since
 *   a port may be known only once the server listens. Those of the LAN's listener are others: a name of one is none of the other.
 */
export function hostAndOrigin(
  origins: (secure: boolean) => readonly string[],
  mayShare: MayShare = async () => false,
): Middleware {
  return async (ctx, next) => {
    ctx.state.origin = matchOrigin(ctx.req, origins('encrypted' in ctx.req.socket))
    // The target goes on in origin form, whatever it came in.
    if (!ctx.req.url?.startsWith('/')) ctx.req.url = pathOfAbsolute(ctx.req.url ?? '')
    const sent = headerValues(ctx.req, 'origin')
    // A foreign page may not even ask: nothing here is meant for one, and a refusal is plainer than a reply it cannot read.
    const foreign = sent.length > 1 || (sent[0] !== undefined && sent[0] !== ctx.state.origin)
    if (foreign && (sent.length > 1 || !(await sharesWith(ctx, sent[0] as string, mayShare)))) {
      throw fault('OriginNotAllowed', 'Requests from pages of other origins are not answered.')
    }
    if (foreign && isPreflight(ctx)) return send(ctx, { status: 204, headers: PREFLIGHT_HEADERS })
    if (isTlsName(ctx.req, ctx.state.origin, origins(false)))
      ctx.res.setHeader('Strict-Transport-Security', `max-age=${TLS_ONLY_SECONDS}`)
    await next()
  }
}

/** A day: long enough that a browser at work never falls back to plain HTTP, short enough to get out of. */
const TLS_ONLY_SECONDS = 86_400

/**
 * Whether a browser that trusts the certificate is to use TLS alone for this name from now on (RFC 6797; a browser that does not trust
 * it yet ignores the header, so that pairing stays possible). The rule is for every port of a name, so never for one that is answered
 * without TLS too; for numbers there is none.
 */
function isTlsName(request: IncomingMessage, origin: string, plain: readonly string[]): boolean {
  if (!('encrypted' in request.socket) || !origin.startsWith('https:')) return false
  const { hostname } = new URL(origin)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || hostname === 'localhost') return false
  return plain.every((one) => !one.startsWith('http:') || new URL(one).hostname !== hostname)
}

const ABSOLUTE = /^(https?):\/\/([^/?#]*)(.*)$/i

/** @returns the configured origin that the request names. @throws Fault HostNotAllowed, InvalidModel */
export function matchOrigin(request: IncomingMessage, origins: readonly string[]): string {
  const hosts = headerValues(request, 'host')
  // RFC 9112 3.2: none, or more than one, is a bad request.
  if (hosts.length !== 1) throw fault('InvalidModel', 'A request names its Host exactly once.')
  const host = hosts[0] as string
  const target = request.url ?? ''
  if (!target.startsWith('/')) {
    const absolute = ABSOLUTE.exec(target)
    // RFC 9112 3.2.2: the target's authority counts. One that differs from Host has no honest reason.
    if (absolute?.[2] === undefined || absolute[2].toLowerCase() !== host.toLowerCase()) throw notOurs()
  }
  const secure = 'encrypted' in request.socket
  const found = origins.filter((origin) => names(host, origin))
  const same = found.find((origin) => origin.startsWith('https:') === secure) ?? found[0]
  if (same === undefined) throw notOurs()
  return same
}

/** Compared as text, not parsed: user names, paths, odd digits and other spellings of an address are then simply other names. */
function names(host: string, origin: string): boolean {
  const url = new URL(origin)
  const given = host.toLowerCase()
  if (given === url.host) return true
  return url.port === '' && given === `${url.hostname}:${url.protocol === 'https:' ? 443 : 80}`
}

/** Node joins or drops repeated headers; here every one counts. */
function headerValues(request: IncomingMessage, name: string): string[] {
  const raw = request.rawHeaders
  return raw.filter((_value, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name)
}

function pathOfAbsolute(target: string): string {
  const rest = ABSOLUTE.exec(target)?.[3] ?? ''
  return rest.startsWith('/') ? rest : `/${rest}`
}

const notOurs = (): Fault => fault('HostNotAllowed', 'This station does not answer to that name.')
