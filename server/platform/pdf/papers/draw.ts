/** Draws a paper as PDF. */
import { documentBytes } from '../document.ts'
import type { Language } from '../paper-words.ts'
import type { Paper, Sheet } from '../sheet.ts'
import { drawPicture } from '../picture.ts'
import { type Block, type PaperDocument, type PaperPicture, withSeqs } from './paper.ts'

export interface PaperHead {
  readonly author: string
  readonly language: Language
  readonly paper: Paper
  readonly made: Date
  /** Every font is in the file. */
  readonly embedded?: boolean
  /** At the foot of every page, before its number. */
  readonly foot: string
}

/** A paper that may still be read while it is drawn. */
type DrawnPaper = Omit<PaperDocument, 'blocks'> & { readonly blocks: Iterable<Block> | AsyncIterable<Block> }

export function paperBytes({ title, banner, blocks }: DrawnPaper, head: PaperHead): AsyncGenerator<Buffer> {
  const foot = (page: number): string => [...(banner === null ? [] : [banner]), head.foot, `page ${page}`].join('  ·  ')
  return documentBytes({ ...head, title, foot }, async (sheet) => {
    if (banner !== null) drawBanner(sheet, banner)
    for await (const block of blocks) await drawBlock(sheet, block)
  })
}

function drawBanner(sheet: Sheet, text: string): void {
  sheet.words(text, { size: 11, bold: true, gap: 2 })
  sheet.rule(8)
}

const MIN_TABLE = 40

async function drawBlock(sheet: Sheet, block: Block): Promise<void> {
  switch (block.kind) {
    case 'title':
      return sheet.words(block.text, { size: 16, bold: true, gap: 6 })
    case 'heading':
      sheet.y += 6
      sheet.room(MIN_TABLE)
      return sheet.words(block.text, { size: 10.5, bold: true, gap: 3 })
    case 'words':
      return sheet.words(withSeqs(block.words), { size: 9.5, gap: 6 })
    case 'facts':
      for (const [label, words] of block.facts) drawFact(sheet, label, withSeqs(words))
      sheet.y += 4
      return
    case 'table':
    case 'longTable': {
      const sum = block.columns.reduce((all, { share }) => all + share, 0)
      const columns = block.columns.map(({ label, share, end = false }) => ({
        label,
        width: (share / sum) * sheet.width,
        end,
      }))
      await sheet.table(columns, cellsOf(block))
      sheet.y += 6
      return
    }
    case 'pictures':
      return drawPictures(sheet, block.pictures, block.missing)
    case 'blank':
      return drawBlank(sheet, block.label)
  }
}

async function* cellsOf({ columns, rows }: Extract<Block, { kind: 'table' | 'longTable' }>) {
  for await (const row of rows)
    yield row.map((cell, at) => ({ text: withSeqs(cell), mono: columns[at]?.mono === true }))
}

const LABEL = 130

function drawFact(sheet: Sheet, label: string, text: string): void {
  sheet.room(14)
  const { y } = sheet
  sheet.words(label, { size: 8.5, second: true, width: LABEL - 8, gap: 0 })
  const below = sheet.y
  sheet.y = y
  sheet.words(text, { size: 8.5, x: sheet.left + LABEL, width: sheet.width - LABEL, gap: 2 })
  sheet.y = Math.max(sheet.y, below)
}

const LINE = 26

/** A line to write on, with its label below. */
function drawBlank(sheet: Sheet, label: string): void {
  sheet.room(LINE + 14)
  sheet.y += LINE - 8
  sheet.rule(2)
  sheet.words(label, { size: 8, second: true, gap: 4 })
}

const PICTURE_COLUMNS = 2
const PICTURE_GAP = 14
const PICTURE_SHAPE = 0.75
const CAPTION = { size: 7.5, gap: 1 }

/** Rows of two, none of them parted by the end of a page. */
async function drawPictures(sheet: Sheet, pictures: readonly PaperPicture[], missing: string): Promise<void> {
  const width = (sheet.width - PICTURE_GAP * (PICTURE_COLUMNS - 1)) / PICTURE_COLUMNS
  const height = width * PICTURE_SHAPE
  for (let at = 0; at < pictures.length; at += PICTURE_COLUMNS) {
    const row = pictures.slice(at, at + PICTURE_COLUMNS)
    sheet.room(height + 4 + Math.max(...row.map((one) => captionHeight(sheet, one, width))) + PICTURE_GAP)
    const top = sheet.y
    let below = top
    for (const [index, { picture, lines }] of row.entries()) {
      const x = sheet.left + index * (width + PICTURE_GAP)
      drawPicture(sheet, picture, { x, y: top, width, height }, missing)
      sheet.y = top + height + 4
      for (const [line, words] of lines.entries())
        sheet.words(withSeqs(words), { ...captionFace(words, line), gap: CAPTION.gap, x, width })
      below = Math.max(below, sheet.y)
    }
    sheet.y = below + PICTURE_GAP
    await sheet.breathe()
  }
}

const captionFace = ({ mono = false }: { readonly mono?: boolean }, line: number) =>
  mono ? { size: 6, mono } : { size: CAPTION.size, bold: line === 0 }

const captionHeight = (sheet: Sheet, { lines }: PaperPicture, width: number): number =>
  lines.reduce(
    (sum, words, line) =>
      sum + sheet.pdf.heightOfString(sheet.face(withSeqs(words), captionFace(words, line)), { width }) + CAPTION.gap,
    0,
  )
