import { expect, test } from 'vitest'
import { isFiltered, queryOf, readSearch, toAddress } from './search.ts'

test('values stand in the address with commas between them; the form of earlier versions is read too', () => {
  const search = readSearch({ type: 'image,video', tag: 'night', officer: 7, q: 338 })
  expect(search).toMatchObject({ type: ['image', 'video'], tag: ['night'], officer: ['7'], q: '338' })
  expect(toAddress(search)).toEqual({ type: 'image,video', tag: 'night', officer: 7, q: 338 })
  expect(readSearch({ type: ['image', 'video'], tag: ['a,b'], unfinished: true })).toMatchObject({
    type: ['image', 'video'],
    tag: ['a,b'],
    has: ['unfinished'],
  })
  expect(toAddress(readSearch({ tag: ['a,b', 'c'] }))).toEqual({ tag: ['a,b', 'c'] })
})

test('what is as usual, and what nobody knows, does not stand there', () => {
  expect(
    toAddress(readSearch({ sort: 'recorded', dir: 'desc', type: 'none', when: 'never', min: '-1', cols: '' })),
  ).toEqual({})
  expect(isFiltered(readSearch({ q: '  ', sort: 'name' }))).toBe(false)
  expect(isFiltered(readSearch({ has: 'noCase' }))).toBe(true)
  expect(isFiltered(readSearch({ when: 'shift' }))).toBe(true)
})

test('the station is asked in its own words', () => {
  const search = readSearch({ has: 'notes,noCase', when: 'lastShift', min: 1000, case: 4, device: 'a'.repeat(32) })
  expect(queryOf(search)).toEqual({
    notes: 'true',
    noCase: 'true',
    period: 'lastShift',
    minLength: '1000',
    case: '4',
    device: ['a'.repeat(32)],
    sort: 'recorded',
    direction: 'desc',
  })
})
