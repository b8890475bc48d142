import { describe, expect, it, onTestFinished } from 'vitest'
import type { Volume, VolumeChange, Volumes } from '../../server/platform/volumes/volumes.ts'

/** Two cards that can be plugged in and pulled, and whatever is there from the start and is no camera. */
export interface VolumesBench {
  readonly volumes: Volumes
  plug(card: 'one' | 'two'): Promise<void>
  pull(card: 'one' | 'two'): Promise<void>
  /** From now on the system cannot be asked, or can again. */
  fail(now: boolean): Promise<void>
  dispose(): Promise<void>
}

/** What every implementation of `Volumes` promises. */
export function volumesConformance(name: string, open: () => Promise<VolumesBench>): void {
  describe(`volumes: ${name}`, () => {
    const bench = async (): Promise<VolumesBench> => {
      const made = await open()
      onTestFinished(() => made.dispose())
      return made
    }

    it('lists volumes that could be cameras, and no others', async () => {
      const { volumes, plug } = await bench()
      expect(await volumes.list()).toEqual([])
      await plug('one')
      await plug('two')
      const found = await volumes.list()
      expect(found).toHaveLength(2)
      for (const volume of found) expectWhole(volume)
      expect(new Set(found.map(({ id }) => id)).size).toBe(2)
    })

    it('gives a volume the same id as long as it stays, and another when it comes again', async () => {
      const { volumes, plug, pull } = await bench()
      await plug('one')
      const [first] = await volumes.list()
      await plug('two')
      expect((await volumes.list()).map(({ id }) => id)).toContain(first?.id)
      await pull('one')
      expect((await volumes.list()).map(({ id }) => id)).not.toContain(first?.id)
      await plug('one')
      const again = await volumes.list()
      expect(again).toHaveLength(2)
    })

    it('reports the volumes that are there first, then each that comes or goes within 2 s', async () => {
      const { volumes, plug, pull } = await bench()
      await plug('one')
      const told = watching(volumes)
      const [start] = await told.next()
      expect(start).toMatchObject({ removed: [] })
      expect(start?.added).toHaveLength(1)
      await plug('two')
      const [came, cameAfter] = await told.next()
      expect(came?.added).toHaveLength(1)
      expect(came?.present).toHaveLength(2)
      expect(cameAfter).toBeLessThan(2000)
      await pull('one')
      const [went, wentAfter] = await told.next()
      expect(went?.removed.map(({ id }) => id)).toEqual(start?.added.map(({ id }) => id))
      expect(went?.present.map(({ id }) => id)).toEqual(came?.added.map(({ id }) => id))
      expect(wentAfter).toBeLessThan(2000)
      await told.stop()
    })

    it('ignores a list that cannot be read: no camera counts as pulled', async () => {
      const { volumes, plug, fail } = await bench()
      await plug('one')
      const told = watching(volumes)
      await told.next()
      await fail(true)
      await plug('two')
      await new Promise((resolve) => setTimeout(resolve, 1200))
      expect(told.waiting()).toBe(0)
      await fail(false)
      const [change] = await told.next()
      expect(change).toMatchObject({ removed: [] })
      expect(change?.present).toHaveLength(2)
      await told.stop()
    })
  })
}

function expectWhole(volume: Volume): void {
  expect(volume.id).toMatch(/^[0-9a-f]{32}$/)
  expect(volume.root).not.toBe('')
  expect(volume.location.toString()).toBe(volume.root)
  expect(volume.filesystem).not.toBe('')
  expect(volume.device).not.toBe('')
  if (volume.bytes !== null) expect(volume.bytes.total).toBeGreaterThanOrEqual(volume.bytes.free)
  if (volume.usb !== null) {
    expect(volume.usb.vendorId).toMatch(/^[0-9a-f]{4}$/)
    expect(volume.usb.productId).toMatch(/^[0-9a-f]{4}$/)
    expect(volume.usb.busPath).not.toBe('')
  }
}

function watching(volumes: Volumes) {
  const changes: VolumeChange[] = []
  const stop = new AbortController()
  let wake = (): void => {}
  const done = volumes.watch((change) => {
    changes.push(change)
    wake()
  }, stop.signal)
  return {
    waiting: () => changes.length,
    /** The next change and after how many milliseconds it came. */
    next: async (): Promise<[VolumeChange | undefined, number]> => {
      const start = performance.now()
      while (changes.length === 0) {
        const late = new Promise<never>((_, reject) =>
          setTimeout(() => reject(new Error('Nothing was told for 10 s.')), 10_000).unref(),
        )
        await Promise.race([new Promise<void>((resolve) => (wake = resolve)), late])
      }
      return [changes.shift(), performance.now() - start]
    },
    stop: async () => {
      stop.abort()
      await done
    },
  }
}
