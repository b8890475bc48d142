/** Names of principals, departments, categories (decisions 2): when two are the same, and which cannot be used. */

export const NAME_LENGTH = 256

/**
 * What names are compared by: NFC, trimmed, case folded. Down, up and down again, so that ß, ẞ and ss are one, and letter by letter at
 * the end, so that none folds differently by where it stands (a Greek final sigma).
 */
export function nameKey(name: string): string {
  const upper = name.normalize('NFC').trim().toLowerCase().toUpperCase()
  return [...upper]
    .map((letter) => letter.toLowerCase())
    .join('')
    .normalize('NFC')
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
