/** Every test of a screen is known as one, so that the gate runs its journeys alone. */
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { filesLeftWhole, isLeftWhole, isQuick } from '../../build/scripts/tiers.ts'

it('every file of test/ui has the tag of screens', () => {
  const files = globSync('test/ui/**/*.test.ts')
  expect(files.length).toBeGreaterThan(40)
  expect(files.filter((file) => !/^\/\/ @module-tag screen$/m.test(readFileSync(file, 'utf8')))).toEqual([])
})

it('npm test has all but screens and what is left to the rest, and of screens the journeys', () => {
  const tags = [[], ['screen'], ['screen', 'journey'], ['merge'], ['screen', 'journey', 'merge'], ['counted']]
  expect(tags.map(isQuick)).toEqual([true, false, true, false, false, true])
})

it('npm test loads no file of which it runs nothing, and every file of which it runs a test', () => {
  const tag = (name: string): string => `// @module-tag ${name}\n`
  const journey = "it('x', { tags: ['journey'] }, () => {})"
  const texts = ['', tag('counted'), tag('merge'), tag('screen'), tag('screen') + journey, tag('merge') + journey]
  expect(texts.map(isLeftWhole)).toEqual([false, false, true, true, false, true])
  const left = filesLeftWhole()
  expect(left.length).toBeGreaterThan(100)
  expect(left.filter((file) => file.startsWith('test/scale/'))).toEqual([])
})
