import type { Database } from '../../../kernel/database/database.ts'
import type { CheckpointsTable } from '../../../kernel/database/tables.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { WithFile } from '../../../kernel/kernel.ts'
import { toHex } from '../../../kernel/ledger/format.ts'
import type { EvidenceVerification, VerifyEvidence } from '../../../kernel/ledger/evidence-verification.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import { type CompactRange, compactRange, rangeFromFrontier } from '../../../kernel/ledger/merkle.ts'
import { openCheckpoint } from '../../../kernel/ledger/signed-note.ts'
import { checkpointFrom, checkpointUpTo, custodyExtent } from '../../../kernel/ledger/custody-history.store.ts'
import { askThread } from './verify-ledger.ts'
import type { SegmentResult } from './verify-segment.ts'

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'head'>
  readonly clock: Clock
  /** The database as a file, for the thread. */
  readonly withFile: WithFile
  /** Raw Ed25519 keys that ever signed for this station. */
  readonly publicKeys: () => readonly Uint8Array[]
  readonly most: number
}

/**
 * Recomputes the chain from the first entry of an evidence to the head, on a separate thread, checks the latest signed checkpoint over it
 * (decisions 12), and compares the rows of the evidence with these entries. The tree before the range is taken from an earlier signed
 * checkpoint, so that roots can be compared without reading it. One at a time. Rejects with the signal's reason.
 */
export function createVerifyEvidence(deps: Deps): VerifyEvidence {
  let turn: Promise<unknown> = Promise.resolve()
  return (evidenceId, signal) => {
    const mine = turn.then(() => {
      signal.throwIfAborted()
      return verify(deps, evidenceId, signal)
    })
    turn = mine.catch(() => {})
    return mine
  }
}

interface Bad {
  readonly seq: number
  /** End of the range that contains the change. */
  readonly to: number
  readonly problem: string
}

async function verify(deps: Deps, evidenceId: number, signal: AbortSignal): Promise<EvidenceVerification> {
  const { db, clock, withFile } = deps
  const head = await deps.ledger.head()
  const first = (await db.longRead(custodyExtent(db.read, evidenceId, { from: 0, to: 0 })))[0]?.first ?? head.seq
  const bounded = head.seq - first + 1 > deps.most
  const start = bounded ? ((await checkpointFrom(db.read, head.seq - deps.most))?.size ?? head.seq) + 1 : first
  const base = await baseBefore(deps, start - 1)
  const latest = await checkpointUpTo(db.read, head.seq)
  const covering = latest !== undefined && latest.size >= start ? latest : null
  const marks = covering === null ? [] : [covering.size]
  const [{ segment }, { ofEvidence }] = await withFile(
    async (file) => [
      (await askThread(file, { from: base.range.end + 1, to: head.seq, marks }, signal)) as { segment: SegmentResult },
      (await askThread(file, { evidenceId, from: base.range.end + 1 }, signal)) as {
        ofEvidence: { seq: number; problem: string } | null
      },
    ],
    signal,
  )
  const found: Bad[] = segment.problems.flatMap(({ kind, entries, message }) =>
    kind.startsWith('ledger.') && entries !== undefined
      ? [{ seq: entries.from, to: entries.to, problem: message }]
      : [],
  )
  if (base.bad !== null) found.push(base.bad)
  const checkpoint = covering === null ? null : judged(covering, base.range, segment, deps.publicKeys())
  if (checkpoint?.bad) found.push(checkpoint.bad)
  // Findings of a checkpoint about a range come after findings of the entries in it.
  found.sort((a, b) => a.to - b.to)
  // Changed entries prove nothing about rows.
  if (ofEvidence !== null) found.push({ ...ofEvidence, to: ofEvidence.seq })
  const range = { from: bounded ? start : first, to: head.seq }
  const counted = (await db.longRead(custodyExtent(db.read, evidenceId, range)))[0]
  return {
    intact: found.length === 0,
    entries: counted?.count ?? 0,
    fromSeq: range.from,
    toSeq: head.seq,
    checked: segment.entries,
    bounded,
    headHash: head.hash,
    checkpoint: checkpoint?.out ?? null,
    verifiedUtc: isoMillis(clock.now()),
    firstBad: found[0] === undefined ? null : { seq: found[0].seq, problem: found[0].problem },
  }
}

/** The tree up to the last checkpoint before the range. A checkpoint that differs from its signature is reported, and the tree is computed from the start. */
async function baseBefore({ db, publicKeys }: Deps, size: number): Promise<{ range: CompactRange; bad: Bad | null }> {
  const row = await checkpointUpTo(db.read, size)
  if (row === undefined) return { range: compactRange(), bad: null }
  try {
    const signed = openCheckpoint(row.note, publicKeys())
    const range = rangeFromFrontier(row.size, row.frontier)
    if (signed.size === row.size && toHex(signed.root) === toHex(range.root())) return { range, bad: null }
  } catch {
    // Reported below, like any checkpoint that differs from its signature.
  }
  return {
    range: compactRange(),
    bad: { seq: row.size, to: row.size, problem: `Checkpoint ${row.size} is not what was signed.` },
  }
}

function judged(row: CheckpointsTable, base: CompactRange, segment: SegmentResult, keys: readonly Uint8Array[]) {
  const out = {
    size: row.size,
    timeUtc: row.created_utc,
    root: toHex(row.root),
    keyId: keyIdIn(row.note),
    valid: false,
  }
  const not = (problem: string) => ({ out, bad: { seq: row.size, to: row.size, problem } })
  let root: Uint8Array
  try {
    const signed = openCheckpoint(row.note, keys)
    if (signed.size !== row.size) return not(`Checkpoint ${row.size} was signed over ${signed.size} entries.`)
    root = signed.root
  } catch (error) {
    return not(`Checkpoint ${row.size}: ${(error as Error).message}.`)
  }
  const mark = segment.marks.find(({ size }) => size === row.size)
  const tree = compactRange()
  tree.join(base.nodes())
  if (mark !== undefined) tree.join(mark.nodes)
  if (mark === undefined || toHex(tree.root()) !== toHex(root)) {
    const problem = `Entries ${base.end + 1}–${row.size} are not those that were signed; the first that was changed is among them.`
    return { out: { ...out, root: toHex(root) }, bad: { seq: base.end + 1, to: row.size, problem } }
  }
  return { out: { ...out, root: toHex(root), valid: true }, bad: null }
}

/** The key id: the first four bytes of the signature line (C2SP signed-note). */
const keyIdIn = (note: string): string =>
  Buffer.from(/\n— \S+ ([A-Za-z0-9+/]+={0,2})\n/.exec(note)?.[1] ?? '', 'base64')
    .subarray(0, 4)
    .toString('hex')
