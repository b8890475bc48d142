import { createHash, randomUUID } from 'node:crypto'
import type { Database } from '../../../kernel/database/database.ts'
import type { StagingArea } from '../../../storage/staging/staging.ts'
import * as rows from './uploads.store.ts'

/**
 * The place of a block's bytes. Ids that end in a number (`…00042`) are usually consecutive pieces of one file: all ids with the same
 * prefix share a staging file, and the block is written at number × stride, so that completion needs no second copy. A block that does not
 * fit there gets a file of its own. A place that a row owns or another sender is writing to is never given out.
 */
export interface Place {
  /** Its folder in the staging area. */
  readonly upload: string
  readonly file: string
  readonly offset: number
  /** Null for a file of the block's own. */
  readonly stride: number | null
  /** Call it when the row is committed or the bytes are abandoned. */
  release(): void
}

export interface Placements {
  reserve(resourceId: number, blockId: Buffer, length: number): Promise<Place>
  /** A separate file for one sender. */
  loose(resourceId: number): Promise<Place>
  /** Removes files that neither a row nor a sender needs. */
  sweep(resourceId: number): Promise<void>
  /** Runs `work` while no place of this upload is being given out. */
  alone<T>(resourceId: number, work: () => Promise<T>): Promise<T>
}

const MOST_INDEX = 50_000
const MOST_BYTES = 2 ** 40

/** Five digits number 50,000 blocks. The client library puts them after a random UUID, whose own last digits must not count. */
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
  /** Places that are being written, by upload and file. A crash loses only places of blocks that were not acknowledged. */
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
      upload: String(resourceId),
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
    // A file that a blob shares is sealed, even if the completion that created the blob was not recorded.
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
