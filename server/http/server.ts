/** The HTTP server: time limits, and a stop that lets requests finish (promise U8, docs/architecture.md). */
import { randomUUID } from 'node:crypto'
import { createServer, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { constants } from 'node:crypto'
import type { AddressInfo, Socket } from 'node:net'
import type { SecureContextOptions, Server as SecureServer } from 'node:tls'
import type { App } from './app.ts'

export interface HttpServer {
  /** @returns the actual port, also for port 0. Rejects as the socket does (EADDRINUSE …). */
  listen(at: { readonly host: string; readonly port: number }): Promise<{ port: number }>
  /**
   * Takes no new connections, ends idle ones and event streams, lets running requests finish for `millis`, then cuts the rest.
   * @returns the number of connections that were cut
   */
  close(millis: number): Promise<number>
  /** Sets the certificate for new connections. Existing ones keep theirs. */
  setCertificate(credential: Pick<TlsOptions, 'key' | 'cert'>): void
}

export interface TlsOptions {
  readonly key: string
  readonly cert: string
  /** Checks a connection before the cost of TLS. The handshake begins only when it calls `proceed`. */
  readonly screen: (socket: Socket, proceed: () => void) => void
}

/** TLS 1.2 with forward secrecy and authenticated encryption, or TLS 1.3 (promise S14). */
const TLS: SecureContextOptions = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
  ].join(':'),
  ecdhCurve: 'X25519:P-256:P-384',
  honorCipherOrder: true,
  // Renegotiation is not needed, and costs the server more than the client.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
}
/** Milliseconds for the handshake. */
const HANDSHAKE = 10_000
/** Milliseconds of silence before TCP keep-alive probes the other host; a pulled cable is found that way. */
const KEEP_ALIVE = 30_000

const OPTIONS: ServerOptions = {
  // No limit for whole requests, since an upload may take hours. JSON bodies have a limit in body.ts, uploads have a watchdog.
  requestTimeout: 0,
  headersTimeout: 20_000,
  keepAliveTimeout: 30_000,
  // Clients are told 30 seconds. One that sends in the last moment, over a slow network or to a busy station, must not find it closed.
  keepAliveTimeoutBuffer: 5_000,
  // An exceeded limit is noticed after this time at most.
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
  insecureHTTPParser: false,
  // host.ts refuses a missing Host with an answer of the contract.
  requireHostHeader: false,
}

/**
 * Connections that the system accepts before the process does. With a full backlog the system drops the first packet of a connection, and
 * the client sends it again after 1, 3 and 7 seconds. Under overload such a client waits in place of being refused with a time to return
 * (promise L5). The kernel may allow less (`net.core.somaxconn`, 4,096 by default).
 */
const LISTEN_BACKLOG = 4_096

export function createHttpServer(app: Pick<App, 'listener' | 'stop' | 'abort'>, tls?: TlsOptions): HttpServer {
  const server: Server = tls === undefined ? createServer(OPTIONS, app.listener) : secureServer(app.listener, tls)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('clientError', refuseUnreadable)

  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port, backlog: LISTEN_BACKLOG }, () => {
          server.off('error', reject)
          resolve({ port: (server.address() as AddressInfo).port })
        })
      }),
    close: async (millis) => {
      app.stop()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // Repeated, since each stream that ends leaves an idle connection.
      const sweep = setInterval(() => server.closeIdleConnections(), 50)
      server.closeIdleConnections()
      let cut = 0
      const timer = setTimeout(() => {
        cut = sockets.size
        app.abort()
        for (const socket of sockets) socket.destroy()
      }, millis)
      await closed
      clearTimeout(timer)
      clearInterval(sweep)
      return cut
    },
    setCertificate: ({ key, cert }) => {
      if (tls === undefined) throw new Error('This listener does not use TLS')
      ;(server as unknown as SecureServer).setSecureContext({ ...TLS, key, cert })
    },
  }
}

function secureServer(listener: App['listener'], { key, cert, screen: greet }: TlsOptions): Server {
  const alive = { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE }
  const server = createSecureServer({ ...OPTIONS, ...alive, ...TLS, key, cert, handshakeTimeout: HANDSHAKE }, listener)
  // Node's own listeners, which begin the handshake, run only after `screen` lets the connection through.
  const begin = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    greet(socket, () => {
      for (const step of begin) step.call(server, socket)
    })
  })
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  return server
}

/** Answers input that Node's HTTP parser refused, with the headers of every other answer. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request'
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\nX-Content-Type-Options: nosniff\r\nX-Correlation-Id: ${randomUUID()}\r\n\r\n`,
    () => socket.destroy(),
  )
}
