/** A signed tree head under which entries that leave the station are proved (decisions 21 and 34). */
import type { Database } from '../database/database.ts'
import { newestCheckpoint } from './ledger.store.ts'
import { signCheckpoint, type Signer } from './signed-note.ts'
import type { LedgerTree, TreeAt } from './tree.ts'

/** The ledger here is not the one that was signed: nothing of it may be signed or sent before a person looked. */
export class LedgerDiffers extends Error {
  override readonly name = 'LedgerDiffers'
}

export interface HeadMaker {
  readonly db: Database
  readonly tree: LedgerTree
  readonly origin: string
  readonly signer: Signer
  /** Called between two reads; what it throws ends the work. */
  readonly between: () => void
}

export const isSameRoot = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/**
 * A tree head over `seq` entries at least: the newest checkpoint, or one that is signed for this purpose and kept with it alone. Checkpoints come
 * once an hour, and what leaves the station does not wait for one.
 * @throws LedgerDiffers when the entries are not those of the newest checkpoint
 */
export async function signedHead(
  { db, tree, origin, signer, between }: HeadMaker,
  seq: number,
): Promise<{ readonly note: string; readonly tree: TreeAt }> {
  const newest = await newestCheckpoint(db.read)
  if (newest !== undefined) {
    const known = await tree.at(newest.size, between)
    if (!isSameRoot(known.root, newest.root))
      throw new LedgerDiffers(`The ledger differs from the checkpoint over ${newest.size} entries. Verify the ledger.`)
    if (newest.size >= seq) return { note: newest.note, tree: known }
  }
  const now = await tree.at(seq, between)
  return { note: signCheckpoint({ origin, size: seq, root: now.root }, signer), tree: now }
}
