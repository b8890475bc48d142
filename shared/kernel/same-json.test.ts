import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sameJson } from './same-json.ts'

/** The same value with the members of every object turned around. */
const turned = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(turned)
    : typeof value === 'object' && value !== null
      ? (JSON.parse(
          `{${Object.entries(value)
            .reverse()
            .map(([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(turned(one))}`)
            .join(',')}}`,
        ) as unknown)
      : value

describe('the same JSON', () => {
  it('in another order of members is the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const parsed = JSON.parse(JSON.stringify(value)) as unknown
        expect(sameJson(parsed, turned(parsed))).toBe(true)
      }),
    )
  })

  it.each([
    ['another value', '{"a":1}', '{"a":2}'],
    ['a text for a number', '{"a":1}', '{"a":"1"}'],
    ['a member more', '{"a":1}', '{"a":1,"b":null}'],
    ['another name', '{"a":1}', '{"b":1}'],
    ['another order of items', '[1,2]', '[2,1]'],
    ['an array for an object', '[]', '{}'],
    ['null for an object', 'null', '{}'],
    ['what every object inherits', '{"toString":1}', '{"a":1}'],
    ['__proto__ as a member of its own', '{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
    ['__proto__ as against none', '{"__proto__":null}', '{"a":null}'],
  ])('%s is not', (_name, one, other) => {
    expect(sameJson(JSON.parse(one), JSON.parse(other))).toBe(false)
    expect(sameJson(JSON.parse(other), JSON.parse(one))).toBe(false)
  })
})
