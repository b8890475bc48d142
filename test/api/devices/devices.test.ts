import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { type DevicesWorld, devicesWorld, fresh, PRIVATE, SHOWN } from './world.ts'

/** Devices: interfaces.md 2.6, 3.3, 4.2 and decisions 5. */
let world: DevicesWorld
beforeAll(async () => {
  world = await devicesWorld()
})
afterAll(() => world?.close())

const idOf = (serial: string, manufacturer: string): string =>
  createHash('sha256').update(`${serial}\u001f${manufacturer}`).digest('hex').slice(0, 32)
const add = (body: Json, place = SHOWN) => world.send('POST', `${place}/device`, body)

describe('a device', () => {
  it('is added inactive under an id derived from serial number and manufacturer', async () => {
    const SerialNumber = fresh('S')
    const DeviceIdentification = { SerialNumber, Manufacturer: 'Acme', Model: 'M', CommonName: 'Camera 7' }
    const { status, json } = await add({ DeviceIdentification, DeviceType: 'BodyWornCamera' })
    expect(status).toBe(201)
    expect(json).toEqual({
      Id: idOf(SerialNumber, 'Acme'),
      DeviceIdentification,
      DeviceType: 'BodyWornCamera',
      State: 'Inactive',
      AssignedTo: [],
      LastSeenUtc: null,
      Transaction: null,
      CreatedUtcTime: expect.stringMatching(/Z$/),
      Capabilities: null,
      EffectiveConfiguration: null,
      EffectiveSinceUtc: null,
      ConcurrencyId: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    const read = await world.sent(200, 'GET', `/device/${json.Id}`)
    expect(read).toMatchObject(json)
  })

  it('that is known is 200 with what is stored; a later type, model or name replaces it, None and nothing do not', async () => {
    const SerialNumber = fresh('S')
    const DeviceIdentification = { SerialNumber, Manufacturer: 'Acme' }
    const first = await add({ DeviceIdentification })
    expect([first.status, first.json.DeviceType, first.json.DeviceIdentification.Model]).toEqual([201, 'None', null])
    const later = await add({ DeviceIdentification: { ...DeviceIdentification, Model: 'M2' }, DeviceType: 'Dashcam' })
    expect([later.status, later.json.DeviceType, later.json.DeviceIdentification.Model]).toEqual([200, 'Dashcam', 'M2'])
    expect(later.json.ConcurrencyId).not.toBe(first.json.ConcurrencyId)
    const again = await add({ DeviceIdentification: { ...DeviceIdentification, Model: null }, DeviceType: 'None' })
    expect([again.status, again.json]).toEqual([200, later.json])
    const [changed] = world.given.ledger().filter(({ correlationId }) => correlationId === later.correlationId)
    expect(changed).toMatchObject({
      action: 'device.changed',
      detail: { before: { DeviceType: 'None', Model: null }, after: { DeviceType: 'Dashcam', Model: 'M2' } },
    })
  })

  it('is recognised by both of its first two fields and by nothing else', async () => {
    const SerialNumber = fresh('S')
    const one = await add({ DeviceIdentification: { SerialNumber, Manufacturer: 'Acme', Model: 'A' } })
    const other = await add({ DeviceIdentification: { SerialNumber, Manufacturer: 'Bolt', Model: 'A' } })
    expect([one.status, other.status, one.json.Id === other.json.Id]).toEqual([201, 201, false])
    // The separator keeps ("ab", "c") and ("a", "bc") apart.
    expect(idOf('ab', 'c')).not.toBe(idOf('a', 'bc'))
  })

  it('is found by its id in any case, and by its serial number as long as no other device has that', async () => {
    const serial = fresh('S é/%')
    const device = await world.device({ serial, active: false })
    for (const place of [device.Id, device.Id.toUpperCase(), encodeURIComponent(serial)])
      expect([place, (await world.sent(200, 'GET', `/device/${place}`)).Id]).toEqual([place, device.Id])
    await world.device({ serial, manufacturer: 'Bolt', active: false })
    await world.refused(world.send('GET', `/device/${encodeURIComponent(serial)}`), 404, 'DeviceNotFound')
    expect((await world.sent(200, 'GET', `/device/${device.Id}`)).Id).toBe(device.Id)
    // A serial number that looks like an id is one only where there is no device of that id.
    const twin = await world.device({ serial: device.Id, active: false })
    expect((await world.sent(200, 'GET', `/device/${device.Id}`)).Id).toBe(device.Id)
    expect(twin.Id).not.toBe(device.Id)
    await world.refused(world.send('GET', `/device/${'0'.repeat(32)}`), 404, 'DeviceNotFound')
  })

  it('is refused without its first two fields, each problem listed', async () => {
    for (const [body, paths] of [
      [{}, ['DeviceIdentification']],
      [
        { DeviceIdentification: { Model: 7 } },
        ['DeviceIdentification.SerialNumber', 'DeviceIdentification.Manufacturer', 'DeviceIdentification.Model'],
      ],
      [{ DeviceIdentification: { SerialNumber: '', Manufacturer: 'A\nB' } }, ['SerialNumber', 'Manufacturer']],
    ] as const) {
      const { json } = await add(body)
      expect(json.ErrorCode).toBe('InvalidModel')
      expect(json.Details.map(({ Path }: Json) => Path)).toEqual(paths.map((one) => expect.stringContaining(one)))
    }
  })

  it('is looked at by what changes nothing', async () => {
    const device = await world.device({ active: false })
    const actions = ({ correlationId }: { correlationId: string }) =>
      world.given.ledger().flatMap((entry) => (entry.correlationId === correlationId ? [entry.action] : []))
    const replies = [await add({ DeviceIdentification: device.DeviceIdentification })]
    for (const act of ['deactivate', 'activate', 'activate'])
      replies.push(await world.send('POST', `/device/${device.Id}/${act}`))
    expect(replies.map(actions)).toEqual([['device.read'], ['device.read'], ['device.activated'], ['device.read']])
  })

  it('is made once under one Idempotency-Key; what it is configured to does not lie in the remembered answer', async () => {
    const body = { DeviceIdentification: { SerialNumber: fresh('S'), Manufacturer: 'Acme' } }
    const key = fresh('key').replaceAll(' ', '')
    const first = await world.send('POST', '/device', body, { key })
    const again = await world.send('POST', '/device', body, { key })
    expect([first.status, again.status, again.json]).toEqual([201, 201, first.json])
  })
})

describe('every operation', () => {
  it('answers under both prefixes', async () => {
    const { json: document } = await world.given.call('GET', '/openapi.json', { token: null })
    const places = Object.entries<Json>(document.paths).flatMap(([place, item]) =>
      Object.entries<Json>(item)
        .filter(([, about]) => about.tags.includes('device'))
        .map(([method]) => `${method} ${place}`),
    )
    const shown = places.filter((place) => place.includes(' /api/v1/')).sort()
    const hidden = places.filter((place) => place.includes(' /api/v1-private/')).sort()
    expect(shown.length).toBeGreaterThanOrEqual(20)
    expect(hidden.map((place) => place.replace('/api/v1-private/', '/api/v1/'))).toEqual(shown)
    const device = await world.device({ active: false })
    for (const prefix of [SHOWN, PRIVATE]) {
      expect((await world.sent(200, 'POST', `${prefix}/device/${device.Id}/activate`)).State).toBe('Active')
      expect((await world.sent(200, 'GET', `${prefix}/device/${device.Id}`)).State).toBe('Active')
    }
  })

  it('needs ManageDevices, but asking whether one may', async () => {
    const { Id } = await world.device()
    const token = world.nobody
    const DeviceId = { SerialNumber: 'x', Manufacturer: 'y' }
    for (const [method, place, body] of [
      ['POST', '/device', { DeviceIdentification: DeviceId }],
      ['GET', '/device', undefined],
      ['GET', `/device/${Id}`, undefined],
      ['POST', `/device/${Id}/activate`, undefined],
      ['POST', `/device/${Id}/deactivate`, undefined],
      ['GET', `/device/${Id}/configuration`, undefined],
      ['PUT', `/device/${Id}/configuration`, { Configuration: {} }],
      ['GET', `/device/${Id}/association`, undefined],
      ['POST', '/credential', { DeviceId }],
      ['POST', '/credential/failed', { DeviceId, Credentials: [] }],
      ['POST', '/configuration/negociate', { DeviceId }],
      ['POST', '/configuration/commit', { DeviceId, TransactionId: 'x' }],
      ['POST', '/configuration/reject', { DeviceId, TransactionId: 'x' }],
      ['GET', '/configuration', undefined],
      ['PUT', '/configuration/BodyWornCamera', { Configuration: {} }],
      ['DELETE', '/configuration/BodyWornCamera', undefined],
      ['PUT', `/device/${Id}/association/1`, {}],
      ['DELETE', `/device/${Id}/association/1`, undefined],
      ['POST', `/device/${Id}/association/1/confirm`, {}],
    ] as const)
      await world.refused(world.send(method, place, body, { token }), 403, 'Forbidden')
    for (const method of ['GET', 'POST'])
      for (const prefix of [SHOWN, PRIVATE]) {
        const ask = (own: string) => world.sent(200, method, `${prefix}/device/canmanage`, undefined, { token: own })
        expect([method, prefix, await ask(token), await ask(world.manager.token)]).toEqual([
          method,
          prefix,
          false,
          true,
        ])
      }
    const anonymous = await world.send('GET', '/device/canmanage', undefined, { token: null })
    expect(anonymous.status).toBe(401)
  })

  it('knows the tenant without case, and no other', async () => {
    const place = (tenant: string) => `/api/v1/tenant/${tenant}/device`
    expect((await world.send('GET', place('STATION'))).status).toBe(200)
    await world.refused(world.send('GET', place('nowhere')), 404, 'TenantNotFound')
  })
})

describe('a list of devices', () => {
  it('goes by serial number, a page at a time, and is found by words, state, type and officer', async () => {
    const group = fresh('group').replaceAll(' ', '')
    const made = []
    for (const at of [3, 1, 2])
      made.push(await world.device({ serial: `${group}-${at}`, active: at === 2, type: group }))
    const list = (query: string) => world.sent(200, 'GET', `/device?text=${group}${query}`)
    const serials = ({ Items }: Json): string[] => Items.map((one: Json) => one.DeviceIdentification.SerialNumber)
    const first = await list('&count=2')
    expect(serials(first)).toEqual([`${group}-1`, `${group}-2`])
    expect(serials(await list(`&count=2&cursor=${first.Cursor}`))).toEqual([`${group}-3`])
    expect(serials(await list('&state=Active'))).toEqual([`${group}-2`])
    expect(serials(await list(`&type=${group}&state=Inactive`))).toEqual([`${group}-1`, `${group}-3`])
    expect(serials(await list('&type=Dashcam'))).toEqual([])
    expect(serials(await world.sent(200, 'GET', `/device?text=${encodeURIComponent(`ACMÉ  ${group}-3`)}`))).toEqual([
      `${group}-3`,
    ])
    const officer = await world.officer()
    await world.sent(201, 'POST', `/device/${made[2]?.Id}/association`, { PrincipalId: officer.id })
    const theirs = await list(`&assignedTo=${officer.id}`)
    expect(serials(theirs)).toEqual([`${group}-2`])
    expect(theirs.Items[0].AssignedTo.map(({ PrincipalId }: Json) => PrincipalId)).toEqual([officer.id])
    expect(theirs).toMatchObject({ MaxActiveDevices: 1_000, ActiveDevices: expect.any(Number) })
    await world.refused(world.send('GET', '/device?cursor=x'), 400, 'InvalidModel')
  })
})

describe('the limit of active devices', () => {
  it('S6: of 32 that race for the last place one wins; a place is free again after another one is given up', async () => {
    const small = await devicesWorld({ maxActiveDevices: 4 })
    try {
      for (let at = 0; at < 3; at++) await small.device()
      const racing = []
      for (let at = 0; at < 32; at++) racing.push(await small.device({ active: false }))
      const replies = await Promise.all(racing.map(({ Id }) => small.send('POST', `/device/${Id}/activate`)))
      const counts = Map.groupBy(replies, ({ status, json }) => `${status} ${json.ErrorCode ?? json.State}`)
      expect([...counts].map(([what, all]) => [what, all.length]).sort()).toEqual([
        ['200 Active', 1],
        ['409 ActiveDeviceLimitReached', 31],
      ])
      const list = await small.sent(200, 'GET', '/device?state=Active')
      expect([list.Items.length, list.ActiveDevices, list.MaxActiveDevices]).toEqual([4, 4, 4])
      const winner = racing[replies.findIndex(({ status }) => status === 200)] as Json
      const loser = racing[replies.findIndex(({ status }) => status === 409)] as Json
      // Of one that is active nothing changes, and no place is needed.
      await small.sent(200, 'POST', `/device/${winner.Id}/activate`)
      await small.sent(200, 'POST', `/device/${winner.Id}/deactivate`)
      await small.sent(200, 'POST', `/device/${winner.Id}/deactivate`)
      expect((await small.sent(200, 'POST', `/device/${loser.Id}/activate`)).State).toBe('Active')
      await small.refused(small.send('POST', `/device/${winner.Id}/activate`), 409, 'ActiveDeviceLimitReached')
    } finally {
      await small.close()
    }
  })
})
