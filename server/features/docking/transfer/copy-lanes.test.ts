import { describe, expect, it } from 'vitest'
import { createLanes } from './copy-lanes.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const never = new AbortController().signal

/** Files that end when the test says so. */
function files() {
  const under = new Map<string, (() => void)[]>()
  return {
    under,
    work: (camera: string) => () =>
      new Promise<void>((resolve) => under.set(camera, [...(under.get(camera) ?? []), resolve])),
    count: () => [...under.values()].reduce((sum, list) => sum + list.length, 0),
    end: async (camera: string): Promise<void> => {
      under.get(camera)?.shift()?.()
      await turn()
      await turn()
    },
  }
}

describe('lanes', () => {
  it('are never more than there are, and never more of one camera than it may have', async () => {
    const lanes = createLanes(3, 2)
    const { work, count, under } = files()
    for (let i = 0; i < 5; i++) void lanes.run({ camera: 'a', hub: 'x' }, 10, never, work('a'))
    await turn()
    expect(under.get('a')).toHaveLength(2)
    for (let i = 0; i < 5; i++) void lanes.run({ camera: 'b', hub: 'x' }, 10, never, work('b'))
    await turn()
    expect([count(), under.get('b')?.length]).toEqual([3, 1])
  })

  it('go to the camera that has got the least, not to the one that came first', async () => {
    const lanes = createLanes(1, 2)
    const { work, end } = files()
    const got: string[] = []
    const camera = async (name: string, bytes: number, times: number): Promise<void> => {
      for (let i = 0; i < times; i++)
        await lanes.run({ camera: name, hub: name }, bytes, never, () => {
          got.push(name)
          return work(name)()
        })
    }
    const all = Promise.all([camera('large', 300, 3), camera('small', 100, 9)])
    await turn()
    for (let i = 0; i < 12; i++) await end(got.at(-1) as string)
    await all
    // Three hundred bytes each, in turn: one of the large ones, then three of the small ones.
    expect(got.slice(0, 8).filter((name) => name === 'small').length).toBeGreaterThanOrEqual(5)
    expect(got).toHaveLength(12)
  })

  it('L1: let cameras that come together end together, whichever asked first', async () => {
    const lanes = createLanes(2, 2)
    const { work, end } = files()
    const begun: string[] = []
    const camera = (name: string, times: number) => {
      for (let i = 0; i < times; i++)
        void lanes.run({ camera: name, hub: 'x' }, 10, never, () => {
          begun.push(name)
          return work(name)()
        })
    }
    // Nobody else has come when it asks: both lanes are its own.
    camera('first', 4)
    await turn()
    for (const name of ['second', 'third']) camera(name, 4)
    // Each file takes as long as any other.
    for (let at = 0; at < 12; at++) await end(begun[at] as string)
    expect(new Set(begun.slice(-3))).toEqual(new Set(['first', 'second', 'third']))
  })

  it('L3: let a camera that comes later begin in the middle of the others, not before all of them', async () => {
    const lanes = createLanes(1, 1, 10)
    const { work, end } = files()
    const begun: string[] = []
    const camera = (name: string, bytes: number, times: number) => {
      for (let i = 0; i < times; i++)
        void lanes.run({ camera: name, hub: 'x' }, bytes, never, () => {
          begun.push(name)
          return work(name)()
        })
    }
    camera('small', 10, 2)
    camera('middle', 20, 2)
    camera('large', 40, 2)
    await turn()
    for (let at = 0; at < 2; at++) await end(begun[at] as string)
    expect(begun).toEqual(['small', 'middle', 'large'])
    // What they began lies back longer than cameras are taken for put in together.
    await new Promise((resolve) => setTimeout(resolve, 50))
    camera('late', 40, 2)
    for (let at = 2; at < 7; at++) await end(begun[at] as string)
    expect(begun.slice(3)).toEqual(['small', 'middle', 'late', 'large', 'late'])
  })

  it('keep every line to the machine busy before a second one goes to the same', async () => {
    const lanes = createLanes(2, 2)
    const { work, under, end } = files()
    void lanes.run({ camera: 'a', hub: 'left' }, 1, never, work('a'))
    void lanes.run({ camera: 'b', hub: 'left' }, 1, never, work('b'))
    void lanes.run({ camera: 'c', hub: 'left' }, 1, never, work('c'))
    void lanes.run({ camera: 'd', hub: 'right' }, 1, never, work('d'))
    await turn()
    expect([...under.keys()]).toEqual(['a', 'b'])
    await end('a')
    expect(under.get('d')).toHaveLength(1)
    expect(lanes.waiting()).toEqual(['c'])
  })

  it('are released by a copy that fails, and given up by one that ends while waiting', async () => {
    const lanes = createLanes(1, 1)
    const away = new AbortController()
    const first = lanes.run({ camera: 'a', hub: 'x' }, 1, never, async () => {
      await turn()
      throw new Error('broken')
    })
    const second = lanes.run({ camera: 'b', hub: 'x' }, 1, away.signal, async () => 'never')
    const third = lanes.run({ camera: 'c', hub: 'x' }, 1, never, async () => 'came')
    const ends = Promise.allSettled([first, second])
    away.abort(new Error('pulled'))
    const [broken, pulled] = await ends
    expect([broken, pulled]).toMatchObject([{ reason: { message: 'broken' } }, { reason: { message: 'pulled' } }])
    await expect(third).resolves.toBe('came')
  })
})
