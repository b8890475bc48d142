import type { Database } from '../../../kernel/database/database.ts'
import { leavesAfter } from '../../../kernel/ledger/ledger.store.ts'
import { checkpointAt } from './checkpoints.store.ts'
import {
  type CompactRange,
  compactRange,
  consistencyPath,
  type LeafInterval,
  nodeHash,
  rangeFromFrontier,
} from '../../../kernel/ledger/merkle.ts'

/** Proofs over the ledger in the database (RFC 6962 2.1). */

/** Hashed on this thread between two reads: a few milliseconds. */
const LEAVES_AT_ONCE = 2000

/** The root over the first `size` entries; null when the ledger has fewer. */
export async function rootAt(db: Database, size: number): Promise<Uint8Array | null> {
  const kept = await checkpointAt(db.read, size)
  if (kept !== undefined) return kept.root
  const range = await rangeOf(db, [0, size])
  return range === null ? null : range.root()
}

/** The roots at these sizes, computed from the entries; sizes beyond the ledger are left out. */
export async function rootsAt(db: Database, sizes: readonly number[]): Promise<Map<number, Uint8Array>> {
  const range = compactRange()
  const roots = new Map<number, Uint8Array>()
  for (const size of [...new Set(sizes)].sort((a, b) => a - b)) {
    if (!(await lengthen(db, range, size))) break
    roots.set(size, range.root())
  }
  return roots
}

/**
 * Proves that the first `older` entries are the beginning of the first `newer` (RFC 6962 2.1.2). Subtrees are taken from a checkpoint
 * signed at `older`; only later entries are read. @throws when the ledger has fewer entries
 */
export async function consistencyProof(db: Database, older: number, newer: number): Promise<Uint8Array[]> {
  if (older === newer) return []
  const known = await subtreesAt(db, older)
  const proof: Uint8Array[] = []
  for (const interval of consistencyPath(older, newer)) {
    const [begin, end] = interval
    const kept = known.get(`${begin}-${end}`)
    if (kept !== undefined) {
      proof.push(kept)
      continue
    }
    const range = await rangeOf(db, interval)
    if (range === null) throw new Error(`The ledger has no entry ${end}`)
    const hashes = range.nodes().hashes.map((text): Uint8Array => Buffer.from(text, 'hex'))
    proof.push(hashes.reduceRight((right, left) => nodeHash(left, right)))
  }
  return proof
}

async function subtreesAt(db: Database, size: number): Promise<Map<string, Uint8Array>> {
  const kept = await checkpointAt(db.read, size)
  const known = new Map<string, Uint8Array>()
  if (kept === undefined) return known
  const { levels, hashes } = rangeFromFrontier(size, kept.frontier).nodes()
  let begin = 0
  for (const [index, level] of levels.entries()) {
    known.set(`${begin}-${begin + 2 ** level}`, Buffer.from(hashes[index] as string, 'hex'))
    begin += 2 ** level
  }
  return known
}

/** Null when the ledger ends before the interval does. */
async function rangeOf(db: Database, [begin, end]: LeafInterval): Promise<CompactRange | null> {
  const range = compactRange(begin)
  return (await lengthen(db, range, end)) ? range : null
}

/** @returns false when the ledger ends before `end`, or an entry is missing */
async function lengthen(db: Database, range: CompactRange, end: number): Promise<boolean> {
  while (range.end < end) {
    const rows = await db.longRead(leavesAfter(db.read, range.end, end, LEAVES_AT_ONCE))
    if (rows.length === 0) return false
    for (const { seq, leaf } of rows) {
      if (seq !== range.end + 1) return false
      range.append(leaf)
    }
  }
  return true
}
