/** Labels for exhibits that can be touched: a QR code, the number, the title, the case and the day. */
import { evidenceAddress, LABEL_SHEETS, type LabelSheet, type LabelSize } from '../../../../shared/reports/labels.ts'
import { INK, type Sheet } from '../../../platform/pdf/sheet.ts'
import { drawQr } from '../../../platform/pdf/qr.ts'
import { type EvidenceFacts, ordinalOf } from './facts.ts'
import type { DocumentWords } from './paper.ts'

const MM = 72 / 25.4

/** In points, without margins: a label begins at the edge of the paper. */
export const labelPaper = (size: LabelSize): readonly [number, number] => [
  LABEL_SHEETS[size].width * MM,
  LABEL_SHEETS[size].height * MM,
]

export interface LabelInput {
  readonly size: LabelSize
  /** Places on the first sheet that are used already. */
  readonly skip: number
  readonly items: readonly EvidenceFacts[]
  /** The case whose labels these are; else each names the first of its own. */
  readonly ordinal: string | null
  readonly origin: string
}

export async function drawLabels(sheet: Sheet, words: DocumentWords, input: LabelInput): Promise<void> {
  const { size, items, origin } = input
  const layout = LABEL_SHEETS[size]
  const places = layout.columns * layout.rows
  const skipped = places === 1 ? 0 : Math.min(input.skip, places - 1)
  const [width, height] = labelPaper(size)
  for (const [index, facts] of items.entries()) {
    const place = (index + skipped) % places
    if (index > 0 && place === 0) sheet.pdf.addPage({ size: [width, height], margin: 0 })
    const x = (layout.left + (place % layout.columns) * layout.label.width) * MM
    const y = (layout.top + Math.floor(place / layout.columns) * layout.label.height) * MM
    drawLabel(sheet, words, {
      x,
      y,
      layout,
      facts,
      input,
      address: evidenceAddress(origin, String(facts.row.evidence_id)),
    })
    if (index % 40 === 39) await sheet.breathe()
  }
}

interface Placed {
  readonly x: number
  readonly y: number
  readonly layout: LabelSheet
  readonly facts: EvidenceFacts
  readonly input: LabelInput
  readonly address: string
}

/** Millimetres that stay white around what is printed: printers do not reach the edge. */
const EDGE = 3

function drawLabel(sheet: Sheet, words: DocumentWords, { x, y, layout, facts, input, address }: Placed): void {
  const code = layout.code * MM
  const top = y + ((layout.label.height - layout.code) / 2) * MM
  drawQr(sheet, address, { x: x + EDGE * MM, y: top, side: code })
  const left = x + (EDGE + layout.code + 1.5) * MM
  const width = (layout.label.width - layout.code - 1.5 - 2 * EDGE) * MM
  const small = layout.label.height < 30
  const lines = [
    { text: words.say('evidenceId', { id: facts.row.evidence_id }), size: small ? 8 : 9.5, bold: true, most: 1 },
    { text: facts.row.name, size: small ? 6.5 : 7.5, most: small ? 3 : 4 },
    ...caseLine(facts, words, input.ordinal).map((text) => ({ text, size: small ? 6 : 7, most: 1 })),
    { text: words.day(facts.clock.corrected ?? facts.row.created_utc), size: small ? 6 : 7, most: 1 },
  ]
  let at = top + 1
  for (const line of lines) {
    const text = sheet.face(line.text, line)
    const lineHeight = sheet.pdf.currentLineHeight(true)
    const height = Math.min(sheet.pdf.heightOfString(text, { width }), lineHeight * line.most)
    sheet.pdf.fillColor(INK.text).text(text, left, at, { width, height: height + 0.5, ellipsis: true })
    at += height + 1.5
  }
}

function caseLine({ cases }: EvidenceFacts, { say }: DocumentWords, ordinal: string | null): readonly string[] {
  const [first, ...others] = cases
  const named = ordinal ?? (first === undefined ? null : ordinalOf(first))
  if (named === null) return []
  const more = ordinal === null && others.length > 0 ? ` ${say('labelMore', { shown: others.length })}` : ''
  return [`${say('labelCase', { ordinal: named })}${more}`]
}
