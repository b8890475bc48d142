/**
 * The listener of the LAN (decisions 10): the same app over TLS. Addresses are checked at the socket, before the cost of TLS. Connections
 * and requests are counted for each address.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Principal } from '../../shared/kernel/principal.ts'
import { plainAddress } from '../platform/network/networks.ts'
import type { App } from './app.ts'
import type { Observed } from './begin.ts'
import { createHttpServer, type HttpServer } from './server.ts'

interface Deps {
  readonly listener: () => App['listener']
  readonly isAllowed: (address: string) => boolean
  /** Whether a value of `Host` is a name of this station. */
  readonly isOwnName: (host: string) => boolean
  readonly now: () => number
}

/** Key and certificate, PEM. */
interface Credential {
  readonly key: string
  readonly certificate: string
}

export interface LanHost {
  readonly address: string
  readonly hostName: string | null
  readonly people: readonly Principal[]
  readonly since: number
  readonly lastRequestAt: number | null
  readonly lastRequest: string | null
  readonly connections: number
  readonly requests: number
  readonly underWay: number
  readonly received: number
  readonly sent: number
}

export interface LanListener {
  /**
   * Binds a new port without answering yet. Rejects as the socket does (EADDRINUSE …).
   * @returns `use` makes it the listener and drains the previous one; `discard` closes it again
   */
  prepare(
    at: { readonly host: string; readonly port: number },
    credential: Credential,
  ): Promise<{ readonly port: number; use(): void; discard(): Promise<void> }>
  /** The port of the listener; null when there is none. */
  port(): number | null
  setCertificate(credential: Credential): void
  /** As HttpServer.close, but the app keeps running. @returns the number of connections that were cut */
  close(millis: number): Promise<number>
  hosts(): LanHost[]
  /** @returns the number of connections that were ended */
  disconnect(address: string): number
  /** Ends connections of addresses that are no longer allowed. */
  disconnectForbidden(): void
  observe(request: Observed): void
  refused(): { readonly connections: number; readonly last: string | null; readonly at: number | null }
}

/** A browser opens six, an uploader a few dozen. */
const MOST_CONNECTIONS = 256
/** Milliseconds within which the first byte must arrive. */
const FIRST_BYTE = 10_000
/** First byte of a TLS handshake record. */
const TLS_RECORD = 0x16
/** Milliseconds that a host without a connection is still shown, since it may have none between two requests. */
const SHOWN_AFTER = 60_000
/** Milliseconds that a person counts as present after the last request. */
const PRESENT_FOR = 15 * 60_000
const MOST_HOSTS = 1_000
/** Listeners for the end of one answer. By default Node warns of a leak at the eleventh. */
const MOST_LISTENERS = 20
/** Milliseconds that requests of the old listener may take after a change of the port. */
const DRAIN = 5_000

const PLAIN = 'This port speaks HTTPS. Write https:// in front of the address.\n'
const PLAIN_ANSWER = `HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${PLAIN.length}\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${PLAIN}`

interface Host {
  name: string | null
  readonly people: Map<string, { readonly who: Principal; readonly at: number }>
  readonly since: number
  lastRequestAt: number | null
  lastRequest: string | null
  readonly sockets: Set<Socket>
  requests: number
  underWay: number
  /** Bytes of closed connections. */
  received: number
  sent: number
}

export function createLanListener(deps: Deps): LanListener {
  const hosts = createHosts(deps.now)
  const refused = { connections: 0, last: null as string | null, at: null as number | null }
  let current: { readonly server: HttpServer; readonly port: number } | null = null

  const screen = (socket: Socket, proceed: () => void): void => {
    const address = plainAddress(socket.remoteAddress ?? '')
    // The connection may break before it is checked.
    socket.on('error', () => socket.destroy())
    if (!deps.isAllowed(address) || hosts.of(address).sockets.size >= MOST_CONNECTIONS) {
      refused.connections++
      refused.last = address
      refused.at = deps.now()
      socket.resetAndDestroy()
      return
    }
    hosts.addConnection(address, socket)
    awaitTls(socket, proceed)
  }
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // Several parts listen for the end of an answer; here one more than on loopback.
    response.setMaxListeners(MOST_LISTENERS)
    const host = request.headers.host ?? ''
    hosts.countRequest(request, response, deps.isOwnName(host) ? host : null)
    deps.listener()(request, response)
  }

  return {
    prepare: async (at, { key, certificate: cert }) => {
      const server = createHttpServer({ listener, stop: () => {}, abort: () => {} }, { key, cert, screen: screen })
      const { port } = await server.listen(at)
      return {
        port,
        use: () => {
          const before = current
          current = { server, port }
          void before?.server.close(DRAIN)
        },
        discard: async () => {
          await server.close(0)
        },
      }
    },
    port: () => current?.port ?? null,
    setCertificate: ({ key, certificate: cert }) => current?.server.setCertificate({ key, cert }),
    close: async (millis) => {
      const before = current
      current = null
      return (await before?.server.close(millis)) ?? 0
    },
    hosts: hosts.list,
    disconnect: hosts.disconnect,
    disconnectForbidden: () => {
      for (const { address } of hosts.list()) if (!deps.isAllowed(address)) hosts.disconnect(address)
    },
    observe: hosts.observe,
    refused: () => ({ ...refused }),
  }
}

/** Plain HTTP gets an answer that says to use https://. Everything else that is not TLS is disconnected. */
function awaitTls(socket: Socket, proceed: () => void): void {
  const timer = setTimeout(() => socket.destroy(), FIRST_BYTE)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
  socket.once('readable', () => {
    clearTimeout(timer)
    const first = socket.read(1) as Buffer | null
    if (first === null) {
      socket.destroy()
      return
    }
    if (first[0] === TLS_RECORD) {
      socket.unshift(first)
      proceed()
    } else if (/[A-Z]/.test(first.toString('latin1'))) {
      socket.end(PLAIN_ANSWER, () => socket.destroy())
    } else socket.destroy()
  })
}

function createHosts(now: () => number) {
  const hosts = new Map<string, Host>()
  const isShown = ({ sockets, lastRequestAt, since }: Host): boolean =>
    sockets.size > 0 || (lastRequestAt ?? since) > now() - SHOWN_AFTER
  const forget = (): void => {
    for (const [address, host] of hosts) if (!isShown(host)) hosts.delete(address)
    for (const [address, { sockets }] of hosts) {
      if (hosts.size < MOST_HOSTS) break
      if (sockets.size === 0) hosts.delete(address)
    }
  }
  const hostOf = (address: string): Host => {
    const known = hosts.get(address)
    if (known !== undefined && isShown(known)) return known
    if (hosts.size >= MOST_HOSTS) forget()
    const host: Host = {
      name: null,
      people: new Map(),
      since: now(),
      lastRequestAt: null,
      lastRequest: null,
      sockets: new Set(),
      requests: 0,
      underWay: 0,
      received: 0,
      sent: 0,
    }
    hosts.set(address, host)
    return host
  }
  const traffic = ({ sockets }: Host, way: 'bytesRead' | 'bytesWritten'): number =>
    [...sockets].reduce((sum, socket) => sum + socket[way], 0)
  const shown = (address: string, host: Host): LanHost => ({
    address,
    hostName: host.name,
    people: [...host.people.values()].filter(({ at }) => at > now() - PRESENT_FOR).map(({ who }) => who),
    since: host.since,
    lastRequestAt: host.lastRequestAt,
    lastRequest: host.lastRequest,
    connections: host.sockets.size,
    requests: host.requests,
    underWay: host.underWay,
    received: host.received + traffic(host, 'bytesRead'),
    sent: host.sent + traffic(host, 'bytesWritten'),
  })
  return {
    of: hostOf,
    addConnection: (address: string, socket: Socket): void => {
      const host = hostOf(address)
      host.sockets.add(socket)
      socket.once('close', () => {
        host.sockets.delete(socket)
        host.received += socket.bytesRead
        host.sent += socket.bytesWritten
      })
    },
    countRequest: (request: IncomingMessage, response: ServerResponse, name: string | null): void => {
      const host = hostOf(plainAddress(request.socket.remoteAddress ?? ''))
      host.requests++
      host.underWay++
      host.lastRequestAt = now()
      host.name = name ?? host.name
      response.once('close', () => {
        host.underWay--
      })
    },
    observe: ({ source, principal, secure, route }: Observed): void => {
      if (secure !== true || source === undefined) return
      const host = hosts.get(plainAddress(source))
      if (host === undefined) return
      host.lastRequest = route
      if (principal !== undefined && principal.kind !== 'anonymous')
        host.people.set(principal.id, { who: principal, at: now() })
    },
    list: (): LanHost[] => {
      forget()
      return [...hosts].map(([address, host]) => shown(address, host))
    },
    disconnect: (address: string): number => {
      const { sockets } = hosts.get(address) ?? { sockets: new Set<Socket>() }
      const { size } = sockets
      for (const socket of sockets) socket.destroy()
      return size
    },
  }
}
