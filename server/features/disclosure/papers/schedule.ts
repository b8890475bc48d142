/** Schedules: what was given, and what was withheld, as CSV and as a paper. Pure. */
import { disclosurePapers as en } from '../../../../shared/disclosure/papers.messages.en.ts'
import { disclosurePapers as fr } from '../../../../shared/disclosure/papers.messages.fr.ts'
import { RESTRICTIONS, type Series, type WithheldBasis } from '../../../../shared/disclosure/kinds.ts'
import { CSV_MARK, csvLine } from '../../../../shared/kernel/csv.ts'
import { escapedName } from '../../../../shared/kernel/escaped-name.ts'
import type { ItemKind } from '../../../../shared/packages/kinds.ts'
import { type Language, type PaperWords, paperWords } from '../../../platform/pdf/paper-words.ts'
import { type Block, type PaperDocument, said } from '../../../platform/pdf/papers/paper.ts'

export type DisclosureWord = keyof typeof en
export type DisclosureWords = PaperWords<DisclosureWord>

export const disclosureWords = (language: Language, zone: string): DisclosureWords =>
  paperWords<DisclosureWord>(language === 'fr' ? fr : en, language, zone)

export interface GivenLine {
  readonly number: number
  readonly file: string
  readonly kind: ItemKind
  readonly bytes: number
  readonly sha256: string
}

export interface HeldLine {
  readonly basis: WithheldBasis
  readonly number: number
  readonly description: string
  /** As typed, or the kinds of restrictions. */
  readonly ground: string
  readonly reasons: string
  readonly decidedBy: string
}

export interface ScheduleLines {
  readonly given: readonly GivenLine[]
  readonly held: readonly HeldLine[]
}

const COLUMNS = [
  'Schedule',
  'No',
  'File',
  'Kind',
  'Bytes',
  'Sha256',
  'Description',
  'Ground',
  'Reasons',
  'DecidedBy',
] as const

/** @param series those whose lines are in it, each in the order of its numbers */
export function scheduleCsv({ given, held }: ScheduleLines, series: readonly Series[]): string {
  const lines = series.flatMap((one) =>
    one === 'list'
      ? given.map((line) =>
          csvLine([
            one,
            line.number,
            escapedName(line.file),
            line.kind,
            line.bytes,
            line.sha256,
            null,
            null,
            null,
            null,
          ]),
        )
      : byNumber(held, one).map((line) =>
          csvLine([
            one,
            line.number,
            ...Array.from({ length: 4 }, () => null),
            escapedName(line.description),
            escapedName(line.ground),
            escapedName(line.reasons),
            escapedName(line.decidedBy),
          ]),
        ),
  )
  return CSV_MARK + csvLine(COLUMNS) + lines.join('')
}

export const byNumber = (held: readonly HeldLine[], basis: WithheldBasis): HeldLine[] =>
  held.filter((line) => line.basis === basis).sort((a, b) => a.number - b.number)

/** Grounds that are restrictions have a name in each language. */
const groundText = (ground: string, { say }: DisclosureWords): string =>
  ground
    .split(', ')
    .map((part) => ((RESTRICTIONS as readonly string[]).includes(part) ? say(part as DisclosureWord) : part))
    .join(', ')

export function givenTable(given: readonly GivenLine[], { say, count }: DisclosureWords, seq: number | null): Block {
  if (given.length === 0) return { kind: 'words', words: said(say('nothing')) }
  return {
    kind: 'table',
    columns: [
      { label: say('number'), share: 8 },
      { label: say('file'), share: 34 },
      { label: say('kind'), share: 14 },
      { label: say('bytes'), share: 15, end: true },
      { label: say('sha256'), share: 34, mono: true },
    ],
    rows: given.map((line) => [
      said(String(line.number), seq),
      said(escapedName(line.file)),
      said(say(line.kind)),
      said(count(line.bytes)),
      said(line.sha256),
    ]),
  }
}

export function heldTable(held: readonly HeldLine[], basis: WithheldBasis, words: DisclosureWords): Block {
  const { say } = words
  const lines = byNumber(held, basis)
  if (lines.length === 0) return { kind: 'words', words: said(say('nothing')) }
  return {
    kind: 'table',
    columns: [
      { label: say('number'), share: 8 },
      { label: say('description'), share: 36 },
      { label: say('ground'), share: 22 },
      ...(basis === 'MG6D' ? [{ label: say('reasons'), share: 24 }] : []),
      { label: say('decidedBy'), share: 16 },
      { label: say('mark'), share: 14 },
    ],
    rows: lines.map((line) =>
      [
        String(line.number),
        escapedName(line.description),
        groundText(line.ground, words),
        ...(basis === 'MG6D' ? [escapedName(line.reasons)] : []),
        line.decidedBy,
        '',
      ].map((text) => said(text)),
    ),
  }
}

/** @param about what stands above the table @param station where what was withheld can be looked at */
export function schedulePaper(
  lines: ScheduleLines,
  series: readonly Series[],
  {
    title,
    about,
    station,
    words,
    seq,
  }: { title: string; about: readonly Block[]; station: string; words: DisclosureWords; seq: number | null },
): PaperDocument {
  const { say } = words
  const isSensitive = series.includes('MG6D')
  return {
    title,
    banner: isSensitive ? say('sensitive') : null,
    blocks: [
      { kind: 'title', text: title },
      ...about,
      ...series.flatMap((one): Block[] => [
        ...(series.length > 1 ? [{ kind: 'heading', text: say(one) } as const] : []),
        one === 'list' ? givenTable(lines.given, words, seq) : heldTable(lines.held, one, words),
        ...(one === 'MG6C' ? [{ kind: 'words', words: said(say('inspect', { station })) } as const] : []),
      ]),
    ],
  }
}
