/**
 * A ZIP file while it is written, on a thread of its own (zip.worker.ts): members as they are, not compressed, one after the other, in the format for more
 * than 4 GiB and 65,535 members where that is needed.
 */
import { createHash, type Hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createRequire } from 'node:module'
import { crc32 } from 'node:zlib'
import { ZipFile } from 'yazl'
import { NO_FOLLOW, NO_WAIT } from '../../platform/files/durable.ts'
import { faultOf, StorageFault } from '../faults.ts'
import type { PieceSum } from '../workers/messages.ts'
import { type PackageContent, type WrittenFile } from './package-writer.ts'
import { openNew, requireSource } from './targets.ts'

/**
 * yazl works out checksums by this module, in JavaScript: at a tenth of the pace of a disk, and of half of the time of a package. It asks for the function at
 * every call, so it gets Node's own, which is native. The numbers are the same.
 */
const checksums = createRequire(createRequire(import.meta.url).resolve('yazl'))('buffer-crc32') as {
  unsigned: (bytes: Uint8Array, before?: number) => number
}
checksums.unsigned = (bytes, before) => crc32(bytes, before)

export interface ZipWriter {
  /** Adds a file of this machine. */
  file(source: string, to: WrittenFile): Promise<void>
  /** Adds a small file. */
  bytes(path: string, bytes: Uint8Array): Promise<void>
  /** @returns where the bytes of each member are, as the headers in the file say, and how long the file is */
  layout(): Promise<{ readonly pieces: readonly PieceSum[]; readonly length: number }>
  /** Writes the list of members at the end, and syncs. @returns what was written since `layout` */
  end(): Promise<{ readonly from: number; readonly length: number; readonly sha256: string }>
  /** Ends it, also in the middle of a file. */
  close(): Promise<void>
}

export interface ZipOptions {
  /** A file that nothing has the name of. */
  readonly path: string
  /** The folder in the ZIP file that has everything in it, so that it unpacks into one. */
  readonly top: string
  readonly folders: PackageContent['folders']
  /** Gets the bytes read since its last call. */
  readonly onBytes: (bytes: number) => void
}

/** Only the owner writes, everybody reads. */
const [FILE_MODE, FOLDER_MODE] = [0o100644, 0o040755]
const SLICE = 512 * 1024
/** More than the streams of yazl hold at once, so that reading goes on while one is written. */
const BUFFERS = 8
/** Written bytes that are not synced stay in memory. */
const MOST_UNSYNCED = 64 * 1024 * 1024

interface Member extends WrittenFile {
  /** Null: read from a stream, so it stands behind the bytes. */
  readonly crc32: number | null
  /** Where its header is. */
  readonly at: number
}

export async function openZip({ path, top, folders, onBytes }: ZipOptions): Promise<ZipWriter> {
  const file = await openNew(path)
  const zip = new ZipFile()
  const output = writeTo(file, path, zip.outputStream as Readable)
  zip.on('error', (error: Error) => output.fail(error))
  const members: Member[] = []
  const buffers = Array.from({ length: BUFFERS }, () => Buffer.allocUnsafeSlow(SLICE))
  const options = { compress: false, mtime: new Date(), mode: FILE_MODE }
  let at = 0
  for (const folder of folders) {
    zip.addEmptyDirectory(`${top}/${folder}`, { mtime: options.mtime, mode: FOLDER_MODE })
    at += LOCAL_HEADER + `${top}/${folder}/`.length
  }
  const added = async (member: Member): Promise<void> => {
    members.push(member)
    at = endOf(member, top)
    await output.reached(at)
  }
  return {
    file: async (source, to) => {
      const from = startOf({ ...to, at }, top)
      const stream = await openSource(source, to, {
        buffers,
        isWritten: (count) => output.reached(from + count),
        onBytes,
      })
      try {
        zip.addReadStreamLazy(`${top}/${to.path}`, { ...options, size: to.bytes }, (give) => {
          stream.begin()
          give(null, stream.readable)
        })
        await Promise.race([stream.ended, output.failed])
        await added({ ...to, crc32: null, at })
      } finally {
        await stream.close()
      }
    },
    bytes: async (to, bytes) => {
      zip.addBuffer(Buffer.from(bytes), `${top}/${to}`, options)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      await added({ path: to, bytes: bytes.length, sha256, crc32: crc32(bytes), at })
    },
    layout: async () => {
      await output.reached(at)
      const pieces: PieceSum[] = []
      for (const member of members) pieces.push(await pieceOf(file, path, top, member))
      return { pieces, length: output.mark() }
    },
    end: async () => {
      zip.end()
      await output.whole()
      await file.sync().catch((error: unknown) => {
        throw faultOf(error, 'sync', path)
      })
      return output.sinceMark()
    },
    close: async () => {
      output.stop()
      await file.close()
    },
  }
}

interface Output {
  /** Resolves when the file is so long. @throws as writing failed */
  reached(length: number): Promise<void>
  /** Rejects when writing fails; never resolves. */
  readonly failed: Promise<never>
  whole(): Promise<void>
  fail(error: Error): void
  /** Begins to count and hash anew. @returns the length so far */
  mark(): number
  sinceMark(): { readonly from: number; readonly length: number; readonly sha256: string }
  stop(): void
}

function writeTo(file: FileHandle, path: string, stream: Readable): Output {
  let [position, synced, from] = [0, 0, 0]
  let tail: Hash | null = null
  let syncing: Promise<void> = Promise.resolve()
  const waiting = new Set<() => void>()
  const write = async (): Promise<void> => {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      for (let done = 0; done < chunk.length; )
        done += (await file.write(chunk, done, chunk.length - done, position + done)).bytesWritten
      position += chunk.length
      tail?.update(chunk)
      if (position - synced >= MOST_UNSYNCED) {
        // One part goes to the disk while the next one is written.
        await syncing
        synced = position
        syncing = file.datasync()
        syncing.catch(() => {})
      }
      for (const look of waiting) look()
    }
    await syncing
  }
  const whole = write().catch((error: unknown) => {
    stream.destroy()
    throw faultOf(error, 'write', path)
  })
  const failed = whole.then(() => new Promise<never>(() => {}))
  // Whoever waits at that time is told; nobody may.
  failed.catch(() => {})
  return {
    failed,
    whole: () => whole,
    reached: (length) => {
      let look = (): void => {}
      const reached = new Promise<void>((resolve) => {
        look = () => position >= length && resolve()
        waiting.add(look)
        look()
      })
      return Promise.race([reached, failed]).finally(() => waiting.delete(look))
    },
    fail: (error) => void stream.destroy(error),
    mark: () => {
      tail = createHash('sha256')
      from = position
      return position
    },
    sinceMark: () => ({ from, length: position - from, sha256: tail?.digest('hex') ?? '' }),
    stop: () => void stream.destroy(),
  }
}

interface Reading {
  readonly buffers: readonly Buffer[]
  /** Resolves when so many bytes of the source are written. */
  isWritten(bytes: number): Promise<void>
  readonly onBytes: (bytes: number) => void
}

async function openSource(
  source: string,
  { path, bytes, sha256 }: WrittenFile,
  { buffers, isWritten, onBytes }: Reading,
) {
  const file = await open(source, constants.O_RDONLY | NO_FOLLOW | NO_WAIT).catch((error: unknown) => {
    throw faultOf(error, 'read source', source)
  })
  try {
    requireSource(await file.stat({ bigint: true }), source, bytes)
  } catch (error) {
    await file.close()
    throw error
  }
  const readable = Readable.from(slicesOf(file, buffers, isWritten), { objectMode: false, highWaterMark: SLICE })
  const hash = createHash('sha256')
  const ended = new Promise<void>((resolve, reject) => {
    readable.once('error', (error) => reject(faultOf(error, 'read source', source)))
    readable.once('end', () => {
      const found = hash.digest('hex')
      if (found === sha256) resolve()
      else
        reject(
          new StorageFault('NotAsExpected', `The SHA-256 of ${path} is ${found}, not ${sha256}.`, { path: source }),
        )
    })
  })
  ended.catch(() => {})
  const begin = (): void => {
    readable.on('data', (chunk) => {
      hash.update(chunk)
      onBytes(chunk.length)
    })
  }
  const close = async (): Promise<void> => {
    readable.destroy()
    await file.close()
  }
  return { readable, begin, ended, close }
}

/**
 * What is in a file, slice by slice. A buffer is used again once its bytes are written. New buffers for each slice would stay in memory until they are
 * collected: 40 to 60 MB.
 * @param isWritten resolves when so many bytes of the file are written
 */
export async function* slicesOf(
  file: FileHandle,
  buffers: readonly Buffer[],
  isWritten: Reading['isWritten'],
): AsyncGenerator<Buffer> {
  let position = 0
  const ends = buffers.map(() => 0)
  for (let next = 0; ; next = (next + 1) % buffers.length) {
    const buffer = buffers[next] as Buffer
    await isWritten(ends[next] ?? 0)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) return
    position += bytesRead
    ends[next] = position
    yield buffer.subarray(0, bytesRead)
  }
}

const LOCAL_HEADER = 30
const [HEADER_MARK, DESCRIPTOR_MARK] = [0x04034b50, 0x08074b50]
const [DESCRIPTOR, LONG_DESCRIPTOR] = [16, 24]
const FOUR_GIB = 0xffffffff

const descriptorOf = ({ bytes, at, crc32: known }: Member): number =>
  known !== null ? 0 : bytes >= FOUR_GIB || at >= FOUR_GIB ? LONG_DESCRIPTOR : DESCRIPTOR

/** Where its bytes begin. */
const startOf = ({ at, path }: Pick<Member, 'at' | 'path'>, top: string): number =>
  at + LOCAL_HEADER + `${top}/${path}`.length

const endOf = (member: Member, top: string): number => startOf(member, top) + member.bytes + descriptorOf(member)

/** What the file says of a member. @throws StorageFault when it is not what was to be written */
async function pieceOf(file: FileHandle, path: string, top: string, member: Member): Promise<PieceSum> {
  const name = Buffer.from(`${top}/${member.path}`)
  const header = await bytesAt(file, member.at, LOCAL_HEADER + name.length)
  const isRight =
    header.readUInt32LE(0) === HEADER_MARK &&
    header.readUInt16LE(8) === 0 &&
    header.readUInt16LE(26) === name.length &&
    header.readUInt16LE(28) === 0 &&
    header.subarray(LOCAL_HEADER).equals(name)
  const offset = member.at + header.length
  const descriptor = await bytesAt(file, offset + member.bytes, descriptorOf(member))
  if (!isRight || (descriptor.length > 0 && descriptor.readUInt32LE(0) !== DESCRIPTOR_MARK))
    throw new StorageFault('ReadBackMismatch', `The ZIP file does not have ${member.path} where it was written.`, {
      path,
    })
  const sum = member.crc32 ?? descriptor.readUInt32LE(4)
  return { offset, length: member.bytes, sha256: member.sha256, crc32: sum }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  if (length > 0) await file.read(bytes, 0, length, position)
  return bytes
}
