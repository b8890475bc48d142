import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { sha256Of } from '../support/given.ts'
import { dockWorld } from './world.ts'
import { dropTriggers } from '../support/rows.ts'

type World = Awaited<ReturnType<typeof dockWorld>>
let world: World
afterEach(() => world?.close())

const flipped = (bytes: Buffer): Buffer => {
  const other = Buffer.from(bytes)
  other[100] = (other[100] as number) ^ 1
  return other
}

describe('I6 a camera is cleared last', () => {
  it('at once: files that the station has are removed, each with an entry, and foreign files stay', async () => {
    world = await dockWorld({ dockClear: 'at-once' })
    const camera = world.camera('bay-1', { serial: 'A1', extra: { 'notes/letter.txt': 'Dear Sir' } })
    camera.plugIn()
    const session = await world.reached('bay-1', 'released')
    expect(session).toMatchObject({ Cleared: 12, Problems: 0, ClearRule: 'at-once' })
    expect(camera.left()).toEqual([])
    const files = await world.filesOf(session.DockSessionId)
    expect(files.filter((one) => one.Outcome === 'foreign').map((one) => [one.Path, one.Cleared])).toEqual([
      ['camera.json', 'no'],
      ['notes/letter.txt', 'no'],
    ])
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
    expect(receipt.totals.cleared).toBe(12)
  })

  it('after days: not before, and at the first docking after that only files that the station can give back', async () => {
    world = await dockWorld({ dockClear: '3' })
    const camera = world.camera('bay-1', { serial: 'A2', recordings: [5] })
    camera.plugIn()
    const first = await world.reached('bay-1', 'released')
    expect(first.Cleared).toBe(0)
    for (const file of await world.filesOf(first.DockSessionId))
      if (file.Outcome === 'taken') expect(file.KeptBecause).toMatch(/^It stays until 20/)
    expect(camera.left()).toHaveLength(5)
    camera.pull()
    await world.until(async () => (await world.wall()).length === 0, 'an empty wall')

    // Four days go by: the entries are as old as the rule asks. Of one file the blob rots, one is swapped on the card for another of the
    // same length and time, one loses its entry, one its complete row; the fifth is well.
    const [rotten, swapped, unentered, open, well] = camera.files
    const blob = (sha256 = ''): string =>
      path.join(world.given.data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
    rmSync(blob(rotten?.sha256))
    writeFileSync(blob(rotten?.sha256), flipped(rotten?.bytes as Buffer))
    const onCard = path.join(camera.at, swapped?.path as string)
    writeFileSync(onCard, flipped(swapped?.bytes as Buffer))
    utimesSync(onCard, Date.UTC(2026, 10, 21, 8) / 1000, Date.UTC(2026, 10, 21, 8) / 1000)
    await world.given.meddle((db) => {
      const restoreTriggers = dropTriggers(db, 'ledger')
      for (const row of db.prepare('SELECT seq, body FROM ledger').all() as { seq: number; body: Uint8Array }[]) {
        const entry = JSON.parse(Buffer.from(row.body).toString('utf8'))
        if (entry.action !== 'resource.completed') continue
        entry.timeUtc = new Date(Date.parse(entry.timeUtc) - 4 * 86_400_000).toISOString()
        if (entry.sha256 === unentered?.sha256) entry.action = 'resource.read'
        db.prepare('UPDATE ledger SET body = ? WHERE seq = ?').run(Buffer.from(JSON.stringify(entry)), row.seq)
      }
      restoreTriggers()
      db.prepare("UPDATE resources SET state = 'Failed' WHERE sha256 = ?").run(open?.sha256)
    })

    camera.plugIn()
    const second = await world.until(
      async () =>
        (await world.sessions()).find((one) => one.DockSessionId !== first.DockSessionId && one.State === 'released'),
      'a second release',
    )
    const files = new Map((await world.filesOf(second.DockSessionId)).map((one) => [one.Path, one]))
    const outcome = (file: typeof well) => {
      const { Outcome, Cleared } = files.get(file?.path ?? '') ?? {}
      return [Outcome, Cleared]
    }
    expect(outcome(well)).toEqual(['here', 'cleared'])
    // What is not what was taken, and what the station does not have any more, is taken anew: it is three days too young to be cleared.
    expect(outcome(swapped)).toEqual(['taken', 'kept'])
    expect(outcome(open)).toEqual(['taken', 'kept'])
    expect(outcome(unentered)).toEqual(['taken', 'kept'])
    expect(outcome(rotten)).toEqual(['here', 'kept'])
    expect(camera.left().sort()).toEqual(
      camera.files
        .filter((file) => file !== well)
        .map((file) => file.path)
        .sort(),
    )
    for (const file of [swapped, open, unentered, rotten])
      expect(files.get(file?.path ?? '')?.KeptBecause ?? '').toMatch(/\w/)
  })
})
