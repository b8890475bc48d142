/** Copies, hashes, reads back and places files, away from the event loop. The tasks of a thread take turns slice by slice. */
import { parentPort, workerData } from 'node:worker_threads'
import { setTimeout as sleep } from 'node:timers/promises'
import { lowerPriority } from '../../platform/threads/give-way.ts'
import { copyResumablePass } from './copy-resumable.ts'
import { decryptPass } from './decrypt.ts'
import { failureOf } from './failures.ts'
import type { Answers, FromWorker, Pace, Task, ToWorker, WorkerSettings } from './messages.ts'
import { adoptPass, assemblePass, copyPass, hashPass, readPass } from './passes.ts'
import { placePass, type DurableFolders } from './place.ts'
import { Cancelled, type TaskContext } from './pump.ts'
import { createSlices } from './slices.ts'

if (parentPort === null) throw new Error('This file runs on a worker thread')
const port = parentPort
// Lowers the priority: hashing takes a whole core while cameras are docked, and the machine may have only two.
lowerPriority()
const { root, volume, direct, slices: count, reads } = workerData as WorkerSettings
const slices = createSlices(count, reads)
const durable: DurableFolders = new Set()
const cancelled = new Set<number>()
const running = new Set<number>()
const send = (message: FromWorker): void => port.postMessage(message)

/** Progress is reported after this many bytes or milliseconds, enough for a progress bar, also with a slow card. */
const PROGRESS = 8 * 1024 * 1024
const PROGRESS_MS = 500

port.on('message', (message: ToWorker) => {
  if (message.op === 'close') return port.close()
  if (message.op === 'cancel') {
    if (running.has(message.id)) cancelled.add(message.id)
    return
  }
  void run(message.id, message.task, message.progress)
})

async function run(id: number, task: Task, progress: boolean): Promise<void> {
  running.add(id)
  let unreported = 0
  let reportedAt = performance.now()
  const context: TaskContext = {
    slices,
    check: () => {
      if (cancelled.has(id)) throw new Cancelled()
    },
    progress: (bytes) => {
      unreported += bytes
      const now = performance.now()
      if (!progress || (unreported < PROGRESS && now - reportedAt < PROGRESS_MS)) return
      send({ op: 'progress', id, bytes: unreported })
      unreported = 0
      reportedAt = now
    },
  }
  try {
    context.check()
    const answer = await perform(context, task)
    if (progress && unreported > 0) send({ op: 'progress', id, bytes: unreported })
    send({ op: 'done', id, answer })
  } catch (error) {
    send({ op: 'failed', id, failure: failureOf(error, error instanceof Cancelled) })
  } finally {
    running.delete(id)
    cancelled.delete(id)
  }
}

function perform(context: TaskContext, task: Task): Promise<Answers[keyof Answers]> {
  switch (task.kind) {
    case 'copy':
      return copyPass(context, direct, { ...task, source: pathOf(task.source) })
    case 'copyResumable':
      return copyResumablePass(context, direct, { ...task, source: pathOf(task.source) })
    case 'adopt':
      return adoptPass(context, direct, task)
    case 'assemble':
      return assemblePass(context, direct, task)
    case 'decrypt':
      return decryptPass(context, direct, task)
    case 'hash':
      return hashPass(context, pathOf(task.source))
    case 'verify':
      return readPass(
        task.bytesPerSecond === undefined ? context : withPace(context, task.bytesPerSecond),
        direct,
        task.path,
        [],
      )
    case 'place':
      return placePass(context, direct, { root, volume, durable }, task)
  }
}

function withPace(context: TaskContext, pace: Pace): TaskContext {
  const rate = (): number => Math.max(1, typeof pace === 'number' ? pace : (pace[0] ?? 1))
  let free = performance.now()
  return {
    ...context,
    pace: async (bytes) => {
      const now = performance.now()
      const wait = free - now
      free = Math.max(free, now) + (bytes / rate()) * 1000
      if (wait > 1) await sleep(wait)
    },
  }
}

/** A Buffer arrives as a Uint8Array. */
const pathOf = (path: string | Uint8Array): string | Buffer => (typeof path === 'string' ? path : Buffer.from(path))
