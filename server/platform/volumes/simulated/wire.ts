import { Agent, type IncomingMessage, request as ask } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** The cable between a simulated camera and a station: of a certain speed, and pulled at a certain byte. To loopback alone. */
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
}

const PIECE = 64 * 1024
/** A station that says nothing for so long is not there. */
const SILENT_MS = 120_000
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

export function openWire({ bytesPerSecond, pullAt, signal }: WireOptions): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
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
    if (address.protocol !== 'http:' || !LOOPBACK.has(address.hostname))
      throw new Error(`Simulated cameras speak to this machine alone, not to ${address.origin}.`)
    const outgoing = ask(address, {
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
