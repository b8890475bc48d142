// @module-tag merge
import { randomBytes } from 'node:crypto'
import { utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { dockWorld } from './world.ts'
import { createTrigger, dropTrigger } from '../support/rows.ts'

let world: Awaited<ReturnType<typeof dockWorld>>
afterEach(() => world?.close())

/** A camera that docks twice; meanwhile two of its files get other bytes of the same length, one of them another time too. */
async function twice(settings: Json) {
  world = await dockWorld(settings)
  const camera = world.camera('bay-1', { serial: 'H1', recordings: [4] })
  camera.plugIn()
  const first = await world.reached('bay-1', 'released')
  camera.pull()
  await world.until(async () => (await world.wall()).length === 0, 'an empty wall')
  const [swapped, changed] = camera.files as [(typeof camera.files)[0], (typeof camera.files)[0]]
  const at = new Date(Date.UTC(2026, 10, 21, 8))
  for (const [file, time] of [
    [swapped, at],
    [changed, new Date(at.getTime() + 2000)],
  ] as const) {
    const place = path.join(camera.at, file.path)
    writeFileSync(place, randomBytes(file.bytes.length))
    utimesSync(place, time, time)
  }
  camera.plugIn()
  const second = await world.until(
    async () =>
      (await world.sessions()).find((one) => one.DockSessionId !== first.DockSessionId && one.State === 'released'),
    'a second release',
  )
  const receipt = (await world.get(`/session/${second.DockSessionId}/receipt/receipt.json`)).json
  const outcomes = receipt.files.slice(-5).map((one: Json) => [one.path, one.outcome, one.knownBy ?? null])
  return { camera, outcomes: outcomes.filter(([name]: string[]) => name !== 'camera.json') }
}

describe('a camera that was not cleared and docks again', () => {
  it('is known by name, size and time, and the receipt and the ledger say by what', async () => {
    const { outcomes } = await twice({})
    // One that was swapped behind the same name, size and time is not seen: nothing was read of it, and nothing says that it was.
    expect(outcomes).toEqual([
      ['media/R1_1.mp4', 'here', 'name'],
      ['media/R1_2.mp4', 'taken', null],
      ['media/R1_3.mp4', 'here', 'name'],
      ['media/R1_4.mp4', 'here', 'name'],
    ])
    expect(world.entries('dock.fileHere').map(({ detail }) => detail.knownBy)).toEqual(
      [1, 2, 3].map(() => 'its name, size and time'),
    )
  })

  it('is read whole where the station is set so', async () => {
    const { outcomes } = await twice({ dockRehash: 'always' })
    expect(outcomes).toEqual([
      ['media/R1_1.mp4', 'taken', null],
      ['media/R1_2.mp4', 'taken', null],
      ['media/R1_3.mp4', 'here', 'hash'],
      ['media/R1_4.mp4', 'here', 'hash'],
    ])
  })
})

/** @param sabotage SQL, when a session begins to copy */
const sabotageCopying = (sabotage: string): Promise<void> =>
  world.given.meddle((db) =>
    createTrigger(db, {
      name: 'sabotage',
      table: 'dock_sessions',
      column: 'state',
      when: "NEW.state = 'copying'",
      does: sabotage,
    }),
  )

describe('S19: a file is known by its name only where', () => {
  /** A camera that docks twice, with one file. @param sabotage SQL, when the second session begins to copy */
  const onceMore = async (change: (place: string) => void, sabotage: string, listed?: string): Promise<Json> => {
    world = await dockWorld({})
    const camera = world.camera('bay-1', { serial: 'H2', recordings: [1] })
    camera.plugIn()
    const first = await world.reached('bay-1', 'released')
    camera.pull()
    await world.until(async () => (await world.wall()).length === 0, 'an empty wall')
    const [file] = camera.files as [(typeof camera.files)[0]]
    change(path.join(camera.at, file.path))
    if (listed !== undefined) {
      const manifest = JSON.parse(new TextDecoder().decode(camera.manifest()))
      manifest.recordings[0].files[0].sha256 = listed
      camera.writeManifest(manifest)
    }
    await sabotageCopying(sabotage)
    camera.plugIn()
    const second = await world.until(
      async () =>
        (await world.sessions()).find((one) => one.DockSessionId !== first.DockSessionId && one.State === 'released'),
      'a second release',
    )
    return (await world.filesOf(second.DockSessionId)).find(({ Path }) => Path === file.path)
  }
  const begun = new Date(Date.UTC(2026, 10, 21, 8))
  const asBefore = (column: string): string =>
    `UPDATE dock_files SET ${column} = (SELECT f.${column} FROM dock_files f WHERE f.outcome = 'taken') WHERE outcome = 'listed'`

  it('S19: its time on the card is the one that was listed', async () => {
    const later = new Date(begun.getTime() + 2000)
    const file = await onceMore((place) => utimesSync(place, later, later), asBefore('modified_ns'))
    expect(file).toMatchObject({ Outcome: 'here' })
    expect(world.entries('dock.fileHere').map(({ detail }) => detail.knownBy)).toEqual(['its bytes'])
  })

  it('S19: its length on the card is the one that was listed', async () => {
    const longer = (place: string): void => {
      writeFileSync(place, randomBytes(30_000))
      utimesSync(place, begun, begun)
    }
    expect(await onceMore(longer, asBefore('length'))).toMatchObject({ Outcome: 'failed' })
  })

  it("S19: the camera's list says no other hash of it", async () => {
    const file = await onceMore(() => undefined, 'UPDATE dock_files SET length = length WHERE 1 = 0', 'a'.repeat(64))
    expect(file).toMatchObject({ Outcome: 'here' })
    expect(world.entries('dock.fileHere').map(({ detail }) => detail.knownBy)).toEqual(['its bytes'])
  })
})

describe('S19: a file that is about to be copied', () => {
  const withOne = async (sabotage: string) => {
    world = await dockWorld({ dockClear: 'at-once' })
    await sabotageCopying(sabotage)
    const camera = world.camera('bay-1', { serial: 'H3', recordings: [2] })
    camera.plugIn()
    return camera
  }

  it('S19: and is not on the card any more is reported as failed, and the others are taken', async () => {
    await withOne("UPDATE dock_files SET path_key = 'gone' WHERE path LIKE '%R1_1.mp4'")
    const session = await world.reached('bay-1', 'released')
    const files = new Map((await world.filesOf(session.DockSessionId)).map((one) => [one.Path, one]))
    expect(files.get('media/R1_1.mp4')).toMatchObject({ Outcome: 'failed', Reason: 'It was not there any more.' })
    expect(files.get('media/R1_2.mp4')).toMatchObject({ Outcome: 'taken' })
  })

  it('S19: waits until there is room for it, whatever room there was for all when they were admitted', async () => {
    const camera = await withOne("UPDATE dock_files SET length = 1000000000000000 WHERE outcome = 'listed'")
    const failed = await world.until(
      async () =>
        (await world.sessions()).find(({ Bay, State, Reason }) => Bay === 'bay-1' && State === 'failed' && Reason),
      'a failure',
    )
    expect(failed.Reason).toMatch(/free-space floor/)
    expect(camera.left()).toHaveLength(2)
    await world.given.meddle((db) => dropTrigger(db, 'sabotage', 'dock_sessions'))
    expect(await world.reached('bay-1', 'released')).toMatchObject({ FilesDone: 2, Cleared: 2 })
  })
})
