import { expect, it } from 'vitest'
import { sharedRead } from './shared-read.ts'

it('S1, U7: a read that began before the question never answers it, and questions that wait share the next one', async () => {
  let state = 'old'
  const ends: (() => void)[] = []
  let reads = 0
  const ask = sharedRead(async () => {
    reads += 1
    const seen = state
    await new Promise<void>((resolve) => ends.push(resolve))
    return seen
  })
  const first = ask()
  await expect.poll(() => ends.length).toBe(1)
  state = 'new'
  const later = [ask(), ask()]
  ends.shift()?.()
  expect(await first).toBe('old')
  await expect.poll(() => ends.length).toBe(1)
  ends.shift()?.()
  expect([await Promise.all(later), reads]).toEqual([['new', 'new'], 2])
})

it('a read that fails fails its own questions, and the next one goes on', async () => {
  let fails = true
  const ask = sharedRead(async () => {
    if (fails) throw new Error('away')
    return 1
  })
  await expect(ask()).rejects.toThrow('away')
  fails = false
  expect(await ask()).toBe(1)
})
