import { createHash, type Hash, hash as hashOnce } from 'node:crypto'
import {
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { type AlignedReader, type AlignedWriter, alignedWriter, openAligned } from '../../platform/files/aligned.ts'
import { createExclusiveSync, NO_FOLLOW } from '../../platform/files/durable.ts'
import { faultOf, StorageFault } from '../faults.ts'
import { type ResumedSums, type Expected, SLICE } from './messages.ts'
import { attempt, openSource, readPass, removeQuietly, type Source } from './passes.ts'
import { Cancelled, type TaskContext, pump } from './pump.ts'

/**
 * Copies a file and resumes an earlier attempt. Bytes of that attempt count only when they were synced and noted, still have the noted hash,
 * and equal those of the source. Up to `MOST_COMPARED` slices are all compared with the source; of more slices, evenly chosen ones including
 * the first and the last. Before the source is removed it must be read once more (promise I6).
 */
interface ResumableTask {
  readonly source: string | Buffer
  readonly folder: string
  /** The key by which a later attempt finds the partial copy. */
  readonly key: string
  readonly target: string
  readonly expect: Expected
}

/** The note about a partial copy, written after its bytes are durable. */
interface PartialCopyNote {
  readonly file: string
  /** Number of bytes in whole slices. */
  readonly held: number
  readonly sha256: string
  readonly length: number
  readonly mtimeNs: string
}

/** Two seconds of a camera at USB 2.0 speed. */
const MOST_COMPARED = 64

interface Written {
  readonly target: string
  readonly writer: AlignedWriter
  readonly sha: Hash
  readonly from: number
  position: number
  /** Hash of the whole slices, when the last slice is not whole. */
  whole: Hash | null
}

export async function copyResumablePass(
  context: TaskContext,
  direct: boolean,
  task: ResumableTask,
): Promise<ResumedSums> {
  const source = openSource(task.source)
  try {
    const length = Number(source.stat.size)
    if (task.expect.length !== undefined && task.expect.length !== length)
      throw new StorageFault('NotAsExpected', `It has ${length} bytes, not ${task.expect.length}.`, {
        path: source.name,
      })
    const written = await begin(context, direct, source, task)
    try {
      const sha256 = await copyRest(context, source, written)
      const readBack = await readPass(context, direct, written.target, [])
      if (readBack.sha256 !== sha256 || readBack.length !== length)
        throw new StorageFault('ReadBackMismatch', 'The disk does not give back the bytes that were written to it.', {
          path: written.target,
        })
      written.writer.close()
      return { ...readBack, path: written.target, resumedFrom: written.from }
    } catch (error) {
      if (isCutOff(error) && keepPartial(written, source, task)) throw error
      closeQuietly(written.writer)
      removeQuietly(written.target)
      throw error
    }
  } finally {
    source.reader.close()
  }
}

/** Whether the source was unplugged or the copy cancelled. The bytes written so far are good. */
const isCutOff = (error: unknown): boolean =>
  error instanceof Cancelled || (error instanceof StorageFault && error.code === 'SourceUnreadable')

async function begin(context: TaskContext, direct: boolean, source: Source, task: ResumableTask): Promise<Written> {
  const held = await resume(context, direct, source, task)
  const target = held?.path ?? task.target
  const fd = attempt('open', target, () =>
    held === null ? createExclusiveSync(target) : openSync(target, constants.O_RDWR | NO_FOLLOW),
  )
  try {
    if (held !== null) attempt('write', target, () => ftruncateSync(fd, held.length))
    const writer = attempt('open', target, () => alignedWriter(fd, target, direct))
    const from = held?.length ?? 0
    return { target, writer, sha: held?.sha ?? createHash('sha256'), from, position: from, whole: null }
  } catch (error) {
    closeSync(fd)
    removeQuietly(target)
    throw error
  }
}

async function copyRest(context: TaskContext, source: Source, written: Written): Promise<string> {
  const { reader, stat, name } = source
  const { writer, sha, from, target } = written
  const length = Number(stat.size)
  let synced = 0
  await pump(
    context,
    length - from,
    reading(source, (position) => from + position),
    (bytes) => {
      attempt('write', target, () => writer.write(bytes, written.position))
      if (bytes.length < SLICE) written.whole = sha.copy()
      sha.update(bytes)
      written.position += bytes.length
      if (writer.cached() - synced < MOST_UNSYNCED) return
      attempt('sync', target, () => fsyncSync(writer.fd))
      synced = writer.cached()
    },
    () => changed(source),
  )
  const now = attempt('read source', name, () => reader.statNow())
  if (now.size !== stat.size || now.mtimeNs !== stat.mtimeNs) throw changed(source)
  attempt('sync', target, () => fsyncSync(writer.fd))
  return sha.copy().digest('hex')
}

/** Bytes after which written data is synced when the page cache cannot be bypassed. */
const MOST_UNSYNCED = 64 * 1024 * 1024

const reading =
  ({ reader, name }: Source, at: (position: number) => number) =>
  (into: Uint8Array, position: number): Promise<number> =>
    reader.read(into, at(position)).catch((error: unknown) => {
      throw faultOf(error, 'read source', name)
    })

const changed = ({ name }: Source): StorageFault =>
  new StorageFault('SourceChanged', 'The file was written to while it was read.', { path: name })

/** @returns whether the copy can be resumed */
function keepPartial(
  { writer, target, sha, whole, position }: Written,
  { stat }: Source,
  { folder, key }: ResumableTask,
): boolean {
  try {
    const held = position - (position % SLICE)
    const sum = held === position ? sha : whole
    if (held === 0 || sum === null) return false
    fsyncSync(writer.fd)
    const note: PartialCopyNote = {
      file: basename(target),
      held,
      sha256: sum.copy().digest('hex'),
      length: Number(stat.size),
      mtimeNs: String(stat.mtimeNs),
    }
    const fresh = `${target}.note`
    writeFileSync(fresh, JSON.stringify(note), { mode: 0o600, flush: true })
    renameSync(fresh, noteOf(folder, key))
    closeQuietly(writer)
    return true
  } catch {
    // The copy starts over. A failed disk is found by the next write.
    return false
  }
}

const noteOf = (folder: string, key: string): string => join(folder, `${key}.json`)

/** The partial copy of an earlier attempt, if it can be resumed. The note is removed first, so that two attempts never write to one file. */
async function resume(
  context: TaskContext,
  direct: boolean,
  source: Source,
  { folder, key }: ResumableTask,
): Promise<{ path: string; length: number; sha: Hash } | null> {
  const note = takeNote(folder, key)
  if (note === null) return null
  const path = join(folder, note.file)
  const { stat } = source
  try {
    if (note.length === Number(stat.size) && note.mtimeNs === String(stat.mtimeNs)) {
      const chosen = chosenSlices(note.held / SLICE)
      const ours = await heldSums(context, direct, path, { note, chosen })
      if (ours !== null && (await sameOnSource(context, source, chosen, ours.sums)))
        return { path, length: note.held, sha: ours.sha }
    }
  } catch (error) {
    if (isCutOff(error)) {
      // Nothing was written. The note is put back for the next attempt.
      writeFileSync(noteOf(folder, key), JSON.stringify(note), { mode: 0o600 })
      throw error
    }
  }
  removeQuietly(path)
  return null
}

function takeNote(folder: string, key: string): PartialCopyNote | null {
  const path = noteOf(folder, key)
  try {
    const note = JSON.parse(readFileSync(path, 'utf8')) as PartialCopyNote
    unlinkSync(path)
    return note
  } catch {
    return null
  }
}

/** The slices to compare with the source: all, or an even choice including the first and the last. */
export function chosenSlices(count: number): number[] {
  if (count <= MOST_COMPARED) return Array.from({ length: count }, (_, at) => at)
  return Array.from({ length: MOST_COMPARED }, (_, at) => Math.round((at * (count - 1)) / (MOST_COMPARED - 1)))
}

/** @returns null when the bytes on the disk do not have the noted hash */
async function heldSums(
  context: TaskContext,
  direct: boolean,
  path: string,
  { note, chosen }: { note: PartialCopyNote; chosen: readonly number[] },
): Promise<{ sha: Hash; sums: ReadonlyMap<number, string> } | null> {
  const sha = createHash('sha256')
  const selected = new Set(chosen)
  const sums = new Map<number, string>()
  const reader: AlignedReader = attempt('open', path, () => openAligned(path, direct))
  try {
    await pump(
      context,
      note.held,
      (into, position) => reader.read(into.subarray(0, Math.min(into.length, note.held - position)), position),
      (bytes, position) => {
        sha.update(bytes)
        const at = position / SLICE
        if (selected.has(at)) sums.set(at, hashOnce('sha256', bytes))
      },
      () => new StorageFault('StoreFailed', 'Less of it is there than was noted.', { path }),
    )
  } finally {
    reader.close()
  }
  return sha.copy().digest('hex') === note.sha256 ? { sha, sums } : null
}

/** Reads the chosen slices from the source again and compares them. */
async function sameOnSource(
  context: TaskContext,
  source: Source,
  chosen: readonly number[],
  sums: ReadonlyMap<number, string>,
): Promise<boolean> {
  let same = true
  const silent: TaskContext = { ...context, check: () => context.check(), progress: () => {} }
  await pump(
    silent,
    chosen.length * SLICE,
    reading(source, (position) => (chosen[position / SLICE] as number) * SLICE),
    (bytes, position) => {
      if (hashOnce('sha256', bytes) !== sums.get(chosen[position / SLICE] as number)) same = false
    },
    () => changed(source),
  )
  return same
}

function closeQuietly(writer: AlignedWriter): void {
  try {
    writer.close()
  } catch {}
}
