/** A document as bytes that are made while they are read. */
import { otherScripts } from './scripts.ts'
import { MARGIN, type Paper, PAPERS, Sheet, writable } from './sheet.ts'
import type { Language } from './paper-words.ts'

export interface DocumentHead {
  readonly title: string
  readonly author: string
  readonly language: Language
  readonly paper: Paper
  readonly made: Date
  /** Other paper, in points and without margins. */
  readonly size?: readonly [number, number] | undefined
  /** Every font is in the file. */
  readonly embedded?: boolean
  /** On every page. */
  readonly foot: ((page: number) => string) | null
}

/** @param draw puts everything on paper; when the reader leaves, `Sheet.breathe` throws in it */
export async function* documentBytes(
  { title, author, language, paper, size, made, embedded = false, foot }: DocumentHead,
  draw: (sheet: Sheet) => Promise<void>,
): AsyncGenerator<Buffer> {
  // Fetched with the first document that is made: its fonts are not small.
  const { default: PDFDocument } = await import('pdfkit')
  const pdf = new PDFDocument({
    size: size === undefined ? PAPERS[paper] : [...size],
    margin: size === undefined ? MARGIN : 0,
    lang: language,
    info: {
      Title: writable(title),
      Author: writable(author),
      Producer: 'Sallyport',
      Creator: 'Sallyport',
      CreationDate: made,
      ModDate: made,
    },
  })
  const sheet = new Sheet(pdf, await otherScripts(), embedded)
  if (foot !== null) sheet.runningFoot(foot)
  const drawn = draw(sheet).then(
    () => pdf.end(),
    (error: Error) => {
      pdf.destroy(error)
    },
  )
  try {
    for await (const chunk of pdf as unknown as AsyncIterable<Buffer>) yield chunk
  } finally {
    pdf.destroy()
    await drawn
  }
}
