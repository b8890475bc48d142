import { describe, expect, it } from 'vitest'
import { matchOf, parseSearch } from '../../../shared/search/search-query.ts'
import {
  countTerms,
  enlarged,
  isOneWord,
  LEAST_SAMPLED,
  type NewestCounts,
  readEach,
  windowHolding,
  windowOf,
  windowsOfPage,
} from './newest-rows.ts'

const TEN_MILLION = { last: 10_000_000, looked: 10_000 }
/** One row in ten has the words. */
const FREQUENT: NewestCounts = { ...TEN_MILLION, all: 1_000, terms: 1 }

const all = (query: string): string => matchOf(parseSearch(query)).all ?? ''

describe('B8: windows of the newest rows', () => {
  it('hold somewhat more rows than should have the words as often as is wanted', () => {
    expect(windowHolding(FREQUENT, 10_000)).toEqual({
      from: 10_000_000 - 130_000,
      to: Number.MAX_SAFE_INTEGER,
      each: true,
    })
  })

  it('are not made of rare words, nor where they would be more than half of all rows', () => {
    expect(windowHolding({ ...FREQUENT, all: LEAST_SAMPLED - 1 }, 10)).toBeNull()
    expect(windowHolding({ ...FREQUENT, last: 200_000 }, 10_001)).toBeNull()
    expect(windowOf(FREQUENT, 5_000_001)).toBeNull()
  })

  it('are read row by row where the index of words would give far more rows', () => {
    // One in a hundred: the index gives 100,000 rows, and 1,300,000 would be read for 10,000 of them.
    expect(windowHolding({ ...FREQUENT, all: 100 }, 10_001)?.each).toBe(false)
    expect(readEach(FREQUENT, { from: 5_000_000, to: 5_200_000 }).each).toBe(true)
    expect(readEach(FREQUENT, { from: 5_000_000, to: 8_000_000 }).each).toBe(false)
    expect(readEach({ ...FREQUENT, all: LEAST_SAMPLED - 1 }, { from: 5_000_000, to: 5_000_010 }).each).toBe(false)
  })

  it('are read row by row the sooner, the more terms are asked for: the index gives all rows of each', () => {
    // One row in a hundred has both words; each alone is in one of ten.
    expect(windowHolding({ ...FREQUENT, all: 100, terms: 2 }, 10_001)?.each).toBe(true)
    expect(countTerms('"tanner"* AND "ferry street"')).toBe(2)
    expect(countTerms('tags : "night ""shift"""')).toBe(1)
    expect(countTerms(all('theft -window -"a b"'))).toBe(1)
    expect(countTerms('')).toBe(0)
  })

  it('one word is told from what the server cannot estimate', () => {
    const asked = ['abbey', '"abbey"', '"ferry street"', 'device:sn17', 'tanner door', 'theft -window']
    expect(asked.map((one) => isOneWord(all(one)))).toEqual([true, true, false, false, false, false])
    // As the list of evidence writes one.
    expect(isOneWord('"abbey"*')).toBe(true)
  })

  it('grow by what was found in them, as long as that tells something', () => {
    const window = { from: 9_900_000, to: Number.MAX_SAFE_INTEGER, each: true }
    expect(enlarged(FREQUENT, window, 1_000, 10_000)?.from).toBe(10_000_000 - 1_300_000)
    expect(enlarged(FREQUENT, window, LEAST_SAMPLED - 1, 10_000)).toBeNull()
    expect(enlarged(FREQUENT, window, LEAST_SAMPLED, 10_000)).toBeNull()
  })

  it('of a page lie before the page before, and each is larger than the one before it', () => {
    expect(windowsOfPage(FREQUENT, 1_000, 5_000_000, 50)).toEqual([
      { from: 5_000_000 - 2_000, to: 5_000_000, each: true },
      { from: 5_000_000 - 32_000, to: 5_000_000, each: true },
    ])
    expect(windowsOfPage(FREQUENT, 1_000, null, 50)[0]?.to).toBe(Number.MAX_SAFE_INTEGER)
    expect(windowsOfPage(FREQUENT, LEAST_SAMPLED - 1, null, 50)).toEqual([])
    expect(windowsOfPage(FREQUENT, 1_000, 1_500, 50)).toEqual([])
  })
})
