/** Messages between whoever wants a paper and the thread that draws it. */
import type { Block, PaperColumn, Words } from './paper.ts'
import type { PaperHead } from './draw.ts'

export type ToDrawing =
  | { readonly op: 'begin'; readonly title: string; readonly banner: string | null; readonly head: PaperHead }
  | { readonly op: 'block'; readonly block: Exclude<Block, { kind: 'table' | 'longTable' }> }
  /** Its rows follow, some at a time. */
  | { readonly op: 'table'; readonly columns: readonly PaperColumn[] }
  | { readonly op: 'rows'; readonly rows: readonly (readonly Words[])[] }
  | { readonly op: 'endOfTable' }
  | { readonly op: 'end' }

export type FromDrawing =
  /** A message was taken: there is room for another one. */
  | { readonly op: 'next' }
  /** The next bytes of the paper. */
  | { readonly op: 'bytes'; readonly bytes: Uint8Array }
  | { readonly op: 'drawn' }
  | { readonly op: 'failed'; readonly message: string }
