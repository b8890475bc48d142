import { constants } from 'node:fs'
import { link, mkdir, open, readdir, rm, stat, truncate, unlink } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { FEW_OBJECTS } from '../../platform/threads/young-memory.ts'
import {
  type Claims,
  type WorkerAnswer,
  type WorkerData,
  type WorkerRequest,
  type Mismatch,
  type PartSums,
  SLOT_BYTES,
} from './staging.messages.ts'

/**
 * The folder where uploads wait for completion: `<root>/<upload>/<file>`, on the volume of the blobs. Any number of senders can write files
 * in parts at the same time. Bytes go through one bounded pool of buffers and are hashed and synced off the main thread. The caller decides
 * which block of which upload a part is, and must never give out the same place twice.
 */
export interface StagingArea {
  readonly root: string
  pathOf(upload: string, file: string): string
  /** Creates a missing file and makes its name durable. `shared`: a blob has the same bytes, so the file must not be written again. */
  ensure(upload: string, file: string): Promise<{ shared: boolean }>
  /** Begins a part. Bytes are written to the file from `offset` on; they count only after `finish`. */
  begin(upload: string, file: string, offset: number, sums: { md5: boolean; crc64: boolean }): PartWriter
  /**
   * Makes a hard link to a complete file, cut to `length`, for the blob store to adopt. The upload keeps its own name until the completion is
   * committed, so that a crash in between loses nothing. From then on the file is sealed; see `ensure`.
   * @returns null when the file is sealed at another length, or the file system has no hard links
   */
  share(upload: string, file: string, length: number): Promise<string | null>
  /** Removes links that were not adopted, of one upload or of all. A file without such a link may be written again. */
  unshare(upload?: string): Promise<void>
  /** Folders of uploads. Other folders and files do not belong to this area. */
  uploads(): Promise<string[]>
  files(upload: string): Promise<string[]>
  remove(upload: string, file: string): Promise<void>
  removeAll(upload: string): Promise<void>
  close(): Promise<void>
}

export interface PartWriter {
  /** Takes over the chunk and frees its memory. Resolves when there is room for more, so that a fast sender waits for a slow disk. One call at a time. */
  push(chunk: Uint8Array): Promise<void>
  /** Marks the border between segments of a structured message. */
  segment(): Promise<void>
  /** Resolves when the bytes are hashed, compared with the claims, and synced. @throws ClaimMismatch, StagingFailure */
  finish(claims: Claims): Promise<PartSums>
  /** Resolves when no write of the part is running. Its bytes stay in the file but do not count. */
  abort(): Promise<void>
}

/** The bytes differ from the sender's claims. Nothing was made durable. */
export class ClaimMismatch extends Error {
  override readonly name = 'ClaimMismatch'
  readonly what: Mismatch
  constructor(what: Mismatch) {
    super(`The bytes received do not have the ${what} that was announced`)
    this.what = what
  }
}

/** The disk failed. `code` is that of the operating system: ENOSPC, EIO … Never repeat fsync on the same file (docs/guarantees.md). */
export class StagingFailure extends Error {
  override readonly name = 'StagingFailure'
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** Whether the failure is not just a full disk. The station must then stop writing (docs/guarantees.md, Durability). */
export const isDiskFailure = (error: unknown): error is StagingFailure =>
  error instanceof StagingFailure && !['ENOSPC', 'EDQUOT', 'EFBIG'].includes(error.code)

export interface StagingOptions {
  root: string
  /** Threads that hash and write. */
  workers?: number
  /** Buffers of 512 KiB shared by all senders. */
  slots?: number
}

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'])

const NAME = /^[0-9A-Za-z_-]{1,80}$/

/** Opens the area. A thread starts with its first part. */
export async function openStaging({
  root,
  workers = Math.min(2, availableParallelism()),
  slots = 32,
}: StagingOptions): Promise<StagingArea> {
  await mkdir(root, { recursive: true })
  const volume = (await stat(root)).dev
  const pool = slotPool(slots)
  const started: StagingWorker[] = []
  const workerOf = (turn: number): StagingWorker => (started[turn % workers] ??= startWorker(pool))
  // Files whose names are durable. A file of an earlier run may have been created without a sync of its folder.
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
      const writer = workerOf(turn++)
      // MD5 takes twice as long as SHA-256, so another worker computes it.
      return writer.begin(pathOf(upload, file), offset, sums.crc64, sums.md5 ? workerOf(turn).beginMd5() : null)
    },
    share: async (upload, file, length) => {
      const path = pathOf(upload, file)
      const target = join(root, `adopt-${upload}-${file}`)
      if (!(await onDisk(() => linkFile(path, target, length)))) return null
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
    files: async (upload) => readdir(dirname(pathOf(upload, 'x'))).catch(emptyWhenMissing),
    remove: async (upload, file) => {
      const path = pathOf(upload, file)
      forget(path)
      await unlink(path).catch(emptyWhenMissing)
    },
    removeAll: async (upload) => {
      forgetAll(upload)
      await rm(join(root, upload), { recursive: true, force: true })
    },
    close: async () => {
      closed = true
      await Promise.all(started.map((worker) => worker.stop()))
    },
  }
}

/** Turns system errors into StagingFailure. After EIO the station must stop taking writes. */
async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, message, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined || code === undefined) throw error
    throw new StagingFailure(message, code)
  }
}

/** @returns false when the file is sealed at another length, or the file system has no hard links */
async function linkFile(path: string, target: string, length: number): Promise<boolean> {
  // Removes the link of an interrupted completion. Only completions make this name.
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

function emptyWhenMissing(error: NodeJS.ErrnoException): [] {
  if (error.code !== 'ENOENT') throw error
  return []
}

/** @returns whether the file has a second link. A blob is then made of it, or was about to be. */
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

/** TypeScript's library declares WebAssembly only with the DOM. */
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
  /** A second worker reads the slot, which is free after one more `give`. */
  share(slot: number): void
  give(slot: number): void
  /** Rejects all that wait for a slot, after a worker ended with some of them. */
  fail(error: Error): void
}

/** Uses WebAssembly memory, which is page-aligned as O_DIRECT requires; a Buffer is not. */
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
interface Md5Sum {
  update(slot: number, length: number): void
  /** @returns Base64 */
  finish(): Promise<string>
  abort(): void
}

type Question = WorkerRequest & { op: 'finish' | 'abort' | 'md5-finish' }

interface StagingWorker {
  begin(path: string, offset: number, crc64: boolean, md5: Md5Sum | null): PartWriter
  /** For a part that another worker writes. */
  beginMd5(): Md5Sum
  stop(): Promise<void>
}

function startWorker(pool: SlotPool): StagingWorker {
  const worker = new Worker(new URL('./staging.worker.ts', import.meta.url), {
    workerData: { memory: pool.memory } satisfies WorkerData,
    resourceLimits: FEW_OBJECTS,
  })
  const waiting = new Map<number, (answer: WorkerAnswer) => void>()
  let ended: StagingFailure | null = null
  let nextPart = 1

  worker.on('message', (answer: WorkerAnswer) => {
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

  const send = (message: WorkerRequest): void => {
    if (ended !== null) throw ended
    worker.postMessage(message)
  }
  const ask = (message: Question): Promise<WorkerAnswer> =>
    new Promise((resolve, reject) => {
      if (ended !== null) return reject(ended)
      waiting.set(message.part, resolve)
      worker.postMessage(message)
    })

  return {
    begin: (path, offset, crc64, md5) => {
      const part = nextPart++
      send({ op: 'open', part, path, offset, crc64 })
      return partWriter(part, pool, send, ask, md5)
    },
    beginMd5: () => {
      const part = nextPart++
      return {
        update: (slot, length) => send({ op: 'md5-data', part, slot, length }),
        finish: async () => {
          const answer = await ask({ op: 'md5-finish', part })
          if (answer.op !== 'md5') throw failureOf(answer)
          return answer.md5
        },
        abort: () => {
          if (ended === null) worker.postMessage({ op: 'md5-abort', part } satisfies WorkerRequest)
        },
      }
    },
    stop: async () => {
      await worker.terminate()
    },
  }
}

const failureOf = (answer: WorkerAnswer): StagingFailure =>
  answer.op === 'failed'
    ? new StagingFailure(answer.message, answer.code)
    : new StagingFailure('The part was given up', 'ABORTED')

/**
 * Frees the memory of a chunk at once. Otherwise the garbage collector would collect the whole heap every 20 MB of a fast sender, a third of
 * the processor time of an upload. Only for chunks that own their memory: chunks of sockets do, pooled ones do not.
 */
function releaseMemory(chunk: Uint8Array): void {
  if (chunk.length > 4096 && chunk.length === chunk.buffer.byteLength && chunk.buffer instanceof ArrayBuffer)
    chunk.buffer.transfer(0)
}

/** Beyond this number, the tiny chunks of a slow sender are joined, since their overhead exceeds their bytes. */
const MOST_CHUNKS = 64

/**
 * Gathers the bytes of a full slot in ordinary memory before it takes a slot of the pool. Slow senders so hold no slots, and any number of
 * them leave the pool to the others (U8). Full slots also keep file offsets aligned.
 */
function partWriter(
  part: number,
  pool: SlotPool,
  say: (message: WorkerRequest) => void,
  ask: (message: Question) => Promise<WorkerAnswer>,
  md5: Md5Sum | null,
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
