/** The listening side: time limits, and a stop that drains (promise U8, docs/architecture.md). */
import { randomUUID } from 'node:crypto'
import { createServer, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { constants } from 'node:crypto'
import type { AddressInfo, Socket } from 'node:net'
import type { SecureContextOptions, Server as SecureServer } from 'node:tls'
import type { App } from './app.ts'

export interface HttpServer {
  /** @returns the port, also when 0 was asked for. Rejects as the socket does (EADDRINUSE …). */
  listen(at: { readonly host: string; readonly port: number }): Promise<{ port: number }>
  /**
   * Takes nothing new, ends idle connections and event streams, lets running requests finish for `millis`, then cuts what is left.
   * @returns how many connections had to be cut.
   */
  close(millis: number): Promise<number>
  /** Another certificate, for connections that begin from now on; those that are there go on. */
  secure(credential: Pick<TlsOptions, 'key' | 'cert'>): void
}

export interface TlsOptions {
  readonly key: string
  readonly cert: string
  /** Asked before TLS costs anything. Nothing happens with the connection unless and until it calls `go`. */
  readonly greet: (socket: Socket, go: () => void) => void
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
  // Nobody needs it, and each one costs the station more than whoever asks for it.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
}
/** Milliseconds in which a handshake has to be done. */
const HANDSHAKE = 10_000
/** Milliseconds of silence after which it is asked whether the other host is still there: a cable may have been pulled. */
const KEEP_ALIVE = 30_000

const OPTIONS: ServerOptions = {
  // An upload may take hours, so no limit for whole requests: JSON bodies have their own (body.ts), uploads their own watchdog.
  requestTimeout: 0,
  headersTimeout: 20_000,
  keepAliveTimeout: 30_000,
  // How soon an exceeded limit is noticed.
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
  insecureHTTPParser: false,
  // We tell a missing Host from a wrong one ourselves, in our own words.
  requireHostHeader: false,
}

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
        server.listen({ host, port, backlog: 511 }, () => {
          server.off('error', reject)
          resolve({ port: (server.address() as AddressInfo).port })
        })
      }),
    close: async (millis) => {
      app.stop()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // Again and again: a stream that ends now leaves an idle connection behind.
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
    secure: ({ key, cert }) => {
      if (tls === undefined) throw new Error('This listener speaks no TLS')
      ;(server as unknown as SecureServer).setSecureContext({ ...TLS, key, cert })
    },
  }
}

function secureServer(listener: App['listener'], { key, cert, greet }: TlsOptions): Server {
  const alive = { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE }
  const server = createSecureServer({ ...OPTIONS, ...alive, ...TLS, key, cert, handshakeTimeout: HANDSHAKE }, listener)
  // What begins the handshake stands aside until the caller was looked at.
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

/** What the parser could not read never becomes a request; it still gets an answer, and the same headers as every other. */
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
