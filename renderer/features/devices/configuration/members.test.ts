import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clashes, compared, membersOf, objectOf, valueOf } from './members.ts'

const freeForm = fc
  .dictionary(fc.oneof(fc.string(), fc.constant('__proto__'), fc.constant('constructor')), fc.jsonValue(), {
    maxKeys: 6,
  })
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)

describe('members of a configuration', () => {
  it('are put together again to what they were taken from, whatever they are called and hold', () => {
    fc.assert(
      fc.property(freeForm, (value) => {
        expect(objectOf(membersOf(value))).toEqual(value)
      }),
    )
  })

  it('keep a member called __proto__ as one of its own', () => {
    const value = JSON.parse('{"__proto__":{"a":1},"b":{"__proto__":2}}') as Record<string, unknown>
    expect(JSON.stringify(objectOf(membersOf(value)))).toBe(JSON.stringify(value))
    expect(({} as Record<string, unknown>)['a']).toBeUndefined()
  })

  it('are one value below the depth that people read', () => {
    const deep = { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } }
    expect(membersOf(deep)).toEqual([{ path: ['a', 'b', 'c', 'd', 'e', 'f'], kind: 'json', text: '{"g":1}' }])
  })

  it('say nothing where what is typed is none of their kind', () => {
    expect(valueOf({ kind: 'number', text: 'twelve' })).toBeUndefined()
    expect(valueOf({ kind: 'number', text: '"12"' })).toBeUndefined()
    expect(valueOf({ kind: 'yesno', text: '1' })).toBeUndefined()
    expect(valueOf({ kind: 'json', text: '[1,' })).toBeUndefined()
    expect(valueOf({ kind: 'number', text: ' 12.50 ' })).toBe(12.5)
  })

  it('are held against those of the camera one by one', () => {
    const has = membersOf({ Video: { Height: 720, Codec: 'h264' }, Own: true, List: [{ a: 1, b: 2 }] })
    const wanted = membersOf({ Video: { Height: 1080, Codec: 'h264' }, List: [{ b: 2, a: 1 }], New: null })
    expect(compared(has, wanted).map(({ path, difference }) => [path.join('.'), difference])).toEqual([
      ['Video.Height', 'changes'],
      ['Video.Codec', 'same'],
      ['List', 'same'],
      ['New', 'added'],
      ['Own', 'removed'],
    ])
  })

  it('do not stand where others stand', () => {
    const members = membersOf({ Video: { Height: 1 }, Name: 'a' })
    expect(clashes(['Video'], members)).toBe(true)
    expect(clashes(['Name', 'x'], members)).toBe(true)
    expect(clashes(['Video', 'Width'], members)).toBe(false)
  })
})
