/**
 * Lists as CSV: RFC 4180, every value in quotes, lines ended by CR LF. What a spreadsheet would take for a formula is put behind an
 * apostrophe; whoever needs the values to the letter takes the list as JSON.
 */

export type CsvValue = string | number | boolean | null | undefined

/** Told in the description of every operation that hands out CSV. */
export const CSV_RULES =
  'CSV: RFC 4180, UTF-8 with a byte order mark, a head line, every value in quotes, times in UTC. A value that begins with =, +, -, @, a tab, a carriage return or a line feed (also behind spaces or quotes, also in full width) is written behind an apostrophe, so that no spreadsheet takes it for a formula; and so is what follows a semicolon, a tab or a line break inside a value, where spreadsheets of some locales begin a new cell. JSON gives the values to the letter.'

/** Without it spreadsheets take UTF-8 for the code page of the machine. */
export const CSV_MARK = '\uFEFF'

/** The four signs, also as they are typed with a wide keyboard or set in print. */
const SIGNS: ReadonlySet<string> = new Set('=+-@\uFF1D\uFF0B\uFF0D\uFF20\u2212')
/** What programs pass over before they look at the first sign. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const PASSED = /[\s\u0000-\u001f"\ufeff\u200b-\u200f\u2060]/
/** Where programs begin a new cell, in some locales or where they do not know our quotes. */
const PARTS: ReadonlySet<string> = new Set(';\t\r\n')

/**
 * A value that no spreadsheet takes for a formula. One pass from the end: a look ahead from every sign that parts would take the square
 * of the time of a value made of them.
 */
export function harmless(text: string): string {
  let out = ''
  let kept = text.length
  /** What follows would be read as a formula. */
  let armed = false
  for (let at = text.length - 1; at >= 0; at--) {
    const sign = text.charAt(at)
    if (SIGNS.has(sign)) armed = true
    else if (armed && PARTS.has(sign)) {
      out = `'${text.slice(at + 1, kept)}${out}`
      kept = at + 1
      armed = false
    } else if (!PASSED.test(sign)) armed = false
  }
  out = text.slice(0, kept) + out
  return armed || /^[\t\r\n]/.test(text) ? `'${out}` : out
}

/** One cell. */
export function csvCell(value: CsvValue): string {
  if (value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return '""'
  return `"${harmless(String(value).toWellFormed()).replaceAll('"', '""')}"`
}

/** One line with its end. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(csvCell).join(',')}\r\n`
