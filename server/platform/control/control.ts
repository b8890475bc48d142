/**
 * The socket in the station's folder over which the command line reaches a running station (decisions 11): one JSON value a line,
 * one command a connection. Mode 0600: whoever may open it may read the station's files anyway.
 */
import { chmod, mkdir, open, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

export interface ControlRequest {
  readonly command: string
  readonly args: Readonly<Record<string, unknown>>
  /** `cli:{os user}` in the ledger. */
  readonly user: string
}

export type ControlLine =
  | { readonly progress: unknown }
  | { readonly result: unknown }
  | { readonly failure: { readonly code: string; readonly message: string } }

export type ControlHandler = (
  request: ControlRequest,
  progress: (value: unknown) => void,
  signal: AbortSignal,
) => Promise<unknown>

/** sun_path holds 108 bytes on Linux and 104 on macOS. */
const LONGEST_SOCKET_PATH = 100
const LONGEST_LINE = 1024 * 1024

export interface ControlServer {
  close(): Promise<void>
}

export async function serveControl(dataFolder: string, handle: ControlHandler): Promise<ControlServer> {
  const address = await socketAddress(dataFolder)
  // The station's lock is held: a socket left behind belongs to nobody.
  if (process.platform !== 'win32') await rm(address.path, { force: true })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    serveOne(socket, handle).catch(() => socket.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.path, resolve)
  })
  if (process.platform !== 'win32') await chmod(address.path, 0o600)
  return {
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
      await address.release()
    },
  }
}

async function serveOne(socket: Socket, handle: ControlHandler): Promise<void> {
  const abort = new AbortController()
  const write = (value: ControlLine): void => {
    if (!socket.destroyed) socket.write(`${JSON.stringify(value)}\n`)
  }
  socket.on('error', () => abort.abort())
  socket.on('close', () => abort.abort())
  const first = await firstLine(socket)
  if (first === null) return
  try {
    write({
      result:
        (await handle(JSON.parse(first) as ControlRequest, (value) => write({ progress: value }), abort.signal)) ??
        null,
    })
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    write({ failure: { code: code ?? 'Failed', message } })
  }
  socket.end()
}

/** @returns null when no station listens in this folder. @throws ControlFailure as the command failed there. */
export async function callControl(
  dataFolder: string,
  request: ControlRequest,
  onProgress: (value: unknown) => void,
): Promise<{ result: unknown } | null> {
  const address = await socketAddress(dataFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (address === null) return null
  try {
    const socket = await opened(address.path)
    return socket === null ? null : { result: await converse(socket, request, onProgress) }
  } finally {
    await address.release()
  }
}

export class ControlFailure extends Error {
  override readonly name = 'ControlFailure'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

function opened(path: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? resolve(null) : reject(error),
    )
  })
}

async function converse(
  socket: Socket,
  request: ControlRequest,
  onProgress: (value: unknown) => void,
): Promise<unknown> {
  socket.write(`${JSON.stringify(request)}\n`)
  for await (const line of lines(socket)) {
    const value = JSON.parse(line) as ControlLine
    if ('progress' in value) onProgress(value.progress)
    else if ('result' in value) return value.result
    else throw new ControlFailure(value.failure.code, value.failure.message)
  }
  throw new ControlFailure(
    'Disconnected',
    'The station ended before the command did. What it had acknowledged is kept; run the command again.',
  )
}

async function firstLine(socket: Socket): Promise<string | null> {
  for await (const line of lines(socket)) return line
  return null
}

async function* lines(socket: Socket): AsyncGenerator<string> {
  let rest = ''
  // Not `for await (of socket)`: leaving that loop destroys the socket, and the answer is still to be written.
  const chunks: string[] = []
  let wake: (() => void) | null = null
  let ended = false
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    chunks.push(chunk)
    wake?.()
  })
  for (const event of ['end', 'close', 'error'] as const) {
    socket.on(event, () => {
      ended = true
      wake?.()
    })
  }
  for (;;) {
    const chunk = chunks.shift()
    if (chunk === undefined) {
      if (ended) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      continue
    }
    rest += chunk
    if (rest.length > LONGEST_LINE) throw new Error('A control line is too long')
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      yield rest.slice(0, end)
      rest = rest.slice(end + 1)
    }
  }
}

interface Address {
  readonly path: string
  release(): Promise<void>
}

async function socketAddress(dataFolder: string): Promise<Address> {
  if (process.platform === 'win32')
    return { path: `\\\\.\\pipe\\sallyport-${dataFolder.replace(/[^A-Za-z0-9]/g, '-')}`, release: async () => {} }
  const path = join(dataFolder, 'station.sock')
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH || process.platform !== 'linux')
    return { path, release: async () => {} }
  // A folder too deep for a socket's address is reached through a descriptor of it.
  const folder = await open(dataFolder, 'r')
  return { path: `/proc/self/fd/${folder.fd}/station.sock`, release: () => folder.close() }
}

/** Makes the station's folder, readable by its owner alone. */
export async function ensureFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
}
