/**
 * The socket in the station's folder through which the command line reaches a running station (decisions 11): one JSON value per line,
 * one command per connection. Mode 0600: only accounts that can read the station's files can open it.
 */
import { chmod, mkdir, open, rm, stat } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

export interface ControlRequest {
  readonly command: string
  readonly args: Readonly<Record<string, unknown>>
  /** `cli:{os user}` in the ledger. */
  readonly user: string
}

/** A failure as shown to the person at the terminal. */
export interface ControlProblem {
  readonly code: string
  readonly message: string
  readonly details: readonly { readonly Path: string; readonly Message: string }[]
}

export type ControlLine =
  /** The request was read and the command begins. Without this line a connection has run no command. */
  | { readonly accepted: true }
  | { readonly progress: unknown }
  | { readonly result: unknown }
  | { readonly failure: ControlProblem }

export type ControlHandler = (
  request: ControlRequest,
  progress: (value: unknown) => void,
  signal: AbortSignal,
) => Promise<unknown>

/** sun_path holds 108 bytes on Linux and 104 on macOS. */
const LONGEST_SOCKET_PATH = 100
/** Bytes of a request: more than the system's limit of a command line. Answers may be longer: a folder's receipt names every file. */
const LONGEST_REQUEST = 8 * 1024 * 1024
/** Milliseconds after which a connection without a request is closed. */
const SILENCE_MILLIS = 10_000

export interface ControlServer {
  /** Takes no new commands, aborts running ones, and waits until they have ended and were answered. */
  close(): Promise<void>
}

export async function serveControl(dataFolder: string, handle: ControlHandler): Promise<ControlServer> {
  const address = await socketAddress(dataFolder)
  // This process has the station's lock, so an existing socket is left over from an earlier run.
  if (process.platform !== 'win32') await rm(address.path, { force: true })
  const served = new Map<Socket, AbortController>()
  const working = new Set<Promise<void>>()
  const server = createServer((socket) => {
    const abort = new AbortController()
    served.set(socket, abort)
    socket.once('close', () => served.delete(socket))
    const work = serveOne(socket, handle, abort).catch(() => {
      socket.destroy()
    })
    working.add(work)
    void work.then(() => working.delete(work))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.path, resolve)
  })
  if (process.platform !== 'win32') await chmod(address.path, 0o600)
  return {
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      const stopping = new Error('The station is stopping. What it took in is kept; run the command again.')
      for (const abort of served.values()) abort.abort(stopping)
      // A command that cannot be interrupted is completed and answered: the keys of a new integration are only in that answer.
      await Promise.all(working)
      await closed
      await address.release()
    },
  }
}

async function serveOne(socket: Socket, handle: ControlHandler, abort: AbortController): Promise<void> {
  const write = (value: ControlLine): void => {
    if (!socket.destroyed) socket.write(`${JSON.stringify(value)}\n`)
  }
  const abortOnClose = (): void => abort.abort(new Error('The command was stopped.'))
  socket.on('error', abortOnClose)
  socket.on('close', abortOnClose)
  const disconnect = (): void => {
    socket.destroy()
  }
  const silence = setTimeout(disconnect, SILENCE_MILLIS)
  abort.signal.addEventListener('abort', disconnect)
  let first: string | null
  try {
    first = await firstLine(socket)
  } finally {
    clearTimeout(silence)
    abort.signal.removeEventListener('abort', disconnect)
  }
  if (first === null) {
    socket.destroy()
    return
  }
  try {
    const request = readRequest(first)
    write({ accepted: true })
    write({ result: (await handle(request, (value) => write({ progress: value }), abort.signal)) ?? null })
  } catch (error) {
    const { message, code, details } = error as Partial<ControlProblem>
    write({ failure: { code: code ?? 'Failed', message: message ?? String(error), details: details ?? [] } })
  }
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    if (socket.destroyed) resolve()
    socket.end(() => socket.destroy())
  })
}

function readRequest(line: string): ControlRequest {
  const request = parseLine(line) as Partial<Record<keyof ControlRequest, unknown>> | null
  if (
    typeof request?.command !== 'string' ||
    typeof request.user !== 'string' ||
    typeof request.args !== 'object' ||
    request.args === null
  )
    throw new ControlFailure({ code: 'InvalidModel', message: 'This is no command of the command line.', details: [] })
  return request as ControlRequest
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/**
 * @param signal closes the connection; the station then stops the command
 * @returns null when no station listens in this folder, or one that was stopping went before it took the request. @throws ControlFailure as the command failed there, or the signal's reason.
 */
export async function callControl(
  dataFolder: string,
  request: ControlRequest,
  onProgress: (value: unknown) => void,
  signal: AbortSignal,
): Promise<{ result: unknown } | null> {
  const address = await socketAddress(dataFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (address === null) return null
  try {
    const socket = await connectTo(address.path)
    if (socket === null) return null
    const stop = (): void => {
      socket.destroy()
    }
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await converse(socket, request, onProgress)
    } catch (error) {
      throw signal.aborted ? signal.reason : error
    } finally {
      signal.removeEventListener('abort', stop)
      socket.destroy()
    }
  } finally {
    await address.release()
  }
}

export class ControlFailure extends Error {
  override readonly name = 'ControlFailure'
  readonly code: string
  readonly details: ControlProblem['details']
  constructor({ code, message, details }: ControlProblem) {
    super(message)
    this.code = code
    this.details = details
  }
}

function connectTo(path: string): Promise<Socket | null> {
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
): Promise<{ result: unknown } | null> {
  socket.write(`${JSON.stringify(request)}\n`)
  let accepted = false
  for await (const line of lines(socket, Number.POSITIVE_INFINITY)) {
    const value = JSON.parse(line) as ControlLine
    if ('accepted' in value) accepted = true
    else if ('progress' in value) onProgress(value.progress)
    else if ('result' in value) return { result: value.result }
    else throw new ControlFailure(value.failure)
  }
  if (!accepted) return null
  throw new ControlFailure({
    code: 'Disconnected',
    message: 'The station ended before the command did. What it had acknowledged is kept; run the command again.',
    details: [],
  })
}

async function firstLine(socket: Socket): Promise<string | null> {
  for await (const line of lines(socket, LONGEST_REQUEST)) return line
  return null
}

/** @throws when a line is longer than `longest`. */
async function* lines(socket: Socket, longest: number): AsyncGenerator<string> {
  // Not `for await (of socket)`: leaving that loop destroys the socket, but the answer must still be written.
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
  // An incomplete line is kept in pieces, so that it is searched once and joined once, however long it becomes.
  let open: string[] = []
  let length = 0
  for (;;) {
    const chunk = chunks.shift()
    if (chunk === undefined) {
      if (ended) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      continue
    }
    const [first = '', ...more] = chunk.split('\n')
    open.push(first)
    length += first.length
    if (length > longest) throw new Error('A control line is too long')
    for (const next of more) {
      yield open.join('')
      open = [next]
      length = next.length
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
  // A path that is too long for a socket's address is reached through a descriptor of its folder.
  const folder = await open(dataFolder, 'r')
  return { path: `/proc/self/fd/${folder.fd}/station.sock`, release: () => folder.close() }
}

/** Whether a station is running in this folder. */
export async function takesCommands(dataFolder: string): Promise<boolean> {
  const address = await socketAddress(dataFolder).catch(() => null)
  if (address === null) return false
  try {
    const socket = await connectTo(address.path)
    socket?.destroy()
    return socket !== null
  } finally {
    await address.release()
  }
}

/** Creates the station's folder, readable by its owner only. */
export async function ensureFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
}

/** Whether this folder has a station's database. */
export async function isStationFolder(path: string): Promise<boolean> {
  try {
    return (await stat(join(path, 'sallyport.db'))).isFile()
  } catch {
    return false
  }
}

/** Marker file in a folder during a restore. If it stays, the restore did not end. */
export const RESTORING = 'restoring'

/** @throws Error when a restore into this folder did not end; its content must not be started as a station */
export async function refuseHalfRestored(path: string): Promise<void> {
  const isRestoring = await stat(join(path, RESTORING)).then(
    () => true,
    () => false,
  )
  if (isRestoring)
    throw new Error(`A restore into ${path} did not end, so no station is there. Empty the folder and restore again.`)
}
