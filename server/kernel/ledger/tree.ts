/**
 * The Merkle tree over the ledger in the database (RFC 6962): its root at any size, and proofs of inclusion for many entries at once.
 *
 * Roots of complete subtrees of 1,024 leaves and more never change, since entries are only appended. They are kept in memory (some 200 bytes
 * for 1,024 entries), so each leaf is read once for all proofs, and afterwards only those near the entries that are proved.
 */
import { setImmediate } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { leavesAfter } from './ledger.store.ts'
import { compactRange, inclusionPath, type LeafInterval, nodeHash, split } from './merkle.ts'
import type { InclusionProof } from './inclusion-proof.ts'

/** Leaves of the smallest subtree that is kept. */
const BLOCK = 1024

export interface LedgerTree {
  /**
   * The tree over the first `size` entries, 1 at least. The first call reads every leaf: some seconds for a million.
   * @param between called between two reads; what it throws ends the call
   * @throws Error when the ledger has fewer entries, or one is missing
   */
  at(size: number, between?: () => void): Promise<TreeAt>
}

export interface TreeAt {
  readonly size: number
  readonly root: Uint8Array
  /** In the order of `seqs`. @throws Error for an entry that is not under this tree */
  prove(seqs: readonly number[]): Promise<InclusionProof[]>
}

export function createLedgerTree(db: Database): LedgerTree {
  /** Roots of complete subtrees, by their interval. */
  const kept = new Map<string, Uint8Array>()
  let complete = 0
  // One call at a time reads blocks, so that none is read twice.
  let last: Promise<void> = Promise.resolve()

  const keepBlocks = async (upTo: number, between: () => void): Promise<void> => {
    for (; complete + BLOCK <= upTo; complete += BLOCK) {
      between()
      const range = compactRange(complete)
      for (const leaf of await readLeaves(db, [complete, complete + BLOCK])) range.append(leaf)
      kept.set(keyOf([complete, complete + BLOCK]), Buffer.from(range.nodes().hashes[0] as string, 'hex'))
    }
  }

  return {
    at: async (size, between = () => {}) => {
      const mine = last.then(() => keepBlocks(size, between))
      last = mine.catch(() => {})
      await mine
      return treeAt(db, kept, size)
    },
  }
}

const keyOf = ([begin, end]: LeafInterval): string => `${begin}-${end}`
const blockOf = (index: number): number => Math.floor(index / BLOCK)

async function treeAt(db: Database, kept: Map<string, Uint8Array>, size: number): Promise<TreeAt> {
  /** Leaves of the blocks that are needed one by one: those of proved entries, and the last one, which is not complete. */
  const leaves = new Map<number, readonly Uint8Array[]>()
  /** Subtrees that end at the end of this tree and are not complete: another size has others. */
  const own = new Map<string, Uint8Array>()
  /** Subtrees inside the block whose entries are proved now. Without them each proof would hash the whole block once more. */
  const inside = new Map<string, Uint8Array>()
  const read = async (block: number): Promise<readonly Uint8Array[]> =>
    leaves.get(block) ?? readLeaves(db, [block * BLOCK, Math.min((block + 1) * BLOCK, size)])
  const rootOf = (interval: LeafInterval): Uint8Array => {
    const [begin, end] = interval
    const key = keyOf(interval)
    const found = kept.get(key) ?? own.get(key) ?? inside.get(key)
    if (found !== undefined) return found
    if (end - begin === 1) return leaves.get(blockOf(begin))?.[begin % BLOCK] as Uint8Array
    const middle = begin + split(end - begin)
    const root = nodeHash(rootOf([begin, middle]), rootOf([middle, end]))
    const isComplete = end - begin === 2 * (middle - begin)
    if (end - begin > BLOCK) (isComplete ? kept : own).set(key, root)
    else inside.set(key, root)
    return root
  }

  if (size % BLOCK !== 0) leaves.set(blockOf(size), await read(blockOf(size)))
  return {
    size,
    root: rootOf([0, size]),
    prove: async (seqs) => {
      const found = new Map<number, InclusionProof>()
      for (const [block, some] of Map.groupBy(new Set(seqs), (seq) => blockOf(seq - 1))) {
        const own = await read(block)
        // Nothing waits from here to the end of the block, so another call does not take it away.
        leaves.set(block, own)
        for (const seq of some)
          found.set(seq, {
            seq,
            size,
            leaf: rootOf([seq - 1, seq]),
            steps: inclusionPath(seq - 1, size).map(rootOf),
          })
        inside.clear()
        // The last block is needed for every proof.
        if (block !== blockOf(size)) leaves.delete(block)
        // Proofs of a large package take seconds of hashing: others are answered in between.
        await setImmediate()
      }
      return seqs.map((seq) => found.get(seq) as InclusionProof)
    },
  }
}

/** @throws Error when an entry is missing */
async function readLeaves(db: Database, [begin, end]: LeafInterval): Promise<Uint8Array[]> {
  const rows = await db.longRead(leavesAfter(db.read, begin, end, end - begin))
  for (let index = begin; index < end; index++)
    if (rows[index - begin]?.seq !== index + 1) throw new Error(`The ledger has no entry ${index + 1}`)
  return rows.map(({ leaf }) => leaf)
}
