import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, isCanonical, NotCanonical } from './canonical.ts'

/** Null for values that JSON cannot express, such as the one parsed from 1e999. */
function canonicalOrNot(value: unknown): string | null {
  try {
    return canonicalJson(value)
  } catch {
    return null
  }
}

describe('canonical JSON (RFC 8785)', () => {
  it('writes the example of RFC 8785 3.2.3', () => {
    const value = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    ) as unknown
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  it.each([
    ['undefined in an object', { a: { b: undefined } }, '$.a.b'],
    ['undefined in an array', { a: [1, undefined] }, '$.a[1]'],
    ['a hole', { a: Object.assign([], { length: 1 }) }, '$.a[0]'],
    ['NaN', { a: Number.NaN }, '$.a'],
    ['infinity', [Number.POSITIVE_INFINITY], '$[0]'],
    ['a bigint', { a: 1n }, '$.a'],
    ['a date', { a: new Date(0) }, '$.a'],
    ['bytes', { a: Buffer.from('x') }, '$.a'],
    ['a map', { a: new Map() }, '$.a'],
    ['a function', { a: () => 1 }, '$.a'],
    ['a symbol as a name', { [Symbol('x')]: 1 }, '$'],
    ['half a surrogate pair', { a: '\ud800' }, '$.a'],
    ['half a surrogate pair in a name', { '\udc00': 1 }, '$'],
    ['toJSON', { toJSON: () => 1 }, '$.toJSON'],
  ])('refuses %s and says where', (_, value, where) => {
    expect(() => canonicalJson(value)).toThrow(NotCanonical)
    expect(() => canonicalJson(value)).toThrow(new RegExp(`^${where.replace(/[$.[\]]/g, '\\$&')} `))
  })

  it('refuses a cycle', () => {
    const value: Record<string, unknown> = {}
    value['again'] = value
    expect(() => canonicalJson(value)).toThrow(NotCanonical)
  })

  it('S19: finds unsorted names at every depth', () => {
    for (const text of ['{"b":1,"a":2}', '{"a":{"c":1,"b":2}}', '[{"c":1,"b":2}]', '{"a":[[{"c":1,"b":2}]]}'])
      expect([text, isCanonical(text, JSON.parse(text))]).toEqual([text, false])
  })

  it('accepts exactly its own output as canonical', () => {
    const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('\\ud'))
    fc.assert(
      fc.property(json, fc.nat(), fc.nat({ max: 255 }), (value, at, byte) => {
        const text = canonicalJson(value)
        expect(isCanonical(text, JSON.parse(text))).toBe(true)
        const changed = text.slice(0, at % text.length) + String.fromCharCode(byte) + text.slice((at % text.length) + 1)
        let parsed: unknown
        try {
          parsed = JSON.parse(changed)
        } catch {
          return
        }
        expect(isCanonical(changed, parsed)).toBe(canonicalOrNot(parsed) === changed)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    '{"b":1,"a":2}',
    '{ "a":1}',
    '{"a":1.0}',
    '{"a":1e2}',
    '{"a":1,"a":1}',
    '"\\u0041"',
    '"\\/"',
    '-0',
    '{"10":1,"9":2,"1":3}',
  ])('%s is not canonical', (text) => expect(isCanonical(text, JSON.parse(text))).toBe(false))

  it('sorts names that look like numbers as text', () => {
    expect(isCanonical('{"10":1,"9":2}', JSON.parse('{"10":1,"9":2}'))).toBe(true)
  })
})
