import { expect, test } from 'vitest'
import { type Fold, foldedShifts, headsOf, PAGE, pagesOf, placeOf, type Shift } from './use-window.ts'

const shift = (FromUtc: string, First: number, Count = 1): Shift => ({
  Name: '',
  FromUtc,
  ToUtc: '',
  First,
  Count,
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

test('behind a folded shift the next one has its head, though no page between was here', () => {
  const [night, day] = ['2026-11-20T22:00Z', '2026-11-20T14:00Z'] as const
  const pages = new Map([
    [0, [shift(night, 0, 5 * PAGE)]],
    [5, [shift(day, 0, 40)]],
  ])
  expect(headsOf(pages).map(({ FromUtc, at }) => [FromUtc, at])).toEqual([
    [night, 0],
    [day, 5 * PAGE],
  ])
})

const heads = [
  { ...shift('night', 0, 500), at: 0 },
  { ...shift('day', 0, 60), at: 500 },
  { ...shift('early', 0, 40), at: 560 },
]

test('folded rows are counted out, and the rows behind them keep their places in the list', () => {
  const { shifts, folds } = foldedShifts(heads, new Set(['night', 'early']), 600)
  expect(shifts.map(({ FromUtc, shownAt, folded }) => [FromUtc, shownAt, folded])).toEqual([
    ['night', 0, true],
    ['day', 0, false],
    ['early', 60, true],
  ])
  expect(folds).toEqual([
    { at: 0, rows: 500 },
    { at: 560, rows: 40 },
  ])
  expect([0, 59].map((shown) => placeOf(folds, shown))).toEqual([500, 559])
})

test('what came between two heads since they were counted is not folded away', () => {
  const { folds } = foldedShifts([{ ...shift('night', 0, 90), at: 0 }, ...heads.slice(1)], new Set(['night']), 600)
  expect(folds).toEqual([{ at: 0, rows: 90 }])
  const fewer = foldedShifts([{ ...shift('night', 0, 700), at: 0 }, ...heads.slice(1)], new Set(['night']), 600)
  expect(fewer.folds).toEqual([{ at: 0, rows: 500 }])
})

test('one head over all rows parts nothing, and folds nothing', () => {
  const [night] = heads
  expect(foldedShifts(heads.slice(0, 1), new Set(['night']), night?.Count ?? 0)).toEqual({ shifts: [], folds: [] })
  expect(foldedShifts(heads.slice(0, 1), new Set(), 600).shifts).toHaveLength(1)
})

test('pages are those of shown rows and of the heads among them, not those between', () => {
  const folds: readonly Fold[] = [
    { at: 20, rows: 5 * PAGE },
    { at: 40 * PAGE, rows: PAGE },
  ]
  expect(pagesOf(folds, 0, 30)).toEqual([0, 5])
  expect(pagesOf([], 90, 210)).toEqual([0, 1, 2])
})
