/**
 * Reads request bodies: small ones on the event loop, large ones on a thread, so that other requests do not wait (promise S17). The thread
 * also validates the body by the contract and sends back the parsed members only.
 */
import type { Worker } from 'node:worker_threads'
import { Fault, type FaultCode, type Problem } from '../../shared/kernel/errors.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import { type RequestAsSent, type RequestRead, readRequest, sizeOfBody } from './read-request.ts'
import type { ParsedAddress } from './validate.ts'

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

export type FromBodyThread =
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
