/** Every test of a screen is known as one, so that the gate runs its journeys alone. */
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isInTier } from '../../build/scripts/tiers.ts'

it('every file of test/ui has the tag of screens', () => {
  const files = globSync('test/ui/**/*.test.ts')
  expect(files.length).toBeGreaterThan(40)
  expect(files.filter((file) => !/^\/\/ @module-tag screen$/m.test(readFileSync(file, 'utf8')))).toEqual([])
})

it('the gate has all but screens and what is left to a merge, and of screens the journeys; the rest has what the gate leaves', () => {
  const tags = [[], ['screen'], ['screen', 'journey'], ['merge'], ['screen', 'journey', 'merge']]
  expect(tags.map((each) => isInTier('quick', each))).toEqual([true, false, true, false, false])
  expect(tags.map((each) => isInTier('rest', each))).toEqual([false, true, false, true, true])
  expect(tags.map((each) => isInTier('merge', each))).toEqual([true, true, true, true, true])
})
