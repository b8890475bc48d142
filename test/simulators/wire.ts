import { Agent, type IncomingMessage, request as ask } from 'node:http'
import { Agent as SecureAgent, request as askSecurely } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * The cable between a simulated camera and a station: of a certain speed, and pulled at a certain byte. To loopback alone, or to the
 * station whose CA is given.
 */
export interface Wire {
  /** @throws Unplugged, and what node:http throws when nobody answers */
  send(request: WireRequest): Promise<WireAnswer>
  /** Bytes of bodies that went over it. */
  readonly sent: number
  close(): void
}

export interface WireRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export interface WireAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** The plug was drawn: nothing goes over this wire any more. */
export class Unplugged extends Error {
  override readonly name = 'Unplugged'
}

export interface WireOptions {
  /** Of all bodies together; null: as fast as it goes. */
  readonly bytesPerSecond: number | null
  /** Drawn when so many bytes of bodies were sent; null: never. */
  readonly pullAt: number | null
  readonly signal: AbortSignal
  /** PEM. With it, TLS to whoever has a certificate of this CA; without, loopback. */
  readonly ca?: string | null
}

const PIECE = 64 * 1024
/** A station that says nothing for so long is not there. */
const SILENT_MS = 120_000
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

export function openWire({ bytesPerSecond, pullAt, signal, ca = null }: WireOptions): Wire {
  const kept = { keepAlive: true, maxSockets: 4 }
  const agent = ca === null ? new Agent(kept) : new SecureAgent({ ...kept, ca })
  let sent = 0
  let pulled = false
  const since = performance.now()

  const pull = (): never => {
    pulled = true
    agent.destroy()
    throw new Unplugged(`Pulled after ${sent} bytes.`)
  }
  /** Waits until the wire has carried what was sent. */
  const keepPace = async (): Promise<void> => {
    if (bytesPerSecond === null) return
    const due = since + (sent / bytesPerSecond) * 1000
    const early = due - performance.now()
    if (early > 0) await pause(early, undefined, { signal })
  }

  const send = async ({ method, url, headers, body = new Uint8Array() }: WireRequest): Promise<WireAnswer> => {
    signal.throwIfAborted()
    if (pulled) throw new Unplugged('The camera was pulled.')
    const address = new URL(url)
    if (ca === null && (address.protocol !== 'http:' || !LOOPBACK.has(address.hostname)))
      throw new Error(
        `Simulated cameras speak to this machine alone, or with --ca to the station of that CA, not to ${address.origin}.`,
      )
    if (ca !== null && address.protocol !== 'https:')
      throw new Error(`With a CA cameras speak over TLS alone, not to ${address.origin}.`)
    const outgoing = (ca === null ? ask : askSecurely)(address, {
      agent,
      method,
      headers: { ...headers, 'content-length': String(body.length) },
      signal,
      timeout: SILENT_MS,
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('The station said nothing for two minutes.')))
    const answered = new Promise<WireAnswer>((resolve, reject) => {
      outgoing.on('error', reject)
      outgoing.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        )
      })
    })
    // A refusal that comes while the body is still being sent is heard when it is awaited.
    answered.catch(() => {})
    try {
      for (let at = 0; at < body.length; at += PIECE) {
        const most = pullAt === null ? PIECE : Math.min(PIECE, pullAt - sent)
        const piece = body.subarray(at, at + Math.min(PIECE, most))
        if (piece.length > 0) outgoing.write(piece)
        sent += piece.length
        if (pullAt !== null && sent >= pullAt) pull()
        await keepPace()
      }
      outgoing.end()
      return await answered
    } catch (error) {
      outgoing.destroy()
      throw pulled ? new Unplugged(`Pulled after ${sent} bytes.`) : error
    }
  }
  return {
    send,
    get sent() {
      return sent
    },
    close: () => agent.destroy(),
  }
}
