import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Json } from '../support/given.ts'
import { patience } from '../support/scale.ts'
import { dockWorld } from './world.ts'
import { dropTriggers } from '../support/rows.ts'

let world: Awaited<ReturnType<typeof dockWorld>>
afterEach(async () => {
  vi.restoreAllMocks()
  await world?.close()
})

const flipped = (bytes: Buffer): Buffer => {
  const other = Buffer.from(bytes)
  other[100] = (other[100] as number) ^ 1
  return other
}

/** As if everything had been taken in four days ago. */
const fourDaysLater = (): Promise<void> =>
  world.given.meddle((db) => {
    const restoreTriggers = dropTriggers(db, 'ledger')
    for (const row of db.prepare('SELECT seq, body FROM ledger').all() as { seq: number; body: Uint8Array }[]) {
      const entry = JSON.parse(Buffer.from(row.body).toString('utf8'))
      if (entry.action !== 'resource.completed') continue
      entry.timeUtc = new Date(Date.parse(entry.timeUtc) - 4 * 86_400_000).toISOString()
      db.prepare('UPDATE ledger SET body = ? WHERE seq = ?').run(Buffer.from(JSON.stringify(entry)), row.seq)
    }
    restoreTriggers()
  })

describe('a camera that stays in its bay', () => {
  it('I6 is cleared when its days are over, of what the station can give back and what is still the same', {
    timeout: patience(120_000),
  }, async () => {
    world = await dockWorld({ dockClear: '3' })
    const camera = world.camera('bay-1', { serial: 'B1', recordings: [3] })
    camera.plugIn()
    const first = await world.reached('bay-1', 'released')
    for (const file of await world.filesOf(first.DockSessionId))
      if (file.Outcome === 'taken') expect(file.KeptBecause).toMatch(/^It stays until 20/)
    const [rotten, swapped, well] = camera.files
    const sha256 = rotten?.sha256 ?? ''
    const blob = path.join(world.given.data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
    rmSync(blob)
    writeFileSync(blob, flipped(rotten?.bytes as Buffer))
    const onCard = path.join(camera.at, swapped?.path as string)
    const at = Date.UTC(2026, 10, 21, 8) / 1000
    writeFileSync(onCard, flipped(swapped?.bytes as Buffer))
    utimesSync(onCard, at, at)
    await fourDaysLater()

    const end = Date.now() + patience(60_000)
    let second: Json
    while (second === undefined && Date.now() < end) {
      await pause(250)
      second = (await world.sessions()).find(
        (one) => one.DockSessionId !== first.DockSessionId && one.State === 'released',
      )
    }
    const files = new Map((await world.filesOf(second.DockSessionId)).map((one) => [one.Path, one]))
    const outcome = (file: typeof well): unknown[] => {
      const { Outcome, Cleared } = files.get(file?.path ?? '') ?? {}
      return [Outcome, Cleared]
    }
    expect([well, rotten, swapped].map(outcome)).toEqual([
      ['here', 'cleared'],
      ['here', 'kept'],
      ['taken', 'kept'],
    ])
    expect(camera.left().sort()).toEqual([rotten?.path, swapped?.path].sort())
    // It goes on waiting for what was taken anew, and begins nothing for what is kept for another reason.
    expect(files.get(swapped?.path ?? '')?.KeptBecause).toMatch(/^It stays until 20/)
    expect(await world.sessions()).toHaveLength(2)
  })
  it('I6 is not cleared by a clock that jumped, in its bay or when it comes again', {
    tags: ['merge'],
    timeout: patience(120_000),
  }, async () => {
    world = await dockWorld({ dockClear: '3' })
    const camera = world.camera('bay-1', { serial: 'B2', recordings: [2] })
    camera.plugIn()
    const first = await world.reached('bay-1', 'released')
    const released = () =>
      world.given.meddle(
        (db) => db.prepare("SELECT count(*) FROM dock_sessions WHERE state = 'released'").pluck().get() as number,
      )
    const now = Date.now.bind(Date)
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 4 * 86_400_000)
    // The station looks every 20 seconds whether the time of a file has come.
    await pause(21_000)
    expect(await released()).toBe(1)
    camera.pull()
    // So long that the station sees the bay empty.
    await pause(4_000)
    camera.plugIn()
    for (const end = now() + patience(60_000); (await released()) < 2 && now() < end; ) await pause(250)
    // So that the token of the test is valid again.
    vi.restoreAllMocks()
    const again = (await world.sessions()).find((one) => one.DockSessionId !== first.DockSessionId) as Json
    const files = (await world.filesOf(again.DockSessionId)).filter(({ Outcome }) => Outcome === 'here')
    expect(files).toHaveLength(2)
    for (const { Cleared, KeptBecause } of files) {
      expect(Cleared).toBe('kept')
      expect(KeptBecause).toMatch(/^It stays until the clock of the station has run evenly for a day/)
    }
    expect(camera.left().sort()).toEqual(camera.files.map((file) => file.path).sort())
  })
})
