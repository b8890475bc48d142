import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copyName, escapedName, packagedName, packageFolderName } from './names.ts'

const NAME = /^\d{4,}_[a-z0-9._-]{1,40}$/

describe('names in a package', () => {
  it.each([
    ['BWC 0412.MP4', '0001_bwc_0412.mp4'],
    ['../../etc/passwd', '0001_etc_passwd'],
    ['Ünï çødé.mp4', '0001_uni_c_de.mp4'],
    ['\u202Egpj.exe', '0001_gpj.exe'],
    ['видео.mp4', '0001_file.mp4'],
    ['', '0001_file'],
    ['.hidden', '0001_file.hidden'],
    ['CON', '0001_con'],
    ['a\nb\\c%d.mov', '0001_a_b_c_d.mov'],
    ['x'.repeat(300) + '.mp4', `0001_${'x'.repeat(36)}.mp4`],
    ['trailing dot.', '0001_trailing_dot'],
  ])('%j becomes %s', (name, expected) => {
    expect(packagedName(1, 9, name)).toBe(expected)
  })

  it('are of safe signs, whatever a file was called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 1, max: 200_000 }), (name, no) => {
        for (const made of [packagedName(no, 200_000, name), copyName(no, 200_000, name, 'mp4')]) {
          expect(made).toMatch(NAME)
          expect(made).not.toMatch(/\.$|\.\./)
        }
        expect(packageFolderName(name, 'P000001')).toMatch(/^[A-Za-z0-9][A-Za-z0-9-]{0,60}$/)
        // Neither a new line nor what turns the direction of writing.
        expect(escapedName(name)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029]/u)
      }),
      { numRuns: 500 },
    )
  })

  it('are in the order of their numbers', () => {
    const names = [1, 2, 10, 9_999, 10_000, 123_456].map((no) => packagedName(no, 123_456, 'a'))
    expect(names.toSorted()).toEqual(names)
  })
})
