/**
 * Sort keys: letters of Latin scripts without case and accents. The letters are rows of `folded_letters`, which an expression goes through
 * one after the other. One `replace` inside another would be more than 200 deep: SQLite before 3.46 parses an expression only to a depth of
 * about 100 and then refuses the whole database, as Debian's `sqlite3` 3.40 did.
 */
const LETTERS: readonly (readonly [string, string])[] = [
  ...Array.from({ length: 0x180 - 0xc0 }, (_, index) => String.fromCodePoint(0xc0 + index)).flatMap((letter) => {
    const base = letter.normalize('NFD').charAt(0).toLowerCase()
    return /^[a-z]$/.test(base) ? [[letter, base] as const] : []
  }),
  ...['Øø:o', 'Ææ:ae', 'Œœ:oe', 'ß:ss', 'Łł:l', 'Đđ:d', 'Þþ:th'].flatMap((pair) => {
    const [letters = '', base = ''] = pair.split(':')
    return [...letters].map((letter) => [letter, base] as const)
  }),
]
/** Rows of `folded_letters` that are letters; the others are combining marks. */
export const LETTERS_FOLDED = LETTERS.length
const COMBINING_MARKS = ['\u0300', '\u0301', '\u0302', '\u0303', '\u0308', '\u030a', '\u030c', '\u0327']

/**
 * Most names are ASCII and need none of the rows. The inner query uses names of its own, so that they cannot be confused with a column `text` of
 * the outer one.
 */
const through = (text: string, rows: number): string =>
  `CASE WHEN ${text} NOT GLOB '*[^ -~]*' THEN lower(${text}) ELSE (SELECT so_far FROM ( WITH RECURSIVE folding (step, so_far) AS ( SELECT 0, lower(${text}) UNION ALL SELECT l.step, replace(so_far, l.letter, l.base) FROM folding JOIN folded_letters l ON l.step = folding.step + 1 WHERE l.step <= ${rows} ) SELECT so_far FROM folding ORDER BY step DESC LIMIT 1)) END`

/** SQL of the sort key of an expression. */
export const folded = (text: string): string => through(text, LETTERS.length)
/** The same with combining marks taken away, as the list of evidence has it. */
export const foldedWithMarks = (text: string): string => through(text, LETTERS.length + COMBINING_MARKS.length)

export const tables = `
CREATE TABLE folded_letters (
  step INTEGER PRIMARY KEY,
  letter TEXT NOT NULL,
  base TEXT NOT NULL
) STRICT;
INSERT INTO folded_letters (letter, base) VALUES ${[...LETTERS, ...COMBINING_MARKS.map((mark) => [mark, ''] as const)].map(([letter, base]) => `('${letter}', '${base}')`).join(', ')};
`
