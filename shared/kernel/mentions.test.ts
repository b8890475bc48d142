import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mentionCandidates, mentionsIn } from './mentions.ts'

const among =
  (...known: readonly string[]) =>
  (name: string): boolean =>
    known.includes(name.toLowerCase())
const named = (text: string, ...known: readonly string[]) => mentionsIn(text, among(...known)).map(({ name }) => name)

describe('mentions in a text', () => {
  it.each([
    ['@okafor please look', ['okafor']],
    ['Ask @okafor, @kim.', ['okafor', 'kim']],
    ['(@okafor)', ['okafor']],
    ['@OKAFOR!', ['OKAFOR']],
    ['mail okafor@kim or x.@kim', []],
    ['@ okafor @@okafor', ['okafor']],
    ['@okafor2', []],
    ['@okafor\n@kim', ['okafor', 'kim']],
    ['nobody', []],
  ])('%j mentions %j', (text, names) => {
    expect(named(text, 'okafor', 'kim')).toEqual(names)
  })

  it('the longest name that fits is meant, with spaces and points in it', () => {
    expect(named('@ann lee called', 'ann', 'ann lee')).toEqual(['ann lee'])
    expect(named('@ann. lee', 'ann', 'ann.')).toEqual(['ann.'])
    expect(named('@ann lee, again', 'ann')).toEqual(['ann'])
  })

  it('any text gives at most fifty, each at an @ of it, and each name is what follows', () => {
    const part = fc.oneof(
      fc.constantFrom('@', ' ', '\n', '.', ',', 'ann', 'é', '漢', '😀'),
      fc.string({ maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 300 }), (parts) => {
        const text = parts.join('')
        const found = mentionCandidates(text)
        expect(found.length).toBeLessThanOrEqual(50)
        for (const { at, names } of found) {
          expect(text[at]).toBe('@')
          for (const name of names) expect(text.slice(at + 1).startsWith(name)).toBe(true)
        }
      }),
    )
  })
})
