import { connect, type Socket } from 'node:net'

export interface RawReply {
  /** 0 when the connection ended without an answer. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly text: string
}

/** Bytes onto a socket of loopback, and all that comes back until it closes or falls silent. */
export function raw(port: number, request: string | Buffer, silence = 2_000): Promise<RawReply> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let text = ''
    const end = (): void => {
      socket.destroy()
      resolve(parseReply(text))
    }
    socket.setTimeout(silence, end)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', end)
    socket.on('close', end)
    socket.write(request)
  })
}

function parseReply(text: string): RawReply {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0),
    headers,
    body: Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString(),
    text,
  }
}

export interface OpenSocket {
  readonly socket: Socket
  /** What came so far. */
  text(): string
  /** Until it is closed. */
  readonly over: Promise<unknown>
}

/** Bytes onto a socket of loopback that stays open. */
export async function openSocket(port: number, request: string): Promise<OpenSocket> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString()
  })
  socket.on('error', () => {})
  const over = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(request)
  return { socket, text: () => received, over }
}
