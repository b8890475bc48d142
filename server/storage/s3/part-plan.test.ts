import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PartSizes, planParts } from './part-plan.ts'

const objects = (lengths: readonly number[]) => lengths.map((length, index) => ({ key: `o${index}`, length }))
const rangesOf = (parts: ReturnType<typeof planParts>) =>
  parts.flatMap((part) => (part.kind === 'copy' ? [part.range] : part.ranges))
const lengthOf = (part: ReturnType<typeof planParts>[number]): number =>
  rangesOf([part]).reduce((sum, { start, end }) => sum + end - start, 0)
const told = (lengths: readonly number[], sizes: PartSizes): string[] =>
  planParts(objects(lengths), sizes).map((part) => `${part.kind} ${lengthOf(part)}`)

test('B2 large blocks are copied, small ones joined, and a large one fills the part of those before it', () => {
  const sizes = { least: 5, sent: 16, copied: 100 }
  expect(told([8, 8, 3], sizes)).toEqual(['copy 8', 'copy 8', 'send 3'])
  expect(told([1, 2, 8], sizes)).toEqual(['send 5', 'copy 6'])
  expect(told([1, 2, 5, 9], sizes)).toEqual(['send 5', 'send 5', 'copy 7'])
  expect(told([4, 4, 4, 4, 4, 4], sizes)).toEqual(['send 16', 'send 8'])
  expect(told([4, 4, 20], sizes)).toEqual(['send 8', 'copy 20'])
  expect(told([203, 1], sizes)).toEqual(['copy 100', 'copy 100', 'send 4'])
  expect(told([], sizes)).toEqual([])
  // A store that copies no parts.
  expect(told([40, 1], { ...sizes, copied: 0 })).toEqual(['send 16', 'send 16', 'send 9'])
})

test('B2 a plan has every byte once and in order, and no part that S3 refuses', () => {
  const length = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 400 }))
  fc.assert(
    fc.property(
      fc.array(length, { maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(20),
      fc.constantFrom(0, 9, 50, 1000),
      (lengths, least, more, copied) => {
        const sizes = { least, sent: least + more, copied }
        const given = objects(lengths)
        const parts = planParts(given, sizes)
        const bytes = rangesOf(parts).flatMap(({ object, start, end }) =>
          Array.from({ length: end - start }, (_, index) => `${object.key} ${start + index}`),
        )
        expect(bytes).toEqual(
          given.flatMap(({ key, length: size }) => Array.from({ length: size }, (_, index) => `${key} ${index}`)),
        )
        const total = bytes.length
        for (const [index, part] of parts.entries()) {
          const size = lengthOf(part)
          if (index < parts.length - 1) expect(size).toBeGreaterThanOrEqual(least)
          expect(size).toBeGreaterThan(0)
          expect(size).toBeLessThanOrEqual(part.kind === 'copy' ? copied : Math.max(sizes.sent, least))
        }
        expect(parts.length).toBeLessThanOrEqual(Math.ceil(total / least))
      },
    ),
    { numRuns: 300 },
  )
})
