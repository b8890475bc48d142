import { Worker } from 'node:worker_threads'
import { StorageFault } from '../faults.ts'
import { errorOf } from '../workers/failures.ts'
import type { FromTransfers, ToTransfers, Transfer, TransferAnswers, TransferSettings } from './transfers.messages.ts'

/** The thread that moves and hashes the bytes of objects. It starts with its first transfer. */
export interface Transfers {
  /** @throws StorageFault, or the signal's reason */
  run<K extends Transfer['kind']>(
    transfer: Extract<Transfer, { kind: K }>,
    options?: TransferOptions,
  ): Promise<TransferAnswers[K]>
  /** Requests of the thread so far. */
  requests(): number
  /** Waits for running transfers. */
  close(): Promise<void>
}

export interface TransferOptions {
  readonly signal?: AbortSignal | undefined
  /** Bytes since the last call. */
  readonly onProgress?: ((bytes: number) => void) | undefined
}

interface Running {
  resolve(answer: boolean | string): void
  reject(error: Error): void
  readonly onProgress: TransferOptions['onProgress']
}

export function createTransfers(settings: TransferSettings): Transfers {
  const running = new Map<number, Running>()
  const idle: (() => void)[] = []
  let worker: Worker | null = null
  let closing: Promise<void> | null = null
  let nextId = 1
  let requests = 0

  const take = (id: number): Running | undefined => {
    const one = running.get(id)
    running.delete(id)
    if (running.size === 0) {
      // An idle thread must not keep the process alive.
      worker?.unref()
      for (const wake of idle.splice(0)) wake()
    }
    return one
  }
  const start = (): Worker => {
    const started = new Worker(new URL('./transfers.worker.ts', import.meta.url), { workerData: settings })
    started.on('message', (message: FromTransfers) => {
      if (message.op === 'progress') return running.get(message.id)?.onProgress?.(message.bytes)
      requests = message.requests
      if (message.op === 'done') take(message.id)?.resolve(message.answer)
      else take(message.id)?.reject(errorOf(message.failure))
    })
    // What it had begun is found by whoever asks again: an upload is no change that has to be known.
    started.on('error', (error) => {
      worker = null
      const fault = new StorageFault('StoreAway', `The thread of transfers ended: ${(error as Error).message}`)
      for (const id of running.keys()) take(id)?.reject(fault)
    })
    started.unref()
    return started
  }
  const post = (message: ToTransfers): void => {
    worker ??= start()
    worker.ref()
    worker.postMessage(message)
  }
  const stop = async (): Promise<void> => {
    if (running.size > 0) await new Promise<void>((resolve) => idle.push(resolve))
    const thread = worker
    if (thread === null) return
    const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
    thread.ref()
    thread.postMessage({ op: 'close' } satisfies ToTransfers)
    await ended
  }
  return {
    run: async <K extends Transfer['kind']>(
      transfer: Extract<Transfer, { kind: K }>,
      { signal, onProgress }: TransferOptions = {},
    ) => {
      if (closing !== null) throw new StorageFault('Closed', 'The evidence store is closed.')
      signal?.throwIfAborted()
      const id = nextId++
      const cancel = (): void => post({ op: 'cancel', id })
      signal?.addEventListener('abort', cancel, { once: true })
      try {
        return (await new Promise<boolean | string>((resolve, reject) => {
          running.set(id, { resolve, reject, onProgress })
          post({ op: 'transfer', id, transfer: transfer as Transfer, progress: onProgress !== undefined })
        })) as TransferAnswers[K]
      } catch (error) {
        if (signal?.aborted === true && !(error instanceof StorageFault)) throw signal.reason
        throw error
      } finally {
        signal?.removeEventListener('abort', cancel)
      }
    },
    requests: () => requests,
    close: () => (closing ??= stop()),
  }
}
