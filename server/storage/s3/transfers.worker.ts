/** Uploads, reads and hashes objects, away from the thread that answers requests: a part of 16 MiB takes a tenth of a second to hash and sign. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../../platform/threads/give-way.ts'
import { faultOf } from '../faults.ts'
import { failureOf } from '../workers/failures.ts'
import type { Pace } from '../workers/messages.ts'
import { openBucket } from './bucket.ts'
import type { FromTransfers, ToTransfers, Transfer, TransferSettings } from './transfers.messages.ts'

if (parentPort === null) throw new Error('This file runs on a worker thread')
const port = parentPort
lowerPriority()
const { address, limits } = workerData as TransferSettings
const bucket = openBucket(address, limits)
const running = new Map<number, AbortController>()
const send = (message: FromTransfers): void => port.postMessage(message)

/** Progress is told after so many bytes. */
const PROGRESS = 8 * 1024 * 1024

port.on('message', (message: ToTransfers) => {
  if (message.op === 'close') {
    bucket.close()
    return port.close()
  }
  if (message.op === 'cancel') return running.get(message.id)?.abort()
  void run(message.id, message.transfer, message.progress)
})

async function run(id: number, transfer: Transfer, progress: boolean): Promise<void> {
  const stop = new AbortController()
  running.set(id, stop)
  let untold = 0
  const tell = (bytes: number): void => {
    untold += bytes
    if (!progress || untold < PROGRESS) return
    send({ op: 'progress', id, bytes: untold })
    untold = 0
  }
  try {
    const answer = await perform(transfer, stop.signal, tell)
    if (progress && untold > 0) send({ op: 'progress', id, bytes: untold })
    send({ op: 'done', id, answer, requests: bucket.requests() })
  } catch (error) {
    send({ op: 'failed', id, failure: failureOf(error, stop.signal.aborted), requests: bucket.requests() })
  } finally {
    running.delete(id)
  }
}

async function perform(
  transfer: Transfer,
  signal: AbortSignal,
  tell: (bytes: number) => void,
): Promise<boolean | string> {
  if (transfer.kind === 'put') {
    const { key, path, length, ifAbsent } = transfer
    return bucket.putFile(key, path, length, ifAbsent, signal)
  }
  const { key, facts } = transfer
  const hash = createHash('sha256')
  const pace = transfer.kind === 'hash' ? createPace(transfer.bytesPerSecond, signal) : async () => {}
  const hashed = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      signal.throwIfAborted()
      hash.update(chunk)
      tell(chunk.length)
      await pace(chunk.length)
      yield chunk
    }
  }
  const stream = bucket.stream(
    key,
    facts,
    { start: 0, end: facts.length },
    transfer.kind === 'hash' ? transfer.as : 'read',
  )
  if (transfer.kind === 'fetch') {
    const { path } = transfer
    await pipeline(stream, hashed, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal }).catch(
      (error: unknown) => {
        throw faultOf(error, 'write', path)
      },
    )
  } else for await (const _chunk of hashed(stream)) continue
  return hash.digest('hex')
}

function createPace(bytesPerSecond: Pace | undefined, signal: AbortSignal): (bytes: number) => Promise<void> {
  if (bytesPerSecond === undefined) return async () => {}
  const rate = (): number => Math.max(1, typeof bytesPerSecond === 'number' ? bytesPerSecond : (bytesPerSecond[0] ?? 1))
  let free = performance.now()
  return async (bytes) => {
    const now = performance.now()
    const wait = free - now
    free = Math.max(free, now) + (bytes / rate()) * 1000
    if (wait > 1) await sleep(wait, undefined, { signal })
  }
}
