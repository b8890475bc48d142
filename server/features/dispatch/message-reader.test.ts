import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from '../../http/json.ts'
import { elementsOf, MOST_MESSAGE_PARTS, valueIn } from './message-reader.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

test('S17: the elements of a batch are found without reading them, and each is read by itself', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 1, '\t'), (values, indent) => {
      const text = JSON.stringify(values, null, indent)
      const expected = JSON.parse(text) as unknown[]
      const found = elementsOf(bytes(text))
      expect(found?.map((one) => JSON.parse(new TextDecoder().decode(one)) as unknown)).toEqual(expected)
      expect(expected.map((_one, at) => valueIn(bytes(text), at, parseJson))).toEqual(
        expected.map((value) => ({ value })),
      )
    }),
  )
  expect(elementsOf(bytes('\ufeff [1, "],[", {"a":"\\"]"}] '))).toHaveLength(3)
  for (const text of ['{}', '"[1]"', '1', '', '[1', ' ']) expect([text, elementsOf(bytes(text))]).toEqual([text, null])
})

test('S17: a message of too many members says so, and is no obstacle to the others of its batch', () => {
  const large = `{${Array.from({ length: MOST_MESSAGE_PARTS + 1 }, (_, at) => `"m${at}":1`).join()}}`
  const batch = bytes(`[{"eventId":"1"},${large}]`)
  expect(valueIn(batch, 0, parseJson)).toEqual({ value: { eventId: '1' } })
  expect(valueIn(batch, 1, parseJson)).toEqual({
    problem: { path: '', message: 'The message has more than 20000 members and elements.' },
  })
  expect(valueIn(batch, 2, parseJson)).toBeUndefined()
})
