import { type BigIntStats, close, constants, fstat, open, read } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { NO_FOLLOW } from '../../platform/files/durable.ts'
import { faultOf, StorageFault } from '../faults.ts'
import type { OpenBlob } from '../types.ts'

const CHUNK = 256 * 1024

/** Opens a blob for reading. The file is opened only when a stream is read, so that HEAD or a refused range costs no descriptor. @throws StorageFault BlobMissing */
export async function openBlob(path: string): Promise<OpenBlob> {
  const size = await sizeOf(path)
  const streams = new Set<Readable>()
  return {
    size,
    stream: (start = 0, endInclusive = size - 1) => {
      if (
        !Number.isSafeInteger(start) ||
        !Number.isSafeInteger(endInclusive) ||
        start < 0 ||
        endInclusive >= size ||
        start > endInclusive + 1
      )
        throw new RangeError(`No bytes ${start}–${endInclusive} in ${size}`)
      const stream = exactRange(path, size, start, endInclusive + 1)
      streams.add(stream)
      stream.once('close', () => streams.delete(stream))
      return stream
    },
    close: () => {
      for (const stream of streams) stream.destroy()
    },
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    const stat = await lstat(path)
    if (stat.isFile()) return stat.size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw faultOf(error, 'open', path)
  }
  throw new StorageFault('BlobMissing', 'There is no such blob.', { path })
}

/** Streams bytes from `from` to `to`, without `to`. Unlike fs.createReadStream it fails when the file is shorter, instead of ending early. */
function exactRange(path: string, size: number, from: number, to: number): Readable {
  let fd: number | null = null
  let position = from
  let reading = false
  let afterRead: (() => void) | null = null
  const damaged = (): StorageFault => new StorageFault('BlobDamaged', 'The blob is not as long as it was.', { path })
  return new Readable({
    highWaterMark: CHUNK,
    // `destroy` waits for this callback, so that a descriptor that is just being opened is closed too.
    construct: (done) => {
      open(path, constants.O_RDONLY | NO_FOLLOW, (failure, opened) => {
        if (failure !== null) return done(faultOf(failure, 'open', path))
        fd = opened
        fstat(opened, { bigint: true }, (error: Error | null, stat: BigIntStats) => {
          if (error !== null) return done(faultOf(error, 'open', path))
          done(stat.size === BigInt(size) ? null : damaged())
        })
      })
    },
    read() {
      const length = Math.min(CHUNK, to - position)
      if (length === 0 || fd === null) return void this.push(null)
      reading = true
      read(fd, Buffer.allocUnsafe(length), 0, length, position, (error, count, bytes) => {
        reading = false
        if (afterRead !== null) return afterRead()
        if (error !== null) return void this.destroy(faultOf(error, 'read', path))
        if (count === 0) return void this.destroy(damaged())
        position += count
        this.push(bytes.subarray(0, count))
      })
    },
    destroy: (error, done) => {
      if (fd === null) return done(error)
      const opened = fd
      fd = null
      const closeFile = (): void => close(opened, (failure) => done(error ?? failure))
      // The descriptor number may be reused after the close, and a queued read would then read another file.
      if (reading) afterRead = closeFile
      else closeFile()
    },
  })
}
