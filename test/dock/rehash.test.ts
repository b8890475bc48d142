import { randomBytes } from 'node:crypto'
import { utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { dockWorld } from './world.ts'

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
