/** `client.worker.ts`, asked from the test's own thread. */
import { Worker } from 'node:worker_threads'
import type { Received, Sent } from './client.worker.ts'

export type { Received } from './client.worker.ts'

export interface ClientThread {
  send(request: Omit<Sent, 'id' | 'headers'> & { readonly headers?: Sent['headers'] }): Promise<Received>
  close(): Promise<void>
}

export function startClient(): ClientThread {
  const worker = new Worker(new URL('./client.worker.ts', import.meta.url))
  const waiting = new Map<number, (received: Received) => void>()
  let last = 0
  worker.on('message', (received: Received) => {
    waiting.get(received.id)?.(received)
    waiting.delete(received.id)
  })
  return {
    send: (request) =>
      new Promise((resolve) => {
        const id = ++last
        waiting.set(id, resolve)
        worker.postMessage({ headers: {}, ...request, id } satisfies Sent)
      }),
    close: async () => {
      await worker.terminate()
    },
  }
}
