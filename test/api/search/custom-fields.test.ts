/** Custom fields whose names and values JSON writes in another way than they are: the search looks at their JSON first. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Given, givenStation, type Json } from '../../support/given.ts'
import { scale } from '../../support/scale.ts'

const VALUES = [
  'Fog',
  'no fog at all',
  'a "quoted" word',
  'back\\slash',
  'two\nlines',
  'a\ttab',
  'Straße, ça va',
  '雨 and 🌧',
  '{"Weather":"Fog"}',
  'Other',
  '100 %_*',
  '\\u0046og',
  'delete \u007f it',
]
const NAMES = ['Weather', 'the "name"', 'na\\me', 'Wetter ß', 'a\tb']
let given: Given
const evidences: { readonly id: string; readonly fields: Readonly<Record<string, string>> }[] = []
beforeAll(async () => {
  given = await givenStation()
  for (const [at, value] of VALUES.entries()) {
    const fields = { [NAMES[at % NAMES.length] as string]: value, [NAMES[(at + 1) % NAMES.length] as string]: 'x' }
    const { EvidenceId } = await given.evidence({ Name: `Field ${at}`, CustomFields: fields })
    evidences.push({ id: EvidenceId, fields })
  }
})
afterAll(() => given?.close())

/** As both databases do for ASCII. */
const lower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

it('any part of a value finds it, under its own name alone', async () => {
  const part = fc
    .constantFrom(...VALUES)
    .chain((value) =>
      fc.tuple(fc.nat(value.length), fc.nat(value.length)).map(([a, b]) => value.slice(Math.min(a, b), Math.max(a, b))),
    )
    .filter((text) => text !== '' && text.isWellFormed())
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...NAMES), part, fc.boolean(), async (Name, text, loud) => {
      const Value = loud ? text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()) : text
      const body = { CustomFields: [{ Name, Value }], Count: 100 }
      const { Hits } = await given.expecting(200, given.call('POST', '/searchservice/api/v1/search/station', { body }))
      const expected = evidences.filter(({ fields }) => lower(fields[Name] ?? '').includes(lower(Value)))
      expect(Hits.map(({ Id }: Json) => Id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted())
    }),
    { numRuns: scale(100, 2_000) },
  )
})
