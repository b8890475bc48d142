/** Two states of a long text, word by word from both ends: what stayed around, and what changed in the middle. Pure. */
export interface TextChange {
  /** The last words before the change; empty where it begins the text. */
  readonly before: string
  readonly was: string
  readonly now: string
  readonly after: string
  /** Something stands before or after that is not shown. */
  readonly cutBefore: boolean
  readonly cutAfter: boolean
}

/** Words of what stayed that are shown on each side. */
const AROUND = 4
/** Shorter texts are told faster whole. */
const SHORT = 60

/** With their white space, so that nothing is lost when they are put together again. */
const wordsOf = (text: string): readonly string[] => text.match(/\s*\S+|\s+$/g) ?? []

/** @returns null where the whole text says it better: it is short, or little of it stayed */
export function textChange(was: string, now: string): TextChange | null {
  if (was.length < SHORT || now === '') return null
  const [old, next] = [wordsOf(was), wordsOf(now)]
  const least = Math.min(old.length, next.length)
  let start = 0
  while (start < least && old[start] === next[start]) start += 1
  let end = 0
  while (end < least - start && old.at(-1 - end) === next.at(-1 - end)) end += 1
  if (start + end < old.length / 3) return null
  const part = (words: readonly string[]): string => words.slice(start, words.length - end).join('')
  const tail = old.slice(old.length - end)
  return {
    before: old.slice(Math.max(0, start - AROUND), start).join(''),
    was: part(old),
    now: part(next),
    after: tail.slice(0, AROUND).join(''),
    cutBefore: start > AROUND,
    cutAfter: tail.length > AROUND,
  }
}
