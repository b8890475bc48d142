// @module-tag merge
import { describe, expect, it } from 'vitest'
import { createIdentify } from '../../server/features/docking/discovery/cameras.ts'
import { createIdentifyInWorker } from '../../server/features/docking/discovery/identify-in-worker.ts'
import type { Camera, IdentifyInput } from '../../server/features/docking/ports.ts'
import { profilesFrom } from '../../server/features/docking/profiles/profile.ts'
import { shippedProfiles } from '../../server/features/docking/profiles/shipped.ts'
import type { FoundFile } from '../../server/platform/files/walk.ts'
import { volume } from './cards.ts'
import { scale } from '../support/scale.ts'

const { profiles } = profilesFrom(shippedProfiles(), [])
const deps = { profiles: () => profiles, timeZone: 'UTC' }

/** Of a recorder that fills files of a minute, with sidecars, and letters that nobody asked for. */
function entriesOf(count: number): FoundFile[] {
  return Array.from({ length: count }, (_, at): FoundFile => {
    const begin = Date.UTC(2026, 0, 1) + Math.floor(at / 30) * 3_600_000 + (at % 30) * 110_000
    const stem = new Date(begin).toISOString().replace(/[-:]/g, '').replace('T', '_').slice(0, 15)
    const isMedia = at % 30 < 28
    const name = isMedia ? `${stem}_NF.mp4` : at % 30 === 28 ? `${stem}_N.gps` : `note ${at}.txt`
    const path = `/media/card/BlackVue/Record/${name}`
    return {
      kind: 'file',
      path,
      location: Buffer.from(path),
      name,
      length: 1000,
      allocated: 1000,
      modifiedNs: BigInt(begin + 60_000) * 1_000_000n,
      device: 1n,
      twin: false,
    }
  })
}

const looking = (entries: readonly FoundFile[]): IdentifyInput => ({
  volume: volume(),
  entries,
  read: async (file) => Buffer.from(`[1767225600000]$GPRMC of ${file.name}`),
  pluggedAt: null,
  now: () => Date.UTC(2026, 10, 21),
})

/** Everything of a camera as what can be compared. */
const told = (camera: Camera | { readonly notACamera: string }) => {
  if ('notACamera' in camera) return camera
  const { recordings, others, mayBeCleared, ...head } = camera
  return {
    head,
    recordings: recordings.map(({ files, parts, claimedSha256, ...one }) => ({
      ...one,
      files: files.map(({ name }) => name),
      parts: [...parts].map(([{ name }, times]) => [name, times]),
      claimed: [...claimedSha256].map(([{ name }, sha256]) => [name, sha256]),
      clearable: files.map(mayBeCleared),
    })),
    others: [...others].map(([{ name }, why]) => [name, why]),
  }
}

/** Milliseconds. Processors differ by more than two: the gate finds what blocks, the long count judges the promise (S17). */
const MOST = scale(100, 50)

describe('a card of many files', () => {
  it('is identified in a thread of its own with the same result, and its files are the ones that were found', async () => {
    const entries = entriesOf(4_000)
    const apart = await createIdentifyInWorker(deps)(looking(entries))
    expect(told(apart)).toEqual(told(await createIdentify(deps)(looking(entries))))
    const files = new Set(entries)
    for (const { files: own } of (apart as Camera).recordings) for (const file of own) expect(files).toContain(file)
    expect((apart as Camera).recordings.length).toBeGreaterThan(1_000)
  })

  it('that is no camera gives the reason', async () => {
    const entries = entriesOf(4_000).map((one) => ({
      ...one,
      name: 'a.txt',
      location: Buffer.from('/media/card/a.txt'),
    }))
    expect(await createIdentifyInWorker(deps)(looking(entries))).toEqual({ notACamera: expect.stringMatching(/\w/) })
  })

  it(`of 100,000 blocks the event loop for less than ${MOST} ms of processor time`, { timeout: 120_000 }, async () => {
    const entries = entriesOf(100_000)
    let over = false
    let longest = 0
    const watch = (async () => {
      for (let before = cpu(); !over; before = cpu()) {
        await new Promise((resolve) => setTimeout(resolve, 2))
        longest = Math.max(longest, cpu() - before)
      }
    })()
    const camera = await createIdentifyInWorker(deps)(looking(entries))
    over = true
    await watch
    expect((camera as Camera).recordings.length).toBeGreaterThan(30_000)
    console.info(`100,000 files: the longest step took ${longest.toFixed(1)} ms of the thread`)
    expect(longest).toBeLessThan(MOST)
  })
})

/** Of this thread, in milliseconds: a busy machine does not change it. */
const cpu = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
