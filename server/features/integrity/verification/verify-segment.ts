import { hash } from 'node:crypto'
import type { RawDatabase } from '../../../kernel/database/sqlite/raw.ts'
import { type CompactRange, compactRange, type RangeNodes } from '../../../kernel/ledger/merkle.ts'
import { type ReadEntry, readExactly, readFast, wrongTime } from './verify-entry.ts'
import { type RawEntry, rawBodies, rawEntries, rawEntry } from './verify.store.ts'
import { collectProblems, entryProblem, type Problem, type Problems } from './verify.types.ts'

/** Entries [from, to], checked by one thread. */
export interface Segment {
  readonly from: number
  readonly to: number
  /** Sizes at which the tree is computed, ascending, all within (from - 1, to]. */
  readonly marks: readonly number[]
}

export interface SegmentResult {
  readonly problems: readonly Problem[]
  readonly leftOut: number
  readonly entries: number
  /** The leaves of this segment up to each mark, and the stored hash there. */
  readonly marks: readonly { readonly size: number; readonly nodes: RangeNodes; readonly hash: string }[]
  readonly nodes: RangeNodes
  /** Entries that the verifier of checkpoints looks at. */
  readonly signed: readonly { readonly seq: number; readonly detail: unknown; readonly objectId: string }[]
  readonly rotations: readonly { readonly seq: number; readonly detail: unknown }[]
}

interface EntryBefore {
  /** Stored hash in hexadecimal; null when the previous entry is missing. */
  hash: string | null
  timeUtc: string
}

const PROGRESS_EVERY = 20_000
/** A wider gap is not filled: the tree is unknown after it anyway. */
const WIDEST_GAP = 100_000
const NO_LEAF = '0'.repeat(64)
const FIRST_HASH = '0'.repeat(64)

/** @throws what SQLite throws when the file cannot be read. */
export function verifySegment(
  db: RawDatabase,
  { from, to, marks }: Segment,
  onProgress: (done: number) => void,
): SegmentResult {
  const problems = collectProblems()
  const check = entryChecker(db, problems)
  const range = compactRange(from - 1)
  const reached: { size: number; nodes: RangeNodes; hash: string }[] = []
  const notes = {
    signed: [] as SegmentResult['signed'][number][],
    rotations: [] as SegmentResult['rotations'][number][],
  }
  const before = from === 1 ? { hash: FIRST_HASH, timeUtc: '' } : entryBefore(db, from)
  let expected = from
  let entries = 0
  let mark = 0

  for (const raw of rawEntries(db, from === 1 ? null : from, to)) {
    const seq = raw[0]
    entries += 1
    if (seq < expected) {
      problems.add(entryProblem('ledger.sequence', seq, 'It stands before the first entry, where none may be.'))
      continue
    }
    if (seq > expected) {
      missing(problems, expected, seq - 1)
      fillGap(range, seq - expected)
      before.hash = null
    }
    const entry = check(raw, before)
    range.appendHex(raw[3])
    note(notes, seq, entry)
    before.hash = raw[2]
    if (entry !== null) before.timeUtc = entry.timeUtc
    expected = seq + 1
    while (mark < marks.length && (marks[mark] as number) <= seq) {
      const size = marks[mark++] as number
      if (size === seq) reached.push({ size, nodes: range.nodes(), hash: raw[2] })
    }
    if (entries % PROGRESS_EVERY === 0) onProgress(entries)
  }
  if (expected <= to) {
    missing(problems, expected, to)
    fillGap(range, to + 1 - expected)
  }
  return { problems: problems.list, leftOut: problems.leftOut, entries, marks: reached, nodes: range.nodes(), ...notes }
}

function entryBefore(db: RawDatabase, from: number): EntryBefore {
  const raw = rawEntry(db, from - 1)
  if (raw === undefined) return { hash: null, timeUtc: '' }
  return { hash: raw[2], timeUtc: (readFast(raw[1]) ?? exactly(db, from - 1))?.timeUtc ?? '' }
}

function exactly(db: RawDatabase, seq: number): ReadEntry | null {
  const read = readExactly(rawBodies(db)(seq))
  return 'wrong' in read ? null : read
}

function note(
  notes: { signed: SegmentResult['signed'][number][]; rotations: SegmentResult['rotations'][number][] },
  seq: number,
  entry: ReadEntry | null,
): void {
  if (entry === null) return
  if (entry.action === 'checkpoint.signed') notes.signed.push({ seq, detail: entry.detail, objectId: entry.objectId })
  else if (entry.action === 'key.rotated') notes.rotations.push({ seq, detail: entry.detail })
}

function missing(problems: Problems, from: number, to: number): void {
  problems.add({
    kind: 'ledger.sequence',
    what: from === to ? `entry ${from}` : `entries ${from}–${to}`,
    message: from === to ? 'It is missing.' : 'They are missing.',
    entries: { from, to },
  })
}

/** Fills the places of missing leaves, so that only subtrees that contain them are wrong. */
function fillGap(range: CompactRange, width: number): void {
  for (let index = 0; index < Math.min(width, WIDEST_GAP); index++) range.appendHex(NO_LEAF)
}

/** Checks an entry and its link to the previous one. @returns the entry when it can be read. */
function entryChecker(db: RawDatabase, problems: Problems): (raw: RawEntry, before: EntryBefore) => ReadEntry | null {
  const bodyAt = rawBodies(db)
  const hashes = entryHashes()

  return ([seq, text, hashText, leafText, objectType, objectId], before) => {
    let entry = readFast(text)
    let wrong: string | null = null
    let exact: Buffer | null = null
    if (entry === null) {
      exact = bodyAt(seq)
      const read = readExactly(exact)
      if ('wrong' in read) wrong = read.wrong
      else entry = read
    }
    const found = exact === null ? hashes.ofText(text, before.hash) : hashes.ofBytes(exact, before.hash)
    if (found.leaf !== leafText) wrong ??= 'its bytes are not those that its leaf hash was made from'
    if (wrong === null && entry !== null) wrong = wrongMembers(entry, seq, objectType, objectId)
    if (wrong !== null) problems.add(entryProblem('ledger.entry', seq, `It was changed: ${wrong}.`))
    // When the bytes are wrong, the broken link adds nothing.
    else if (found.chain !== null && found.chain !== hashText) problems.add(brokenLink(seq))
    if (entry === null) return null
    const clock = wrongTime(entry, before.timeUtc)
    if (clock !== null) problems.add(entryProblem('ledger.clock', seq, `The clock: ${clock}.`))
    return entry
  }
}

function wrongMembers(entry: ReadEntry, seq: number, objectType: string, objectId: string): string | null {
  if (entry.seq !== seq) return `it was written as entry ${entry.seq}`
  if (entry.objectType !== objectType || entry.objectId !== objectId)
    return `it is filed under ${objectType} ${objectId} and is about ${entry.objectType} ${entry.objectId}`
  return null
}

const brokenLink = (seq: number): Problem =>
  entryProblem(
    'ledger.chain',
    seq,
    seq === 1
      ? 'It is not the first entry of this ledger, or it was changed.'
      : `It does not continue entry ${seq - 1}: one of the two is not what was written.`,
    Math.max(1, seq - 1),
  )

/** Chain and leaf hash of a body, in hexadecimal. It reuses one buffer. */
function entryHashes() {
  let scratch = Buffer.alloc(64 * 1024)
  const atLeast = (bytes: number): void => {
    if (scratch.length < 32 + bytes) scratch = Buffer.alloc(2 * bytes + 32)
  }
  const both = (length: number, previous: string | null): { chain: string | null; leaf: string } => {
    let chain: string | null = null
    if (previous !== null) {
      scratch.fill(0, 0, 32)
      scratch.write(previous, 0, 32, 'hex')
      chain = hash('sha256', scratch.subarray(0, 32 + length), 'hex')
    }
    scratch[31] = 0
    return { chain, leaf: hash('sha256', scratch.subarray(31, 32 + length), 'hex') }
  }
  return {
    ofText: (text: string, previous: string | null) => {
      atLeast(text.length * 3)
      return both(scratch.write(text, 32, 'utf8'), previous)
    },
    ofBytes: (body: Buffer, previous: string | null) => {
      atLeast(body.length)
      return both(body.copy(scratch, 32), previous)
    },
  }
}
