import { describe, expect, it } from 'vitest'
import { createTurns, MOST_BEFORE_BACKGROUND, type Rank } from './turns.ts'

/** Turns that end when the test says so, and who had them. */
function world() {
  const turns = createTurns()
  const had: string[] = []
  const ends: (() => void)[] = []
  return {
    turns,
    had,
    take: (rank: Rank, name: string) =>
      turns.take(rank, () => {
        had.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      }),
    end: async () => {
      ends.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
const names = (count: number, of: string) => Array.from({ length: count }, (_, at) => `${of}${at + 1}`)

describe('turns at the writer', () => {
  it('L2: let a request go before all background work but the one that is under way', async () => {
    const { take, end, had } = world()
    for (const name of names(3, 'camera ')) void take('background', name)
    void take('request', 'page')
    for (let at = 0; at < 4; at++) await end()
    expect(had).toEqual(['camera 1', 'page', 'camera 2', 'camera 3'])
  })

  it('L1: give background work its share, however many requests there are', async () => {
    const { take, end, had } = world()
    const [first, second] = ['camera 1', 'camera 2'] as const
    const pages = names(3 * MOST_BEFORE_BACKGROUND, 'page ')
    void take('request', 'page 0')
    for (const name of [first, second]) void take('background', name)
    for (const name of pages) void take('request', name)
    for (let at = 0; at < pages.length + 3; at++) await end()
    const between = MOST_BEFORE_BACKGROUND
    expect([had.indexOf(first), had.indexOf(second)]).toEqual([between + 1, 2 * between + 2])
    expect(had.filter((name) => name.startsWith('page'))).toEqual(['page 0', ...pages])
  })

  it('D7: are one at a time, also after one that failed and for whoever comes in the moment between two', async () => {
    const turns = createTurns()
    let working = 0
    let most = 0
    const work = async (): Promise<void> => {
      most = Math.max(most, ++working)
      await Promise.resolve()
      working--
      throw new Error('no')
    }
    const late = async (): Promise<void> => {
      await turns.take('request', work).catch(() => {})
      await turns.take('background', work)
    }
    const all = await Promise.allSettled([late(), late(), turns.take('background', work), turns.take('request', work)])
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
    expect(most).toBe(1)
  })

  it('are over when nobody works and nobody waits', async () => {
    const { take, end, turns, had } = world()
    await turns.idle()
    void take('request', 'page')
    void take('background', 'camera')
    let idle = false
    const rested = turns.idle().then(() => (idle = true))
    await end()
    expect([had, idle]).toEqual([['page', 'camera'], false])
    await end()
    await rested
    expect(idle).toBe(true)
  })
})
