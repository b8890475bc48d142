import { setImmediate as nextTurn } from 'node:timers/promises'
import { counted } from './counted.ts'
import { toHex } from '../../../kernel/ledger/format.ts'
import { type CompactRange, compactRange, type RangeNodes, rangeFromFrontier } from '../../../kernel/ledger/merkle.ts'
import { openCheckpoint } from '../../../kernel/ledger/signed-note.ts'
import { readRotation } from '../../../kernel/ledger/key-rotation.ts'
import type { RawCheckpoint } from './verify.store.ts'
import type { SegmentResult } from './verify-segment.ts'
import { collectProblems, type Problem } from './verify.types.ts'

export interface CheckpointsToVerify {
  /** Segments in order; together they are the whole ledger. */
  readonly segments: readonly SegmentResult[]
  readonly last: number
  readonly stored: readonly RawCheckpoint[]
  /** Raw Ed25519 keys of the station, oldest first. */
  readonly publicKeys: readonly Uint8Array[]
  /** Notes that were kept outside the database. */
  readonly outside: readonly string[]
}

/** The current tree at the size of one checkpoint. */
interface Found {
  readonly nodes: RangeNodes
  readonly root: string
  readonly hash: string
}

/** Signatures are checked on the calling thread, few at a time. */
const AT_ONCE = 20

/** Checks every checkpoint against its signature, the station's keys and the current entries. */
export async function verifyCheckpoints(given: CheckpointsToVerify): Promise<readonly Problem[]> {
  const problems = collectProblems()
  const found = treesAt(given.segments)
  const keys = keysInOrder(given, problems.add)
  // Up to this size everything agrees with the signatures.
  let good = 0
  let reported = false

  const compare = (what: string, size: number, root: Uint8Array, frontier: Uint8Array | null): void => {
    if (size > given.last) {
      problems.add({
        kind: 'ledger.rewritten',
        what,
        message: `It was signed over ${counted(size, 'entry', 'entries')}, and the ledger has ${given.last}: its end was cut off, or it is an older copy.`,
        entries: { from: given.last + 1, to: size },
      })
      return
    }
    const now = found.get(size)
    if (now?.root === toHex(root)) {
      good = Math.max(good, size)
      return
    }
    if (reported) return
    reported = true
    // The intact part may extend beyond this checkpoint, when a cut ledger was continued.
    const where = firstDifference(Math.min(good, size - 1), size, now?.nodes ?? null, root, frontier)
    problems.add({
      kind: 'ledger.rewritten',
      what,
      message: `Entries ${where.from}–${where.to} are not those that were signed; the first that was changed is among them.`,
      entries: where,
    })
  }

  for (const [index, row] of given.stored.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn()
    const signed = signedBy(row.note, keys, row.size, `checkpoint ${row.size}`, problems.add)
    if (signed === null) continue
    if (signed.size !== row.size || toHex(signed.root) !== toHex(row.root)) {
      problems.add(checkpointProblem(row.size, 'What is stored beside its note is not what was signed.'))
      continue
    }
    compare(`checkpoint ${row.size}`, row.size, row.root, row.frontier)
    const now = found.get(row.size)
    if (now !== undefined && now.root === toHex(row.root)) sideColumns(row, now, problems.add)
  }
  for (const note of given.outside) {
    const signed = signedBy(note, keys, null, 'a checkpoint kept outside', problems.add)
    if (signed !== null) compare(`checkpoint ${signed.size} kept outside`, signed.size, signed.root, null)
  }
  entriesAndRows(given, problems.add)
  return problems.list
}

const checkpointProblem = (size: number, message: string): Problem => ({
  kind: 'ledger.checkpoint',
  what: `checkpoint ${size}`,
  message,
})

/** Sizes of checkpoints kept outside, so that the tree is computed there too. Unreadable ones are reported later. */
export function sizesOutside(outside: readonly string[]): number[] {
  return outside.map((note) => Number(note.split('\n')[1])).filter((size) => Number.isSafeInteger(size) && size > 0)
}

function treesAt(segments: readonly SegmentResult[]): Map<number, Found> {
  const found = new Map<number, Found>()
  const whole = compactRange()
  for (const segment of segments) {
    for (const mark of segment.marks) {
      const range = copyOf(whole)
      range.join(mark.nodes)
      found.set(mark.size, { nodes: range.nodes(), root: toHex(range.root()), hash: mark.hash })
    }
    // After a gap that is too wide the tree cannot be continued.
    if (segment.nodes.begin !== whole.end) break
    whole.join(segment.nodes)
  }
  return found
}

function copyOf(range: CompactRange): CompactRange {
  const copy = compactRange()
  copy.join(range.nodes())
  return copy
}

/** The first subtree that differs now, when the frontier agrees with the signed root. */
function firstDifference(
  good: number,
  size: number,
  now: RangeNodes | null,
  root: Uint8Array,
  frontier: Uint8Array | null,
): { from: number; to: number } {
  const all = { from: good + 1, to: size }
  if (now === null || frontier === null) return all
  let then: RangeNodes
  try {
    const range = rangeFromFrontier(size, frontier)
    if (toHex(range.root()) !== toHex(root)) return all
    then = range.nodes()
  } catch {
    return all
  }
  let begin = 0
  for (const [index, level] of then.levels.entries()) {
    const end = begin + 2 ** level
    if (then.hashes[index] !== now.hashes[index]) return { from: Math.max(begin, good) + 1, to: end }
    begin = end
  }
  return all
}

interface KeyInTime {
  readonly key: Uint8Array
  /** Sizes of checkpoints that it may have signed: [from, below). */
  readonly from: number
  readonly below: number
}

/** The station's keys with the period in which each one signed, from the entries of rotations. */
function keysInOrder({ segments, publicKeys }: CheckpointsToVerify, add: (problem: Problem) => void): KeyInTime[] {
  const known = new Map(publicKeys.map((key) => [Buffer.from(key).toString('base64'), key]))
  const rotations = segments.flatMap(({ rotations: list }) => list)
  const ends = new Map<string, number>()
  const starts = new Map<string, number>()
  for (const { seq, detail } of rotations) {
    if ((detail as { key?: unknown } | null)?.key !== 'signing') continue
    const rotation = readRotation(detail)
    const message =
      rotation === null
        ? 'The rotation of the signing key is not signed by both keys.'
        : known.has(rotation.newKey) && known.has(rotation.oldKey)
          ? null
          : "The rotation of the signing key names a key that is not the station's."
    if (message !== null || rotation === null) {
      add({ kind: 'ledger.key', what: `entry ${seq}`, message: message ?? '', entries: { from: seq, to: seq } })
      continue
    }
    ends.set(rotation.oldKey, seq)
    starts.set(rotation.newKey, seq)
  }
  return [...known].map(([text, key]) => ({
    key,
    from: starts.get(text) ?? 0,
    below: ends.get(text) ?? Number.POSITIVE_INFINITY,
  }))
}

function signedBy(
  note: string,
  keys: readonly KeyInTime[],
  size: number | null,
  what: string,
  add: (problem: Problem) => void,
): { size: number; root: Uint8Array } | null {
  try {
    const opened = openCheckpoint(
      note,
      keys.map(({ key }) => key),
    )
    const signer = keys.find(({ key }) => key === opened.signedBy)
    const at = size ?? opened.size
    if (signer !== undefined && at >= signer.from && at < signer.below) return opened
    add({ kind: 'ledger.checkpoint', what, message: 'It is signed by a key that was not in use then.' })
  } catch (error) {
    add({ kind: 'ledger.checkpoint', what, message: `${(error as Error).message}.` })
  }
  return null
}

function sideColumns(row: RawCheckpoint, now: Found, add: (problem: Problem) => void): void {
  if (toHex(row.head) !== now.hash)
    add(checkpointProblem(row.size, 'The chain hash beside it is not that of its last entry.'))
  if (toHex(row.frontier) !== now.nodes.hashes.join(''))
    add(checkpointProblem(row.size, 'The subtrees beside it are not those of its entries.'))
}

/** Checks that each checkpoint has its entry and each such entry its checkpoint, so that neither can be removed alone. */
function entriesAndRows({ segments, stored }: CheckpointsToVerify, add: (problem: Problem) => void): void {
  const rows = new Map(stored.map((row) => [String(row.size), Buffer.from(row.root).toString('base64')]))
  for (const { seq, detail, objectId } of segments.flatMap(({ signed }) => signed)) {
    const root = rows.get(objectId)
    rows.delete(objectId)
    if (root === undefined)
      add({
        kind: 'ledger.checkpoint',
        what: `checkpoint ${objectId}`,
        message: `Entry ${seq} says that it was signed, and it is gone.`,
      })
    else if ((detail as { root?: unknown } | null)?.root !== root)
      add({
        kind: 'ledger.checkpoint',
        what: `checkpoint ${objectId}`,
        message: `Its root is not the one that entry ${seq} says was signed.`,
      })
  }
  for (const size of rows.keys()) add(checkpointProblem(Number(size), 'No entry says that it was signed.'))
}
