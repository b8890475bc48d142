import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { Shelf } from './shelf.ts'
import { dockWorld } from './world.ts'

let world: Awaited<ReturnType<typeof dockWorld>>
afterEach(() => world?.close())

const PROFILE = {
  format: 'sallyport-profile/1',
  id: 'our-cameras',
  name: 'Our cameras',
  match: { folders: ['REC'] },
  identity: { manufacturer: 'Maker', model: null, serial: ['name'] },
  media: { folders: ['REC/**'], extensions: ['mp4'], names: ['{serial:word}_{yyyy}{MM}{dd}{HH}{mm}{ss}.mp4'] },
  time: { zone: 'utc' },
  clear: { media: true, sidecars: false },
}
const docked = (bay: string): Shelf => {
  const camera = new Shelf(world.root, bay)
  camera.file('REC/C42_20261121080000.mp4', randomBytes(1000))
  camera.plugIn()
  return camera
}

describe('profiles of one’s own', () => {
  it('apply from the next camera on when added, changed or removed; an invalid one is reported and never fatal', async () => {
    world = await dockWorld()
    const folder = path.join(world.given.data, 'profiles')
    docked('bay-1')
    await world.reached('bay-1', 'refused')

    mkdirSync(folder)
    writeFileSync(path.join(folder, 'ours.json'), JSON.stringify(PROFILE))
    writeFileSync(path.join(folder, 'broken.json'), '{"format":')
    writeFileSync(path.join(folder, 'wrong.json'), JSON.stringify({ ...PROFILE, id: 'other', rank: 'high' }))
    symlinkSync('/dev/zero', path.join(folder, 'endless.json'))
    writeFileSync(path.join(folder, 'notes.txt'), 'no profile')
    docked('bay-2')
    const second = await world.reached('bay-2', 'released')
    expect(second).toMatchObject({ Profile: 'our-cameras', FilesDone: 1, Device: { SerialNumber: 'C42' } })
    const { Notes } = await world.given.expecting(200, world.get(`/session/${second.DockSessionId}`))
    expect(Notes).toEqual([
      expect.stringMatching(/^The camera profile endless\.json is not used: could not be read/),
      'The camera profile broken.json is not used: is no JSON.',
      expect.stringMatching(/^The camera profile wrong\.json is not used: rank: /),
    ])

    for (const bad of ['broken.json', 'wrong.json', 'endless.json']) rmSync(path.join(folder, bad))
    const changed = { ...PROFILE, identity: { ...PROFILE.identity, manufacturer: 'Another maker' } }
    writeFileSync(path.join(folder, 'ours.json'), JSON.stringify(changed))
    docked('bay-3')
    const third = await world.reached('bay-3', 'released')
    expect(third.Device.Manufacturer).toBe('Another maker')
    const detail: Json = await world.given.expecting(200, world.get(`/session/${third.DockSessionId}`))
    expect(detail.Notes).toEqual([])

    rmSync(folder, { recursive: true })
    docked('bay-4')
    await world.reached('bay-4', 'refused')
  })
})
