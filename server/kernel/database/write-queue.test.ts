import { describe, expect, it } from 'vitest'
import { createWriteQueue, MOST_BEFORE_BACKGROUND, type WritePriority } from './transactions.ts'

/** A queue whose work ends when the test says so. `ran` lists the started work. */
function createWorld() {
  const queue = createWriteQueue()
  const ran: string[] = []
  const ends: (() => void)[] = []
  return {
    queue,
    ran,
    start: (priority: WritePriority, name: string) =>
      queue.run(priority, () => {
        ran.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      }),
    end: async () => {
      ends.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
const names = (count: number, of: string) => Array.from({ length: count }, (_, at) => `${of}${at + 1}`)

describe('the write queue', () => {
  it('L2: runs a request before all waiting background work', async () => {
    const { start, end, ran } = createWorld()
    for (const name of names(3, 'camera ')) void start('background', name)
    void start('request', 'page')
    for (let at = 0; at < 4; at++) await end()
    expect(ran).toEqual(['camera 1', 'page', 'camera 2', 'camera 3'])
  })

  it('L1: gives background work its share, however many requests there are', async () => {
    const { start, end, ran } = createWorld()
    const [first, second] = ['camera 1', 'camera 2'] as const
    const pages = names(3 * MOST_BEFORE_BACKGROUND, 'page ')
    void start('request', 'page 0')
    for (const name of [first, second]) void start('background', name)
    for (const name of pages) void start('request', name)
    for (let at = 0; at < pages.length + 3; at++) await end()
    const between = MOST_BEFORE_BACKGROUND
    expect([ran.indexOf(first), ran.indexOf(second)]).toEqual([between + 1, 2 * between + 2])
    expect(ran.filter((name) => name.startsWith('page'))).toEqual(['page 0', ...pages])
  })

  it('D7: runs one at a time, also after a failure and for calls between two runs', async () => {
    const queue = createWriteQueue()
    let working = 0
    let most = 0
    const work = async (): Promise<void> => {
      most = Math.max(most, ++working)
      await Promise.resolve()
      working--
      throw new Error('no')
    }
    const late = async (): Promise<void> => {
      await queue.run('request', work).catch(() => {})
      await queue.run('background', work)
    }
    const all = await Promise.allSettled([late(), late(), queue.run('background', work), queue.run('request', work)])
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
    expect(most).toBe(1)
  })

  it('is idle when nothing runs and nothing waits', async () => {
    const { start, end, queue, ran } = createWorld()
    await queue.idle()
    void start('request', 'page')
    void start('background', 'camera')
    let idle = false
    const becameIdle = queue.idle().then(() => (idle = true))
    await end()
    expect([ran, idle]).toEqual([['page', 'camera'], false])
    await end()
    await becameIdle
    expect(idle).toBe(true)
  })

  it('D7: with several connections runs beside each other what may, and alone what may not, in the order of the calls', async () => {
    const queue = createWriteQueue(2)
    const running: string[] = []
    const ends = new Map<string, () => void>()
    const start = (name: string, besideOthers: boolean): void =>
      void queue.run(
        'request',
        (place) => {
          running.push(`${name} on ${place}`)
          return new Promise<void>((resolve) => ends.set(name, resolve))
        },
        besideOthers,
      )
    const end = async (name: string): Promise<void> => {
      ends.get(name)?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (const name of ['a', 'b', 'c']) start(name, true)
    start('alone', false)
    start('d', true)
    expect(running).toEqual(['a on 0', 'b on 1'])
    await end('b')
    expect(running.slice(2)).toEqual(['c on 1'])
    // A connection is free, but nothing passes the one that waits to run alone, and that has the first connection.
    await end('a')
    expect(running.slice(3)).toEqual([])
    await end('c')
    expect(running.slice(3)).toEqual(['alone on 0'])
    await end('alone')
    expect(running.slice(4)).toEqual(['d on 0'])
    const idle = queue.idle().then(() => 'idle')
    await end('d')
    expect(await idle).toBe('idle')
  })
})
