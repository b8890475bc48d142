/** Commands whose words begin with every word that was typed, in their own order; accents and case do not matter. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The words of a text as they are compared. */
export const wordsOf = (text: string): string[] =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

export function fitting<Item extends { readonly label: string; readonly words?: string | undefined }>(
  items: readonly Item[],
  text: string,
): readonly Item[] {
  const wanted = wordsOf(text)
  if (wanted.length === 0) return items
  return items.filter((item) => {
    const words = wordsOf(`${item.label} ${item.words ?? ''}`)
    return wanted.every((want) => words.some((word) => word.startsWith(want)))
  })
}

/** A letter or two begin too much to mean anything. */
const MEANT = 3

/** Whether what is typed is how one of them begins. */
export const startsOne = (items: readonly { readonly label: string }[], text: string): boolean =>
  text.length >= MEANT && items.some(({ label }) => plain(label).startsWith(plain(text)))
