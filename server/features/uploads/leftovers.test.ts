import { expect, it } from 'vitest'
import { leftoversRemoval } from './leftovers.ts'

const HOUR = 3_600_000

it('leftovers in an object store are removed by a clock that is believed alone: not just after a start, and not for a day after a jump', async () => {
  let [wall, monotonic] = [Date.UTC(2026, 10, 20), 0]
  const removed = { uploads: 0, blocks: 0 }
  const run = leftoversRemoval({
    store: { removeLeftovers: async () => (removed.uploads += 1) },
    uploads: { removeLeftovers: async () => (removed.blocks += 1) },
    clock: { now: () => wall, monotonic: () => monotonic },
  })
  const after = async (hours: number, jump = 0): Promise<number[]> => {
    monotonic += hours * HOUR
    wall += (hours + jump) * HOUR
    await run()
    return [removed.uploads, removed.blocks]
  }
  expect(await after(0.5)).toEqual([0, 0])
  expect(await after(1)).toEqual([1, 1])
  expect(await after(1, 25)).toEqual([1, 1])
  expect(await after(22)).toEqual([1, 1])
  expect(await after(3)).toEqual([2, 2])
})
