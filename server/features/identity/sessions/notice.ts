import { hash } from 'node:crypto'

/** The text that is shown and acknowledged at sign-in (decisions 10). */
export interface Notice {
  readonly Id: string
  readonly Title: string | null
  readonly Paragraphs: string[]
}

/** Id of the text that the UI contains, in the reader's language. */
export const BUNDLED_NOTICE = 'default'

/** @param text of the setting; blank lines separate paragraphs. @returns null when the UI shows its own text */
export function noticeOf(text: string | undefined): Notice | null {
  const Paragraphs = (text ?? '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
  if (text === undefined || Paragraphs.length === 0) return null
  return { Id: hash('sha256', text, 'hex').slice(0, 12), Title: null, Paragraphs }
}
