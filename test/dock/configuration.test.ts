// @module-tag merge
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { iso, Shelf } from './shelf.ts'
import { dockWorld } from './world.ts'

let world: Awaited<ReturnType<typeof dockWorld>>
afterEach(() => world?.close())

const START = Date.UTC(2026, 10, 21, 8)
const HAS = { preRecordSeconds: 30 }
const WANTED = { preRecordSeconds: 60, volume: 'low' }

const cameraWith = (bay: string, serial: string): Shelf => {
  const camera = new Shelf(world.root, bay)
  camera.file('media/a.bin', randomBytes(1000))
  const recordings = [{ startUtc: iso(START), files: [{ path: 'media/a.bin' }] }]
  camera.manifest(serial, recordings, { configuration: HAS, capabilities: { gps: true } })
  return camera
}
/** Wants the configuration of the device with this serial number. */
async function wanted(serial: string): Promise<Json> {
  const { given, keeper } = world
  const send = (method: string, place: string, body: Json) =>
    given.call(method, `/api/v1/tenant/station${place}`, { token: keeper, body })
  const DeviceIdentification = { SerialNumber: serial, Manufacturer: 'Lantern' }
  const device = { DeviceIdentification, DeviceType: 'BodyWornCamera' }
  const { Id } = await given.expecting(201, send('POST', '/device', device))
  await given.expecting(200, send('PUT', `/device/${Id}/configuration`, { Configuration: WANTED }))
  return Id
}
const told = async ({ DockSessionId }: Json): Promise<Json> =>
  (await world.given.expecting(200, world.get(`/session/${DockSessionId}`))).Configuration

describe('the configuration that a camera is to have', () => {
  it('is written to it where its profile says how, and committed; a configuration that it has already is not', async () => {
    world = await dockWorld()
    const id = await wanted('K1')
    const camera = cameraWith('bay-1', 'K1')
    camera.plugIn()
    const session = await world.reached('bay-1', 'released')
    expect(await told(session)).toEqual({ Result: 'committed', Reason: 'It was written to the camera.' })
    const file = path.join(camera.at, 'sallyport/configuration.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(WANTED)
    expect(readdirSync(path.dirname(file))).toEqual(['configuration.json'])
    const device = await world.given.expecting(
      200,
      world.given.call('GET', `/api/v1/tenant/station/device/${id}`, { token: world.keeper }),
    )
    expect(device.EffectiveConfiguration).toEqual(WANTED)

    // The camera took it over: there is nothing to write, and the file is none of somebody else's.
    camera.pull()
    await world.until(async () => (await world.wall()).length === 0, 'an empty wall')
    const recordings = [{ startUtc: iso(START), files: [{ path: 'media/a.bin' }] }]
    camera.manifest('K1', recordings, { configuration: WANTED, capabilities: { gps: true } })
    camera.plugIn()
    const second = await world.until(
      async () =>
        (await world.sessions()).find((one) => one.DockSessionId !== session.DockSessionId && one.State === 'released'),
      'a second release',
    )
    expect(await told(second)).toEqual({ Result: 'unchanged', Reason: null })
    const [own] = (await world.filesOf(second.DockSessionId)).filter((one) => one.Path.startsWith('sallyport/'))
    expect(own).toMatchObject({ Outcome: 'foreign', Reason: expect.stringContaining('belongs to no recording') })
  })

  it('is rejected with the reason where it cannot be written, and leads nowhere but onto the camera', async () => {
    world = await dockWorld()
    await wanted('K2')
    const camera = cameraWith('bay-1', 'K2')
    const elsewhere = path.join(world.given.dir, 'elsewhere')
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, camera.file('sallyport'))
    camera.plugIn()
    const session = await world.reached('bay-1', 'released')
    expect(await told(session)).toEqual({ Result: 'rejected', Reason: expect.stringContaining('sallyport') })
    expect(readdirSync(elsewhere)).toEqual([])
    // Its recordings are taken in like any other's.
    expect(session).toMatchObject({ FilesDone: 1, Problems: 0 })
    expect(existsSync(path.join(camera.at, 'media/a.bin'))).toBe(true)
  })
})
