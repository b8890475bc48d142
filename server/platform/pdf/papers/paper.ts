/** A paper of a package, as blocks that are written as text or drawn as PDF. Pure. */

/** Words, with the entries of the ledger that they come from. */
export interface Words {
  readonly text: string
  readonly seqs: readonly number[]
}

export interface PaperColumn {
  readonly label: string
  /** Share of the width. */
  readonly share: number
  readonly end?: boolean
  readonly mono?: boolean
}

export type Block =
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'words'; readonly words: Words }
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [label: string, words: Words])[] }
  | {
      readonly kind: 'table'
      readonly columns: readonly PaperColumn[]
      readonly rows: readonly (readonly Words[])[]
    }
  /** A table that is read while it is drawn. It is for PDF alone. */
  | {
      readonly kind: 'longTable'
      readonly columns: readonly PaperColumn[]
      readonly rows: AsyncIterable<readonly Words[]>
    }
  /** Two beside each other. */
  | {
      readonly kind: 'pictures'
      /** In place of a picture that is not there. */
      readonly missing: string
      readonly pictures: readonly PaperPicture[]
    }
  /** Left for the person who signs. */
  | { readonly kind: 'blank'; readonly label: string }

export interface PaperPicture {
  /** JPEG; null where none could be drawn. */
  readonly picture: Buffer | null
  /** Below it; the first one stands out. */
  readonly lines: readonly (Words & { readonly mono?: boolean })[]
}

export interface PaperDocument {
  readonly title: string
  /** On every page, until a person has made it theirs: DRAFT. */
  readonly banner: string | null
  readonly blocks: readonly Block[]
}

export const said = (text: string, ...seqs: readonly (number | null)[]): Words => ({
  text,
  seqs: seqs.filter((seq) => seq !== null),
})

/** `… [12, 40]`: the numbers of the entries behind the words. */
export const withSeqs = ({ text, seqs }: Words): string => (seqs.length === 0 ? text : `${text} [${seqs.join(', ')}]`)

const WIDTH = 88

/** The paper as plain text, for whoever wants to edit it or reads without a viewer. */
export function paperText({ banner, blocks }: PaperDocument): string {
  const line = banner === null ? [] : [`*** ${banner} ***`, '']
  return `${[...line, ...blocks.flatMap((block) => [...textOf(block), '']), ...line].join('\n').trimEnd()}\n`
}

function textOf(block: Block): string[] {
  switch (block.kind) {
    case 'title':
      return [block.text.toUpperCase()]
    case 'heading':
      return [block.text, '-'.repeat(Math.min(WIDTH, [...block.text].length))]
    case 'words':
      return wrapped(withSeqs(block.words), '')
    case 'facts':
      return block.facts.flatMap(([label, words]) => wrapped(`${label}: ${withSeqs(words)}`, '  '))
    case 'table':
      return block.rows.flatMap((row) =>
        wrapped(row.map((cell, at) => `${block.columns[at]?.label ?? ''}: ${withSeqs(cell)}`).join('; '), '  '),
      )
    case 'longTable':
      throw new Error('This table is for PDF alone')
    case 'pictures':
      return block.pictures.flatMap(({ lines }) => wrapped(lines.map(withSeqs).join('; '), '  '))
    case 'blank':
      return [`${block.label}: ${'_'.repeat(Math.max(20, 60 - block.label.length))}`]
  }
}

/** Lines that are no longer than a page is wide; a word that is stays whole. */
function wrapped(text: string, indent: string): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let line = ''
    for (const word of paragraph.split(/ +/)) {
      if (line !== '' && line.length + 1 + word.length > WIDTH) {
        lines.push(line)
        line = indent + word
      } else line = line === '' ? word : `${line} ${word}`
    }
    return [...lines, line]
  })
}
