import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from '../../http/json.ts'
import { fieldOf, MAPPED_NAMES } from '../../../shared/cases/fields.ts'
import type { CadMapping } from '../../../shared/dispatch/cad-mapping.ts'
import { readCadReason } from '../../../shared/messages/cad-reasons.ts'
import { elementsOf, MOST_MESSAGE_PARTS, readMessage, valueIn, valueOf } from './message-reader.ts'

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

test('what was cut, left out or cannot be read is said in sentences that the window says in its language', () => {
  const long = 'x'.repeat(5_000)
  const targets = [...MAPPED_NAMES, 'Category', 'Tag'] as const
  const mapping: CadMapping = {
    members: {},
    fields: targets.map((to) => ({ from: `f.${to}`, to })),
    keepExtended: true,
  }
  const read = readMessage(
    {
      value: {
        eventId: '1',
        eventStartTimeUtc: '2026-11-20T02:47:31Z',
        f: Object.fromEntries(targets.map((to) => [to, long])),
        extended: { [long]: 'a' },
      },
    },
    mapping,
  )
  const notes = read.readable ? read.notes : []
  const cut = targets.filter((to) => to === 'Category' || to === 'Tag' || fieldOf(to).kind !== 'text')
  const told = notes.map((note) => readCadReason(note))
  expect(told.map((sentence) => sentence?.name).toSorted()).toEqual([...cut.map(() => 'cut'), 'noField'])
  // What was cut is a sentence of its own.
  const whats = told.flatMap((sentence) => (sentence?.name === 'cut' ? [sentence.fill['what'] ?? ''] : []))
  expect(whats.map((what) => readCadReason(what)?.name).toSorted()).toEqual([
    'aTag',
    'theCategory',
    'theName',
    'theRecordNumber',
  ])

  const problems = (value: unknown) => {
    const found = readMessage(valueOf(bytes(JSON.stringify(value)), parseJson), mapping)
    return found.readable ? [] : found.problems.map(({ path, message }) => [path, readCadReason(message)?.name])
  }
  const event = { eventId: '1', eventStartTimeUtc: '2026-11-20T02:47:31Z' }
  expect(problems([])).toEqual([['', 'noObject']])
  expect(problems({})).toEqual([
    ['eventId', 'missing'],
    ['eventStartTimeUtc', 'missing'],
  ])
  expect(problems({ ...event, eventStartTimeUtc: 'yesterday' })).toEqual([['eventStartTimeUtc', 'noTime']])
  expect(problems({ ...event, eventEndTimeUtc: '2026-11-20T02:47:30Z' })).toEqual([['eventEndTimeUtc', 'endsBefore']])
  expect(problems({ ...event, location: { latitude: 48 } })).toEqual([['location', 'halfPlace']])
  expect(problems({ ...event, eventId: ' 1' })).toEqual([['eventId', 'spaceAround']])
  const many = Array.from({ length: 1001 }, () => ({}))
  expect(problems({ ...event, involvedResources: many })).toEqual([['involvedResources', 'tooManyResources']])
})
