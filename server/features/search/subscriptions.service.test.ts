import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newAmong } from './subscriptions.service.ts'

it('tells what was not there, and nothing of what was or only went', () => {
  expect(newAmong(['c', 'b', 'a'], ['b', 'a'])).toEqual(['c'])
  expect(newAmong(['b', 'd', 'a'], ['b', 'a'])).toEqual(['d'])
  expect(newAmong(['a'], ['b', 'a'])).toEqual([])
  expect(newAmong([], ['a'])).toEqual([])
})

it('of more hits than are kept, older ones that moved up are not new', () => {
  const all = Array.from({ length: 300 }, (_, at) => `Evidence ${300 - at}`)
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 199 }), { maxLength: 60 }), fc.nat(40), (gone, came) => {
      const known = all.slice(0, 200)
      const left = all.filter((_, at) => !gone.includes(at))
      const fresh = Array.from({ length: came }, (_, at) => `Evidence ${400 - at}`)
      expect(newAmong([...fresh, ...left].slice(0, 200), known)).toEqual(fresh)
    }),
  )
})
