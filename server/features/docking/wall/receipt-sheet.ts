/** Paper for a document: words that flow from the top, tables whose head is repeated, and a new page where one is full. */
import type PDFDocument from 'pdfkit'

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
export const writable = (text: string): string =>
  [...text.replaceAll('\u202f', '\u00a0')]
    .map((sign) => {
      const code = sign.codePointAt(0) ?? 0
      const fits = (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff && code !== 0xad) || MORE.has(sign)
      return fits ? sign : `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`
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

export class Sheet {
  readonly pdf: Pdf
  readonly left = MARGIN
  readonly width: number
  y = MARGIN
  private readonly bottom: number

  constructor(pdf: Pdf) {
    this.pdf = pdf
    this.width = pdf.page.width - 2 * MARGIN
    this.bottom = pdf.page.height - MARGIN - FOOT
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
    pdf.font(mono ? FONT.mono : bold ? FONT.bold : FONT.plain).fontSize(size)
    const written = writable(text)
    const height = pdf.heightOfString(written, { width })
    this.room(height)
    pdf.fillColor(second ? INK.second : INK.text).text(written, x, this.y, { width })
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
    const heightOf = ([name, text]: readonly [string, string]): number => {
      this.pdf.font(FONT.plain).fontSize(8)
      return Math.max(
        this.pdf.heightOfString(writable(name), { width: label - 6 }),
        this.pdf.heightOfString(writable(text), { width: column - label }),
      )
    }
    for (let at = 0; at < pairs.length; at += 2) {
      const two = pairs.slice(at, at + 2)
      const height = Math.max(...two.map(heightOf))
      this.room(height)
      for (const [index, [name, text]] of two.entries()) {
        const x = this.left + index * (column + 16)
        this.pdf.font(FONT.plain).fontSize(8).fillColor(INK.second)
        this.pdf.text(writable(name), x, this.y, { width: label - 6 })
        this.pdf.fillColor(INK.text).text(writable(text), x + label, this.y, { width: column - label })
      }
      this.y += height + 3
    }
  }

  /** @param rows asked for one by one, so that a long list is never laid out at once */
  async table(columns: readonly TableColumn[], rows: Iterable<readonly Cell[]>): Promise<void> {
    this.room(40)
    this.head(columns)
    let drawn = 0
    for (const row of rows) {
      const height = Math.max(...row.map((cell, index) => this.heightOf(cell, columns[index] as TableColumn)))
      if (this.room(height)) this.head(columns)
      let x = this.left
      for (const [index, cell] of row.entries()) {
        const { width, end = false } = columns[index] as TableColumn
        this.fontOf(cell)
        this.pdf.fillColor(INK.text).text(writable(cell.text), x, this.y + (cell.mono === true ? 1.2 : 0), {
          width: width - 6,
          align: end ? 'right' : 'left',
        })
        x += width
      }
      this.y += height + 2
      drawn += 1
      // The station has other work beside a list of thousands.
      if (drawn % 50 === 0) await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }

  private fontOf({ mono = false, strong = false }: Cell): void {
    this.pdf.font(mono ? FONT.mono : strong ? FONT.bold : FONT.plain).fontSize(mono ? MONO : ROW)
  }

  private heightOf(cell: Cell, { width }: TableColumn): number {
    this.fontOf(cell)
    return this.pdf.heightOfString(writable(cell.text), { width: width - 6 })
  }

  private head(columns: readonly TableColumn[]): void {
    let x = this.left
    this.pdf.font(FONT.plain).fontSize(ROW).fillColor(INK.second)
    for (const { label, width, end = false } of columns) {
      this.pdf.text(writable(label), x, this.y, { width: width - 6, align: end ? 'right' : 'left', lineBreak: false })
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
      // Below the margin the document would begin a page of its own.
      this.pdf.page.margins.bottom = 0
      this.pdf
        .font(FONT.plain)
        .fontSize(7)
        .fillColor(INK.second)
        .text(writable(words(page + 1, count)), this.left, this.pdf.page.height - MARGIN - 4, {
          width: this.width,
          lineBreak: false,
        })
    }
  }
}
