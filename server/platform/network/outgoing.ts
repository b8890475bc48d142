/**
 * Requests to another server: HTTP on this machine, HTTPS elsewhere. Certificates are verified. A certificate whose CA, or which itself, is
 * named by its SHA-256 is accepted too (`pins`), since stations have a CA of their own (docs/lan.md).
 */
import { connectionReason } from '../../../shared/messages/connection-reasons.ts'
import { X509Certificate } from 'node:crypto'
import { type ClientRequest, request as plainRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { Agent, request as secureRequest } from 'node:https'
import { isIP } from 'node:net'
import { checkServerIdentity, connect as connectTls, type TLSSocket } from 'node:tls'

export interface OutgoingRequest {
  readonly method: string
  readonly url: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: Uint8Array | string
  /** Called before each slice of the body is written; resolves when so many bytes may go. */
  readonly pace?: (bytes: number) => Promise<void>
  readonly signal?: AbortSignal
  /** Milliseconds without any traffic after which the request fails. */
  readonly idleMs?: number
  /** SHA-256 of certificates, in hexadecimal. */
  readonly pins?: readonly string[]
}

export interface OutgoingAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

const IDLE_MS = 30_000
const SLICE = 64 * 1024

/** @throws Error when nobody answers, the certificate is not accepted, or the connection breaks */
export async function sendRequest(asked: OutgoingRequest, mostBytes: number): Promise<OutgoingAnswer> {
  const response = await openResponse(asked)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    length += (chunk as Buffer).length
    if (length > mostBytes) {
      response.destroy()
      throw new Error(connectionReason('tooLong'))
    }
    chunks.push(chunk as Buffer)
  }
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }
}

/** The caller reads the body of the answer, or destroys it. */
export async function openResponse(asked: OutgoingRequest): Promise<IncomingMessage> {
  const { method, url, headers = {}, body, pace, signal, idleMs = IDLE_MS, pins = [] } = asked
  signal?.throwIfAborted()
  const { protocol } = new URL(url)
  const bytes = body === undefined ? null : Buffer.from(body)
  const options = {
    method,
    headers: { ...headers, ...(bytes === null ? {} : { 'content-length': bytes.length }) },
    ...(signal === undefined ? {} : { signal }),
  }
  const outgoing: ClientRequest =
    protocol === 'https:'
      ? secureRequest(url, { ...options, agent: new JudgingAgent(pins, idleMs) })
      : plainRequest(url, { ...options, agent: false })
  outgoing.setTimeout(idleMs, () => outgoing.destroy(new Error(`Nothing came for ${Math.round(idleMs / 1000)} s.`)))
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', resolve)
  })
  // A failure while the body is written is thrown by the wait below.
  answered.catch(() => {})
  if (bytes !== null) await Promise.race([writeBody(outgoing, bytes, pace), answered])
  else outgoing.end()
  return answered
}

async function writeBody(outgoing: ClientRequest, bytes: Buffer, pace: OutgoingRequest['pace']): Promise<void> {
  for (let at = 0; at < bytes.length && !outgoing.destroyed; at += SLICE) {
    const slice = bytes.subarray(at, at + SLICE)
    await pace?.(slice.length)
    if (outgoing.destroyed) return
    if (!outgoing.write(slice)) await drained(outgoing)
  }
  outgoing.end()
}

/** Makes connections whose certificate was judged before anything is written. */
class JudgingAgent extends Agent {
  readonly #pins: readonly string[]
  readonly #idleMs: number
  constructor(pins: readonly string[], idleMs: number) {
    super({ keepAlive: false })
    this.#pins = pins
    this.#idleMs = idleMs
  }
  override createConnection(...[options, done]: Parameters<Agent['createConnection']>): undefined {
    const { host, port } = options as { host?: string | null; port?: number | string | null }
    connectSecure(host ?? '', Number(port ?? 443), this.#pins, this.#idleMs, (error, socket) => done?.(error, socket))
  }
}

/** Resolves when more may be written, or the request has ended. */
function drained(outgoing: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      outgoing.off('drain', go)
      outgoing.off('close', go)
      resolve()
    }
    outgoing.on('drain', go)
    outgoing.on('close', go)
  })
}

function connectSecure(
  host: string,
  port: number,
  pins: readonly string[],
  idleMs: number,
  done: (error: Error | null, socket: TLSSocket) => void,
): void {
  const bare = host.replace(/^\[|\]$/g, '')
  const socket = connectTls({
    host: bare,
    port,
    ...(isIP(bare) === 0 ? { servername: bare } : {}),
    // Judged below: a certificate of the station's own CA is not known to the machine.
    rejectUnauthorized: false,
  })
  const fail = (error: Error): void => done(error, socket)
  socket.setTimeout(idleMs, () => socket.destroy(new Error(connectionReason('notMade'))))
  socket.once('error', fail)
  socket.once('secureConnect', () => {
    socket.off('error', fail)
    const why = certificateProblem(socket, bare, pins)
    if (why === null) return done(null, socket)
    socket.destroy()
    fail(new Error(why))
  })
}

/** A sentence why the certificate is not accepted; null when it is. */
function certificateProblem(socket: TLSSocket, host: string, pins: readonly string[]): string | null {
  const given = socket.getPeerCertificate(true)
  const raw = (given as { raw?: Buffer }).raw
  if (raw === undefined) return 'The other server showed no certificate.'
  const wrongName = checkServerIdentity(host, given)
  if (socket.authorized) return wrongName === undefined ? null : wrongName.message
  const own = new X509Certificate(raw)
  const issuerRaw = given.issuerCertificate?.raw
  return pinnedProblem(own, issuerRaw === undefined ? null : new X509Certificate(issuerRaw), {
    pins,
    now: Date.now(),
    wrongName: wrongName?.message ?? null,
    untrusted: String(socket.authorizationError),
  })
}

interface Judged {
  readonly pins: readonly string[]
  readonly now: number
  readonly wrongName: string | null
  readonly untrusted: string
}

const fingerprintOf = (certificate: X509Certificate): string =>
  certificate.fingerprint256.replaceAll(':', '').toLowerCase()

/** Whether a certificate that the machine does not trust is one that was named. */
export function pinnedProblem(own: X509Certificate, issuer: X509Certificate | null, judged: Judged): string | null {
  const pins = judged.pins.map((pin) => pin.replaceAll(':', '').toLowerCase())
  const byItself = pins.includes(fingerprintOf(own))
  const byIssuer = issuer !== null && pins.includes(fingerprintOf(issuer)) && own.verify(issuer.publicKey)
  if (!byItself && !byIssuer) return `Its certificate is not trusted (${judged.untrusted}).`
  if (judged.wrongName !== null) return judged.wrongName
  const [from, to] = [Date.parse(own.validFrom), Date.parse(own.validTo)]
  return judged.now < from || judged.now > to ? 'Its certificate is not valid at this time.' : null
}

/** Lets bytes through at a rate that may change; null: as fast as they come. One for all requests that share it. */
export function createPace(
  rate: () => number | null,
  monotonic: () => number,
): (bytes: number, signal?: AbortSignal) => Promise<void> {
  let free = Number.NEGATIVE_INFINITY
  return async (bytes) => {
    const perSecond = rate()
    if (perSecond === null) return
    const now = monotonic()
    const begin = Math.max(free, now)
    free = begin + (bytes / perSecond) * 1000
    if (begin > now) await new Promise((resolve) => setTimeout(resolve, begin - now))
  }
}
