import { describe, expect, it } from 'vitest'
import { orderOf } from './derivation-jobs.ts'

describe('the order of derivation jobs', () => {
  it('is what a file is and its picture for all evidence, then what plays, then strips; within each the newest first', () => {
    const jobs = [1, 2, 1_000_000].flatMap((id) =>
      ['derive.strip', 'derive.playable', 'derive.poster', 'derive.inspect'].map((kind) => ({ kind, id })),
    )
    const sorted = jobs
      .toSorted((a, b) => orderOf(a.kind, a.id) - orderOf(b.kind, b.id))
      .map(({ kind, id }) => `${kind} ${id}`)
    expect(sorted).toEqual([
      'derive.poster 1000000',
      'derive.inspect 1000000',
      'derive.poster 2',
      'derive.inspect 2',
      'derive.poster 1',
      'derive.inspect 1',
      'derive.playable 1000000',
      'derive.playable 2',
      'derive.playable 1',
      'derive.strip 1000000',
      'derive.strip 2',
      'derive.strip 1',
    ])
  })
})
