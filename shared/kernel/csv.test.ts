import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CSV_MARK, csvCell, csvLine, harmless } from './csv.ts'

/** A reader of RFC 4180, written from its grammar and from nothing of ours. @throws where the text keeps to none of its rules */
function parsed(text: string): string[][] {
  const rows: string[][] = []
  let at = 0
  const field = (): string => {
    if (text[at] !== '"') {
      const end = /[",\r\n]|$/.exec(text.slice(at))?.index ?? 0
      const value = text.slice(at, at + end)
      at += end
      return value
    }
    let value = ''
    for (at++; ; at++) {
      if (at >= text.length) throw new Error('a quote was not closed')
      if (text[at] !== '"') value += text[at]
      else if (text[at + 1] === '"') value += text[++at]
      else break
    }
    at++
    return value
  }
  while (at < text.length) {
    const row = [field()]
    while (text[at] === ',') {
      at++
      row.push(field())
    }
    if (!text.startsWith('\r\n', at)) throw new Error(`no end of a line at ${at}`)
    at += 2
    rows.push(row)
  }
  return rows
}

/** As spreadsheets of some locales part: at semicolons, tabs and line breaks, whatever our quotes say. */
const partedElsewhere = (text: string): string[] => text.split(/[;\t\r\n]/)
const isFormula = (cell: string): boolean => /^[\s"\uFEFF\u200B]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell)

/** Rich in what makes trouble. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '=',
        '+',
        '-',
        '@',
        '\t',
        '\r',
        '\n',
        '"',
        "'",
        ',',
        ';',
        ' ',
        '\uFF1D',
        '\uFEFF',
        '\u202E',
        '=1+1',
      ),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))
const values = fc.array(fc.oneof(nasty, fc.double(), fc.constant(null), fc.boolean()), { minLength: 1, maxLength: 6 })

describe('CSV', () => {
  it('reads back as what was written, each value behind its apostrophe', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 5 }), (rows) => {
        const text = rows.map(csvLine).join('')
        const expected = rows.map((row) =>
          row.map((value) =>
            value === null || (typeof value === 'number' && !Number.isFinite(value))
              ? ''
              : harmless(String(value).toWellFormed()),
          ),
        )
        expect(parsed(text)).toEqual(expected)
      }),
      { numRuns: 2_000 },
    )
  })

  it('without the apostrophes that were put in it is the value to the letter', () => {
    fc.assert(
      fc.property(nasty, (value) => {
        const written = harmless(value)
        // Every apostrophe more than before can be taken out again, and nothing else was touched.
        let at = 0
        for (const sign of written) {
          if (value.startsWith(sign, at)) at += sign.length
          else expect(sign).toBe("'")
        }
        expect(at).toBe(value.length)
      }),
      { numRuns: 2_000 },
    )
  })

  it('no cell begins a formula, here or where cells are parted at other signs', () => {
    fc.assert(
      fc.property(fc.array(nasty, { minLength: 1, maxLength: 4 }), (row) => {
        const text = csvLine(row)
        for (const cell of parsed(text)[0] as string[]) {
          expect(cell).not.toMatch(/^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/)
          expect(isFormula(cell)).toBe(false)
        }
        for (const cell of partedElsewhere(text).slice(1)) expect(isFormula(cell), JSON.stringify(text)).toBe(false)
      }),
      { numRuns: 5_000 },
    )
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30 1234', "'+49 30 1234"],
    ['-', "'-"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ['  =1', "'  =1"],
    ['"=1', '\'"=1'],
    ['\uFF1D1', "'\uFF1D1"],
    ['a;=1', "a;'=1"],
    ['a\n=1\n=2', "a\n'=1\n'=2"],
    ['a-b+c', 'a-b+c'],
    ['a=b', 'a=b'],
    ['', ''],
    ['plain', 'plain'],
  ])('%j is written as %j', (value, written) => {
    expect(harmless(value)).toBe(written)
  })

  it('every value is in quotes, lines end with CR LF, nothing is nothing', () => {
    expect(csvLine(['a"b', 1.5, true, null, undefined, Number.NaN])).toBe('"a""b","1.5","true","","",""\r\n')
    expect(csvCell(-1)).toBe('"\'-1"')
    expect([...Buffer.from(CSV_MARK)]).toEqual([0xef, 0xbb, 0xbf])
  })

  it('a value made of nothing but line breaks takes no longer than its length asks', () => {
    const begun = performance.now()
    expect(harmless('\n'.repeat(1_000_000)).length).toBe(1_000_001)
    expect(performance.now() - begun).toBeLessThan(10_000)
  })
})
