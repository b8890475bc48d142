import { expect, test } from 'vitest'
import { headsOf, PAGE, type Shift } from './use-window.ts'

const shift = (FromUtc: string, First: number): Shift => ({
  Name: '',
  FromUtc,
  ToUtc: '',
  First,
  Count: 1,
  DurationSeconds: 0,
})

test('a shift that goes on from the page before has one head, and none while that page is not here', () => {
  const [night, day, early] = ['2026-11-20T22:00Z', '2026-11-20T14:00Z', '2026-11-20T06:00Z'] as const
  const pages = new Map([
    [1, [shift(day, 0), shift(early, 40)]],
    [0, [shift(night, 0), shift(day, 60)]],
    [3, [shift(early, 0)]],
  ])
  expect(headsOf(pages).map(({ FromUtc, at }) => [FromUtc, at])).toEqual([
    [night, 0],
    [day, 60],
    [early, PAGE + 40],
  ])
})
