import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameKey, unusableName } from './names.ts'

describe('name keys', () => {
  it.each([
    ['Patrol', ' pATROL '],
    ['Zoe\u0301', 'ZO\u00c9'],
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['ﬁle', 'FILE'],
  ])('%s and %s are one name', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other))
  })

  const isOneName = (name: string): void => {
    expect(nameKey(nameKey(name))).toBe(nameKey(name))
    expect(nameKey(name.normalize('NFD'))).toBe(nameKey(name))
    expect(nameKey(name.toUpperCase())).toBe(nameKey(name))
    expect(nameKey(name.toLowerCase())).toBe(nameKey(name))
  }

  it('are their own keys, and do not depend on case or composition', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), isOneName), { numRuns: 2000 })
  })

  it('nor for any letter there is', () => {
    const odd: string[] = []
    for (let code = 0; code <= 0x10ffff; code++) {
      const letter = String.fromCodePoint(code)
      if (!/\p{L}|\p{M}/u.test(letter)) continue
      const key = nameKey(letter)
      const all = [key, letter.normalize('NFD'), letter.toUpperCase(), letter.toLowerCase()]
      if (all.some((other) => nameKey(other) !== key)) odd.push(code.toString(16))
    }
    expect(odd).toEqual([])
  })
})

describe('unusable names', () => {
  it.each([
    '',
    ' ',
    '\u00a0',
    ' a',
    'a ',
    'a\n',
    'a\u0000b',
    'a\u0085b',
    'a\u2028b',
    'a\u202eb',
    '\ud800',
    'x'.repeat(257),
  ])('%j', (name) => {
    expect(unusableName(name)).not.toBeNull()
  })

  it.each(['a', 'Žofie Nováková', "O'Neil", '李', '👮'.repeat(256), 'x'.repeat(256), '__proto__', 'a:b'])(
    '%j can be used',
    (name) => {
      expect(unusableName(name)).toBeNull()
    },
  )
})
