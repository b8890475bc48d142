/** The entries of the ledger that go with a package, and which of them its recipient may read. */
import type { PackageVariant } from '../../../shared/packages/kinds.ts'
import type { Database } from '../../kernel/database/database.ts'
import { custodySeqs, entryIn } from '../../kernel/ledger/custody-history.ts'
import { leafHash, ROWS_STATED, type StatedRow, type StoredEntry } from '../../kernel/ledger/format.ts'
import { isIncluded } from '../../kernel/ledger/inclusion-proof.ts'
import { isSameRoot, LedgerDiffers } from '../../kernel/ledger/signed-head.ts'
import type { TreeAt } from '../../kernel/ledger/tree.ts'
import type { ProvedLine } from './format/proofs.ts'

export interface EntryLine {
  readonly seq: number
  readonly canonical: string
  readonly entry: StoredEntry | null
}

/** Numbers of the entries about these evidences up to `last`, each once. @param between called between two reads; what it throws ends the work */
export async function seqsAbout(
  db: Database,
  evidenceIds: Iterable<number>,
  { last, between }: { readonly last: number; readonly between: () => void },
): Promise<Set<number>> {
  const found = new Set<number>()
  for (const id of evidenceIds) {
    between()
    for (const seq of await custodySeqs(db, id, last)) found.add(seq)
  }
  return found
}

export interface Recipient {
  readonly variant: PackageVariant
  /** The case of the package; null of a selection. Entries that name another one are not for the recipient. */
  readonly caseId: string | null
  /** Evidence that is not in the package, since it may not leave. Entries that name it are not for the recipient. */
  readonly withheld: ReadonlySet<string>
}

/** What goes to others is not for the defence: who else got what, and what is held back. */
const OF_OTHERS =
  /^(?:(?:package|disclosure|restriction|report|document|search|export|list)\.|resource\.(?:packaged|disclosed)$)/

/** Whether the recipient may read the entry. An entry is left out whole, never edited. */
export function mayRead(line: EntryLine, { variant, caseId, withheld }: Recipient): boolean {
  const { entry } = line
  // What cannot be read may name anything.
  if (entry === null || namesEvidence(line, withheld)) return false
  if (variant === 'defence' && OF_OTHERS.test(entry.action)) return false
  return [...casesNamedIn(entry)].every((id) => id === caseId)
}

/** Whether an entry names one of these evidences, wherever it does. */
export function namesEvidence({ entry }: EntryLine, ids: ReadonlySet<string>): boolean {
  if (entry === null || ids.size === 0) return false
  if (entry.object.type === 'evidence' && ids.has(entry.object.id)) return true
  const { [ROWS_STATED]: rows = [], ...detail } = entry.detail ?? {}
  for (const [table, key] of rows as readonly StatedRow[]) {
    const id = table === 'evidence' ? key : table.startsWith('evidence_') ? /^\[(\d+),/.exec(key)?.[1] : undefined
    if (id !== undefined && ids.has(id)) return true
  }
  for (const id of idsIn(detail, IS_EVIDENCE, false)) if (ids.has(id)) return true
  return false
}

/** Ids of the cases that an entry names, wherever it does. */
export function* casesNamedIn(entry: StoredEntry): Generator<string> {
  if (entry.object.type === 'case') yield entry.object.id
  const { [ROWS_STATED]: rows = [], ...detail } = entry.detail ?? {}
  yield* idsIn(detail, IS_CASE, false)
  yield* casesInText(JSON.stringify([entry.object.name, entry.reason, detail]))
  for (const [table, key] of rows as readonly StatedRow[]) {
    // Keys of several columns are a list, which begins with the case.
    const id = table === 'cases' ? key : table.startsWith('case_') ? /^\[(\d+),/.exec(key)?.[1] : undefined
    if (id !== undefined) yield id
  }
}

const IS_CASE = /case/i
const IS_EVIDENCE = /evidence/i

/** @param what members whose names it fits are ids of what is looked for */
function* idsIn(value: unknown, what: RegExp, named: boolean): Generator<string> {
  if (value === null || value === undefined) return
  if (Array.isArray(value)) for (const one of value) yield* idsIn(one, what, named)
  else if (typeof value === 'object') {
    for (const [name, one] of Object.entries(value)) {
      // In an object about it its id may be called so.
      yield* idsIn(one, what, what.test(name) || (named && /^id$/i.test(name)))
    }
  } else if (named && (typeof value === 'string' || typeof value === 'number') && /^\d{1,19}$/.test(String(value)))
    yield String(value)
}

/** As sentences of the station name cases, and rows of theirs. A title that somebody wrote like one is taken for it: too little goes out then, never too much. */
const IN_TEXT = /\bcases? (\d{1,19})\b|\brow \[?(\d{1,19})[^\n]{0,200}? of case(?:s|_[a-z_]+)\b/giu

function* casesInText(text: string): Generator<string> {
  for (const [, named, row] of text.matchAll(IN_TEXT)) yield named ?? row ?? ''
}

/** Proofs of all these entries under the tree. @throws LedgerDiffers for an entry that does not fit its leaf, or the tree */
export async function prove(
  tree: TreeAt,
  lines: readonly EntryLine[],
  isFor: (line: EntryLine) => boolean,
): Promise<ProvedLine[]> {
  const proofs = await tree.prove(lines.map(({ seq }) => seq))
  return lines.map((line, at) => {
    const proof = proofs[at] as (typeof proofs)[number]
    if (!isSameRoot(proof.leaf, leafHash(Buffer.from(line.canonical))) || !isIncluded(proof, tree.root))
      throw new LedgerDiffers(`Entry ${proof.seq} of the ledger does not fit its own hash. Verify the ledger.`)
    return { proof, canonical: isFor(line) ? line.canonical : null }
  })
}

/** An entry by its number, as a line. */
export const lineOf = (seq: number, canonical: string): EntryLine => ({
  seq,
  canonical,
  entry: entryIn(Buffer.from(canonical)),
})
