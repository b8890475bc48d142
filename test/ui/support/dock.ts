/** A station with bays, and cameras in every state that a wall shows; folders stand for the cameras. */
import { mkdirSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import type { CameraFolder } from '../../dock/world.ts'
import { dockWorld } from '../../dock/world.ts'
import { ADMINISTRATOR, type Json } from '../../support/given.ts'

export type DockWorld = Awaited<ReturnType<typeof dockWorld>>

const DEVICES = '/api/v1/tenant/station/device'
const PASSWORD = 'three blind mice, 1805'
export const wallStation = (settings: Record<string, unknown> = {}): Promise<DockWorld> =>
  dockWorld({
    stationName: 'Harrow Quay',
    timeZone: 'Europe/Berlin',
    maxActiveDevices: 100,
    ...settings,
  })

/** As an administrator at a page does. */
async function chiefOf({ given }: DockWorld): Promise<string> {
  const opened = await fetch(`${given.url}/connect/session`, {
    method: 'POST',
    headers: { origin: given.url, 'content-type': 'application/json' },
    body: JSON.stringify({ Username: ADMINISTRATOR.username, Password: ADMINISTRATOR.password, NoticeId: 'default' }),
  })
  const cookies = opened.headers.getSetCookie().map((line) => line.split(';')[0])
  return cookies.join('; ')
}

/** Somebody with this surname, who may sign in. */
async function officer({ given }: DockWorld, cookie: string, SerialNumber: string, LastName: string) {
  const username = `${LastName.toLowerCase()}.${SerialNumber}`
  const user: Json = await given.expecting(
    201,
    given.call('POST', '/userservice/api/v1/tenant/station/users', {
      token: null,
      headers: { cookie, origin: given.url },
      body: {
        Username: username,
        Password: PASSWORD,
        ChangePassword: false,
        FirstName: 'Robin',
        LastName,
        Policies: [],
      },
    }),
  )
  return { id: user.PrincipalId as string, username, password: PASSWORD }
}

async function active({ given, keeper }: DockWorld, SerialNumber: string): Promise<string> {
  const DeviceIdentification = { SerialNumber, Manufacturer: 'Lantern', Model: 'L2' }
  const body = { DeviceIdentification, DeviceType: 'BodyWornCamera' }
  const device: Json = await given.expecting(201, given.call('POST', DEVICES, { token: keeper, body }))
  await given.expecting(200, given.call('POST', `${DEVICES}/${device.Id}/activate`, { token: keeper }))
  return device.Id as string
}

/** An active camera that nobody wears, and somebody who could. */
export async function spare(world: DockWorld, serial: string, lastName: string) {
  await active(world, serial)
  return officer(world, await chiefOf(world), serial, lastName)
}

/** Whoever wears the cameras with these serial numbers, by surname. */
export async function worn(world: DockWorld, wearers: Readonly<Record<string, string>>): Promise<void> {
  const { given, keeper } = world
  const cookie = await chiefOf(world)
  for (const [serial, lastName] of Object.entries(wearers)) {
    const { id: PrincipalId } = await officer(world, cookie, serial, lastName)
    const device = await active(world, serial)
    await given.expecting(
      201,
      given.call('POST', `${DEVICES}/${device}/association`, { token: keeper, body: { PrincipalId } }),
    )
  }
}

/** Its last recording claims to be longer than the whole volume is. */
export function withBadFile(world: DockWorld, bay: string, serial: string): CameraFolder {
  const camera = world.camera(bay, { serial, recordings: [2, 1], bytes: 4000 })
  const { blocks, bsize } = statfsSync(world.root)
  truncateSync(path.join(camera.at, 'media/R2_1.mp4'), blocks * bsize + 1)
  return camera
}

/** It holds as much as the whole volume could, of which the station uses some: nothing of it can be begun, however much is free just then. */
export function withTooMuch(world: DockWorld, bay: string, serial: string): CameraFolder {
  const { blocks, bsize } = statfsSync(world.root)
  const camera = world.camera(bay, { serial, recordings: [1], bytes: 1 })
  truncateSync(path.join(camera.at, 'media/R1_1.mp4'), (blocks - 1) * bsize)
  return camera
}

/** A stick with somebody's papers on it. */
export function stick(world: DockWorld, bay: string): void {
  mkdirSync(path.join(world.root, bay))
  writeFileSync(path.join(world.root, bay, 'minutes.txt'), 'Nothing to see.\n')
}

export const tile = (page: Page, bay: number) => page.locator(`[data-bay="${bay}"]`)
