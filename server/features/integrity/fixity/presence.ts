import { randomBytes } from 'node:crypto'
import type { Database } from '../../../kernel/database/database.ts'
import type { BlobStore } from '../../../storage/store.ts'
import { goodBlobs } from './blob-checks.store.ts'

/** Whether the volume of the blobs is present. When all blobs are unreadable at once, the volume is away and no single blob is at fault. */
export interface Presence {
  /** A sentence when the volume is away; null when it is present. */
  whyAway(): Promise<string | null>
  /** @throws Away */
  require(): Promise<void>
}

/** The volume is away, so no blob can be checked. */
export class Away extends Error {
  override readonly name = 'Away'
}

/** Number of intact blobs that are tried. With too few of them, each blob is judged alone. */
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
    // From a random start: one unreadable part of the disk must not decide for all of it.
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
