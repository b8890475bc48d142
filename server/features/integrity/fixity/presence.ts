import { randomBytes } from 'node:crypto'
import type { Database } from '../../../kernel/database/database.ts'
import type { BlobStore } from '../../../storage/store.ts'
import { goodBlobs } from './blob-checks.store.ts'

/** Whether the volume of the blobs is there at all: what is wrong with each of them at once is wrong with none of them. */
export interface Presence {
  /** A sentence where it is away; null: it is there. */
  whyAway(): Promise<string | null>
  /** @throws Away */
  require(): Promise<void>
}

/** Nothing can be said of any blob. */
export class Away extends Error {
  override readonly name = 'Away'
}

/** So many that were good are tried; where there are fewer than the least, each speaks for itself alone. */
const TRIED = 16
const LEAST = 4

export function createPresence({
  db,
  store,
}: {
  readonly db: Pick<Database, 'read'>
  readonly store: Pick<BlobStore, 'whyAway' | 'open'>
}): Presence {
  const isReadable = async (sha256: string): Promise<boolean> => {
    try {
      const blob = await store.open(sha256)
      if (blob.size > 0) for await (const _byte of blob.stream(0, 0)) break
      return true
    } catch {
      return false
    }
  }
  const whyAway = async (): Promise<string | null> => {
    const gone = await store.whyAway()
    if (gone !== null) return gone
    // From a place of its own each time: a corner of the disk that cannot be read must not stand for all of it.
    const tried = await goodBlobs(db.read, randomBytes(32).toString('hex'), TRIED)
    if (tried.length < LEAST) return null
    for (const sha256 of tried) if (await isReadable(sha256)) return null
    return `Of ${tried.length} blobs that were good none can be read.`
  }
  return {
    whyAway,
    require: async () => {
      const why = await whyAway()
      if (why !== null) throw new Away(why)
    },
  }
}
