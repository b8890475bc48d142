/** Lies between the program and an S3 server and does what networks and servers do: drops, cuts, delays, repeats, refuses, flips a byte. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HeadObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { setTimeout as sleep } from 'node:timers/promises'

export const FAULTS = [
  /** The connection ends before the server hears of the request. */
  'drop request',
  /** The server does it, and its answer is lost. */
  'drop answer',
  'refuse with 503',
  'refuse with 500',
  'slow',
  /** One bit of the body. */
  'flip request',
  'flip answer',
  'cut request',
  'cut answer',
  /** The server hears it twice; its second answer counts. */
  'repeat',
  /** The server says that an object is stored, and keeps other bytes. */
  'damage stored',
] as const
/** `full`: nothing new is taken. */
export type Fault = (typeof FAULTS)[number] | 'full'

const SLOW = 60

export interface FaultyProxy {
  readonly endpoint: string
  /** What happens to each of the next requests; those beyond pass. */
  plan(faults: readonly (Fault | null)[]): void
  /** What happens to all requests from now on. */
  always(fault: Fault | null): void
  /** Requests since the last plan. */
  seen(): number
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

const flipped = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes)
  const at = Math.floor(copy.length / 2)
  if (copy.length > 0) copy[at] = (copy[at] as number) ^ 4
  return copy
}

/**
 * @param damage what the server does to an object that was just put, by the path of its address
 * @param instead answers with a status in place of the server; null: the server does
 */
/**
 * What Swift has not: a put with `If-None-Match: *` is refused with 412 when there is an object. Written past the signature, which covers the
 * header. @param puts gets the keys that were written
 */
export function conditionalPuts(client: S3Client, puts: string[]) {
  let line: Promise<unknown> = Promise.resolve()
  const put = async (address: string, body: Buffer): Promise<number> => {
    const [, Bucket = '', Key = ''] = /^\/([^/]+)\/([^?]+)/.exec(decodeURIComponent(address)) ?? []
    const there = await client.send(new HeadObjectCommand({ Bucket, Key })).then(
      () => true,
      () => false,
    )
    if (there) return 412
    await client.send(new PutObjectCommand({ Bucket, Key, Body: body }))
    puts.push(Key)
    return 200
  }
  return async (incoming: IncomingMessage, body: Buffer): Promise<number | null> => {
    if (incoming.method !== 'PUT' || incoming.headers['if-none-match'] !== '*') return null
    const done = line.then(() => put(incoming.url ?? '', body))
    line = done.catch(() => {})
    return done
  }
}

export async function startFaultyProxy(
  target: string,
  damage: (path: string) => Promise<void> = async () => {},
  instead: (incoming: IncomingMessage, body: Buffer) => Promise<number | null> = async () => null,
): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target)
  let planned: (Fault | null)[] = []
  let constant: Fault | null = null
  let seen = 0

  const forward = (incoming: IncomingMessage, body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      // The host stays as it was: it is signed.
      const { expect: _, connection: __, ...headers } = incoming.headers
      const outgoing = request(
        { hostname, port, method: incoming.method, path: incoming.url, headers: { ...headers, connection: 'close' } },
        (answer) => {
          bodyOf(answer).then(
            (bytes) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes }),
            reject,
          )
        },
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault | null): Promise<void> => {
    const body = await bodyOf(incoming)
    const status = await instead(incoming, body)
    if (status !== null) return void outgoing.writeHead(status, { etag: '"put"', 'content-length': '0' }).end()
    if (fault === 'drop request') return void incoming.socket.destroy()
    if (fault === 'cut request') {
      // The server waits for the rest and hears the end of the connection.
      const { expect: _, ...headers } = incoming.headers
      const cut = request({ hostname, port, method: incoming.method, path: incoming.url, headers })
      cut.on('error', () => {})
      cut.write(body.subarray(0, Math.floor(body.length / 2)))
      await sleep(20)
      cut.destroy()
      return void incoming.socket.destroy()
    }
    if (fault === 'refuse with 503' || fault === 'refuse with 500') {
      outgoing.writeHead(fault === 'refuse with 503' ? 503 : 500, { 'content-type': 'application/xml' })
      return void outgoing.end('<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Later.</Message></Error>')
    }
    if (fault === 'full' && incoming.method === 'PUT') {
      outgoing.writeHead(507, { 'content-type': 'application/xml' })
      return void outgoing.end(
        '<?xml version="1.0"?><Error><Code>InsufficientStorage</Code><Message>Full.</Message></Error>',
      )
    }
    if (fault === 'slow') await sleep(SLOW)
    if (fault === 'repeat') await forward(incoming, body)
    const got = await forward(incoming, fault === 'flip request' ? flipped(body) : body)
    if (fault === 'damage stored' && incoming.method === 'PUT' && got.status === 200) await damage(incoming.url ?? '')
    if (fault === 'drop answer') return void incoming.socket.destroy()
    const { 'transfer-encoding': _, connection: __, ...headers } = got.headers
    // The answer to HEAD has the length of what it does not carry.
    const length = incoming.method === 'HEAD' ? {} : { 'content-length': String(got.body.length) }
    outgoing.writeHead(got.status, { ...headers, ...length })
    if (fault === 'cut answer') {
      outgoing.flushHeaders()
      outgoing.write(got.body.subarray(0, Math.floor(got.body.length / 2)))
      await sleep(10)
      return void incoming.socket.destroy()
    }
    const bytes = fault === 'flip answer' ? flipped(got.body) : got.body
    if (fault === 'slow' && bytes.length > 1) {
      outgoing.write(bytes.subarray(0, 1))
      await sleep(SLOW)
      outgoing.end(bytes.subarray(1))
    } else outgoing.end(bytes)
  }
  const server = createServer((incoming, outgoing) => {
    seen += 1
    const fault = planned.shift() ?? constant
    answer(incoming, outgoing, fault).catch(() => incoming.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    plan: (faults) => {
      planned = [...faults]
      seen = 0
    },
    always: (fault) => {
      planned = []
      constant = fault
    },
    seen: () => seen,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
