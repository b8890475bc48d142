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

  it('are their own keys, and do not depend on case or composition', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(nameKey(nameKey(name))).toBe(nameKey(name))
        expect(nameKey(name.normalize('NFD'))).toBe(nameKey(name))
        expect(nameKey(name.toUpperCase())).toBe(nameKey(name))
      }),
      { numRuns: 2000 },
    )
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
