import { createHash, randomUUID } from 'node:crypto'
import type { Database } from '../../../kernel/database/database.ts'
import type { StagingArea } from '../../../storage/staging/staging.ts'
import * as rows from './uploads.store.ts'

/**
 * Where a block's bytes go. Ids that end in a number (`…00042`) are, in the common case, consecutive pieces of one file: all ids with the
 * same beginning share a staging file, and the block lies at number × stride, so that completing needs no second copy. Whatever does not
 * fit its place gets a file of its own. No place is handed out that a row owns or another sender is writing to.
 */
export interface Place {
  readonly file: string
  readonly offset: number
  /** Null for a file of the block's own. */
  readonly stride: number | null
  /** Call when the row is committed or the bytes are given up. */
  release(): void
}

export interface Placements {
  reserve(resourceId: number, blockId: Buffer, length: number): Promise<Place>
  /** A file for one sender. */
  loose(resourceId: number): Promise<Place>
  /** Removes files that neither a row nor a sender needs. */
  sweep(resourceId: number): Promise<void>
  /** Runs when nobody is being given a place of this upload. */
  alone<T>(resourceId: number, work: () => Promise<T>): Promise<T>
}

const MOST_INDEX = 50_000
const MOST_BYTES = 2 ** 40

/** Five digits number 50,000 blocks; the client library's ids put them behind a random UUID, whose own last digits must not count. */
export function slotOf(blockId: Buffer): { file: string; index: number } | null {
  const match = /^([\s\S]*?)(\d{1,5})$/.exec(blockId.toString('latin1'))
  const index = Number(match?.[2])
  if (match === null || index >= MOST_INDEX) return null
  return {
    file: `s-${createHash('sha256')
      .update(match[1] as string, 'latin1')
      .digest('hex')
      .slice(0, 32)}`,
    index,
  }
}

export function placements(database: Pick<Database, 'read'>, staging: StagingArea): Placements {
  const lines = new Map<number, Promise<unknown>>()
  /** What is being written right now, per upload and file: a crash forgets it, and with it only what nobody was told is kept. */
  const busy = new Map<string, { stride: number | null; offsets: Set<number> }>()

  const alone = <T>(resourceId: number, work: () => Promise<T>): Promise<T> => {
    const mine = (lines.get(resourceId) ?? Promise.resolve()).then(work, work)
    const settled = mine
      .catch(() => {})
      .then(() => void (lines.get(resourceId) === settled && lines.delete(resourceId)))
    lines.set(resourceId, settled)
    return mine
  }
  const take = (resourceId: number, file: string, offset: number, stride: number | null): Place => {
    const key = `${resourceId}/${file}`
    const entry = busy.get(key) ?? { stride, offsets: new Set<number>() }
    busy.set(key, entry)
    entry.offsets.add(offset)
    return {
      file,
      offset,
      stride,
      release: () => {
        entry.offsets.delete(offset)
        if (entry.offsets.size === 0 && busy.get(key) === entry) busy.delete(key)
      },
    }
  }
  const ownFile = async (resourceId: number): Promise<Place> => {
    const file = `b-${randomUUID()}`
    await staging.ensure(String(resourceId), file)
    return take(resourceId, file, 0, null)
  }
  const inSlot = async (resourceId: number, blockId: Buffer, length: number): Promise<Place | null> => {
    const slot = slotOf(blockId)
    if (slot === null) return null
    const writing = busy.get(`${resourceId}/${slot.file}`)
    const stride = writing?.stride ?? (await rows.strideOf(database.read, resourceId, slot.file)) ?? length
    const offset = slot.index * stride
    if (length > stride || offset + stride > MOST_BYTES || writing?.offsets.has(offset) === true) return null
    if (await rows.isTaken(database.read, resourceId, slot.file, offset)) return null
    // Bytes that a blob shares are sealed, even where the completion that made it was not recorded in the end.
    if ((await staging.ensure(String(resourceId), slot.file)).shared) return null
    return take(resourceId, slot.file, offset, stride)
  }

  return {
    alone,
    reserve: (resourceId, blockId, length) =>
      alone(resourceId, async () => (await inSlot(resourceId, blockId, length)) ?? ownFile(resourceId)),
    loose: (resourceId) => alone(resourceId, () => ownFile(resourceId)),
    sweep: (resourceId) =>
      alone(resourceId, async () => {
        const upload = String(resourceId)
        const present = await staging.files(upload)
        if (present.length === 0) return
        const needed = await rows.filesOf(database.read, resourceId)
        for (const file of present)
          if (!needed.has(file) && !busy.has(`${upload}/${file}`)) await staging.remove(upload, file)
      }),
  }
}
