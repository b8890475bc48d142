/** The disclosure record sheet of a case: everything that was decided and done about disclosure, in the order of the ledger. Pure. */
import type { StoredEntry } from '../../../kernel/ledger/format.ts'
import type { PrincipalThen } from '../../../kernel/evidence/model.ts'
import { type Block, type PaperDocument, said } from '../../../platform/pdf/papers/paper.ts'
import { RECIPIENT_ROLES, RESTRICTIONS } from '../../../../shared/disclosure/kinds.ts'
import { escapedName } from '../../../../shared/kernel/escaped-name.ts'
import { CSV_MARK, csvLine } from '../../../../shared/kernel/csv.ts'
import type { DisclosureWord, DisclosureWords } from './schedule.ts'

export const SHEET_ACTIONS = [
  'disclosure.asked',
  'disclosure.askedClosed',
  'disclosure.proposed',
  'disclosure.approved',
  'disclosure.refused',
  'disclosure.withdrawn',
  'disclosure.given',
  'disclosure.superseded',
  'disclosure.acknowledged',
  'disclosure.groundEnded',
  'restriction.set',
  'restriction.lifted',
] as const
export type SheetAction = (typeof SHEET_ACTIONS)[number]

export const isOfSheet = ({ action }: StoredEntry): boolean => (SHEET_ACTIONS as readonly string[]).includes(action)

interface SheetLine {
  readonly seq: number
  readonly time: string
  readonly act: string
  readonly details: string
  readonly by: string
}

/** @param entries of the sheet, in any order */
export function sheetLines(entries: readonly StoredEntry[], words: DisclosureWords): SheetLine[] {
  return entries
    .filter(isOfSheet)
    .toSorted((a, b) => a.seq - b.seq)
    .map((entry) => ({
      seq: entry.seq,
      time: entry.timeUtc,
      act: words.say(`act-${entry.action as SheetAction}`),
      details: detailsOf(entry, words).map(escapedName).join('; '),
      by: entry.actor.name,
    }))
}

type Detail = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const countOf = (value: unknown): number =>
  typeof value === 'number' ? value : Array.isArray(value) ? value.length : 0

/** What the entry says beside its action, as short sentences. */
function detailsOf({ action, object, reason, detail: given }: StoredEntry, words: DisclosureWords): string[] {
  const { say } = words
  const detail = given ?? {}
  const why = reason === null || reason === '' ? [] : [say('sheetReason', { reason })]
  if (action === 'restriction.set' || action === 'restriction.lifted')
    return [object.name, restrictionWords(detail, words), ...why].filter((part) => part !== '')
  const no = countOf(detail['no'])
  const about = [say('sheetNo', { no })]
  const recipient = recipientWords(detail['recipient'] as Detail | undefined, words)
  switch (action as SheetAction) {
    case 'disclosure.asked':
      return [...about, ...recipient, textOf(detail['what']), ...requestWords(detail, words)]
    case 'disclosure.proposed':
      return [...about, ...recipient, ...amounts(detail, words)]
    case 'disclosure.given':
    case 'disclosure.superseded':
      return [
        ...about,
        ...recipient,
        ...amounts(detail, words),
        ...(detail['supersedes'] === undefined ? [] : [say('sheetInPlaceOf', { no: countOf(detail['supersedes']) })]),
        ...approvedWords(detail, words),
        ...why,
      ]
    case 'disclosure.groundEnded':
      return [...about, `${textOf(detail['basis'])} ${countOf(detail['number'])}`, ...why]
    case 'disclosure.acknowledged':
      return [...about, say('sheetAcknowledgedBy', { name: textOf(detail['by']) })]
    default:
      return [...about, ...why]
  }
}

function restrictionWords(detail: Detail, { say }: DisclosureWords): string {
  const kind = textOf(detail['kind'])
  return (RESTRICTIONS as readonly string[]).includes(kind) ? say(kind as DisclosureWord) : kind
}

function recipientWords(recipient: Detail | undefined, { say }: DisclosureWords): string[] {
  if (recipient === undefined) return []
  const role = textOf(recipient['role'])
  const known = (RECIPIENT_ROLES as readonly string[]).includes(role) ? say(`role-${role}` as DisclosureWord) : role
  return [
    [textOf(recipient['name']), textOf(recipient['organisation']), known].filter((part) => part !== '').join(', '),
  ]
}

function requestWords(detail: Detail, { say, day }: DisclosureWords): string[] {
  const [number, date, due] = [textOf(detail['number']), textOf(detail['date']), textOf(detail['due'])]
  if (number === '' && date === '' && due === '') return []
  return [say('requestWords', { number, date: day(date === '' ? null : date), due: day(due === '' ? null : due) })]
}

const amounts = (detail: Detail, { say, count }: DisclosureWords): string[] => [
  say('sheetFiles', { count: count(countOf(detail['items'])) }),
  say('sheetWithheld', { count: count(countOf(detail['withheld'])) }),
]

function approvedWords(detail: Detail, { say, time }: DisclosureWords): string[] {
  const by = detail['approvedBy'] as PrincipalThen | undefined
  const at = textOf(detail['approvedUtc'])
  return by === undefined || at === '' ? [] : [say('sheetApproved', { who: by.Username, time: time(at) })]
}

const COLUMNS = ['Entry', 'TimeUtc', 'Act', 'Details', 'By'] as const

export const sheetCsv = (lines: readonly SheetLine[]): string =>
  CSV_MARK +
  csvLine(COLUMNS) +
  lines.map(({ seq, time, act, details, by }) => csvLine([seq, time, act, details, escapedName(by)])).join('')

/** @param about what stands above the table */
export function sheetPaper(
  lines: readonly SheetLine[],
  about: readonly Block[],
  words: DisclosureWords,
): PaperDocument {
  const { say, time } = words
  const title = say('recordSheet')
  return {
    title,
    banner: say('sensitive'),
    blocks: [
      { kind: 'title', text: title },
      ...about,
      lines.length === 0
        ? { kind: 'words', words: said(say('sheetNothing')) }
        : {
            kind: 'table',
            columns: [
              { label: say('sheetTime'), share: 20 },
              { label: say('sheetAct'), share: 24 },
              { label: say('sheetDetails'), share: 42 },
              { label: say('sheetBy'), share: 14 },
            ],
            rows: lines.map((line) => [
              said(time(line.time), line.seq),
              said(line.act),
              said(line.details),
              said(escapedName(line.by)),
            ]),
          },
    ],
  }
}
