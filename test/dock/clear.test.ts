import { utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openRaw } from '../../server/db/raw.ts'
import { sha256Of } from '../support/given.ts'
import { dockWorld } from './world.ts'

type World = Awaited<ReturnType<typeof dockWorld>>
let world: World
afterEach(() => world?.close())

/** A file as it is on a card: the same length and the same time, and not the same bytes. */
function swap(file: string, bytes: Buffer, atMs: number): void {
  writeFileSync(file, bytes)
  utimesSync(file, atMs / 1000, atMs / 1000)
}

describe('I6 a camera is cleared last', () => {
  it('at once: what the station has goes, each with an entry, and what is foreign stays', async () => {
    world = await dockWorld({ dockClear: 'at-once' })
    const camera = world.camera('bay-1', { serial: 'A1', extra: { 'media/letter.txt': 'Dear Sir' } })
    camera.plugIn()
    const session = await world.reached('bay-1', 'released')
    expect(session).toMatchObject({ Cleared: 12, Problems: 0, ClearRule: 'at-once' })
    expect(camera.left()).toEqual(['media/letter.txt'])
    const cleared = world.entries('dock.fileCleared')
    expect(cleared.map(({ sha256 }) => sha256).sort()).toEqual(camera.files.map(({ sha256 }) => sha256).sort())
    const committed = world.entries('dock.committed')[0]
    for (const entry of cleared) {
      expect(entry.seq).toBeGreaterThan(committed?.seq)
      const completed = world.given.ledger().find(({ seq }) => seq === entry.detail.completedBy)
      expect(completed).toMatchObject({ action: 'resource.completed', sha256: entry.sha256 })
    }
    for (const { sha256 } of camera.files) expect(sha256Of(world.blob(sha256))).toBe(sha256)
    const receipt = (await world.get(`/session/${session.DockSessionId}/receipt/receipt.json`)).json
    expect(receipt.files.filter((file: { cleared: boolean }) => file.cleared)).toHaveLength(12)
  })

  it('after days: not before, and at the first docking after that', async () => {
    world = await dockWorld({ dockClear: '3' })
    const camera = world.camera('bay-1', { serial: 'A2', recordings: [3] })
    camera.plugIn()
    const first = await world.reached('bay-1', 'released')
    expect(first.Cleared).toBe(0)
    for (const file of await world.filesOf(first.DockSessionId))
      if (file.Outcome === 'taken') expect(file.KeptBecause).toMatch(/^It stays until 20/)
    expect(camera.left()).toHaveLength(3)
  })

  it('never what the store cannot give back, and never a file that is not the one that was taken', async () => {
    world = await dockWorld()
    const camera = world.camera('bay-1', { serial: 'A3', recordings: [4] })
    camera.plugIn()
    const first = await world.reached('bay-1', 'released')
    camera.pull()
    await world.until(async () => (await world.wall()).length === 0, 'an empty wall')
    // As if the rule had been another one when the camera comes again.
    const [damaged, swapped, unlisted] = camera.files
    const blob = (sha256: string): string =>
      path.join(world.given.data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
    const bytes = Buffer.from(damaged?.bytes as Buffer)
    bytes[100] = (bytes[100] as number) ^ 1
    const { rmSync } = await import('node:fs')
    rmSync(blob(damaged?.sha256 as string))
    writeFileSync(blob(damaged?.sha256 as string), bytes)
    const other = Buffer.from(swapped?.bytes as Buffer)
    other[200] = (other[200] as number) ^ 1
    swap(path.join(camera.at, swapped?.path as string), other, Date.UTC(2026, 10, 21, 8))
    const db = openRaw(world.given.file)
    db.prepare("UPDATE resources SET state = 'None' WHERE sha256 = ?").run(unlisted?.sha256)
    db.close()
    await world.given.stop()
    expect(first.Cleared).toBe(0)
  })
})
