/** Paper for a document: words that flow from the top, tables whose head is repeated, and a new page where one is full. */
import type PDFDocument from 'pdfkit'
import { inRuns, type OtherScripts } from './scripts.ts'

type Pdf = InstanceType<typeof PDFDocument>
export const PAPERS = { a4: 'A4', letter: 'LETTER' } as const
export type Paper = keyof typeof PAPERS

export const FONT = { plain: 'Helvetica', bold: 'Helvetica-Bold', mono: 'Courier' } as const
export const INK = { text: '#111111', second: '#4a4a4a', line: '#b5b5b5' } as const
export const MARGIN = 36
/** Below the text: the line that counts pages. */
const FOOT = 20

/** What the built-in fonts can write (WinAnsi) beside ASCII and Latin 1. */
const MORE = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ')

/** Whatever the font has no sign for is written out by its number, as the page writes what nobody could see: nothing is left out. */
export const writable = (text: string): string => written(text, isBuiltIn)

function isBuiltIn(sign: string): boolean {
  const code = sign.codePointAt(0) ?? 0
  return (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff && code !== 0xad) || MORE.has(sign)
}

const written = (text: string, fits: (sign: string) => boolean): string =>
  [...text.replaceAll('\u202f', '\u00a0')]
    .map((sign) => {
      const code = sign.codePointAt(0) ?? 0
      return fits(sign) ? sign : `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`
    })
    .join('')

export interface Cell {
  readonly text: string
  readonly mono?: boolean
  readonly strong?: boolean
}

export interface TableColumn {
  readonly label: string
  readonly width: number
  readonly end?: boolean
}

const ROW = 7.5
const MONO = 5.6
const OTHER = 'other scripts'
/** Bytes that are made and not taken yet, above which a document waits for its reader. */
const AHEAD = 512 * 1024
const WAIT_MS = 5
/** Rows of a table after which the words that came in them are laid out again. */
const ROWS_REMEMBERED = 50
/** Milliseconds of drawing before other work gets a turn. */
const MOST_AT_ONCE_MS = 10

interface Face {
  readonly mono?: boolean
  readonly bold?: boolean
  readonly size: number
  /** A line break in the text breaks the line; else it is written by its number. */
  readonly breaks?: boolean
}

export class Sheet {
  readonly pdf: Pdf
  readonly left = MARGIN
  readonly width: number
  readonly bottom: number
  y = MARGIN
  /** Some sign was written by its number. */
  lacked = false
  private readonly other: OtherScripts | null
  private readonly embedded: boolean

  /**
   * @param other writes what the built-in fonts cannot; without it that is written by its number
   * @param embedded everything is written with that font, whose letters are in the file: it looks the same wherever it is filed
   */
  constructor(pdf: Pdf, other: OtherScripts | null = null, embedded = false) {
    this.pdf = pdf
    this.other = other
    this.embedded = embedded && other !== null
    this.width = pdf.page.width - 2 * MARGIN
    this.bottom = pdf.page.height - MARGIN - FOOT
    if (other !== null) pdf.registerFont(OTHER, other.bytes)
  }

  /** Chooses the font for a text. @returns the text as that font writes it */
  face(text: string, { breaks = false, ...face }: Face): string {
    if (!breaks || !text.includes('\n')) return this.lineFace(text, face)
    const lines = text.split(/\r?\n/)
    // A text has one font: that of the line that needs most.
    const wide = lines.find((line) => !this.isPlain(line)) ?? ''
    const written = lines.map((line) => this.lineFace(line, face))
    this.lineFace(wide, face)
    return written.join('\n')
  }

  private isPlain(text: string): boolean {
    if (this.other === null) return true
    return !this.embedded && writable(text) === text.replaceAll('\u202f', '\u00a0')
  }

  private lineFace(text: string, { mono = false, bold = false, size }: Face): string {
    const own = mono ? FONT.mono : bold ? FONT.bold : FONT.plain
    const plain = writable(text)
    const spaced = text.replaceAll('\u202f', '\u00a0')
    if (this.other === null || (plain === spaced && !this.embedded)) {
      this.pdf.font(own).fontSize(size)
      if (plain !== spaced) this.lacked = true
      return plain
    }
    const { has } = this.other
    const out = written(text, (sign) => isBuiltIn(sign) || has(sign))
    if (out !== spaced) this.lacked = true
    this.pdf.font(OTHER).fontSize(size)
    return inRuns(out)
  }

  /**
   * Lets the station do other work, and waits until the reader has taken what is there: a long document never lies whole in memory.
   * @throws Error when the reader went away
   */
  async breathe(): Promise<void> {
    this.forgetWords()
    await this.giveWay()
  }

  private async giveWay(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (!this.pdf.destroyed && this.pdf.readableLength > AHEAD)
      await new Promise<void>((resolve) => setTimeout(resolve, WAIT_MS))
    if (this.pdf.destroyed) throw new Error('Nobody reads the document any more.')
  }

  /**
   * pdfkit keeps how every word was laid out in an embedded font, for as long as the document is made: a gigabyte for the hashes of 10,000 files. Words that
   * come again are laid out again.
   */
  private forgetWords(): void {
    const font = (this.pdf as unknown as { readonly _font?: { layoutCache?: object } })._font
    if (font?.layoutCache !== undefined) font.layoutCache = Object.create(null) as object
  }

  /** A foot on this page and every one that follows, for documents whose pages go out before the last one is known. */
  runningFoot(words: (page: number) => string): void {
    let page = 0
    const draw = (): void => {
      page += 1
      this.drawFoot(words(page))
    }
    draw()
    this.pdf.on('pageAdded', draw)
  }

  /** Begins a new page unless so much room is left. @returns whether it did */
  room(height: number): boolean {
    if (this.y + height <= this.bottom) return false
    this.pdf.addPage()
    this.y = MARGIN
    return true
  }

  /** One run of words from the left, or from `x` in `width`. */
  words(
    text: string,
    { size = 9, bold = false, mono = false, second = false, x = this.left, width = this.width, gap = 2 } = {},
  ): void {
    const { pdf } = this
    const face = { mono, bold, size }
    const height = pdf.heightOfString(this.face(text, face), { width })
    this.room(height)
    // A new page has a foot in another font.
    pdf.fillColor(second ? INK.second : INK.text).text(this.face(text, face), x, this.y, { width })
    this.y += height + gap
  }

  rule(gap = 5): void {
    this.pdf
      .moveTo(this.left, this.y)
      .lineTo(this.left + this.width, this.y)
      .lineWidth(0.5)
      .strokeColor(INK.line)
      .stroke()
    this.y += gap
  }

  /** Label and words, in two columns where they are short. */
  facts(pairs: readonly (readonly [string, string])[]): void {
    const column = (this.width - 16) / 2
    const label = 84
    const heightOf = ([name, text]: readonly [string, string]): number =>
      Math.max(
        this.pdf.heightOfString(this.face(name, { size: 8 }), { width: label - 6 }),
        this.pdf.heightOfString(this.face(text, { size: 8, breaks: this.other !== null }), { width: column - label }),
      )
    for (let at = 0; at < pairs.length; at += 2) {
      const two = pairs.slice(at, at + 2)
      const height = Math.max(...two.map(heightOf))
      this.room(height)
      for (const [index, [name, text]] of two.entries()) {
        const x = this.left + index * (column + 16)
        this.pdf.fillColor(INK.second)
        this.pdf.text(this.face(name, { size: 8 }), x, this.y, { width: label - 6 })
        this.pdf.fillColor(INK.text)
        this.pdf.text(this.face(text, { size: 8, breaks: this.other !== null }), x + label, this.y, {
          width: column - label,
        })
      }
      this.y += height + 3
    }
  }

  /** @param rows asked for one by one, so that a long list is never laid out at once */
  async table(
    columns: readonly TableColumn[],
    rows: Iterable<readonly Cell[]> | AsyncIterable<readonly Cell[]>,
  ): Promise<void> {
    this.room(40)
    this.head(columns)
    let drawn = 0
    let since = performance.now()
    for await (const row of rows) {
      const height = Math.max(...row.map((cell, index) => this.heightOf(cell, columns[index] as TableColumn)))
      if (this.room(height)) this.head(columns)
      let x = this.left
      for (const [index, cell] of row.entries()) {
        const { width, end = false } = columns[index] as TableColumn
        this.pdf.fillColor(INK.text).text(this.cellFace(cell), x, this.y + (cell.mono === true ? 1.2 : 0), {
          width: width - 6,
          align: end ? 'right' : 'left',
        })
        x += width
      }
      this.y += height + 2
      drawn += 1
      if (drawn % ROWS_REMEMBERED === 0) this.forgetWords()
      // The station has other work beside a list of thousands.
      if (performance.now() - since < MOST_AT_ONCE_MS) continue
      await this.giveWay()
      since = performance.now()
    }
  }

  private cellFace({ text, mono = false, strong = false }: Cell): string {
    return this.face(text, { mono, bold: strong, size: mono ? MONO : ROW })
  }

  private heightOf(cell: Cell, { width }: TableColumn): number {
    return this.pdf.heightOfString(this.cellFace(cell), { width: width - 6 })
  }

  private head(columns: readonly TableColumn[]): void {
    let x = this.left
    for (const { label, width, end = false } of columns) {
      const written = this.face(label, { size: ROW })
      this.pdf
        .fillColor(INK.second)
        .text(written, x, this.y, { width: width - 6, align: end ? 'right' : 'left', lineBreak: false })
      x += width
    }
    this.y += ROW + 3
    this.rule(3)
  }

  /** Once everything stands: the foot of every page. */
  feet(words: (page: number, pages: number) => string): void {
    const { start, count } = this.pdf.bufferedPageRange()
    for (let page = 0; page < count; page++) {
      this.pdf.switchToPage(start + page)
      this.drawFoot(words(page + 1, count))
    }
  }

  private drawFoot(text: string): void {
    const { margins } = this.pdf.page
    const { bottom } = margins
    // Below the margin the document would begin a page of its own.
    margins.bottom = 0
    this.pdf.fillColor(INK.second).text(this.face(text, { size: 7 }), this.left, this.pdf.page.height - MARGIN - 4, {
      width: this.width,
      lineBreak: false,
    })
    margins.bottom = bottom
  }
}
