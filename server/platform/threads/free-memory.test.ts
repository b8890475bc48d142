import { expect, it } from 'vitest'
import { freeMemoryOfStart } from './free-memory.ts'

it('V5: releases unused memory of the start, without exposing gc to other code', () => {
  let taken: unknown[] | null = Array.from({ length: 2_000_000 }, (_, at) => ({ at }))
  const before = process.memoryUsage().heapTotal
  expect(taken.length).toBe(2_000_000)
  taken = null
  freeMemoryOfStart()
  expect(process.memoryUsage().heapTotal).toBeLessThan(before - 20 * 2 ** 20)
  expect('gc' in globalThis).toBe(false)
})
