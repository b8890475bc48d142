/** A client on a thread of its own: what it does to send and receive does not count as work of the station under test. */
import { Agent, request } from 'node:http'
import { parentPort } from 'node:worker_threads'

export interface Sent {
  readonly id: number
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Sends the body in so many pieces, with pauses of so many milliseconds, and without its length. */
  readonly drip?: { readonly pieces: number; readonly pause: number }
}

export interface Received {
  readonly id: number
  readonly status: number
  /** Milliseconds from the first byte sent to the last received. */
  readonly millis: number
  /** The first 400,000 characters. */
  readonly text: string
  readonly bytes: number
}

const agent = new Agent({ keepAlive: true })
const port = parentPort
if (port === null) throw new Error('client.worker.ts runs only as a worker thread')

port.on('message', (sent: Sent) => {
  const started = performance.now()
  const answer = (status: number, text: string, bytes: number): void =>
    port.postMessage({ id: sent.id, status, millis: performance.now() - started, text, bytes } satisfies Received)
  const { method, url, headers, body, drip } = sent
  const length = body === undefined || drip !== undefined ? {} : { 'content-length': String(body.byteLength) }
  const outgoing = request(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
    let text = ''
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength
      if (text.length < 400_000) text += chunk.toString('utf8')
    })
    response.on('end', () => answer(response.statusCode ?? 0, text.slice(0, 400_000), bytes))
    response.on('error', (error) => answer(0, String(error), bytes))
  })
  // A refused body may end in a reset after the answer; the answer has been told by then.
  let told = false
  outgoing.on('response', () => {
    told = true
  })
  outgoing.on('error', (error) => {
    if (!told) answer(0, String(error), 0)
  })
  if (body === undefined || drip === undefined) {
    outgoing.end(body)
    return
  }
  const size = Math.ceil(body.byteLength / drip.pieces)
  let at = 0
  const next = (): void => {
    if (outgoing.destroyed || told) return
    if (at >= body.byteLength) {
      outgoing.end()
      return
    }
    outgoing.write(body.subarray(at, at + size))
    at += size
    setTimeout(next, drip.pause)
  }
  next()
})
