/** The thread that writes a ZIP file, as whoever waits for it sees it. */
import { Worker } from 'node:worker_threads'
import { FEW_OBJECTS } from '../../platform/threads/young-memory.ts'
import { StorageFault } from '../faults.ts'
import { errorOf } from '../workers/failures.ts'
import type { ZipWriter } from './zip-file.ts'
import type { AskedOfZip, FromZip, ToZip, ZipSettings } from './zip-messages.ts'

interface Waiting {
  resolve(answer: unknown): void
  reject(error: Error): void
}

/** One call at a time, but for `close`, which also ends a call that runs. */
export function startZip(settings: ZipSettings, onBytes: (bytes: number) => void): ZipWriter {
  const thread = new Worker(new URL('./zip.worker.ts', import.meta.url), {
    workerData: settings,
    resourceLimits: FEW_OBJECTS,
  })
  const waiting = new Map<number, Waiting>()
  let [next, isOver] = [1, false]
  const over = (error: Error): void => {
    isOver = true
    for (const one of waiting.values()) one.reject(error)
    waiting.clear()
  }
  thread.on('message', (message: FromZip) => {
    if (message.op === 'progress') return onBytes(message.bytes)
    const one = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.op === 'done') one?.resolve(message.answer)
    else one?.reject(errorOf(message.failure))
  })
  thread.on('error', (error) =>
    over(new StorageFault('StoreFailed', `The thread that writes the ZIP file ended: ${(error as Error).message}`)),
  )
  thread.on('exit', () => over(new StorageFault('Closed', 'The ZIP file is closed.')))
  const ask = <T>(message: AskedOfZip): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (isOver) return reject(new StorageFault('Closed', 'The ZIP file is closed.'))
      const id = next++
      waiting.set(id, { resolve: (answer) => resolve(answer as T), reject })
      thread.postMessage({ ...message, id } satisfies ToZip)
    })
  return {
    file: (source, to) => ask({ op: 'file', source, to }),
    bytes: (path, bytes) => ask({ op: 'bytes', path, bytes }),
    layout: () => ask({ op: 'layout' }),
    end: () => ask({ op: 'end' }),
    close: async () => {
      if (isOver) return
      const ended = new Promise((resolve) => thread.once('exit', resolve))
      await ask({ op: 'close' }).catch(() => {})
      await ended
    },
  }
}
