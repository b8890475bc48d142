import { getHeapSpaceStatistics } from 'node:v8'
import { expect, it } from 'vitest'
import { limitYoungMemory } from './young-memory.ts'

const newSpace = (): number =>
  (getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0) / 2 ** 20

/** As requests do: much is made, some of it lives for a while, and the event loop goes on. @returns the largest space for new objects, in MiB */
async function traffic(): Promise<number> {
  let most = 0
  let kept: unknown[] = []
  for (let turn = 0; turn < 1_500; turn++) {
    for (let at = 0; at < 10_000; at++) kept.push({ turn, at: [at] })
    if (kept.length > 200_000) kept = kept.slice(150_000)
    await new Promise((resolve) => setImmediate(resolve))
    most = Math.max(most, newSpace())
  }
  return most
}

it('V5: keeps the space for new objects small under steady traffic, and lets it grow again afterwards', async () => {
  const release = limitYoungMemory()
  expect(await traffic()).toBeLessThanOrEqual(64)
  release()
  expect(await traffic()).toBeGreaterThan(64)
}, 60_000)
