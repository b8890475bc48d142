/** Copies, hashes, reads back and places, away from the event loop that answers people. Every task is a lane; lanes take turns slice by slice. */
import { parentPort, workerData } from 'node:worker_threads'
import { setTimeout as sleep } from 'node:timers/promises'
import { giveWay } from '../../platform/threads/give-way.ts'
import { StorageFault } from '../faults.ts'
import { copyResumablePass } from './copy-resumable.ts'
import { decryptPass } from './decrypt.ts'
import type { Answers, Failure, FromWorker, Pace, Task, ToWorker, WorkerSettings } from './messages.ts'
import { adoptPass, assemblePass, copyPass, hashPass, readPass } from './passes.ts'
import { placePass, type SureFolders } from './place.ts'
import { Cancelled, type Lane } from './pump.ts'
import { createSlices } from './slices.ts'

if (parentPort === null) throw new Error('This file runs on a worker thread')
const port = parentPort
// Hashing takes a whole core for as long as cameras are docked; there may be only two.
giveWay()
const { root, volume, direct, slices: count, reads } = workerData as WorkerSettings
const slices = createSlices(count, reads)
const sure: SureFolders = new Set()
const cancelled = new Set<number>()
const running = new Set<number>()
const say = (message: FromWorker): void => port.postMessage(message)

/** A message for every so many bytes, or after so long, is enough for a bar that a person looks at; who waits for a slow card hears of each. */
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
  let unsaid = 0
  let saidAt = performance.now()
  const lane: Lane = {
    slices,
    check: () => {
      if (cancelled.has(id)) throw new Cancelled()
    },
    progress: (bytes) => {
      unsaid += bytes
      const now = performance.now()
      if (!progress || (unsaid < PROGRESS && now - saidAt < PROGRESS_MS)) return
      say({ op: 'progress', id, bytes: unsaid })
      unsaid = 0
      saidAt = now
    },
  }
  try {
    lane.check()
    const answer = await perform(lane, task)
    if (progress && unsaid > 0) say({ op: 'progress', id, bytes: unsaid })
    say({ op: 'done', id, answer })
  } catch (error) {
    say({ op: 'failed', id, failure: failureOf(error) })
  } finally {
    running.delete(id)
    cancelled.delete(id)
  }
}

function perform(lane: Lane, task: Task): Promise<Answers[keyof Answers]> {
  switch (task.kind) {
    case 'copy':
      return copyPass(lane, direct, { ...task, source: pathOf(task.source) })
    case 'copyResumable':
      return copyResumablePass(lane, direct, { ...task, source: pathOf(task.source) })
    case 'adopt':
      return adoptPass(lane, direct, task)
    case 'assemble':
      return assemblePass(lane, direct, task)
    case 'decrypt':
      return decryptPass(lane, direct, task)
    case 'hash':
      return hashPass(lane, pathOf(task.source))
    case 'verify':
      return readPass(
        task.bytesPerSecond === undefined ? lane : paced(lane, task.bytesPerSecond),
        direct,
        task.path,
        [],
      )
    case 'place':
      return placePass(lane, direct, { root, volume, sure }, task)
  }
}

function paced(lane: Lane, pace: Pace): Lane {
  const rate = (): number => Math.max(1, typeof pace === 'number' ? pace : (pace[0] ?? 1))
  let free = performance.now()
  return {
    ...lane,
    pace: async (bytes) => {
      const now = performance.now()
      const wait = free - now
      free = Math.max(free, now) + (bytes / rate()) * 1000
      if (wait > 1) await sleep(wait)
    },
  }
}

/** A Buffer arrives as bare bytes. */
const pathOf = (path: string | Uint8Array): string | Buffer => (typeof path === 'string' ? path : Buffer.from(path))

function failureOf(error: unknown): Failure {
  if (error instanceof Cancelled) return { code: null, message: error.message, path: null, errno: null, piece: null }
  if (error instanceof StorageFault) {
    const { code, message, path, errno, piece } = error
    return { code, message, path, errno, piece }
  }
  const { message, stack } = error as Error
  return { code: 'StoreFailed', message: stack ?? message, path: null, errno: null, piece: null }
}
