/** Uploads, reads and hashes objects, away from the thread that answers requests: a part of 16 MiB takes a tenth of a second to hash and sign. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../../platform/threads/give-way.ts'
import { faultOf, StorageFault } from '../faults.ts'
import { pieceDigest } from '../piece-digest.ts'
import { failureOf } from '../workers/failures.ts'
import type { Pace } from '../workers/messages.ts'
import { assembler, unnamed } from './assemble.ts'
import { openBucket } from './bucket.ts'
import type {
  AcknowledgedObject,
  FromTransfers,
  ToTransfers,
  Transfer,
  TransferSettings,
} from './transfers.messages.ts'

if (parentPort === null) throw new Error('This file runs on a worker thread')
const port = parentPort
lowerPriority()
const { address, limits } = workerData as TransferSettings
const bucket = openBucket(address, limits)
const assemble = assembler(bucket, limits)
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
  if (transfer.kind === 'assemble') return assemble(transfer.key, transfer.objects, transfer.ifAbsent, signal)
  if (transfer.kind === 'join') return joinObjects(transfer.objects, transfer.path, signal, tell)
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

/** A block is read so often before its bytes count as other ones: they can be damaged on the way too. */
const READS = 2

/** Reads objects in order into one hash, and into one new file where a path is given. @throws StorageFault PieceMismatch */
async function joinObjects(
  objects: readonly AcknowledgedObject[],
  path: string | null,
  signal: AbortSignal,
  tell: (bytes: number) => void,
): Promise<string> {
  const file = path === null ? null : await writing(path, () => open(path, 'wx', 0o600))
  try {
    let hash = createHash('sha256')
    let offset = 0
    for (const object of objects) {
      const before = hash.copy()
      let crc32 = await readObject(object, hash, { file, path, offset, signal, tell })
      for (let reads = 1; crc32 !== object.crc32 && reads < READS; reads++) {
        hash = before.copy()
        crc32 = await readObject(object, hash, { file, path, offset, signal, tell })
      }
      if (crc32 !== object.crc32)
        throw new StorageFault('PieceMismatch', 'A block in the object store is not as it was acknowledged.', {
          path: object.key,
          piece: { offset, length: object.length },
        })
      offset += object.length
    }
    return hash.digest('hex')
  } finally {
    await file?.close()
  }
}

interface Joining {
  readonly file: FileHandle | null
  readonly path: string | null
  /** Where the object begins in the whole. */
  readonly offset: number
  readonly signal: AbortSignal
  readonly tell: (bytes: number) => void
}

/** @returns the checksum of what was read */
async function readObject(
  object: AcknowledgedObject,
  hash: ReturnType<typeof createHash>,
  { file, path, offset, signal, tell }: Joining,
): Promise<number> {
  const { key, length } = object
  let crc32 = 0
  let at = offset
  const stream = bucket.stream(key, unnamed(object), { start: 0, end: length }, 'write')
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      signal.throwIfAborted()
      hash.update(chunk)
      crc32 = pieceDigest(chunk, crc32)
      if (file !== null) await writing(path ?? '', () => writeWhole(file, chunk, at))
      at += chunk.length
      tell(chunk.length)
    }
  } catch (error) {
    if (!(error instanceof StorageFault) || (error.code !== 'BlobMissing' && error.code !== 'BlobDamaged')) throw error
    const piece = { offset, length }
    throw new StorageFault(
      'PieceMismatch',
      'A block that was acknowledged is not in the object store, or is shorter.',
      {
        path: key,
        piece,
        cause: error,
      },
    )
  }
  return crc32
}

async function writeWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten
}

/** Runs an operation on the file at `path`. @throws StorageFault */
async function writing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw faultOf(error, 'write', path)
  }
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
