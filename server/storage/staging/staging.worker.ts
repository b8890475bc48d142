/**
 * A worker of the staging area: hashes and writes the bytes that the main thread put into shared buffers. Full, aligned slots are written
 * with O_DIRECT: 2.7 GB/s at a twentieth of the processor time of the page cache, which also leaves little work for the fsync. Unaligned
 * ends go through the page cache of the same file. One fdatasync covers both.
 */
import { createHash, type Hash } from 'node:crypto'
import { close, constants, fdatasync, open, write } from 'node:fs'
import { promisify } from 'node:util'
import { parentPort, workerData } from 'node:worker_threads'
import { pieceDigest } from '../piece-digest.ts'
import { type Crc64, crc64 } from './crc64.ts'
import {
  type Claims,
  type WorkerAnswer,
  type WorkerData,
  type WorkerRequest,
  type Mismatch,
  PAGE,
  type PartSums,
  SLOT_BYTES,
} from './staging.messages.ts'

const openFile = promisify(open)
const closeFile = promisify(close)
const syncFile = promisify(fdatasync)

interface Part {
  readonly path: string
  readonly offset: number
  files: Promise<{ direct: number | null; cached: number }>
  length: number
  readonly sha256: Hash
  crc32: number
  total: Crc64 | null
  segment: Crc64 | null
  readonly segments: string[]
  writes: Set<Promise<void>>
  failure: NodeJS.ErrnoException | null
}

if (parentPort === null) throw new Error('This file runs on a worker thread')
const port = parentPort
const { memory } = workerData as WorkerData
const parts = new Map<number, Part>()
/** MD5 sums of parts that another worker writes. */
const md5s = new Map<number, Hash>()
const answer = (message: WorkerAnswer): void => port.postMessage(message)
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

port.on('message', (request: WorkerRequest) => {
  switch (request.op) {
    case 'open':
      parts.set(request.part, openPart(request))
      return
    case 'data':
      return takeData(parts.get(request.part), request.slot, request.length)
    case 'segment':
      return endSegment(parts.get(request.part))
    case 'finish':
      return void finish(request)
    case 'abort':
      return void abort(request.part)
    case 'md5-data':
      return updateMd5(request.part, request.slot, request.length)
    case 'md5-finish':
      answer({ op: 'md5', part: request.part, md5: md5Of(request.part).digest('base64') })
      md5s.delete(request.part)
      return
    case 'md5-abort':
      md5s.delete(request.part)
  }
})

function openPart({ path, offset, crc64: withCrc64 }: WorkerRequest & { op: 'open' }): Part {
  const files = openBoth(path, offset)
  const part: Part = {
    path,
    offset,
    files,
    length: 0,
    sha256: createHash('sha256'),
    crc32: 0,
    total: withCrc64 ? crc64() : null,
    segment: null,
    segments: [],
    writes: new Set(),
    failure: null,
  }
  files.catch((error) => {
    part.failure = error
  })
  return part
}

async function openBoth(path: string, offset: number): Promise<{ direct: number | null; cached: number }> {
  const flags = constants.O_WRONLY | constants.O_NOFOLLOW
  const cached = await openFile(path, flags)
  // Some file systems have no O_DIRECT. Then all bytes go through the page cache.
  const direct = offset % PAGE === 0 ? await openFile(path, flags | (constants.O_DIRECT ?? 0)).catch(() => null) : null
  return { direct, cached }
}

function takeData(part: Part | undefined, slot: number, length: number): void {
  if (part === undefined) return answer({ op: 'slot', slot })
  const bytes = Buffer.from(memory, slot * SLOT_BYTES, length)
  const position = part.offset + part.length
  part.length += length
  const written = part.failure === null ? writeOut(part, bytes, position) : Promise.resolve()
  const done = written
    .catch((error) => {
      part.failure ??= error
    })
    .finally(() => {
      part.writes.delete(done)
      answer({ op: 'slot', slot })
    })
  part.writes.add(done)
  // These run in the same turn of the event loop, so the promise above cannot settle and release the slot before they are done.
  part.sha256.update(bytes)
  part.crc32 = pieceDigest(bytes, part.crc32)
  part.total?.update(bytes)
  part.segment?.update(bytes)
}

async function writeOut(part: Part, bytes: Buffer, position: number): Promise<void> {
  const { direct, cached } = await part.files
  const aligned = direct !== null && position % PAGE === 0 ? bytes.length - (bytes.length % PAGE) : 0
  let done = 0
  while (direct !== null && done < aligned) {
    const written = await writeSome(direct, bytes.subarray(done, aligned), position + done)
    done += written
    if (written % PAGE !== 0) break
  }
  while (done < bytes.length) done += await writeSome(cached, bytes.subarray(done), position + done)
}

const writeSome = (fd: number, bytes: Uint8Array, position: number): Promise<number> =>
  new Promise((resolve, reject) => {
    write(fd, bytes, 0, bytes.length, position, (error, written) => (error === null ? resolve(written) : reject(error)))
  })

/** Structured messages carry a CRC for each segment. The first segment begins with the first byte, without a message. */
function endSegment(part: Part | undefined): void {
  if (part === undefined) return
  if (part.segment !== null) part.segments.push(hex(part.segment.digest()))
  part.segment = crc64()
}

function md5Of(part: number): Hash {
  const md5 = md5s.get(part) ?? createHash('md5')
  md5s.set(part, md5)
  return md5
}

function updateMd5(part: number, slot: number, length: number): void {
  md5Of(part).update(Buffer.from(memory, slot * SLOT_BYTES, length))
  answer({ op: 'slot', slot })
}

async function finish({ part: id, claims, md5 }: WorkerRequest & { op: 'finish' }): Promise<void> {
  const part = parts.get(id) as Part
  try {
    while (part.writes.size > 0) await Promise.all(part.writes)
    const files = await part.files
    if (part.failure !== null) throw part.failure
    const sums: PartSums = {
      length: part.length,
      sha256: part.sha256.digest('hex'),
      crc32: part.crc32,
      md5,
      crc64: part.total === null ? null : Buffer.from(part.total.digest()).toString('base64'),
    }
    const wrong = disagreement(sums, part.segments, claims)
    if (wrong !== null) return answer({ op: 'mismatch', part: id, what: wrong })
    await runSync(() => syncFile(files.cached))
    answer({ op: 'finished', part: id, sums })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    answer({ op: 'failed', part: id, code: code ?? 'UNKNOWN', message })
  } finally {
    parts.delete(id)
    await closeBoth(part)
  }
}

function disagreement(sums: PartSums, segments: readonly string[], claims: Claims): Mismatch | null {
  if (sums.length !== claims.length) return 'length'
  if (claims.md5 !== undefined && claims.md5 !== sums.md5) return 'md5'
  if (claims.crc64 !== undefined && claims.crc64 !== sums.crc64) return 'crc64'
  if (claims.segments !== undefined) {
    const same = segments.length === claims.segments.length && segments.every((sum, i) => sum === claims.segments?.[i])
    if (!same) return 'crc64'
  }
  return null
}

let lastSync: Promise<void> = Promise.resolve()
/** Runs one fsync of this worker at a time: they queue in the kernel anyway, and the process has few threads for files. */
function runSync(sync: () => Promise<void>): Promise<void> {
  const result = lastSync.then(sync)
  lastSync = result.catch(() => {})
  return result
}

async function abort(id: number): Promise<void> {
  const part = parts.get(id)
  if (part !== undefined) {
    parts.delete(id)
    // A running write reads from its slot, which the next sender must not get before.
    while (part.writes.size > 0) await Promise.all(part.writes)
    await closeBoth(part)
  }
  answer({ op: 'aborted', part: id })
}

async function closeBoth(part: Part): Promise<void> {
  const files = await part.files.catch(() => null)
  if (files === null) return
  await closeFile(files.cached)
  if (files.direct !== null) await closeFile(files.direct)
}
