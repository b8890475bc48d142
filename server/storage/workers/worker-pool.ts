import { Worker } from 'node:worker_threads'
import { StorageFault } from '../faults.ts'
import type { Answers, Failure, FromWorker, Task, ToWorker, WorkerSettings } from './messages.ts'

/** The threads that copy, hash and read back. Any number of tasks at once; memory is bounded by the threads' slices. */
export interface Crew {
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

/** How long a cancelled task may take to let go. A device that hangs in the kernel holds it longer; nobody waits for that. */
const LET_GO_MS = 2000

interface Running {
  resolve(answer: unknown): void
  reject(error: Error): void
  readonly onProgress: ((bytes: number) => void) | undefined
}

interface Member {
  readonly running: Map<number, Running>
  say(message: ToWorker): void
  stop(): Promise<void>
}

export function startCrew(threads: number, settings: WorkerSettings): Crew {
  const members = Array.from({ length: threads }, () => startMember(settings))
  let nextId = 1
  let closing: Promise<unknown> | null = null

  const leastBusy = (): number => {
    let best = 0
    for (const [index, { running }] of members.entries())
      if (running.size < (members[best] as Member).running.size) best = index
    return best
  }
  const start = (task: Task, { signal, onProgress }: RunOptions): Promise<unknown> => {
    const member = members[leastBusy()] as Member
    const id = nextId++
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const cancel = (): void => {
        member.say({ op: 'cancel', id })
        timer = setTimeout(() => reject(signal?.reason), LET_GO_MS)
        timer.unref()
      }
      const over = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', cancel)
      }
      member.running.set(id, {
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
      member.say({ op: 'task', id, task, progress: onProgress !== undefined })
    })
  }

  return {
    run: async <K extends Task['kind']>(task: Extract<Task, { kind: K }>, options: RunOptions = {}) => {
      if (closing !== null) throw new StorageFault('Closed', 'The evidence store is closed.')
      options.signal?.throwIfAborted()
      return (await start(task as Task, options)) as Answers[K]
    },
    close: async () => {
      closing ??= Promise.all(members.map((member) => member.stop()))
      await closing
    },
  }
}

function startMember(settings: WorkerSettings): Member {
  const running = new Map<number, Running>()
  const idle: (() => void)[] = []
  let worker: Worker
  let stopping = false

  const end = (id: number): Running | undefined => {
    const one = running.get(id)
    running.delete(id)
    return one
  }
  /** Threads with nothing to do keep no process alive. */
  const rest = (): void => {
    if (running.size > 0) return
    worker.unref()
    for (const wake of idle.splice(0)) wake()
  }
  const start = (): void => {
    worker = new Worker(new URL('./pool.worker.ts', import.meta.url), { workerData: settings })
    worker.on('message', (message: FromWorker) => {
      if (message.op === 'progress') running.get(message.id)?.onProgress?.(message.bytes)
      else if (message.op === 'done') end(message.id)?.resolve(message.answer)
      else end(message.id)?.reject(errorOf(message.failure))
      rest()
    })
    // A thread that died may have died between a rename and its fsync.
    worker.on('error', (error) => {
      const fault = new StorageFault('IoUnknown', `A thread of the evidence store ended: ${(error as Error).message}`)
      for (const id of running.keys()) end(id)?.reject(fault)
      for (const wake of idle.splice(0)) wake()
      if (!stopping) start()
    })
    worker.unref()
  }
  start()
  return {
    running,
    say: (message) => {
      worker.ref()
      worker.postMessage(message)
    },
    stop: async () => {
      if (running.size > 0) await new Promise<void>((resolve) => idle.push(resolve))
      stopping = true
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
      worker.ref()
      worker.postMessage({ op: 'close' } satisfies ToWorker)
      await ended
    },
  }
}

function errorOf({ code, message, path, errno, piece }: Failure): Error {
  return code === null ? new Error('Cancelled') : new StorageFault(code, message, { path, errno, piece })
}
