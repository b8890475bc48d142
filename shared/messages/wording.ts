/** Texts of the catalogues: which one a key has for a number, and how its parts are filled in. */

export type Catalogue = Readonly<Record<string, string>>

const PART = /\{\{(\w+)\}\}/g

/** A text with a value in place of each `{{part}}`; nothing in place of one that has no value. */
export const filled = (text: string, valueOf: (part: string) => unknown): string =>
  text.replaceAll(PART, (_, part: string) => String(valueOf(part) ?? ''))

/** What stands between the parts of a text and their names, by turns: it begins and ends with a text, which may be empty. */
export const textsAndParts = (text: string): readonly string[] => text.split(PART)

/**
 * The text of a key. With a number it is that of `key_zero` for none, else that of the form which the language has for it (`key_one`, `key_many`,
 * `key_other`); a key without such forms has one text for all numbers.
 * @param plural of the language of the catalogue
 * @returns undefined where the catalogue has none
 */
export function textFor(words: Catalogue, key: string, count: unknown, plural: Intl.PluralRules): string | undefined {
  if (typeof count !== 'number') return words[key]
  const none = count === 0 ? words[`${key}_zero`] : undefined
  return none ?? words[`${key}_${plural.select(count)}`] ?? words[key]
}
