import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { type DevicesWorld, devicesWorld, fresh, minutes, type Officer } from './world.ts'

/** A camera for a shift: decisions 5. */
let world: DevicesWorld
beforeAll(async () => {
  world = await devicesWorld()
})
afterAll(() => world?.close())

const HOUR = 3_600_000
const place = (device: string): string => `/api/v1/tenant/station/device/${encodeURIComponent(device)}/take`
const take = (who: Officer, device: string, body?: Json) =>
  who.page.send('POST', place(device), body === undefined ? {} : { body })
const manages = (device: string, body: Json) => world.send('POST', place(device), body)
const listed = (device: Json): Promise<Json[]> => world.sent(200, 'GET', `/device/${device.Id}/association`) as never
const entries = (device: Json): string[] =>
  world.given
    .ledger()
    .filter(({ object, action }) => object.id === device.Id && action.startsWith('device.associat'))
    .map(({ action }) => action)

describe('taking a camera', () => {
  it('by its serial number, for oneself, from now on and for a shift', async () => {
    const serial = `${fresh('Ü/7')} #%`
    const device = await world.device({ serial })
    const officer = await world.officer()
    const { status, json } = await take(officer, serial)
    expect([status, json]).toEqual([
      201,
      {
        Device: { Id: device.Id, SerialNumber: serial, Manufacturer: 'Acme', Model: 'M1' },
        Association: expect.objectContaining({
          Officer: expect.objectContaining({ PrincipalId: officer.id }),
          CreatedBy: expect.objectContaining({ PrincipalId: officer.id }),
          Access: 'Given',
        }),
        Others: [],
        OthersCount: 0,
      },
    ])
    const { FromUtc, ToUtc } = json.Association
    expect(Date.parse(ToUtc) - Date.parse(FromUtc)).toBe(12 * HOUR)
    expect(Math.abs(Date.parse(FromUtc) - Date.now())).toBeLessThan(20_000)
    expect(entries(device)).toEqual(['device.associated'])
  })

  it('again makes it longer and never shorter, and is an entry each time', async () => {
    const device = await world.device()
    const officer = await world.officer()
    const first = (await take(officer, device.Id, { Hours: 2 })).json.Association
    const longer = (await take(officer, device.Id, { Hours: 8 })).json.Association
    const shorter = (await take(officer, device.Id, { Hours: 1 })).json.Association
    expect([longer.AssociationId, longer.FromUtc]).toEqual([first.AssociationId, first.FromUtc])
    expect(Date.parse(longer.ToUtc) - Date.parse(first.ToUtc)).toBeGreaterThanOrEqual(6 * HOUR)
    expect(shorter).toEqual(longer)
    expect(entries(device)).toEqual(['device.associated', 'device.associationChanged', 'device.associationsRead'])
    // Without an end it stays without one.
    const lasting = await world.device()
    await world.sent(201, 'POST', `/device/${lasting.Id}/association`, { PrincipalId: officer.id })
    expect((await take(officer, lasting.Id)).json.Association.ToUtc).toBeNull()
  })

  it('that somebody else has is said without a name, and whoever manages devices ends what they have', async () => {
    const device = await world.device()
    const [before, after] = [await world.officer(), await world.officer()]
    await take(before, device.Id)
    const second = (await take(after, device.Id)).json
    expect([second.Others, second.OthersCount]).toEqual([[], 1])
    expect(JSON.stringify(second)).not.toContain(before.name)
    await world.refused(take(after, device.Id, { EndOthers: true }), 403, 'Forbidden')
    await world.refused(take(after, device.Id, { PrincipalId: before.id }), 403, 'Forbidden')
    const handed = await world.given.expecting(201, manages(device.Id, { PrincipalId: after.id, EndOthers: true }))
    expect([handed.Others, handed.OthersCount]).toEqual([[], 0])
    const record = await world.sent(200, 'GET', `/device/${device.Id}`)
    expect(record.AssignedTo.map(({ PrincipalId }: Json) => PrincipalId)).toEqual([after.id])
    // What was recorded until now stays whose it was.
    const ended = (await listed(device)).find(({ Officer: one }) => one.PrincipalId === before.id)
    expect(ended?.Access).toBe('Given')
    expect(Date.parse(ended?.ToUtc)).toBeLessThanOrEqual(Date.now())
  })

  it('is refused where it is not active, not there, for a guest, for too long, and where it is two', async () => {
    const officer = await world.officer()
    const inactive = await world.device({ active: false })
    await world.refused(take(officer, inactive.Id), 409, 'DeviceNotActive')
    await world.refused(take(officer, fresh('none')), 404, 'DeviceNotFound')
    const serial = fresh('twice')
    await world.device({ serial })
    await world.device({ serial, manufacturer: 'Other' })
    await world.refused(take(officer, serial), 404, 'DeviceNotFound')
    const device = await world.device()
    for (const Hours of [0, 169, 1.5]) await world.refused(take(officer, device.Id, { Hours }), 400, 'InvalidModel')
    await world.refused(manages(device.Id, {}), 400, 'InvalidModel')
    expect(await listed(device)).toEqual([])
  })

  it('the same Idempotency-Key takes it once', async () => {
    const device = await world.device()
    const officer = await world.officer()
    const key = fresh('key').replaceAll(' ', '-')
    const send = () =>
      world.send('POST', place(device.Id), { PrincipalId: officer.id }, { headers: { 'idempotency-key': key } })
    const [one, two] = [await send(), await send()]
    expect([one.status, two.status, two.json]).toEqual([201, 201, one.json])
    expect(entries(device)).toEqual(['device.associated'])
    expect(Date.parse(one.json.Association.ToUtc)).toBeGreaterThan(Date.parse(minutes(0)))
  })
})
