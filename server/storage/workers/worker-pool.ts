import { Worker } from 'node:worker_threads'
import { FEW_OBJECTS } from '../../platform/threads/young-memory.ts'
import { StorageFault } from '../faults.ts'
import { errorOf } from './failures.ts'
import type { Answers, FromWorker, Task, ToWorker, WorkerSettings } from './messages.ts'

/** The threads that copy, hash and read back. Any number of tasks may run at once; the threads' slices bound the memory. */
export interface WorkerPool {
  /**
   * @param options.onProgress gets the bytes done since its last call; a copy counts its bytes twice, for writing and reading back
   * @throws StorageFault, or the signal's reason. The task has then ended and left nothing, unless it hangs in the kernel.
   */
  run<K extends Task['kind']>(task: Extract<Task, { kind: K }>, options?: RunOptions): Promise<Answers[K]>
  /** Waits for running tasks. */
  close(): Promise<void>
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((bytes: number) => void) | undefined
}

/** Milliseconds that a cancelled task may take to end. The caller does not wait longer for a device that hangs in the kernel. */
const CANCEL_MS = 2000

interface Running {
  resolve(answer: unknown): void
  reject(error: Error): void
  readonly onProgress: ((bytes: number) => void) | undefined
}

interface PoolThread {
  readonly running: Map<number, Running>
  send(message: ToWorker): void
  stop(): Promise<void>
}

export function createWorkerPool(size: number, settings: WorkerSettings): WorkerPool {
  const threads = Array.from({ length: size }, () => createThread(settings))
  let nextId = 1
  let closing: Promise<unknown> | null = null

  const leastBusy = (): number => {
    let best = 0
    for (const [index, { running }] of threads.entries())
      if (running.size < (threads[best] as PoolThread).running.size) best = index
    return best
  }
  const start = (task: Task, { signal, onProgress }: RunOptions): Promise<unknown> => {
    const thread = threads[leastBusy()] as PoolThread
    const id = nextId++
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const cancel = (): void => {
        thread.send({ op: 'cancel', id })
        timer = setTimeout(() => reject(signal?.reason), CANCEL_MS)
        timer.unref()
      }
      const over = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', cancel)
      }
      thread.running.set(id, {
        onProgress,
        resolve: (answer) => {
          over()
          resolve(answer)
        },
        reject: (error) => {
          over()
          reject(error instanceof StorageFault || signal?.aborted !== true ? error : signal.reason)
        },
      })
      signal?.addEventListener('abort', cancel, { once: true })
      thread.send({ op: 'task', id, task, progress: onProgress !== undefined })
    })
  }

  return {
    run: async <K extends Task['kind']>(task: Extract<Task, { kind: K }>, options: RunOptions = {}) => {
      if (closing !== null) throw new StorageFault('Closed', 'The evidence store is closed.')
      options.signal?.throwIfAborted()
      return (await start(task as Task, options)) as Answers[K]
    },
    close: async () => {
      closing ??= Promise.all(threads.map((thread) => thread.stop()))
      await closing
    },
  }
}

function createThread(settings: WorkerSettings): PoolThread {
  const running = new Map<number, Running>()
  const idle: (() => void)[] = []
  let worker: Worker | null = null

  const takeRunning = (id: number): Running | undefined => {
    const task = running.get(id)
    running.delete(id)
    return task
  }
  /** Idle threads must not keep the process alive. */
  const releaseWhenIdle = (): void => {
    if (running.size > 0) return
    worker?.unref()
    for (const wake of idle.splice(0)) wake()
  }
  const start = (): Worker => {
    const started = new Worker(new URL('./pool.worker.ts', import.meta.url), {
      workerData: settings,
      resourceLimits: FEW_OBJECTS,
    })
    worker = started
    started.on('message', (message: FromWorker) => {
      if (message.op === 'progress') running.get(message.id)?.onProgress?.(message.bytes)
      else if (message.op === 'done') takeRunning(message.id)?.resolve(message.answer)
      else takeRunning(message.id)?.reject(errorOf(message.failure))
      releaseWhenIdle()
    })
    // The thread may have died between a rename and its fsync, so the outcome is unknown.
    started.on('error', (error) => {
      const fault = new StorageFault('IoUnknown', `A thread of the evidence store ended: ${(error as Error).message}`)
      for (const id of running.keys()) takeRunning(id)?.reject(fault)
      for (const wake of idle.splice(0)) wake()
      worker = null
    })
    started.unref()
    return started
  }
  return {
    running,
    send: (message) => {
      const thread = worker ?? start()
      thread.ref()
      thread.postMessage(message)
    },
    stop: async () => {
      if (running.size > 0) await new Promise<void>((resolve) => idle.push(resolve))
      const thread = worker
      if (thread === null) return
      const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
      thread.ref()
      thread.postMessage({ op: 'close' } satisfies ToWorker)
      await ended
    },
  }
}
