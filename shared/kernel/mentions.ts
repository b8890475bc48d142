/** People who are named in a note: `@` and their user name. */

/** Names looked for in one text. */
const MOST_MENTIONS = 50
/** Words that a user name may have. */
const MOST_WORDS = 4
/** `@` at the beginning or after what is no part of a word, so that an e-mail address mentions nobody. */
const AT = /(?<![\p{L}\p{N}._%+-])@(?=[\p{L}\p{N}])/gu
const PUNCTUATION = /[\p{P}\p{S}]+$/u

/** One `@` of a text, with the user names that may be meant, the longest first. */
export interface MentionCandidate {
  /** Of the `@`, in UTF-16 units. */
  readonly at: number
  readonly names: readonly string[]
}

/** Every `@name` of a text: user names may have spaces and points in them, so the longest known one is meant. */
export function mentionCandidates(text: string): MentionCandidate[] {
  const found: MentionCandidate[] = []
  for (const { index } of text.matchAll(AT)) {
    if (found.length === MOST_MENTIONS) break
    const [line = ''] = text.slice(index + 1, index + 1 + 256).split(/[\r\n]/, 1)
    const names = new Set<string>()
    let end = 0
    for (let word = 0; word < MOST_WORDS && end < line.length; word++) {
      const space = line.indexOf(' ', end + 1)
      end = space === -1 ? line.length : space
      let name = line.slice(0, end).trimEnd()
      while (name !== '') {
        names.add(name)
        const shorter = name.replace(PUNCTUATION, '')
        if (shorter === name) break
        name = shorter
      }
    }
    found.push({ at: index, names: [...names].sort((one, other) => other.length - one.length) })
  }
  return found
}

/**
 * The parts of a text in which somebody is mentioned, in order.
 * @param isKnown whether a user has this name
 */
export function mentionsIn(text: string, isKnown: (name: string) => boolean): { at: number; name: string }[] {
  return mentionCandidates(text).flatMap(({ at, names }) => {
    const name = names.find(isKnown)
    return name === undefined ? [] : [{ at, name }]
  })
}
