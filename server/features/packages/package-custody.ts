/**
 * The entries of the ledger that go with a package, with their proofs. They are written to files a few at a time, and read again from there: a package of
 * thousands of items has more of them than memory should hold.
 */
import { join } from 'node:path'
import type { StoredEntry } from '../../kernel/ledger/format.ts'
import { LedgerDiffers, signedHead } from '../../kernel/ledger/signed-head.ts'
import type { TreeAt } from '../../kernel/ledger/tree.ts'
import { readLines, writeLines } from '../../platform/files/trees.ts'
import { type EntryLine, lineOf, mayRead, namesEvidence, prove, type Recipient, seqsAbout } from './custody-lines.ts'
import { provedText } from './format/proofs.ts'
import type { Begun, Maker } from './package-plan.ts'
import * as rows from './packages.store.ts'
import { collectFacts, type FactCollector } from './papers/facts.ts'

/** A text of a package that lies in a file of the station until the package is made. */
export interface TextSource {
  readonly source: string
  readonly sha256: string
  readonly bytes: number
}

export interface Custody {
  /** The signed tree head. */
  readonly note: string
  readonly custody: TextSource
  readonly proofs: TextSource
  /** What the recipient may read, from the file: what they may not read is no source of a paper for them. */
  readable(): AsyncIterable<StoredEntry>
  /** Of the entries that the recipient may read. */
  readonly facts: FactCollector
  /** Who did something to files of the package, each once. */
  readonly actors: readonly string[]
  /** How many entries the recipient may not read. */
  readonly withheld: number
  /** Of the entry that introduces the key. */
  readonly keySeq: number
  readonly begun: { readonly seq: number; readonly timeUtc: string; readonly by: string }
}

interface Asked {
  /** The key that signs. */
  readonly fingerprint: string
  /** An entry that goes along beside those of the items; null without one. */
  readonly beside: number | null
  /** For files, empty. */
  readonly folder: string
  /** Called between two reads; what it throws ends the work. */
  readonly between: () => void
}

/** @throws LedgerDiffers */
export async function custodyOf(
  deps: Maker,
  { plan, row, seq }: Begun,
  { fingerprint, beside, folder, between }: Asked,
): Promise<Custody> {
  const { db, ledger, keys, origin, tree } = deps
  const [introduced] = await ledger.entriesFor('key', fingerprint, { count: 1 })
  if (introduced === undefined)
    throw new LedgerDiffers('No entry introduces the key that signs packages. Verify the ledger.')
  const keySeq = introduced.entry.seq
  const own = new Set([keySeq, seq, ...(beside === null ? [] : [beside])])
  const begun = lineOf(seq, (await rows.canonicalOf(db.read, [seq])).get(seq) ?? '').entry
  if (begun === null) throw new LedgerDiffers(`Entry ${seq} of the ledger is not what was written. Verify the ledger.`)
  const seqs = new Set([...own, ...(await seqsAbout(db, plan.evidenceIds, { last: seq, between }))])
  const head = await signedHead({ db, tree, origin, signer: keys.signing.current(), between }, seq)
  const hidden = new Set(plan.withheld.map(String))
  const isTold = deps.gate.tellsCount(row.variant)
  const caseId = row.case_id === null ? null : String(row.case_id)
  const recipient: Recipient = { variant: row.variant, caseId, withheld: hidden }
  const facts = collectFacts(plan.items)
  const resources = new Set(plan.items.map(({ resourceId }) => resourceId))
  const actors = new Set<string>()
  const written = await writeProved(deps, head.tree, folder, {
    seqs: [...seqs].sort((a, b) => a - b),
    // That there is an entry about something withheld would be a count of it.
    goesAlong: (line) => own.has(line.seq) || isTold || !namesEvidence(line, hidden),
    isFor: (line) => own.has(line.seq) || mayRead(line, recipient),
    see: (line) => {
      facts.take(line)
      if (isAbout(line.entry, resources)) actors.add(line.entry.actor.name)
    },
    between,
  })
  return {
    ...written,
    note: head.note,
    readable: () => entriesIn(written.custody.source),
    facts,
    actors: [...actors],
    keySeq,
    begun: { seq, timeUtc: begun.timeUtc, by: begun.actor.name },
  }
}

/** Whether an entry tells what was done with a file of the package. */
export const isAbout = (entry: StoredEntry | null, resources: ReadonlySet<string>): entry is StoredEntry =>
  entry !== null && entry.object.type === 'resource' && resources.has(entry.object.id)

const LINES_AT_ONCE = 500

interface Lines {
  /** In order. */
  readonly seqs: readonly number[]
  goesAlong(line: EntryLine): boolean
  /** Whether the recipient may read it. */
  isFor(line: EntryLine): boolean
  /** Gets each that the recipient may read. */
  see(line: EntryLine): void
  readonly between: () => void
}

async function writeProved(
  { db }: Maker,
  tree: TreeAt,
  folder: string,
  { seqs, goesAlong, isFor, see, between }: Lines,
): Promise<Pick<Custody, 'custody' | 'proofs' | 'withheld'>> {
  const [custodyFile, proofsFile] = [join(folder, 'custody.jsonl'), join(folder, 'proofs.txt')]
  const [custody, proofs] = [await writeLines(custodyFile), await writeLines(proofsFile)]
  let withheld = 0
  try {
    for (let at = 0; at < seqs.length; at += LINES_AT_ONCE) {
      between()
      const some = seqs.slice(at, at + LINES_AT_ONCE)
      const texts = await rows.canonicalOf(db.read, some)
      const lines = some.map((one) => lineOf(one, texts.get(one) ?? '')).filter(goesAlong)
      for (const [index, proved] of (await prove(tree, lines, isFor)).entries()) {
        if (proved.canonical === null) withheld++
        else {
          see(lines[index] as EntryLine)
          await custody.add(proved.canonical)
        }
        await proofs.add(provedText(proved))
      }
    }
  } catch (error) {
    await Promise.all([custody.abandon(), proofs.abandon()])
    throw error
  }
  return {
    custody: sourceOf(custodyFile, await custody.end()),
    proofs: sourceOf(proofsFile, await proofs.end()),
    withheld,
  }
}

export const sourceOf = (source: string, { sha256, length }: { sha256: string; length: number }): TextSource => ({
  source,
  sha256,
  bytes: length,
})

/** Writes a text line by line. */
export async function textSource(source: string, lines: AsyncIterable<string>): Promise<TextSource> {
  const file = await writeLines(source)
  try {
    for await (const line of lines) await file.add(line)
  } catch (error) {
    await file.abandon()
    throw error
  }
  return sourceOf(source, await file.end())
}

async function* entriesIn(custody: string): AsyncGenerator<StoredEntry> {
  for await (const line of readLines(custody)) yield JSON.parse(line) as StoredEntry
}
