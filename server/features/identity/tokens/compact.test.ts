import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasRepeatedMember, readCompact } from './compact.ts'

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

describe('a compact token', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.uint8Array({ minLength: 1, maxLength: 64 }),
        (payload, signature) => {
          const json = JSON.stringify(payload)
          const text = `${part({ alg: 'RS256' })}.${part(json)}.${Buffer.from(signature).toString('base64url')}`
          expect(readCompact(text)?.payload).toEqual(JSON.parse(json))
        },
      ),
    )
  })

  it('has one spelling: no other last character of a part is taken', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const length of [1, 2, 4, 5, 256]) {
      const signature = Buffer.alloc(length, 7).toString('base64url')
      const taken = [...alphabet].filter(
        (last) => readCompact(`${part({})}.${part({})}.${signature.slice(0, -1)}${last}`) !== null,
      )
      expect(taken.length, `${length} bytes`).toBe(length % 3 === 1 ? 4 : 16)
    }
  })

  it.each([
    ['', 'nothing'],
    [`${part({})}.${part({})}`, 'two parts'],
    [`${part({})}.${part({})}.`, 'no signature'],
    [`${part({})}.${part({})}.AA.AA`, 'four parts'],
    [`${part({})}.${part({})}.AA==`, 'padding'],
    [`${part({})}.${part({})}.A+`, 'plain base64'],
    [`${part({})}.${part({})}.AA\n`, 'line end'],
    [` ${part({})}.${part({})}.AA`, 'space'],
    [`${part([])}.${part({})}.AA`, 'an array'],
    [`${part('null')}.${part({})}.AA`, 'null'],
    [`${part('{"a":1,"a":1}')}.${part({})}.AA`, 'a member twice'],
    [`${part('\ufeff{}')}.${part({})}.AA`, 'a byte order mark'],
    [`${part({})}.${Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString('base64url')}.AA`, 'not UTF-8'],
    [`${part({})}.${part({ a: 'x'.repeat(16_384) })}.AA`, 'too long'],
  ])('%# is refused (%s)', (text) => {
    expect(readCompact(text)).toBeNull()
  })
})

describe('repeated members', () => {
  it.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '[{"b":{"a":1 , "a" :1}}]',
    '{"a":{},"b":[],"a":0}',
    '{"\\"":1,"\\"":1}',
  ])('%s', (json) => {
    expect(hasRepeatedMember(json)).toBe(true)
  })

  it('are never seen in what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(hasRepeatedMember(JSON.stringify(value))).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})
