/**
 * The socket in the station's folder over which the command line reaches a running station (decisions 11): one JSON value a line,
 * one command a connection. Mode 0600: whoever may open it may read the station's files anyway.
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

/** What went wrong, as the person at the terminal is told it. */
export interface ControlProblem {
  readonly code: string
  readonly message: string
  readonly details: readonly { readonly Path: string; readonly Message: string }[]
}

export type ControlLine =
  /** The request was read and is being done. A connection that ends without it asked for nothing. */
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
/** Of a request: more than the system lets a command line be. Answers may be longer, a folder's receipt names every file. */
const LONGEST_REQUEST = 8 * 1024 * 1024
/** Whoever connects and asks nothing for so long is let go. */
const SILENCE_MILLIS = 10_000

export interface ControlServer {
  /** Takes nothing new, asks what runs to stop, and waits until it has ended and was answered. */
  close(): Promise<void>
}

export async function serveControl(dataFolder: string, handle: ControlHandler): Promise<ControlServer> {
  const address = await socketAddress(dataFolder)
  // The station's lock is held: a socket left behind belongs to nobody.
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
      // A command that cannot be interrupted ends and is answered: an integration's keys are in that answer and nowhere else.
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
  const gone = (): void => abort.abort(new Error('The command was stopped.'))
  socket.on('error', gone)
  socket.on('close', gone)
  const nothingAsked = (): void => {
    socket.destroy()
  }
  const silence = setTimeout(nothingAsked, SILENCE_MILLIS)
  abort.signal.addEventListener('abort', nothingAsked)
  let first: string | null
  try {
    first = await firstLine(socket)
  } finally {
    clearTimeout(silence)
    abort.signal.removeEventListener('abort', nothingAsked)
  }
  if (first === null) {
    socket.destroy()
    return
  }
  try {
    const request = asRequest(first)
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

function asRequest(line: string): ControlRequest {
  const given = parsed(line) as Partial<Record<keyof ControlRequest, unknown>> | null
  if (
    typeof given?.command !== 'string' ||
    typeof given.user !== 'string' ||
    typeof given.args !== 'object' ||
    given.args === null
  )
    throw new ControlFailure({ code: 'InvalidModel', message: 'This is no command of the command line.', details: [] })
  return given as ControlRequest
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/**
 * @param signal ends the conversation; the station then stops the command by itself.
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
    const socket = await opened(address.path)
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
  // What has no end yet is kept in pieces: searched once, joined once, however long the line becomes.
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
  // A folder too deep for a socket's address is reached through a descriptor of it.
  const folder = await open(dataFolder, 'r')
  return { path: `/proc/self/fd/${folder.fd}/station.sock`, release: () => folder.close() }
}

/** Whether a running station takes commands in this folder. */
export async function takesCommands(dataFolder: string): Promise<boolean> {
  const address = await socketAddress(dataFolder).catch(() => null)
  if (address === null) return false
  try {
    const socket = await opened(address.path)
    socket?.destroy()
    return socket !== null
  } finally {
    await address.release()
  }
}

/** Makes the station's folder, readable by its owner alone. */
export async function ensureFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
}

/** Whether a station was ever made in this folder. */
export async function isStationFolder(path: string): Promise<boolean> {
  try {
    return (await stat(join(path, 'sallyport.db'))).isFile()
  } catch {
    return false
  }
}

/** Lies in a folder while a station is being restored into it; one that stays says that this did not end. */
export const RESTORING = 'restoring'

/** @throws Error when a restore into this folder did not end: what lies there is no station, and must not become one. */
export async function refuseHalfRestored(path: string): Promise<void> {
  const there = await stat(join(path, RESTORING)).then(
    () => true,
    () => false,
  )
  if (there)
    throw new Error(`A restore into ${path} did not end, so no station is there. Empty the folder and restore again.`)
}
