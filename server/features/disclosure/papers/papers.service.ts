/** The receipt and the schedules of one disclosure, as files. */
import { join } from 'node:path'
import { type Schedule, seesSensitive, type Series } from '../../../../shared/disclosure/kinds.ts'
import { fault } from '../../../../shared/kernel/errors.ts'
import type { CaseRow } from '../../../kernel/cases/cases.store.ts'
import type { Database } from '../../../kernel/database/database.ts'
import type { StoredEntry } from '../../../kernel/ledger/format.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { readText } from '../../../platform/files/read-text.ts'
import { fileLength } from '../../../platform/files/trees.ts'
import type { Language } from '../../../platform/pdf/paper-words.ts'
import { drawInTurn } from '../../../platform/pdf/papers/drawing-thread.ts'
import { type Block, type PaperDocument, said } from '../../../platform/pdf/papers/paper.ts'
import { paperBlocks, TemplateProblem } from '../../../platform/pdf/papers/template.ts'
import { ordinalOf, personThen, type WholeRecord } from '../disclosure.models.ts'
import * as rows from '../disclosure.store.ts'
import { isOfSheet, sheetCsv, sheetLines, sheetPaper } from './record-sheet.ts'
import {
  byNumber,
  type DisclosureWords,
  disclosureWords,
  givenTable,
  scheduleCsv,
  type ScheduleLines,
  schedulePaper,
} from './schedule.ts'
import { type DisclosurePaper, TEMPLATES, templateFile } from './templates.ts'

/** A paper is drawn as long as the signal of whoever waits for it says so. */
export interface Papers {
  /** @throws Fault PaperTemplateUnusable */
  receipt(of: OfRecord, language: Language, signal?: AbortSignal): Promise<Buffer>
  /** @throws Fault ScheduleSensitive, PaperTemplateUnusable */
  schedule(of: OfRecord, asked: ScheduleAsked, signal?: AbortSignal): Promise<Buffer>
  /** Of a case: everything about its disclosure, in the order of the ledger. */
  recordSheet(row: CaseRow, asked: Pick<ScheduleAsked, 'format' | 'language'>, signal?: AbortSignal): Promise<Buffer>
}

export interface OfRecord {
  readonly row: CaseRow
  readonly record: WholeRecord
}

export interface ScheduleAsked {
  readonly schedule: Schedule
  readonly format: 'csv' | 'pdf'
  readonly language: Language
}

interface Deps {
  readonly db: Pick<Database, 'read'>
  readonly ledger: Ledger
  readonly clock: Clock
  readonly stationName: string
  readonly origin: string
  readonly timeZone: string
  /** Where an agency keeps templates of its own. */
  readonly templates: string
}

export function createPapers(deps: Deps): Papers {
  const pdf = (paper: PaperDocument, language: Language, foot: string, signal?: AbortSignal): Promise<Buffer> => {
    const made = new Date(deps.clock.now())
    return drawInTurn(paper, { author: deps.stationName, language, paper: 'a4', embedded: true, made, foot }, signal)
  }
  const footOf = ({ row, record }: OfRecord): string => `${ordinalOf(row)} / ${record.row.no}`
  return {
    recordSheet: async (row, { format, language }, signal) => {
      const words = disclosureWords(language, deps.timeZone)
      const lines = sheetLines(await sheetEntries(deps, row), words)
      if (format === 'csv') return Buffer.from(sheetCsv(lines))
      const about: Block = {
        kind: 'facts',
        facts: [
          [words.say('station'), said(`${deps.stationName} (${deps.origin})`)],
          [words.say('case'), said(`${ordinalOf(row)} ${row.title}`)],
        ],
      }
      return pdf(sheetPaper(lines, [about], words), language, ordinalOf(row), signal)
    },
    receipt: async (of, language, signal) => {
      const words = disclosureWords(language, deps.timeZone)
      return pdf(await fromTemplate(deps, 'disclosure-receipt', of, words), language, footOf(of), signal)
    },
    schedule: async (of, { schedule, format, language }, signal) => {
      const { record } = of
      const isSensitive = schedule === 'MG6D' || schedule === 'MG6E'
      if (isSensitive && !seesSensitive(record.row.recipient_role))
        throw fault('ScheduleSensitive', `${schedule} is not for this recipient. Nothing was printed.`)
      if (schedule === 'MG6E' && format === 'csv')
        throw fault('InvalidModel', 'MG6E is a report: there is no CSV of it.', [
          { Path: 'format', Message: 'must be pdf for MG6E' },
        ])
      const words = disclosureWords(language, deps.timeZone)
      if (schedule === 'MG6E') return pdf(await fromTemplate(deps, 'mg6e', of, words), language, footOf(of), signal)
      const lines = linesOf(record)
      if (format === 'csv') return Buffer.from(scheduleCsv(lines, [schedule]))
      const { seq } = await entryOf(deps, record)
      const paper = schedulePaper(lines, [schedule], {
        title: words.say(schedule),
        about: [aboutBlock(deps, of, words, seq)],
        station: deps.stationName,
        words,
        seq,
      })
      return pdf(paper, language, footOf(of), signal)
    },
  }
}

export const linesOf = ({ items, withheld }: WholeRecord): ScheduleLines => ({
  given: items.map((item) => ({
    number: item.number,
    file: item.name,
    kind: item.kind,
    bytes: item.length,
    sha256: item.sha256,
  })),
  held: withheld.map((line) => ({
    basis: line.basis,
    number: line.number,
    description: line.description,
    ground: line.ground,
    reasons: line.reasons,
    decidedBy: personThen(line.decided_by).Username,
  })),
})

const ENTRIES_AT_ONCE = 200

/** The entries about disclosure of a case, and about restrictions of evidence that it has or gave. */
async function sheetEntries({ db, ledger }: Deps, row: CaseRow): Promise<StoredEntry[]> {
  const objects = await rows.objectsOfSheet(db.read, row.case_id)
  const found: StoredEntry[] = []
  for (const { type, id } of objects) {
    let before: number | undefined
    for (;;) {
      const page = { count: ENTRIES_AT_ONCE, ...(before === undefined ? {} : { before }) }
      const entries = (await ledger.entriesFor(type, String(id), page)).map(({ entry }) => entry)
      found.push(...entries.filter(isOfSheet))
      before = entries.reduce((first, { seq }) => Math.min(first, seq), before ?? Number.MAX_SAFE_INTEGER)
      if (entries.length < ENTRIES_AT_ONCE) break
    }
  }
  return found
}

/** The entry that records it: each fact on paper names it. */
async function entryOf({ ledger }: Deps, { row }: WholeRecord): Promise<{ readonly seq: number | null }> {
  const found = await ledger.entriesFor('disclosure', String(row.disclosure_id), { count: 50 })
  const made = found.find(
    ({ entry }) => entry.action === 'disclosure.given' || entry.action === 'disclosure.superseded',
  )
  return { seq: made?.entry.seq ?? null }
}

function aboutBlock(
  { stationName, origin }: Deps,
  { row: ofCase, record }: OfRecord,
  { say, time, day }: DisclosureWords,
  seq: number | null,
): Block {
  const { row, supersedes } = record
  const from = (text: string) => said(text, seq)
  const recipient = [row.recipient_name, row.recipient_organisation].filter((part) => part !== '').join(', ')
  const asked = { number: row.request_number, date: day(row.request_date), due: day(row.request_due) }
  return {
    kind: 'facts',
    facts: [
      [say('station'), said(`${stationName} (${origin})`)],
      [say('case'), from(`${ordinalOf(ofCase)} ${ofCase.title}`)],
      [
        say('disclosureNo'),
        from(
          supersedes === null
            ? String(row.no)
            : say('supersedes', { no: row.no, earlier: supersedes.no, reason: row.reason }),
        ),
      ],
      [say('recipient'), from(`${recipient} (${say(`role-${row.recipient_role}`)})`)],
      [say('authority'), from(row.authority)],
      ...(row.request_number === '' && row.request_date === null && row.request_due === null
        ? []
        : [[say('request'), from(say('requestWords', asked))] as const]),
      [say('given'), from(say('givenBy', { time: time(row.given_utc), who: personThen(row.given_by).Username }))],
      [say('medium'), from([say(row.medium), row.medium_serial].filter((part) => part !== '').join(' '))],
      ...(row.package_id === null
        ? []
        : [
            [
              say('package'),
              from(
                say('packageWords', { id: `${origin}/package/${row.package_id}`, sha256: row.package_sha256 ?? '' }),
              ),
            ] as const,
          ]),
    ],
  }
}

/** A file of the agency's goes before the built-in template. @throws Fault PaperTemplateUnusable, which names it */
async function fromTemplate(
  deps: Deps,
  name: DisclosurePaper,
  of: OfRecord,
  words: DisclosureWords,
): Promise<PaperDocument> {
  const { record } = of
  const lines = linesOf(record)
  const { seq } = await entryOf(deps, record)
  const range = (series: Series): string => {
    const numbers = (series === 'list' ? lines.given : byNumber(lines.held, series)).map(({ number }) => number)
    return numbers.length === 0 ? words.say('noneWithheld') : rangesOf(numbers, words)
  }
  const facts = {
    stationName: said(deps.stationName),
    itemCount: said(words.count(lines.given.length), seq),
    caseNumber: said(ordinalOf(of.row), seq),
    caseTitle: said(of.row.title, seq),
    recipientName: said(record.row.recipient_name, seq),
    recipientOrganisation: said(record.row.recipient_organisation, seq),
    authority: said(record.row.authority, seq),
    givenTime: said(words.time(record.row.given_utc), seq),
    itemNumbers: said(range('list'), seq),
    // What is not for the recipient is on no paper for them, and not counted on one either.
    ...(seesSensitive(record.row.recipient_role) && name === 'mg6e'
      ? { sensitiveNumbers: said(range('MG6D'), seq) }
      : {}),
    unusedNumbers: said(range('MG6C'), seq),
  }
  const tables = {
    about: [aboutBlock(deps, of, words, seq)],
    items: [givenTable(lines.given, words, null)],
  }
  const file = join(deps.templates, templateFile(name, words.language))
  const own = (await fileLength(file)) === null ? null : await readText(file)
  try {
    const blocks = paperBlocks(own ?? TEMPLATES[name][words.language], { facts, tables })
    return {
      title: words.say(name === 'mg6e' ? 'MG6E' : 'receipt'),
      banner: name === 'mg6e' ? words.say('sensitive') : null,
      blocks,
    }
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error
    throw fault('PaperTemplateUnusable', `The template ${file} cannot be used. ${error.message}`)
  }
}

/** `1 to 4, 7`. */
export function rangesOf(numbers: readonly number[], { say }: DisclosureWords): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b)
  const parts: [number, number][] = []
  for (const number of sorted) {
    const last = parts.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else parts.push([number, number])
  }
  return parts.map(([from, to]) => (from === to ? String(from) : say('numbers', { from, to }))).join(', ')
}
