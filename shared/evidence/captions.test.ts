import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cue, cuesAt, MOST_CUES, readCaptions, writeVtt } from './captions.ts'

const cuesIn = (text: string): readonly Cue[] => {
  const read = readCaptions(text)
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.cues
}
const problemsIn = (text: string): string[] => {
  const read = readCaptions(text)
  return 'problems' in read ? read.problems.map(({ line, message }) => `${line} ${message}`) : []
}

const millis = fc.nat({ max: 3_600_000 * 30 })
const said = fc
  .array(
    fc
      .array(
        fc.oneof(
          fc.constantFrom('<', '>', '&', '&amp;', '-->', '<v A>', '<i>', '{\\an8}', 'NOTE', 'WEBVTT', '00:01', ' '),
          fc.string({ unit: 'grapheme', maxLength: 5 }),
        ),
        { minLength: 1, maxLength: 8 },
      )
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no caption holds them
      .map((parts) =>
        parts
          .join('')
          .replaceAll(/[\u0000-\u001f\u007f-\u009f\ufeff\ufffe\uffff]/g, '')
          .toWellFormed()
          .trim(),
      )
      .filter((line) => line !== ''),
    { minLength: 1, maxLength: 3 },
  )
  .map((lines) => lines.join('\n'))
const cues = fc
  .array(fc.record({ at: millis, length: fc.integer({ min: 1, max: 20_000 }), text: said }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((drawn): Cue[] =>
    drawn
      .map(({ at, length, text }) => ({ start: at / 1000, end: (at + length) / 1000, text }))
      .sort((one, other) => one.start - other.start),
  )

describe('captions', () => {
  it('what is written as WebVTT reads back the same, whatever was said', () => {
    fc.assert(
      fc.property(cues, (drawn) => {
        expect(readCaptions(writeVtt(drawn), Number.POSITIVE_INFINITY)).toEqual({ format: 'WebVTT', cues: drawn })
      }),
      { numRuns: 1_000 },
    )
  })

  it('of anything at all it says cues or problems, never both, and what it takes can be written and read', () => {
    const anything = fc
      .array(
        fc.oneof(
          fc.constantFrom(
            'WEBVTT',
            '\n',
            '\n\n',
            '\r',
            '\r\n',
            '1',
            '00:00:01.000 --> 00:00:02.000',
            '00:00:03,5 --> 00:00:04,000',
            '-->',
            'NOTE x',
            'STYLE',
            'REGION',
            '::cue{}',
            '<v A>',
            '<script>',
            '</i>',
            '&lt;',
            '\u0000',
            '\ud800',
            'x',
            '\uFEFF',
            ' position:10% align:start',
          ),
          fc.string({ unit: 'binary', maxLength: 6 }),
        ),
        { maxLength: 30 },
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(anything, (text) => {
        const read = readCaptions(text)
        if ('problems' in read) {
          expect(read.problems.length).toBeGreaterThan(0)
          const lines = text.split(/\r\n|\n|\r/).length
          for (const { line } of read.problems) expect(line >= 1 && line <= lines).toBe(true)
        } else {
          for (const { start, end } of read.cues) expect(end).toBeGreaterThan(start)
          expect(readCaptions(writeVtt(read.cues), Number.POSITIVE_INFINITY)).toEqual({ ...read, format: 'WebVTT' })
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('WebVTT: header lines, comments, styles and regions are passed over, names and settings too', () => {
    expect(
      cuesIn(
        '\uFEFFWEBVTT - said\nKind: captions\n\nNOTE one\n00 lines\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:a\n\nintro\n00:01.500 --> 00:03.000 align:start position:0%\n<v.loud Officer Hale>Stop &amp; <i>wait</i>\n- <00:02.000>now\n\n01:00:00.000 --> 01:00:01.000\nx < y\n',
      ),
    ).toEqual([
      { start: 1.5, end: 3, text: 'Officer Hale: Stop & wait\n- now' },
      { start: 3600, end: 3601, text: 'x < y' },
    ])
  })

  it('SubRip: numbers, commas, its tags; sorted by their beginning', () => {
    expect(
      cuesIn(
        '2\r\n00:00:05,000 --> 00:00:06,000\r\n<font color="#fff">{\\an8}Later</font> &amp; more\r\n\r\n1\r\n00:00:01,5 --> 00:00:02,000 X1:1\r\n<b>First</b>\r\n<script>alert(1)</script>',
      ),
    ).toEqual([
      { start: 1.5, end: 2, text: 'First\n<script>alert(1)</script>' },
      { start: 5, end: 6, text: 'Later &amp; more' },
    ])
  })

  it.each([
    ['', ['1 holds no captions']],
    ['WEBVTT', ['1 holds no captions']],
    ['WEBVTTX\n\nx', [1, 3].map((line) => `${line} is no time such as 00:00:01.000 --> 00:00:04.000`)],
    ['1\n00:00:01,000 -> 00:00:02,000\nx', ['2 is no time such as 00:00:01.000 --> 00:00:04.000']],
    ['1\n00:00:02,000 --> 00:00:01,000\nx', ['2 ends before it begins']],
    ['WEBVTT\n\n00:00:01,000 --> 00:00:02,000\nx', ['3 is no time such as 00:00:01.000 --> 00:00:04.000']],
    ['1\n00:61:01,000 --> 00:62:02,000\nx', ['2 is no time such as 00:00:01.000 --> 00:00:04.000']],
    [
      '1\n00:00:01,000 --> 00:00:02,000\nx\n2\n00:00:03,000 --> 00:00:04,000\ny',
      ['5 begins a caption without an empty line before it'],
    ],
    ['1\n00:00:01,000 --> 00:00:02,000\n\u0007', ['3 holds characters that no caption holds']],
    [`1\n00:00:01,000 --> 00:00:02,000\n${'x'.repeat(5000)}`, ['3 is longer than 4096 characters']],
  ])('%j is refused with the line', (text, problems) => {
    expect(problemsIn(text)).toEqual(problems)
  })

  it('has limits, and takes no longer than the length asks', () => {
    const begun = performance.now()
    const one = '00:00:01.000 --> 00:00:02.000\nx\n\n'
    expect(problemsIn(`WEBVTT\n\n${one.repeat(MOST_CUES + 1)}`)).toEqual([
      `${3 + 3 * MOST_CUES} is the beginning of more than ${MOST_CUES} captions`,
    ])
    for (const piece of ['<', '<v ', '{\\', '&', '-->', '\n', ' \n', 'NOTE\n', '00:00:00.000'])
      readCaptions(`WEBVTT\n\n${piece.repeat(1_000_000 / piece.length)}`)
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  it('says what is said at a moment: from its beginning to before its end', () => {
    const all = cuesIn('1\n00:00:01,000 --> 00:00:03,000\na\n\n2\n00:00:02,000 --> 00:00:04,000\nb')
    const at = (seconds: number) => cuesAt(all, seconds).map(({ text }) => text)
    expect([0.999, 1, 2.5, 3, 4].map(at)).toEqual([[], ['a'], ['a', 'b'], ['b'], []])
  })
})
