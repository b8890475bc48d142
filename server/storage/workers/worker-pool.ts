import { Worker } from 'node:worker_threads'
import { StorageFault } from '../faults.ts'
import type { Answers, Failure, FromWorker, Task, ToWorker, WorkerSettings } from './messages.ts'

/** The threads that copy, hash and read back. Any number of tasks at once; memory is bounded by the threads' slices. */
export interface WorkerPool {
  /**
   * @param options.onProgress is told bytes done since the last time; a copy counts its bytes twice, written and read back
   * @throws StorageFault, or the signal's reason; then the task is over and has left nothing, unless it hangs in the kernel
   */
  run<K extends Task['kind']>(task: Extract<Task, { kind: K }>, options?: RunOptions): Promise<Answers[K]>
  /** Waits for what is under way. */
  close(): Promise<void>
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((bytes: number) => void) | undefined
}

/** How long a cancelled task may take to end. A device that hangs in the kernel takes longer, and the caller does not wait for it. */
const LET_GO_MS = 2000

interface Running {
  resolve(answer: unknown): void
  reject(error: Error): void
  readonly onProgress: ((bytes: number) => void) | undefined
}

interface PoolThread {
  readonly running: Map<number, Running>
  say(message: ToWorker): void
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
        thread.say({ op: 'cancel', id })
        timer = setTimeout(() => reject(signal?.reason), LET_GO_MS)
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
      thread.say({ op: 'task', id, task, progress: onProgress !== undefined })
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

  const end = (id: number): Running | undefined => {
    const one = running.get(id)
    running.delete(id)
    return one
  }
  /** Threads with nothing to do keep no process alive. */
  const rest = (): void => {
    if (running.size > 0) return
    worker?.unref()
    for (const wake of idle.splice(0)) wake()
  }
  const start = (): Worker => {
    const started = new Worker(new URL('./pool.worker.ts', import.meta.url), { workerData: settings })
    worker = started
    started.on('message', (message: FromWorker) => {
      if (message.op === 'progress') running.get(message.id)?.onProgress?.(message.bytes)
      else if (message.op === 'done') end(message.id)?.resolve(message.answer)
      else end(message.id)?.reject(errorOf(message.failure))
      rest()
    })
    // A thread that died may have died between a rename and its fsync.
    started.on('error', (error) => {
      const fault = new StorageFault('IoUnknown', `A thread of the evidence store ended: ${(error as Error).message}`)
      for (const id of running.keys()) end(id)?.reject(fault)
      for (const wake of idle.splice(0)) wake()
      worker = null
    })
    started.unref()
    return started
  }
  return {
    running,
    say: (message) => {
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

function errorOf({ code, message, path, errno, piece }: Failure): Error {
  return code === null ? new Error('Cancelled') : new StorageFault(code, message, { path, errno, piece })
}
