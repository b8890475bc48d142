/** A proxy in front of headquarters: it refuses, answers 503, cuts connections, loses answers, and changes them. */
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/**
 * `away`: nobody answers. `busy`: 503. `cut`: the connection breaks after some bytes of the request. `lose`: headquarters does what it was
 * asked, and its answer does not arrive.
 */
export type Trouble = 'away' | 'busy' | 'cut' | 'lose'

export interface Passed {
  readonly method: string
  readonly path: string
  readonly body: Buffer
}

export async function givenProxy() {
  let target = ''
  let trouble: (asked: { method: string; path: string }) => Trouble | null = () => null
  let change: (asked: Passed, answer: { status: number; body: Buffer }) => Buffer | Promise<Buffer> = (_, { body }) =>
    body
  let interruptions = 0
  const sockets = new Set<Socket>()
  const server = createServer((req, res) => {
    const asked = { method: req.method ?? '', path: req.url ?? '' }
    const what = trouble(asked)
    if (what !== null) interruptions++
    if (what === 'away') return void req.socket.destroy()
    if (what === 'busy') {
      req.resume()
      return void res.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' }).end('{}')
    }
    if (what === 'cut') {
      let seen = 0
      req.on('data', (chunk: Buffer) => {
        seen += chunk.length
        if (seen > 100_000) req.socket.destroy()
      })
      return void req.on('end', () => req.socket.destroy())
    }
    void read(req).then(
      async (body) => {
        const to = request(`${target}${asked.path}`, { method: asked.method, headers: req.headers, agent: false })
        to.on('error', () => req.socket.destroy())
        to.on('response', (answer) => {
          void read(answer).then(
            async (bytes) => {
              if (what === 'lose') return req.socket.destroy()
              const status = answer.statusCode ?? 0
              const changed = await change({ ...asked, body }, { status, body: bytes })
              const headers = { ...answer.headers, 'content-length': String(changed.length) }
              delete (headers as Record<string, unknown>)['transfer-encoding']
              res.writeHead(status, headers).end(changed)
            },
            () => req.socket.destroy(),
          )
        })
        to.end(body)
      },
      () => req.socket.destroy(),
    )
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Where headquarters answers now. */
    to: (url: string): void => {
      target = url
    },
    troubled: (how: typeof trouble): void => {
      trouble = how
    },
    changing: (how: typeof change): void => {
      change = how
    },
    interruptions: (): number => interruptions,
    /** Breaks every connection. */
    cutAll: (): void => {
      for (const socket of sockets) socket.destroy()
    },
    close: (): void => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

function read(from: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    from.on('data', (chunk: Buffer) => chunks.push(chunk))
    from.on('error', reject)
    from.on('aborted', () => reject(new Error('aborted')))
    from.on('end', () => resolve(Buffer.concat(chunks)))
  })
}
