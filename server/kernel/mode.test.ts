import { beforeEach, describe, expect, it } from 'vitest'
import { DataFolderChanged } from '../platform/files/known-folder.ts'
import type { Log } from '../platform/log/log.ts'
import { openStationMode, type StationMode } from './mode.ts'

const FLOOR = 64_000
const STEP = 1_000
/** Below it the station takes no writes: a sixty-fourth of the floor, at least half a part of the reserve. */
const LOW = 1_000

let free: number
let dataFree: number | null
let replaced: boolean
let failures: string[]
let mode: StationMode

beforeEach(async () => {
  free = FLOOR * 2
  dataFree = free
  replaced = false
  failures = []
  mode = await openStationMode({
    space: async () => ({ free, total: FLOOR * 100 }),
    dataFolder: { isReplaced: () => replaced, freeBytes: () => dataFree },
    minFreeBytes: FLOOR,
    reserve: { left: () => STEP, step: STEP, release: async () => {}, restore: async () => true },
    log: { error: () => {}, info: () => {}, fatal: () => {} } as unknown as Log,
    ticks: () => 0,
    onFailed: (reason) => failures.push(reason),
  })
})

describe('before a transaction', () => {
  it('nothing is waited for while the volume of the database has room', () => {
    expect(mode.beforeWrite()).toBeNull()
    expect(mode.mayWrite()).toBe(true)
  })

  it('D6: a volume without room makes the station read-only, and room makes it writable again', async () => {
    dataFree = free = LOW - 1
    await mode.beforeWrite()
    expect(mode.mayWrite()).toBe(false)
    dataFree = free = FLOOR
    await mode.beforeWrite()
    expect(mode.mayWrite()).toBe(true)
    expect(mode.beforeWrite()).toBeNull()
  })

  it('another folder in the place of the data folder stops the station', async () => {
    replaced = true
    await expect(mode.beforeWrite()).rejects.toThrow(DataFolderChanged)
    expect(mode.mayRecord()).toBe(false)
    expect(failures).toHaveLength(1)
  })

  it('a data folder that is not there is judged by the other volumes', async () => {
    dataFree = null
    const checks = mode.beforeWrite()
    expect(checks).not.toBeNull()
    await checks
    expect(mode.mayWrite()).toBe(true)
  })
})

describe('a station that moves', () => {
  it('B6 is held for a while, tells it once, and takes writes again', () => {
    const told: (string | null)[] = []
    mode.onChange((reason) => told.push(reason))
    mode.hold('It moves.')
    mode.hold('It still moves.')
    expect([mode.mayWrite(), mode.mayRecord(), mode.reason()]).toEqual([false, true, 'It still moves.'])
    mode.hold(null)
    expect(mode.mayWrite()).toBe(true)
    expect(told).toEqual(['It moves.', null])
  })

  it('B6 takes no writes for good once it moved away; reads are recorded', async () => {
    mode.retire('It moved.')
    mode.hold(null)
    await mode.checkSpace()
    expect([mode.mayWrite(), mode.mayRecord(), mode.isRetired(), mode.reason()]).toEqual([
      false,
      true,
      true,
      'It moved.',
    ])
    expect(await mode.admission(0)).toBe('read-only')
  })
})
