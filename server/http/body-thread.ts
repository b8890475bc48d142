/**
 * Reads requests: small bodies here, large ones on a thread, so that nobody else waits while one is read (promise S17). The thread holds
 * the body against the contract too and sends back what the contract keeps of it: what is cheap to check is cheap to receive.
 */
import type { Worker } from 'node:worker_threads'
import { Fault, type FaultCode, type Problem } from '../../shared/kernel/errors.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import { type RequestAsSent, type RequestRead, readRequest, sizeOfBody } from './read-request.ts'
import type { ParsedAddress } from './validate.ts'

/** Bytes, and members and elements, that are read on the event loop: a few milliseconds. */
const HERE_BYTES = 256 * 1024
const HERE_PARTS = 2_000

export interface ToBodyThread {
  readonly id: number
  /** Its `id` in the contract. */
  readonly route: string
  readonly sent: RequestAsSent
  /** Whether the body is given back too, or only checked. */
  readonly body: boolean
}

export type FromBodyThread =
  | { readonly id: number; readonly read: RequestRead }
  | { readonly id: number; readonly fault: { code: FaultCode; message: string; details: readonly Problem[] } }
  | { readonly id: number; readonly error: string }

export interface BodyReader {
  /** @param body false: the handler does not want the body itself @throws Fault as `readRequest` */
  read(route: RouteDefinition, sent: RequestAsSent, address: ParsedAddress, body: boolean): Promise<RequestRead>
  close(): Promise<void>
}

/** Everything on the event loop; for frames whose routes are not in the contract. */
export const readHere: BodyReader = {
  read: async (route, sent, address) => readRequest(route, sent, undefined, address),
  close: async () => {},
}

/** @param start starts a thread that answers `ToBodyThread`; called when the first large body comes, and anew after one has ended */
export function createBodyReader(start: () => Worker): BodyReader {
  interface Waiting {
    resolve(read: RequestRead): void
    reject(error: Error): void
  }
  const waiting = new Map<number, Waiting>()
  let last = 0
  let thread: Worker | null = null

  const settle = (message: FromBodyThread): void => {
    const one = waiting.get(message.id)
    waiting.delete(message.id)
    // A thread with nothing to do keeps no process alive.
    if (waiting.size === 0) thread?.unref()
    if ('read' in message) one?.resolve(message.read)
    else if ('fault' in message) one?.reject(faultOf(message.fault))
    else one?.reject(new Error(message.error))
  }
  const started = (): Worker => {
    const worker = start()
    const ended = (error: Error): void => {
      if (thread !== worker) return
      thread = null
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    worker.on('message', settle)
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
        worker.postMessage({ id, route: route.id, sent, body } satisfies ToBodyThread, handedOver(sent.bytes))
      })
    },
    close: async () => {
      const worker = thread
      await worker?.terminate()
    },
  }
}

/** The memory itself goes to the thread, where it belongs to this body alone. */
const handedOver = (bytes: Uint8Array | undefined): ArrayBuffer[] =>
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

/** What the thread does with each message. */
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
