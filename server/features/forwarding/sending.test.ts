import { describe, expect, it } from 'vitest'
import { itemAfterFailure, paceAfter } from './sending.ts'
import { isSweepDue } from './sweep.ts'

type Item = Parameters<typeof itemAfterFailure>[0]
const tried = (attempts: number): Item => ({ attempts }) as Item

describe('an item that could not be sent', () => {
  it('waits longer after each attempt', () => {
    expect(itemAfterFailure(tried(0), 'no', false, 1_000)).toEqual({
      state: 'waiting',
      attempts: 1,
      problem: 'no',
      next_at: 61_000,
    })
    expect(itemAfterFailure(tried(2), 'no', false, 0).next_at).toBe(180_000)
  })
  it('fails with the fifth attempt, or at once where a person is needed', () => {
    expect(itemAfterFailure(tried(3), 'no', false, 0).state).toBe('waiting')
    expect(itemAfterFailure(tried(4), 'no', false, 0).state).toBe('failed')
    expect(itemAfterFailure(tried(0), 'no', true, 0).state).toBe('failed')
  })
})

describe('the measured pace', () => {
  it('is that of the first file, and smoothed afterwards', () => {
    expect(paceAfter(null, 1_000_000, 1_000)).toBe(1_000_000)
    expect(paceAfter(1_000_000, 2_000_000, 1_000)).toBeCloseTo(1_300_000)
  })
  it('is not told by a small file, nor by one that took no time', () => {
    expect(paceAfter(5, 64 * 1024 - 1, 1_000)).toBe(5)
    expect(paceAfter(5, 1_000_000, 0.5)).toBe(5)
  })
})

describe('a sweep', () => {
  it('is due soon after changes, and takes a tenth of the time at most', () => {
    expect(isSweepDue({ ago: 1_000, took: 0, isChanged: true })).toBe(true)
    expect(isSweepDue({ ago: 999, took: 0, isChanged: true })).toBe(false)
    expect(isSweepDue({ ago: 1_999, took: 200, isChanged: true })).toBe(false)
    expect(isSweepDue({ ago: 2_000, took: 200, isChanged: true })).toBe(true)
  })
  it('is due every five minutes without any', () => {
    expect(isSweepDue({ ago: 299_999, took: 0, isChanged: false })).toBe(false)
    expect(isSweepDue({ ago: 300_000, took: 0, isChanged: false })).toBe(true)
  })
})
