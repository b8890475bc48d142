import { hash as hashOnce } from 'node:crypto'
import { closeSync, fsyncSync, unlinkSync } from 'node:fs'
import { type AlignedReader, type AlignedWriter, alignedWriter, openAligned } from '../../platform/files/aligned.ts'
import { createExclusiveSync } from '../../platform/files/durable.ts'
import { type Operation, faultOf, StorageFault } from '../faults.ts'
import { type Expected, type PieceSource, type PieceSum, SLICE, type Sums } from './messages.ts'
import { type TaskContext, pump } from './pump.ts'
import { fileSums } from './sums.ts'

/** Bytes after which written data is synced when the page cache cannot be bypassed, so that it does not fill the memory. */
const MOST_UNSYNCED = 64 * 1024 * 1024

/** Runs system calls and turns their errors into faults. */
export function attempt<T>(operation: Operation, path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw faultOf(error, operation, path)
  }
}

/** Copies a foreign file to a new one, syncs it and reads it back. After any failure the copy is removed. */
export async function copyPass(
  context: TaskContext,
  direct: boolean,
  task: { source: string | Buffer; target: string; expect: Expected; readBack: boolean },
): Promise<Sums> {
  const source = openSource(task.source)
  try {
    const length = Number(source.stat.size)
    if (task.expect.length !== undefined && task.expect.length !== length)
      throw new StorageFault('NotAsExpected', `It has ${length} bytes, not ${task.expect.length}.`, {
        path: source.name,
      })
    return await intoNewFile(context, direct, task.target, async (write) => {
      const sha256 = await readSource(context, source, length, write)
      if (task.expect.sha256 !== undefined && task.expect.sha256 !== sha256)
        throw new StorageFault('NotAsExpected', `Its SHA-256 is ${sha256}, not ${task.expect.sha256}.`, {
          path: source.name,
        })
      return { sha256, length, readBack: task.readBack }
    })
  } finally {
    source.reader.close()
  }
}

/** Hashes a foreign file. */
export async function hashPass(context: TaskContext, path: string | Buffer): Promise<Sums> {
  const source = openSource(path)
  try {
    const length = Number(source.stat.size)
    return { sha256: await readSource(context, source, length, () => {}), length, readBack: source.reader.through() }
  } finally {
    source.reader.close()
  }
}

/** Joins pieces in a new file, compares each with its checksums, syncs the file and reads it back. */
export async function assemblePass(
  context: TaskContext,
  direct: boolean,
  task: { target: string; pieces: readonly PieceSource[] },
): Promise<Sums> {
  const { target, pieces } = task
  const placed: PieceSum[] = []
  let length = 0
  for (const { path: _, ...piece } of pieces) {
    placed.push({ ...piece, offset: length })
    length += piece.length
  }
  const reader = pieceReader(pieces, placed)
  try {
    return await intoNewFile(context, direct, target, async (write) => {
      const sums = fileSums(target, placed)
      const both = (bytes: Uint8Array, position: number): void => {
        sums.update(bytes)
        write(bytes, position)
      }
      await pump(context, length, reader.read, both, (position) => missing(target, placed, position))
      return { sha256: sums.finish(), length, readBack: true }
    })
  } finally {
    reader.close()
  }
}

/** Syncs a file of the staging area and reads it back. */
export async function adoptPass(
  context: TaskContext,
  direct: boolean,
  task: { path: string; pieces: readonly PieceSum[] },
): Promise<Sums> {
  const reader = attempt('open', task.path, () => openAligned(task.path, false))
  try {
    if (!reader.stat.isFile()) throw new StorageFault('StoreFailed', 'It is not a regular file.', { path: task.path })
    attempt('sync', task.path, () => fsyncSync(reader.fd))
  } finally {
    reader.close()
  }
  return readPass(context, direct, task.path, task.pieces)
}

/** Reads a file of the store from the disk. */
export async function readPass(
  context: TaskContext,
  direct: boolean,
  path: string,
  pieces: readonly PieceSum[],
): Promise<Sums> {
  const reader = attempt('open', path, () => openAligned(path, direct))
  try {
    const length = Number(reader.stat.size)
    const [first] = pieces
    // A single piece is the whole file: its hash is that of the file, so no byte is hashed twice.
    const isWhole = pieces.length === 1 && first?.offset === 0 && first.length === length && first.crc32 === undefined
    const sums = fileSums(path, isWhole ? [] : pieces)
    const torn = (position: number): StorageFault => missing(path, pieces, position)
    if (length <= SLICE) {
      const { scratch } = context.slices
      const count = attempt('read', path, () => reader.readSync(scratch, 0))
      if (count !== length) throw torn(count)
      sums.update(scratch.subarray(0, count))
      context.progress(count)
    } else {
      const read = (into: Uint8Array, position: number) =>
        reader.read(into, position).catch((error: unknown) => {
          throw faultOf(error, 'read', path)
        })
      await pump(context, length, read, sums.update, torn)
    }
    const sha256 = sums.finish()
    if (isWhole && first.sha256 !== undefined && first.sha256 !== sha256) throw missing(path, pieces, 0)
    return { sha256, length, readBack: reader.through() }
  } finally {
    reader.close()
  }
}

export interface Source {
  readonly reader: AlignedReader
  readonly stat: AlignedReader['stat']
  readonly name: string
}

/** Opens a foreign file. Its reads bypass the cache too: it is read once, and videos under review should stay in the cache. */
export function openSource(path: string | Buffer): Source {
  const name = path.toString()
  const reader = attempt('read source', name, () => openAligned(path, true))
  const { stat } = reader
  if (stat.isFile()) return { reader, stat, name }
  reader.close()
  throw new StorageFault('SourceNotRegular', 'It is not a regular file.', { path: name })
}

/** Reads the whole source once. @returns its SHA-256 @throws StorageFault SourceChanged when the file changed meanwhile */
async function readSource(
  context: TaskContext,
  { reader, stat, name }: Source,
  length: number,
  each: (bytes: Uint8Array, position: number) => void,
): Promise<string> {
  const changed = (): StorageFault =>
    new StorageFault('SourceChanged', 'The file was written to while it was read.', { path: name })
  let sha256: string
  if (length <= SLICE) {
    // Small files are read synchronously: a change of threads would cost more than the read.
    const { scratch } = context.slices
    const count = attempt('read source', name, () => reader.readSync(scratch, 0))
    if (count !== length) throw changed()
    const bytes = scratch.subarray(0, count)
    sha256 = hashOnce('sha256', bytes, 'hex')
    each(bytes, 0)
    context.progress(count)
  } else {
    const sums = fileSums(name, [])
    const read = (into: Uint8Array, position: number) =>
      reader.read(into, position).catch((error: unknown) => {
        throw faultOf(error, 'read source', name)
      })
    const both = (bytes: Uint8Array, position: number): void => {
      sums.update(bytes)
      each(bytes, position)
    }
    await pump(context, length, read, both, changed)
    sha256 = sums.finish()
  }
  const now = attempt('read source', name, () => reader.statNow())
  if (now.size !== stat.size || now.mtimeNs !== stat.mtimeNs) throw changed()
  return sha256
}

/** Creates a file, fills it, syncs it and reads it back. After any failure it is removed. */
export async function intoNewFile(
  context: TaskContext,
  direct: boolean,
  target: string,
  fill: (
    write: (bytes: Uint8Array, position: number) => void,
  ) => Promise<Omit<Sums, 'readBack'> & { readBack: boolean }>,
): Promise<Sums> {
  const fd = attempt('open', target, () => createExclusiveSync(target))
  try {
    let writer: AlignedWriter
    try {
      writer = attempt('open', target, () => alignedWriter(fd, target, direct))
    } catch (error) {
      closeSync(fd)
      throw error
    }
    let written: Awaited<ReturnType<typeof fill>>
    try {
      let synced = 0
      written = await fill((bytes, position) => {
        attempt('write', target, () => writer.write(bytes, position))
        if (writer.cached() - synced < MOST_UNSYNCED) return
        attempt('sync', target, () => fsyncSync(fd))
        synced = writer.cached()
      })
      // Makes bytes and length durable. The temporary name need not be durable.
      attempt('sync', target, () => fsyncSync(fd))
    } finally {
      writer.close()
    }
    const { sha256, length } = written
    if (!written.readBack) return { sha256, length, readBack: 'cache' }
    const readBack = await readPass(context, direct, target, [])
    if (readBack.sha256 === sha256 && readBack.length === length) return readBack
    throw new StorageFault('ReadBackMismatch', 'The disk does not give back the bytes that were written to it.', {
      path: target,
    })
  } catch (error) {
    removeQuietly(target)
    throw error
  }
}

/** Removes a file. The next start removes files that could not be removed. */
export function removeQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {}
}

/** The fault for missing or additional bytes at a position. */
function missing(path: string, pieces: readonly PieceSum[], position: number): StorageFault {
  const piece = pieces.find(({ offset, length }) => position < offset + length)
  if (piece === undefined)
    return new StorageFault('ReadBackMismatch', 'The file changed while it was read back.', { path })
  return new StorageFault('PieceMismatch', 'The bytes of a block are not those that were acknowledged.', {
    path,
    piece: { offset: piece.offset, length: piece.length },
  })
}

/** Reads pieces as one file. Their offsets are not aligned, so they are read through the cache; the result is read back later. */
function pieceReader(
  pieces: readonly PieceSource[],
  placed: readonly PieceSum[],
): { read(into: Uint8Array, position: number): Promise<number>; close(): void } {
  let index = 0
  let open: { path: string; reader: AlignedReader } | null = null
  const readerFor = (path: string): AlignedReader => {
    if (open?.path === path) return open.reader
    open?.reader.close()
    open = null
    const reader = attempt('open', path, () => openAligned(path, false))
    open = { path, reader }
    return reader
  }
  return {
    // Called in order, one call at a time.
    read: async (into, position) => {
      let total = 0
      while (total < into.length && index < pieces.length) {
        const piece = pieces[index] as PieceSource
        const within = position + total - (placed[index] as PieceSum).offset
        const requested = Math.min(into.length - total, piece.length - within)
        if (requested > 0) {
          const part = into.subarray(total, total + requested)
          const count = await readerFor(piece.path)
            .read(part, piece.offset + within)
            .catch((error: unknown) => {
              throw faultOf(error, 'read', piece.path)
            })
          total += count
          if (count < requested) break
        }
        if (within + requested === piece.length) index++
      }
      return total
    },
    close: () => open?.reader.close(),
  }
}
