/** A case on paper, with a contact sheet of its evidence. */
import type { CaseRow } from '../../../kernel/cases/cases.store.ts'
import type { Appended } from '../../../kernel/ledger/ledger.ts'
import { drawPicture } from '../../../platform/pdf/picture.ts'
import { INK, type Sheet } from '../../../platform/pdf/sheet.ts'
import { type EvidenceFacts, ordinalOf, typeOf } from './facts.ts'
import { type DocumentWords, drawProof, drawTop, heading, type Letterhead } from './paper.ts'

export interface CaseInput {
  readonly row: CaseRow
  readonly category: string | null
  readonly department: string | null
  /** How many of its evidence the caller can view, and whether more are left out. */
  readonly count: number
  readonly more: boolean
  /** Batches, each with the picture of every item: JPEG, or null. */
  readonly batches: AsyncIterable<readonly (readonly [EvidenceFacts, Buffer | null])[]>
  readonly head: Letterhead
  readonly address: string
}

export async function drawCaseSummary(
  sheet: Sheet,
  words: DocumentWords,
  input: CaseInput,
  begun: Appended,
): Promise<number> {
  const { row, head, count, more } = input
  const { say } = words
  drawTop(sheet, head, words, {
    title: say('caseSummary'),
    name: `${ordinalOf(row)} ${row.title}`,
    lines: [],
    address: input.address,
    scan: say('scanCase'),
  })
  sheet.facts(factsOfCase(input, words))
  heading(sheet, say('contactSheet'), 150)
  if (count === 0) sheet.words(say('noEvidence'), { size: 8 })
  if (more) sheet.words(say('evidenceMore', { shown: words.count(count) }), { bold: true, size: 8 })
  let drawn = 0
  for await (const batch of input.batches) {
    await drawPictures(sheet, words, batch)
    drawn += batch.length
  }
  drawProof(sheet, head, words, begun)
  return drawn
}

function factsOfCase(input: CaseInput, words: DocumentWords): readonly (readonly [string, string])[] {
  const { row, category, department } = input
  const { say, time } = words
  const state = row.state === 'Open' ? say('caseOpen') : say('caseClosed', { time: time(row.closed_on) })
  const protection =
    row.lifecycle_state !== 'Protected'
      ? ''
      : row.protected_until === null
        ? say('caseProtected')
        : say('caseProtectedUntil', { day: words.day(row.protected_until) })
  const [from, to] = [row.occurred_on, row.ended_on]
  const createdBy = (JSON.parse(row.created_by) as { Username?: string; Name?: string }).Username ?? ''
  const lines: (readonly [string, string | null])[] = [
    [say('caseState'), [state, protection].filter((part) => part !== '').join(' · ')],
    [say('category'), category ?? say('noCategory')],
    [say('opened'), say('addedBy', { time: time(row.created_utc), who: createdBy })],
    [say('department'), department],
    [
      say('incident'),
      from === null ? null : to === null ? time(from) : say('incidentSpan', { from: time(from), to: time(to) }),
    ],
    [say('evidenceCount'), say('evidenceShown', { count: input.count })],
    [say('description'), row.description],
  ]
  return lines.flatMap(([label, text]) => (text === null || text === '' ? [] : [[label, text] as const]))
}

const COLUMNS = 3
const GAP = 10
const PICTURE = 0.5625

/** Rows of three, none of them parted by the end of a page. */
async function drawPictures(
  sheet: Sheet,
  words: DocumentWords,
  items: readonly (readonly [EvidenceFacts, Buffer | null])[],
): Promise<void> {
  const width = (sheet.width - GAP * (COLUMNS - 1)) / COLUMNS
  const side = width * PICTURE
  for (let at = 0; at < items.length; at += COLUMNS) {
    const row = items.slice(at, at + COLUMNS).map(([facts, picture]) => ({ picture, lines: captionOf(facts, words) }))
    const heights = row.map(({ lines }) => captionHeight(sheet, lines, width))
    const height = side + 3 + Math.max(...heights) + 10
    sheet.room(height)
    for (const [index, { picture, lines }] of row.entries()) {
      const x = sheet.left + index * (width + GAP)
      drawPicture(sheet, picture, { x, y: sheet.y, width, height: side }, words.say('noPicture'))
      let y = sheet.y + side + 3
      for (const line of lines) {
        const text = sheet.face(line.text, line)
        sheet.pdf.fillColor(line.second === true ? INK.second : INK.text).text(text, x, y, { width })
        y += sheet.pdf.heightOfString(text, { width }) + 1
      }
    }
    sheet.y += height
    await sheet.breathe()
  }
}

interface CaptionLine {
  readonly text: string
  readonly size: number
  readonly bold?: boolean
  readonly mono?: boolean
  readonly second?: boolean
}

function captionOf(facts: EvidenceFacts, words: DocumentWords): readonly CaptionLine[] {
  const { row, listed, clock, first, seconds } = facts
  const { main, below } = words.clock(clock)
  const amounts = [
    typeOf(facts, words),
    seconds === null ? '' : words.length(seconds * 1000),
    words.bytes(listed.length),
    words.status(listed.status),
  ]
  const unsettled = facts.cases.some((one) => one.settled === 0)
  return [
    { text: `${row.evidence_id} · ${row.name}`, size: 8, bold: true },
    { text: main, size: 7.5 },
    { text: below, size: 6.5, second: true },
    { text: amounts.filter((part) => part !== '').join(' · '), size: 7 },
    ...(unsettled ? [{ text: words.say('unconfirmed'), size: 6.5, second: true }] : []),
    { text: first?.sha256 ?? '–', size: 5.4, mono: true },
  ]
}

const captionHeight = (sheet: Sheet, lines: readonly CaptionLine[], width: number): number =>
  lines.reduce((sum, line) => sum + sheet.pdf.heightOfString(sheet.face(line.text, line), { width }) + 1, 0)
