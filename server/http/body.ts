/**
 * Receives JSON and form bodies: media type, limit, deadline (decisions 1 and 13). `read-request.ts` parses them: small ones on the event
 * loop, large ones on a thread, so that other requests do not wait (promise S17). The thread also validates the body by the contract and
 * sends back the parsed members only.
 */
import type { IncomingMessage } from 'node:http'
import type { Worker } from 'node:worker_threads'
import { Fault, fault, type FaultCode, type Problem } from '../../shared/kernel/errors.ts'
import { mostBodyBytes, type RouteDefinition } from '../../shared/kernel/route.ts'
import { type ParsedAddress, readRequest, type RequestAsSent, type RequestRead, sizeOfBody } from './read-request.ts'

export interface BodyLimits {
  /** Bytes. The contract gives some routes less. */
  readonly jsonBodyBytes: number
  /** Milliseconds that a body may take to arrive. Slower ones are cut off. */
  readonly bodyMillis: number
}

const FORM = 'application/x-www-form-urlencoded'

/** Whether the request has a body (RFC 9112 6.3). */
export function hasBody(request: IncomingMessage): boolean {
  if (request.headers['transfer-encoding'] !== undefined) return true
  return Number(request.headers['content-length'] ?? 0) > 0
}

/**
 * Refuses a body of a type that the route does not accept. Accepted are application/json, text/json, application/json-patch+json,
 * application/*+json and the types that the route adds. Called before the body is read. @throws Fault UnsupportedMediaType
 */
export function checkBodyType(request: IncomingMessage, route: RouteDefinition): void {
  if (route.body === undefined || !hasBody(request)) return
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw fault('UnsupportedMediaType', 'Encoded bodies are not accepted here.')
  const { type, charset } = mediaType(request.headers['content-type'] ?? '')
  if (!isJson(type) && route.accepts?.includes(type) !== true)
    throw fault('UnsupportedMediaType', 'The body must be JSON, under a JSON media type.')
  const { vendorModel } = route
  if (vendorModel !== undefined && isVendors(type, vendorModel.name)) {
    const v = parameterOf(request.headers['content-type'] ?? '', 'v')
    if (v !== null && v !== vendorModel.v)
      throw fault('UnsupportedMediaType', `Only version ${vendorModel.v} of this model is accepted.`)
  }
  if (charset !== null && !['utf-8', 'utf8', 'us-ascii'].includes(charset))
    throw fault('UnsupportedMediaType', 'The body must be in UTF-8.')
}

function mediaType(header: string): { type: string; charset: string | null } {
  const [type = ''] = header.split(';', 1)
  return { type: type.trim().toLowerCase(), charset: parameterOf(header, 'charset')?.toLowerCase() ?? null }
}

/** The first parameter of that name, without its quotes. */
function parameterOf(header: string, name: string): string | null {
  for (const one of header.split(';').slice(1)) {
    const [, found = '', value = ''] = /^\s*([^\s=]+)\s*=\s*"?([^"\s]+)"?\s*$/.exec(one) ?? []
    if (found.toLowerCase() === name) return value
  }
  return null
}

const isVendors = (type: string, model: string): boolean =>
  type.startsWith('application/vnd.') && type.endsWith(`.${model.toLowerCase()}+json`)

const isJson = (type: string): boolean =>
  type === 'application/json' || type === 'text/json' || /^application\/[a-z0-9!#$&^_.-]+\+json$/.test(type)

/** The raw body of a JSON route; undefined when there is none. @throws Fault BodyTooLarge, RequestTimeout, InvalidModel */
export async function readBytes(
  request: IncomingMessage,
  route: RouteDefinition,
  limits: BodyLimits,
): Promise<Uint8Array | undefined> {
  if (route.body === undefined || !hasBody(request)) return undefined
  const bytes = await collect(request, Math.min(limits.jsonBodyBytes, mostBodyBytes(route)), limits.bodyMillis)
  return bytes.byteLength === 0 ? undefined : bytes
}

/** Whether the body comes as a form. */
export const isForm = (request: IncomingMessage): boolean =>
  mediaType(request.headers['content-type'] ?? '').type === FORM

async function collect(request: IncomingMessage, most: number, millis: number): Promise<Buffer> {
  const tooLarge = () => fault('BodyTooLarge', `A body here may have ${most} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge()
  const chunks: Buffer[] = []
  let length = 0
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(fault('RequestTimeout', 'The body took too long to arrive.')), millis)
  const onData = (chunk: Buffer): void => {
    length += chunk.byteLength
    if (length > most) reject(tooLarge())
    else chunks.push(chunk)
  }
  const onEnd = (): void => resolve()
  const onClose = (): void => {
    // Every request closes. A refusal costs a stack trace, so it is made only for a body that did not end.
    if (!request.readableEnded) reject(new Fault('InvalidModel', 'The body ended early.'))
  }
  request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  try {
    await promise
    return Buffer.concat(chunks, length)
  } finally {
    clearTimeout(timer)
    request.off('data', onData).off('end', onEnd).off('close', onClose)
  }
}

/** Up to this many bytes, and this many members and elements, are read on the event loop. It takes a few milliseconds. */
const HERE_BYTES = 256 * 1024
const HERE_PARTS = 2_000

export interface ToBodyThread {
  readonly id: number
  /** `id` of the route in the contract. */
  readonly route: string
  readonly sent: RequestAsSent
  /** Whether the parsed body is sent back. If false, it is only checked. */
  readonly body: boolean
}

type FromBodyThread =
  | { readonly id: number; readonly read: RequestRead }
  | { readonly id: number; readonly fault: { code: FaultCode; message: string; details: readonly Problem[] } }
  | { readonly id: number; readonly error: string }

export interface BodyReader {
  /** @param body false when the handler does not use the body @throws Fault as `readRequest` */
  read(route: RouteDefinition, sent: RequestAsSent, address: ParsedAddress, body: boolean): Promise<RequestRead>
  close(): Promise<void>
}

/** Reads all bodies on the event loop; for frames whose routes are not in the contract. */
export const readHere: BodyReader = {
  read: async (route, sent, address) => readRequest(route, sent, undefined, address),
  close: async () => {},
}

/** @param start starts a thread that answers `ToBodyThread`; called for the first large body, and again after a thread has ended */
export function createBodyReader(start: () => Worker): BodyReader {
  interface Waiting {
    resolve(read: RequestRead): void
    reject(error: Error): void
  }
  const waiting = new Map<number, Waiting>()
  let last = 0
  let thread: Worker | null = null

  const handleAnswer = (message: FromBodyThread): void => {
    const request = waiting.get(message.id)
    waiting.delete(message.id)
    // An idle thread must not keep the process alive.
    if (waiting.size === 0) thread?.unref()
    if ('read' in message) request?.resolve(message.read)
    else if ('fault' in message) request?.reject(faultOf(message.fault))
    else request?.reject(new Error(message.error))
  }
  const started = (): Worker => {
    const worker = start()
    const ended = (error: Error): void => {
      if (thread !== worker) return
      thread = null
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    worker.on('message', handleAnswer)
    worker.on('error', (error) => ended(error as Error))
    worker.on('exit', () => ended(new Error('The thread that reads bodies ended.')))
    return worker
  }

  return {
    read: async (route, sent, address, body) => {
      if ((sent.bytes?.byteLength ?? 0) <= HERE_BYTES) {
        const size = sizeOfBody(route, sent)
        if (size.parts <= HERE_PARTS) return readRequest(route, sent, size, address)
      }
      thread ??= started()
      const worker = thread
      const id = ++last
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        worker.ref()
        worker.postMessage({ id, route: route.id, sent, body } satisfies ToBodyThread, transferListOf(sent.bytes))
      })
    },
    close: async () => {
      const worker = thread
      await worker?.terminate()
    },
  }
}

/** Memory that holds this body alone is moved to the thread instead of copied. */
const transferListOf = (bytes: Uint8Array | undefined): ArrayBuffer[] =>
  bytes !== undefined && bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? [bytes.buffer]
    : []

const faultOf = ({
  code,
  message,
  details,
}: {
  code: FaultCode
  message: string
  details: readonly Problem[]
}): Fault => new Fault(code, message, { details })

/** Handles a message on the thread. */
export function answerBodyThread(
  routes: ReadonlyMap<string, RouteDefinition>,
  { id, route: name, sent, body }: ToBodyThread,
): FromBodyThread {
  try {
    const route = routes.get(name)
    if (route === undefined) throw new Error(`There is no route ${name} in the contract`)
    const { parsed, hash } = readRequest(route, sent)
    return { id, read: { hash, parsed: body ? parsed : { ...parsed, body: undefined } } }
  } catch (error) {
    if (error instanceof Fault)
      return { id, fault: { code: error.code, message: error.message, details: error.details } }
    return { id, error: (error as Error).stack ?? String(error) }
  }
}
