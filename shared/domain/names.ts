/** Names of principals, departments, categories (decisions 2): when two are the same, and which cannot be used. */

export const NAME_LENGTH = 256

/**
 * What names are compared by: NFC, trimmed, case folded. Letter by letter, so that a letter never folds differently by where it stands
 * (a Greek final sigma), and through upper case, so that ß and ss are one.
 */
export function nameKey(name: string): string {
  const folded = [...name.normalize('NFC').trim().toUpperCase()].map((letter) => letter.toLowerCase()).join('')
  return folded.normalize('NFC')
}

/** Control characters, line separators, and the overrides that make a name read as another one. */
const NOT_IN_NAMES = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** Why the name cannot be used (decisions 2, "unusable"), or null when it can. Length in code points, as JSON Schema counts. */
export function unusableName(name: string): string | null {
  if (!name.isWellFormed()) return 'is not well-formed text'
  if (name.trim() === '') return 'is empty'
  if (name.trim() !== name) return 'has spaces around it'
  if ([...name.normalize('NFC')].length > NAME_LENGTH) return `is longer than ${NAME_LENGTH} characters`
  if (NOT_IN_NAMES.test(name)) return 'holds control characters'
  return null
}
