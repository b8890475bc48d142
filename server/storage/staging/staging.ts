import { constants } from 'node:fs'
import { link, mkdir, open, readdir, rm, stat, truncate, unlink } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  type Claims,
  type LaneAnswer,
  type LaneData,
  type LaneRequest,
  type Mismatch,
  type PartSums,
  SLOT_BYTES,
} from './staging.messages.ts'

/**
 * Where uploads wait for completion: `<root>/<upload>/<file>`, on the volume of the blobs. Files are written in parts, by any number
 * of senders at once, through one bounded pool of buffers, hashed and fsynced off the main thread. What a part means (which block of
 * which upload) is the caller's business; so is never to hand out a place twice.
 */
export interface StagingArea {
  readonly root: string
  pathOf(upload: string, file: string): string
  /** Makes the file where it is missing and its name durable. `shared` says that a blob has the same bytes: it must not be written again. */
  ensure(upload: string, file: string): Promise<{ shared: boolean }>
  /** Begins a part. Bytes appear in the file from `offset` on, at once; they count only after `finish`. */
  begin(upload: string, file: string, offset: number, sums: { md5: boolean; crc64: boolean }): PartWriter
  /**
   * A second name for a whole file, cut to `length`, for the blob store to adopt: the upload keeps its own until the completion is
   * committed, so that a crash in between loses nothing. From here on the file is sealed: see `ensure`.
   * @returns null when it is sealed at another length already, or the file system knows no second names
   */
  share(upload: string, file: string, length: number): Promise<string | null>
  /** Removes second names that were not adopted, of one upload or of all. A file without a second name may be written again. */
  unshare(upload?: string): Promise<void>
  /** Folders of uploads. Others, and files beside them, are not this area's. */
  uploads(): Promise<string[]>
  files(upload: string): Promise<string[]>
  remove(upload: string, file: string): Promise<void>
  removeAll(upload: string): Promise<void>
  close(): Promise<void>
}

export interface PartWriter {
  /** Takes the chunk over: its memory is freed when it was copied. Resolves when there is room for more, so that a fast sender waits for a slow disk. One call at a time. */
  push(chunk: Uint8Array): Promise<void>
  /** Here a segment of a structured message begins or ends. */
  segment(): Promise<void>
  /** Resolves when hashed, compared with what was claimed, and fsynced. @throws ClaimMismatch, StagingFailure */
  finish(claims: Claims): Promise<PartSums>
  /** Resolves when nothing of it is being written any more. Its bytes stay where they are, meaning nothing. */
  abort(): Promise<void>
}

/** The bytes are not what their sender said; nothing was made durable. */
export class ClaimMismatch extends Error {
  override readonly name = 'ClaimMismatch'
  readonly what: Mismatch
  constructor(what: Mismatch) {
    super(`The bytes received do not have the ${what} that was announced`)
    this.what = what
  }
}

/** The disk failed. `code` as the operating system gave it: ENOSPC, EIO … Never try fsync again on the same file (docs/guarantees.md). */
export class StagingFailure extends Error {
  override readonly name = 'StagingFailure'
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** Anything but a full disk: the station must not go on as if nothing had been (docs/guarantees.md, Durability). */
export const isDiskFailure = (error: unknown): error is StagingFailure =>
  error instanceof StagingFailure && !['ENOSPC', 'EDQUOT', 'EFBIG'].includes(error.code)

export interface StagingOptions {
  root: string
  /** Threads that hash and write. */
  lanes?: number
  /** Buffers of 512 KiB shared by all senders. */
  slots?: number
}

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'])

const NAME = /^[0-9A-Za-z_-]{1,80}$/

/** Opens the area. A thread starts when the first part is begun on it. */
export async function openStaging({
  root,
  lanes = Math.min(2, availableParallelism()),
  slots = 32,
}: StagingOptions): Promise<StagingArea> {
  await mkdir(root, { recursive: true })
  const volume = (await stat(root)).dev
  const pool = slotPool(slots)
  const started: Lane[] = []
  const laneOf = (turn: number): Lane => (started[turn % lanes] ??= startLane(pool))
  // Names known to be durable: a file of an earlier run may have been made without its folder having been fsynced.
  const durable = new Map<string, { shared: boolean }>()
  let turn = 0
  let closed = false

  const pathOf = (upload: string, file: string): string => {
    if (!NAME.test(upload) || !NAME.test(file)) throw new Error('Not a name of the staging area')
    return join(root, upload, file)
  }
  const forget = (path: string): void => void durable.delete(path)
  const forgetAll = (upload: string): void => {
    const folder = dirname(pathOf(upload, 'x'))
    for (const path of durable.keys()) if (dirname(path) === folder) forget(path)
  }

  return {
    root,
    pathOf,
    ensure: async (upload, file) => {
      const path = pathOf(upload, file)
      const known = durable.get(path)
      if (known !== undefined) return known
      const made = { shared: await onDisk(() => ensureFile(path, volume)) }
      durable.set(path, made)
      return made
    },
    begin: (upload, file, offset, sums) => {
      if (closed) throw new StagingFailure('The staging area is closed', 'CLOSED')
      const writer = laneOf(turn++)
      // MD5 takes twice as long as SHA-256. On the lane that writes, the sender of a large file would wait for nothing else.
      return writer.begin(pathOf(upload, file), offset, sums.crc64, sums.md5 ? laneOf(turn).beginMd5() : null)
    },
    share: async (upload, file, length) => {
      const path = pathOf(upload, file)
      const target = join(root, `adopt-${upload}-${file}`)
      if (!(await onDisk(() => secondName(path, target, length)))) return null
      durable.set(path, { shared: true })
      return target
    },
    unshare: async (upload) => {
      const prefix = upload === undefined ? 'adopt-' : `adopt-${upload}-`
      const shared = (await readdir(root)).filter((name) => name.startsWith(prefix))
      for (const name of shared) await rm(join(root, name), { force: true })
      if (upload === undefined) durable.clear()
      else forgetAll(upload)
    },
    uploads: async () =>
      (await readdir(root, { withFileTypes: true }))
        .filter((entry) => entry.isDirectory() && /^\d+$/.test(entry.name))
        .map((entry) => entry.name),
    files: async (upload) => readdir(dirname(pathOf(upload, 'x'))).catch(nothingWhenMissing),
    remove: async (upload, file) => {
      const path = pathOf(upload, file)
      forget(path)
      await unlink(path).catch(nothingWhenMissing)
    },
    removeAll: async (upload) => {
      forgetAll(upload)
      await rm(join(root, upload), { recursive: true, force: true })
    },
    close: async () => {
      closed = true
      await Promise.all(started.map((lane) => lane.stop()))
    },
  }
}

/** Turns a system error into a StagingFailure: after EIO the station must stop taking writes. */
async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, message, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined || code === undefined) throw error
    throw new StagingFailure(message, code)
  }
}

/** @returns false when the file is sealed at another length, or the file system knows no second names */
async function secondName(path: string, target: string, length: number): Promise<boolean> {
  // Left by a completion that was cut short. Only completions make this name.
  await rm(target, { force: true })
  const { size, nlink } = await stat(path)
  if (size !== length && nlink > 1) return false
  if (size !== length) await truncate(path, length)
  try {
    await link(path, target)
  } catch (error) {
    if (NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
  return true
}

function nothingWhenMissing(error: NodeJS.ErrnoException): [] {
  if (error.code !== 'ENOENT') throw error
  return []
}

/** @returns whether another name has the same bytes: then a blob is, or was about to be, made of them. */
async function ensureFile(path: string, volume: number): Promise<boolean> {
  const folder = dirname(path)
  if ((await mkdir(folder, { recursive: true })) !== undefined) await syncFolder(dirname(folder))
  const file = await open(path, constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW, 0o600)
  try {
    const { nlink, dev } = await file.stat()
    if (dev !== volume) {
      await unlink(path)
      throw new StagingFailure('Another volume lies where the uploads were.', 'EXDEV')
    }
    await syncFolder(folder)
    return nlink > 1
  } finally {
    await file.close()
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The compiler's library knows WebAssembly only together with the DOM. */
declare const WebAssembly: {
  readonly Memory: new (size: {
    initial: number
    maximum: number
    shared: true
  }) => { readonly buffer: SharedArrayBuffer }
}

interface SlotPool {
  readonly memory: SharedArrayBuffer
  take(): Promise<number>
  /** A second lane reads the slot: it is free after one more `give`. */
  share(slot: number): void
  give(slot: number): void
  /** Rejects everybody who waits for a slot: a lane ended while it had some. */
  fail(error: Error): void
}

/** WebAssembly memory is page-aligned, which O_DIRECT needs and a Buffer is not. */
function slotPool(count: number): SlotPool {
  const pages = (count * SLOT_BYTES) / 65_536
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }).buffer
  const free = Array.from({ length: count }, (_, i) => i)
  const shared = new Set<number>()
  const waiting: { resolve(slot: number): void; reject(error: Error): void }[] = []
  let failure: Error | null = null
  return {
    memory,
    take: () => {
      if (failure !== null) return Promise.reject(failure)
      const slot = free.pop()
      return slot === undefined
        ? new Promise((resolve, reject) => waiting.push({ resolve, reject }))
        : Promise.resolve(slot)
    },
    share: (slot) => void shared.add(slot),
    give: (slot) => {
      if (shared.delete(slot)) return
      const next = waiting.shift()
      if (next === undefined) free.push(slot)
      else next.resolve(slot)
    },
    fail: (error) => {
      failure ??= error
      for (const { reject } of waiting.splice(0)) reject(error)
    },
  }
}

/** The MD5 of one part. */
interface Md5Lane {
  update(slot: number, length: number): void
  /** @returns Base64 */
  finish(): Promise<string>
  abort(): void
}

type Question = LaneRequest & { op: 'finish' | 'abort' | 'md5-finish' }

interface Lane {
  begin(path: string, offset: number, crc64: boolean, md5: Md5Lane | null): PartWriter
  /** For a part that another lane writes. */
  beginMd5(): Md5Lane
  stop(): Promise<void>
}

function startLane(pool: SlotPool): Lane {
  const worker = new Worker(new URL('./staging.worker.ts', import.meta.url), {
    workerData: { memory: pool.memory } satisfies LaneData,
  })
  const waiting = new Map<number, (answer: LaneAnswer) => void>()
  let ended: StagingFailure | null = null
  let nextPart = 1

  worker.on('message', (answer: LaneAnswer) => {
    if (answer.op === 'slot') return pool.give(answer.slot)
    const resolve = waiting.get(answer.part)
    waiting.delete(answer.part)
    resolve?.(answer)
  })
  const end = (failure: StagingFailure): void => {
    ended ??= failure
    for (const [part, resolve] of waiting) resolve({ op: 'failed', part, code: failure.code, message: failure.message })
    waiting.clear()
    pool.fail(failure)
  }
  worker.on('error', (error) =>
    end(new StagingFailure(`A staging thread ended: ${(error as Error).message}`, 'THREAD_ENDED')),
  )
  worker.on('exit', () => end(new StagingFailure('The staging area is closed', 'CLOSED')))

  const say = (message: LaneRequest): void => {
    if (ended !== null) throw ended
    worker.postMessage(message)
  }
  const ask = (message: Question): Promise<LaneAnswer> =>
    new Promise((resolve, reject) => {
      if (ended !== null) return reject(ended)
      waiting.set(message.part, resolve)
      worker.postMessage(message)
    })

  return {
    begin: (path, offset, crc64, md5) => {
      const part = nextPart++
      say({ op: 'open', part, path, offset, crc64 })
      return partWriter(part, pool, say, ask, md5)
    },
    beginMd5: () => {
      const part = nextPart++
      return {
        update: (slot, length) => say({ op: 'md5-data', part, slot, length }),
        finish: async () => {
          const answer = await ask({ op: 'md5-finish', part })
          if (answer.op !== 'md5') throw failureOf(answer)
          return answer.md5
        },
        abort: () => {
          if (ended === null) worker.postMessage({ op: 'md5-abort', part } satisfies LaneRequest)
        },
      }
    },
    stop: async () => {
      await worker.terminate()
    },
  }
}

const failureOf = (answer: LaneAnswer): StagingFailure =>
  answer.op === 'failed'
    ? new StagingFailure(answer.message, answer.code)
    : new StagingFailure('The part was given up', 'ABORTED')

/**
 * Frees the memory of a chunk at once. Left to the garbage collector, the chunks of a fast sender make it collect the whole heap every
 * 20 MB: a third of the processor time of an upload. Only for a chunk that is all of its memory: socket chunks are, pooled ones are not.
 */
function releaseMemory(chunk: Uint8Array): void {
  if (chunk.length > 4096 && chunk.length === chunk.buffer.byteLength && chunk.buffer instanceof ArrayBuffer)
    chunk.buffer.transfer(0)
}

/** Many tiny chunks (a slow sender) are joined before they cost more than the bytes they hold. */
const MOST_CHUNKS = 64

/**
 * Gathers a full slot in ordinary memory before it takes one of the pool: a sender of one byte a second holds no slot,
 * so that any number of them leave the pool to the others (U8). Full slots also keep file offsets aligned.
 */
function partWriter(
  part: number,
  pool: SlotPool,
  say: (message: LaneRequest) => void,
  ask: (message: Question) => Promise<LaneAnswer>,
  md5: Md5Lane | null,
): PartWriter {
  let chunks: Uint8Array[] = []
  let gathered = 0

  const send = async (length: number): Promise<void> => {
    const slot = await pool.take()
    const target = new Uint8Array(pool.memory, slot * SLOT_BYTES, length)
    let filled = 0
    while (filled < length) {
      const chunk = chunks[0] as Uint8Array
      const piece = chunk.length > length - filled ? chunk.subarray(0, length - filled) : chunk
      target.set(piece, filled)
      filled += piece.length
      chunks.shift()
      if (piece === chunk) releaseMemory(chunk)
      else chunks.unshift(chunk.subarray(piece.length))
    }
    gathered -= length
    try {
      say({ op: 'data', part, slot, length })
      if (md5 !== null) {
        pool.share(slot)
        md5.update(slot, length)
      }
    } catch (error) {
      pool.give(slot)
      throw error
    }
  }
  const flush = async (): Promise<void> => {
    if (gathered > 0) await send(gathered)
  }
  return {
    push: async (chunk) => {
      if (chunk.length === 0) return
      if (chunks.length >= MOST_CHUNKS) chunks = [Buffer.concat(chunks)]
      chunks.push(chunk)
      gathered += chunk.length
      while (gathered >= SLOT_BYTES) await send(SLOT_BYTES)
    },
    segment: async () => {
      await flush()
      say({ op: 'segment', part })
    },
    finish: async (claims) => {
      await flush()
      const sum = md5 === null ? null : await md5.finish()
      const answer = await ask({ op: 'finish', part, claims, md5: sum })
      if (answer.op === 'finished') return answer.sums
      if (answer.op === 'mismatch') throw new ClaimMismatch(answer.what)
      throw failureOf(answer)
    },
    abort: async () => {
      chunks = []
      gathered = 0
      md5?.abort()
      await ask({ op: 'abort', part }).catch(() => {})
    },
  }
}
