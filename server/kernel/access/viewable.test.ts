import { describe, expect, it } from 'vitest'
import { FEW_POLICIES, gatheredUpTo } from './viewable.store.ts'

describe('what somebody can view', () => {
  it('is gathered for ten thousand policies, and on PostgreSQL for more with the root of the cases there are', () => {
    expect([0, 40_000, 1_000_000].map((cases) => gatheredUpTo('postgres', cases))).toEqual([10_000, 10_000, 50_000])
    expect(gatheredUpTo('sqlite', 1_000_000)).toBe(FEW_POLICIES)
  })
})
