/** What the station tells of a device beside its record (decisions 5): whether it has what is expected, and what waits for somebody. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tx } from '../../../server/kernel/database/database.ts'
import { openTestDatabase } from '../../support/rows.ts'
import type { Json } from '../../support/given.ts'
import { type DevicesWorld, devicesWorld, fresh, minutes, named } from './world.ts'

let world: DevicesWorld
beforeAll(async () => {
  world = await devicesWorld()
})
afterAll(() => world?.close())

const read = (device: Json): Promise<Json> => world.sent(200, 'GET', `/device/${device.Id}`)
const listed = async (device: Json): Promise<Json> =>
  (await world.sent(200, 'GET', `/device?text=${encodeURIComponent(device.DeviceIdentification.SerialNumber)}`))
    .Items[0]
/** The list and the record tell the same. */
async function standing(device: Json): Promise<Json> {
  const [one, other] = [await read(device), await listed(device)]
  expect(one.Standing).toEqual(other.Standing)
  return one.Standing
}
const has = (device: Json, Configuration: Json) =>
  world.send('POST', '/configuration/negociate', {
    DeviceId: named(device),
    DeviceType: device.DeviceType,
    Configuration,
  })
const ended = (device: Json, how: 'commit' | 'reject', TransactionId: string, more: Json = {}) =>
  world.sent(204, 'POST', `/configuration/${how}`, { DeviceId: named(device), TransactionId, ...more })
const wanted = (device: Json, Configuration: Json | null) =>
  world.sent(200, 'PUT', `/device/${device.Id}/configuration`, { Configuration })

it('says whether a device has what is expected of it, and from where that comes', async () => {
  const device = await world.device({ type: fresh('Dashcam') })
  expect(await standing(device)).toMatchObject({ Configuration: 'None', ExpectedFrom: null, LastDock: null })
  const first = (await has(device, { A: 1 })).json
  expect(await standing(device)).toMatchObject({ Configuration: 'Pending', ExpectedFrom: null })
  await ended(device, 'commit', first.TransactionId)
  expect(await standing(device)).toMatchObject({ Configuration: 'Agreed', ExpectedFrom: null })
  await world.sent(200, 'PUT', `/configuration/${encodeURIComponent(device.DeviceType)}`, { Configuration: { A: 2 } })
  expect(await standing(device)).toMatchObject({ Configuration: 'Pending', ExpectedFrom: 'Type' })
  await wanted(device, { A: 1 })
  expect(await standing(device)).toMatchObject({ Configuration: 'Agreed', ExpectedFrom: 'Device' })
})

it('tells a rejection until the device is found to have what is expected, and its negotiations newest first', async () => {
  const device = await world.device()
  const { TransactionId } = (await has(device, { A: 1 })).json
  await ended(device, 'commit', TransactionId)
  const again = (await has(device, { A: 9 })).json
  await ended(device, 'reject', again.TransactionId, { ReasonCode: 'E7', ReasonMessage: 'No room' })
  expect((await standing(device)).Configuration).toBe('Rejected')
  // It leaves no transaction behind.
  expect((await has(device, { A: 1 })).status).toBe(304)
  expect((await standing(device)).Configuration).toBe('Agreed')
  const found = await read(device)
  expect(found.Negotiations).toMatchObject([
    { State: 'Rejected', ReasonCode: 'E7', ReasonMessage: 'No room' },
    { State: 'Committed' },
  ])
  expect(found.Activity).toMatchObject([{ ToUtc: null }])
})

it('counts the associations that wait for another one, and names who changed them', async () => {
  const device = await world.device()
  await inDatabase((tx) =>
    tx
      .updateTable('device_activity')
      .set({ from_ticks: BigInt(Date.now() - 9_000_000) * 10_000n })
      .where('device_id', '=', device.Id)
      .execute(),
  )
  const officer = await world.officer()
  const place = `/device/${device.Id}/association`
  const made = await world.sent(201, 'POST', place, { PrincipalId: officer.id, FromUtc: minutes(-60) })
  expect([made.Access, made.ChangedBy]).toEqual(['Pending', [world.manager.id]])
  expect((await standing(device)).Unconfirmed).toBe(1)
  await world.sent(200, 'POST', `${place}/${made.AssociationId}/confirm`, {}, { token: world.second.token })
  expect((await standing(device)).Unconfirmed).toBe(0)
  expect((await world.sent(200, 'GET', place))[0].ChangedBy).toEqual([])
})

it('tells when it was last docked, and which types there are', async () => {
  const device = await world.device({ type: fresh('Helmet') })
  const at = Date.now() - 86_400_000
  await docked(device, 'released', at - 1000)
  await docked(device, 'pulled', at)
  expect((await standing(device)).LastDock).toMatchObject({
    State: 'pulled',
    DetectedTimeUtc: new Date(at).toISOString(),
  })
  const { Types } = await world.sent(200, 'GET', '/device?count=1')
  expect(Types).toContainEqual({ DeviceType: device.DeviceType, Devices: 1 })
})

async function inDatabase<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const db = await openTestDatabase({ file: world.given.file })
  try {
    return await db.transaction(work)
  } finally {
    await db.close()
  }
}

const docked = (device: Json, state: 'released' | 'pulled', at: number) =>
  inDatabase((tx) =>
    tx
      .insertInto('dock_sessions')
      .values({
        tenant_id: 'station',
        volume_id: fresh('volume'),
        camera_key: `device:${device.Id}`,
        bay: '1',
        label: 'CAMERA',
        state,
        before: null,
        reason: null,
        device_id: device.Id,
        device: null,
        profile: null,
        notes: null,
        clock: null,
        configuration: null,
        clear_rule: 'never',
        detected_at: at,
        first_byte_at: null,
        last_byte_at: null,
        committed_at: null,
        released_at: null,
        receipt: null,
        receipt_sha256: null,
        receipt_signature: null,
        receipt_key: null,
        round: 1,
        ended: 1,
      })
      .execute(),
  )
