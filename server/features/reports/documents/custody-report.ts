/** The custody of one evidence on paper: page after page of the ledger, so that a long one never lies whole in memory. */
import { type FoldedEntry, foldVisits, type Line, type Visit } from '../../../../shared/evidence/visits.ts'
import type { EvidenceRow } from '../../../kernel/evidence/records.store.ts'
import type { CustodyEntry, CustodyPage } from '../../../kernel/ledger/custody-history.ts'
import type { Appended } from '../../../kernel/ledger/ledger.ts'
import type { Cell, Sheet } from '../../../platform/pdf/sheet.ts'
import { actCells, actColumns, actorText } from './evidence-sheet.ts'
import { type ActorNames, type DocumentWords, drawProof, drawTop, type Letterhead } from './paper.ts'

export interface CustodyInput {
  readonly evidence: EvidenceRow
  readonly kind: 'acts' | 'all'
  readonly counts: CustodyPage['counts']
  /** Newest first. */
  readonly pages: AsyncIterable<{ readonly entries: readonly CustodyEntry[]; readonly people: ActorNames }>
  readonly head: Letterhead
  readonly address: string
}

/** @returns how many entries were put on paper */
export async function drawCustodyReport(
  sheet: Sheet,
  words: DocumentWords,
  { evidence, kind, counts, pages, head, address }: CustodyInput,
  begun: Appended,
): Promise<number> {
  const { say, count } = words
  drawTop(sheet, head, words, {
    title: say('custodyReport'),
    name: evidence.name,
    lines: [say('evidenceId', { id: evidence.evidence_id })],
    address,
    scan: say('scan'),
  })
  sheet.words(
    kind === 'acts'
      ? say('custodyActs', { shown: count(counts.acts), views: count(counts.all - counts.acts) })
      : say('custodyAll', { shown: count(counts.all) }),
    { bold: true, gap: 4 },
  )
  let drawn = 0
  async function* rows(): AsyncGenerator<readonly Cell[]> {
    for await (const { line, people } of linesOf(pages, kind)) {
      drawn += line.kind === 'act' ? 1 : line.entries.length
      yield line.kind === 'act' ? actCells(line.entry.custody, words, people) : visitCells(line, words, people)
    }
  }
  await sheet.table(actColumns(sheet, words), rows())
  if (drawn === 0) sheet.words(say('custodyEmpty'))
  drawProof(sheet, head, words, begun)
  return drawn
}

/** As folding needs it, with the entry itself. */
interface Folded extends FoldedEntry {
  readonly custody: CustodyEntry
}

/** Entries that wait for older ones of their visit; more are put on paper as they are. */
const MOST_PENDING = 5_000

async function* linesOf(
  pages: CustodyInput['pages'],
  kind: CustodyInput['kind'],
): AsyncGenerator<{ readonly line: Line<Folded>; readonly people: ActorNames }> {
  const people = new Map<string, string>()
  let pending: Folded[] = []
  for await (const page of pages) {
    for (const [id, name] of page.people) people.set(id, name)
    const entries = page.entries.map(foldedOf)
    if (kind === 'acts') {
      for (const entry of entries) yield { line: { kind: 'act', entry }, people }
      continue
    }
    pending.push(...entries)
    const lines = foldVisits(pending, pending.length <= MOST_PENDING)
    const settled = lines.slice(0, firstOpen(lines))
    for (const line of settled) yield { line, people }
    const gone = new Set(settled.flatMap((line) => (line.kind === 'act' ? [line.entry] : line.entries)))
    pending = pending.filter((entry) => !gone.has(entry))
  }
  for (const line of foldVisits(pending, false)) yield { line, people }
}

const firstOpen = (lines: readonly Line<Folded>[]): number => {
  const at = lines.findIndex((line) => line.kind === 'visit' && !line.whole)
  return at === -1 ? lines.length : at
}

function foldedOf(custody: CustodyEntry): Folded {
  const { seq, entry } = custody
  return {
    custody,
    Seq: seq,
    TimeUtc: entry?.timeUtc ?? '',
    Action: entry?.action ?? '',
    Outcome: entry?.outcome ?? 'failed',
    Actor: { Kind: entry?.actor.kind ?? '', Id: entry?.actor.id ?? '' },
    Source: entry?.source ?? '',
    Object: { Id: entry?.object.id ?? '', Name: entry?.object.name ?? '' },
    CorrelationId: entry?.correlationId ?? '',
    Detail: entry?.detail ?? null,
  }
}

function visitCells(visit: Visit<Folded>, words: DocumentWords, people: ActorNames): readonly Cell[] {
  const { say, time } = words
  const [first] = visit.entries
  const actor = first?.custody.entry?.actor ?? { kind: '', id: '', name: '' }
  const who = actorText(actor, words, people)
  const [from, to] = [time(visit.from), time(visit.to)]
  return [
    { text: numbersOf(visit.entries.map(({ Seq }) => Seq)) },
    { text: from === to ? from : say('visitSpan', { from, to }) },
    { text: say(actor.kind === 'user' ? 'visited' : 'readBy', { who }) },
    { text: who },
    { text: visitDetail(visit, words) },
  ]
}

function visitDetail({ playbacks, entries }: Visit<Folded>, { say, length }: DocumentWords): string {
  const played = new Map<string, number>()
  for (const { name, seconds } of playbacks) played.set(name, (played.get(name) ?? 0) + (seconds ?? 0))
  return [
    ...[...played].map(([name, seconds]) =>
      seconds >= 1 ? say('visitPlayed', { name, length: length(seconds * 1000) }) : say('visitOpened', { name }),
    ),
    say('visitEntries', { count: entries.length }),
  ].join(' · ')
}

/** `812, 809–805`: newest first, runs in one. */
export function numbersOf(seqs: readonly number[]): string {
  const runs: [number, number][] = []
  for (const seq of seqs.toSorted((one, other) => other - one)) {
    const last = runs.at(-1)
    if (last !== undefined && last[1] - 1 === seq) last[1] = seq
    else runs.push([seq, seq])
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(', ')
}
