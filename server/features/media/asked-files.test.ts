import { describe, expect, it } from 'vitest'
import { lanes } from './asked-files.ts'

const never = new AbortController().signal

describe('files that are asked for', () => {
  it('are made so many at once, in the order in which they were asked for', async () => {
    const inTurn = lanes(2)
    const ends: (() => void)[] = []
    const begun: number[] = []
    const asked = [0, 1, 2, 3].map((number) =>
      inTurn(never, () => {
        begun.push(number)
        return new Promise<void>((resolve) => ends.push(resolve))
      }),
    )
    await new Promise(setImmediate)
    expect(begun).toEqual([0, 1])
    ends[1]?.()
    await asked[1]
    await new Promise(setImmediate)
    expect(begun).toEqual([0, 1, 2])
    ends[0]?.()
    await new Promise(setImmediate)
    expect(begun).toEqual([0, 1, 2, 3])
    for (const end of ends) end()
    await Promise.all(asked)
  })

  it('and one that nobody waits for any more is not begun, and leaves its place to the next', async () => {
    const inTurn = lanes(1)
    const stop = new AbortController()
    let end = (): void => {}
    const first = inTurn(never, () => new Promise<void>((resolve) => (end = resolve)))
    const left = inTurn(stop.signal, async () => 'begun')
    const last = inTurn(never, async () => 'last')
    stop.abort(new Error('gone'))
    end()
    await first
    await expect(left).rejects.toThrow('gone')
    expect(await last).toBe('last')
  })
})
