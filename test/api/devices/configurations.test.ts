import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { forms } from '../sessions/secret-forms.ts'
import { type DevicesWorld, devicesWorld, fresh, named } from './world.ts'
import { fileOfRows } from '../../support/rows.ts'

/** Credentials and configurations: interfaces.md 3.4 and decisions 5. What comes after what stands in negotiation-model.test.ts. */
let world: DevicesWorld
beforeAll(async () => {
  world = await devicesWorld()
})
afterAll(() => world?.close())

const negotiate = (device: Json, more: Json = {}) =>
  world.send('POST', '/configuration/negociate', { DeviceId: named(device), DeviceType: device.DeviceType, ...more })
const offered = async (device: Json, more: Json = {}): Promise<Json> =>
  world.given.expecting(200, negotiate(device, more))
const commit = (device: Json, TransactionId: string) =>
  world.send('POST', '/configuration/commit', { DeviceId: named(device), TransactionId })
const reject = (device: Json, TransactionId: string, more: Json = {}) =>
  world.send('POST', '/configuration/reject', { DeviceId: named(device), TransactionId, ...more })
const credentials = async (device: Json): Promise<[string, string][]> =>
  (await world.sent(200, 'POST', '/credential', { DeviceId: named(device) })).map((one: Json) => [
    one.DeviceCredential,
    one.State,
  ])
const read = (device: Json): Promise<Json> => world.sent(200, 'GET', `/device/${device.Id}`)

describe('negotiating', () => {
  it('adds a device that is unknown, inactive; its capabilities overwrite at once', async () => {
    const device = { DeviceIdentification: { SerialNumber: fresh('S'), Manufacturer: 'Acme' }, DeviceType: 'Dashcam' }
    const first = await offered(device, { Capabilities: { FreeBytes: 1 }, Configuration: { A: 1 } })
    expect(first).toEqual({
      TransactionId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
      Configuration: { A: 1 },
      ExpiresUtc: expect.stringMatching(/Z$/),
    })
    expect(Date.parse(first.ExpiresUtc) - Date.now()).toBeGreaterThan(14.5 * 60_000)
    const record = await world.sent(
      200,
      'GET',
      `/device/${encodeURIComponent(device.DeviceIdentification.SerialNumber)}`,
    )
    expect(record).toMatchObject({
      State: 'Inactive',
      DeviceType: 'Dashcam',
      Capabilities: { FreeBytes: 1 },
      EffectiveConfiguration: null,
      LastSeenUtc: expect.stringMatching(/Z$/),
      Transaction: { TransactionId: first.TransactionId, State: 'Open' },
    })
    await negotiate(device, { Capabilities: { Firmware: '2' } })
    expect((await read(record)).Capabilities).toEqual({ Firmware: '2' })
    await negotiate(device)
    expect((await read(record)).Capabilities).toEqual({ Firmware: '2' })
  })

  it('is 304 without a body once what it has is expected and committed, in whichever order its members stand', async () => {
    const device = await world.device()
    const { TransactionId } = await offered(device, { Configuration: { A: { B: [1, 2] }, C: null } })
    expect((await commit(device, TransactionId)).status).toBe(204)
    const same = await negotiate(device, { Configuration: { C: null, A: { B: [1, 2] } } })
    expect([same.status, same.text]).toEqual([304, ''])
    for (const other of [{ A: { B: [2, 1] }, C: null }, { A: { B: [1, 2] } }, {}])
      expect([other, (await negotiate(device, { Configuration: other })).status]).toEqual([other, 200])
  })

  it('expects what is set for the device, else for its type; a commit is the only way that it takes effect', async () => {
    const type = fresh('type')
    const device = await world.device({ type })
    const place = `/configuration/${encodeURIComponent(type)}`
    await world.sent(200, 'PUT', place, { Configuration: { Of: 'type' } })
    expect((await offered(device, { Configuration: { Own: 1 } })).Configuration).toEqual({ Of: 'type' })
    await world.sent(200, 'PUT', `/device/${device.Id}/configuration`, { Configuration: { Of: 'device' } })
    const last = await offered(device, { Configuration: { Own: 1 } })
    expect(last.Configuration).toEqual({ Of: 'device' })
    expect((await read(device)).EffectiveConfiguration).toBe(null)
    await commit(device, last.TransactionId)
    expect((await read(device)).EffectiveConfiguration).toEqual({ Of: 'device' })
    expect((await negotiate(device, { Configuration: { Of: 'device' } })).status).toBe(304)
    await world.sent(200, 'PUT', `/device/${device.Id}/configuration`, { Configuration: null })
    expect((await offered(device, { Configuration: { Of: 'device' } })).Configuration).toEqual({ Of: 'type' })
    await world.sent(204, 'DELETE', place)
    expect((await negotiate(device, { Configuration: { Of: 'device' } })).status).toBe(304)
    await world.refused(world.send('DELETE', place), 404, 'NotFound')
  })

  it('is superseded by the next; what another device, or nobody, was told is not found', async () => {
    const [device, other] = [await world.device(), await world.device()]
    const first = await offered(device)
    const second = await offered(device)
    await world.refused(commit(device, first.TransactionId), 409, 'TransactionNotOpen')
    await world.refused(reject(device, first.TransactionId), 409, 'TransactionNotOpen')
    await world.refused(commit(other, second.TransactionId), 404, 'TransactionNotFound')
    await world.refused(commit(device, 'x'), 404, 'TransactionNotFound')
    const unknown = { DeviceIdentification: { SerialNumber: fresh('S'), Manufacturer: 'Acme' } }
    await world.refused(commit(unknown, second.TransactionId), 404, 'TransactionNotFound')
    expect((await commit(device, second.TransactionId.toUpperCase())).status).toBe(204)
    expect((await commit(device, second.TransactionId)).status).toBe(204)
    await world.refused(reject(device, second.TransactionId), 409, 'TransactionNotOpen')
  })

  it('rejected keeps the reason, shows it, and takes no effect', async () => {
    const device = await world.device()
    const { TransactionId } = await offered(device, { Configuration: { A: 1 } })
    const why = { ReasonCode: 'CardFull', ReasonMessage: 'No room\nfor the new firmware.' }
    const { status, correlationId } = await reject(device, TransactionId, why)
    expect(status).toBe(204)
    expect((await reject(device, TransactionId, { ReasonCode: 'Other' })).status).toBe(204)
    await world.refused(commit(device, TransactionId), 409, 'TransactionNotOpen')
    expect(await read(device)).toMatchObject({
      EffectiveConfiguration: null,
      Transaction: { TransactionId, State: 'Rejected', EndedUtc: expect.stringMatching(/Z$/), ...why },
    })
    const entry = world.given.ledger().find((one) => one.correlationId === correlationId)
    expect(entry).toMatchObject({
      action: 'device.configurationRejected',
      reason: expect.stringMatching(/^CardFull: No/),
    })
  })

  it('that is committed or rejected once more is a look in the ledger', async () => {
    const device = await world.device()
    const actions = ({ correlationId }: { correlationId: string }) =>
      world.given.ledger().flatMap((entry) => (entry.correlationId === correlationId ? [entry.action] : []))
    for (const [end, action] of [
      [commit, 'device.configured'],
      [reject, 'device.configurationRejected'],
    ] as const) {
      const { TransactionId } = await offered(device, { Configuration: { Of: action } })
      const replies = [await end(device, TransactionId), await end(device, TransactionId)]
      expect(replies.map(actions)).toEqual([[action], ['device.read']])
    }
  })

  it('refuses what is no object, what is no text and what is too large', async () => {
    const device = await world.device({ active: false })
    for (const Configuration of [7, 'x', [], { A: '\ud800' }, { '\udfff': 1 }, { A: 'x'.repeat(1024 * 1024) }])
      await world.refused(negotiate(device, { Configuration }), 400, 'InvalidModel')
    const odd = '{"__proto__":{"a":1},"constructor":{"prototype":2}}'
    const raw = `{"DeviceId":${JSON.stringify(named(device))},"Configuration":${odd}}`
    const { text } = await world.send('POST', '/configuration/negociate', undefined, { raw })
    expect(text).toContain(`"Configuration":${odd}`)
  })
})

describe('credentials', () => {
  it('are pending until the next commit, also after their own negotiation was superseded or rejected', async () => {
    const device = await world.device()
    const credential = (DeviceCredential: string) => ({ Credential: { DeviceCredential } })
    expect(await credentials(device)).toEqual([])
    await offered(device, credential('first'))
    expect(await credentials(device)).toEqual([['first', 'Pending']])
    const second = await offered(device, credential('second'))
    await reject(device, second.TransactionId)
    const third = await offered(device)
    await commit(device, third.TransactionId)
    expect(await credentials(device)).toEqual([
      ['first', 'Current'],
      ['second', 'Current'],
    ])
    // Nothing to do: current at once. One that is current stays so whatever is negotiated.
    expect((await negotiate(device, credential('third'))).status).toBe(304)
    await offered(device, { ...credential('first'), Configuration: { Other: 1 } })
    await offered(device, { ...credential('fourth'), Configuration: { Other: 1 } })
    expect(await credentials(device)).toEqual([
      ['first', 'Current'],
      ['second', 'Current'],
      ['third', 'Current'],
      ['fourth', 'Pending'],
    ])
  })

  it('that failed are never handed out again, whatever comes after', async () => {
    const device = await world.device()
    const sent = (DeviceCredential: string) => ({ Credential: { DeviceCredential } })
    const { TransactionId } = await offered(device, sent('good'))
    await commit(device, TransactionId)
    await negotiate(device, sent('bad'))
    const failed = (...texts: string[]) =>
      world.sent(204, 'POST', '/credential/failed', {
        DeviceId: named(device),
        Credentials: texts.map((DeviceCredential) => ({ DeviceCredential })),
      })
    await failed('bad', 'never seen')
    for (const text of ['bad', 'never seen']) await negotiate(device, sent(text))
    await commit(device, (await offered(device, { ...sent('bad'), Configuration: { X: 1 } })).TransactionId)
    expect(await credentials(device)).toEqual([['good', 'Current']])
    await failed('good')
    expect(await credentials(device)).toEqual([])
    const unknown = { SerialNumber: fresh('S'), Manufacturer: 'Acme' }
    await world.sent(204, 'POST', '/credential/failed', { DeviceId: unknown, Credentials: [{ DeviceCredential: 'x' }] })
    await world.refused(world.send('GET', `/device/${encodeURIComponent(unknown.SerialNumber)}`), 404, 'DeviceNotFound')
  })

  it('of which there are too many lose the oldest', async () => {
    const device = await world.device({ active: false })
    for (let at = 0; at < 25; at++) await offered(device, { Credential: { DeviceCredential: `number ${at}` } })
    const all = (await credentials(device)).map(([text]) => text)
    expect([all.length, all[0], all.at(-1)]).toEqual([20, 'number 5', 'number 24'])
  })
})

describe('what is expected', () => {
  it('of a device is read beside that of its type and what it has; an old version is not written over', async () => {
    const type = fresh('type')
    const device = await world.device({ type })
    const place = `/device/${device.Id}/configuration`
    const set = await world.sent(200, 'PUT', place, { Configuration: { A: 1 }, ConcurrencyId: device.ConcurrencyId })
    expect(set).toMatchObject({
      DeviceId: device.Id,
      DeviceType: type,
      Desired: { A: 1 },
      OfType: null,
      Effective: null,
    })
    expect(await world.sent(200, 'GET', place)).toEqual(set)
    expect((await read(device)).ConcurrencyId).toBe(set.ConcurrencyId)
    const old = { Configuration: { A: 2 }, ConcurrencyId: device.ConcurrencyId }
    await world.refused(world.send('PUT', place, old), 409, 'ConcurrentWritingError')
    await world.refused(world.send('PUT', place, {}), 400, 'InvalidModel')
    const ofType = `/configuration/${encodeURIComponent(type)}`
    const first = await world.sent(200, 'PUT', ofType, { Configuration: { B: 1 } })
    expect(first).toMatchObject({
      DeviceType: type,
      Configuration: { B: 1 },
      LastModifiedBy: { PrincipalId: world.manager.id },
    })
    const { ConcurrencyId } = first
    await world.sent(200, 'PUT', ofType, { Configuration: { B: 2 }, ConcurrencyId })
    await world.refused(world.send('PUT', ofType, { Configuration: {}, ConcurrencyId }), 409, 'ConcurrentWritingError')
    expect((await world.sent(200, 'GET', '/configuration')).map((one: Json) => one.DeviceType)).toContain(type)
    expect((await world.sent(200, 'GET', place)).OfType).toEqual({ B: 2 })
  })

  it('S6: of writers with one version one wins', async () => {
    const device = await world.device()
    const { ConcurrencyId } = device
    const place = `/device/${device.Id}/configuration`
    const all = await Promise.all(
      Array.from({ length: 16 }, (_one, at) => world.send('PUT', place, { Configuration: { at }, ConcurrencyId })),
    )
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 15 }, () => 409)])
  })
})

it('S3: neither credentials nor configurations lie in the clear, in the database, its ledger or anywhere in the folder', async () => {
  const secret = 'canary-4b7e-credential'
  const setting = 'canary-91cc-wireless-key'
  const own = await devicesWorld()
  const device = await own.device()
  const key = 'repeated'
  const body = { DeviceIdentification: device.DeviceIdentification, DeviceType: 'BodyWornCamera' }
  const asked = {
    DeviceId: named(device),
    Configuration: { Wireless: { Key: setting } },
    Credential: { DeviceCredential: secret },
  }
  await own.sent(200, 'PUT', `/device/${device.Id}/configuration`, { Configuration: { Wireless: { Key: setting } } })
  await own.sent(200, 'PUT', '/configuration/BodyWornCamera', { Configuration: { Wireless: { Key: setting } } })
  const { TransactionId } = await own.sent(200, 'POST', '/configuration/negociate', asked)
  await own.sent(204, 'POST', '/configuration/commit', { DeviceId: named(device), TransactionId })
  // A remembered answer holds the record.
  const first = await own.send('POST', '/device', body, { key })
  const again = await own.send('POST', '/device', body, { key })
  expect([first.status, first.json.EffectiveConfiguration, again.json]).toEqual([
    200,
    { Wireless: { Key: setting } },
    first.json,
  ])
  const handed = await own.sent(200, 'POST', '/credential', { DeviceId: named(device) })
  expect(handed[0].DeviceCredential).toBe(secret)
  await own.given.stop()
  const rows = await fileOfRows(own.given.file)
  const files = (readdirSync(own.given.data, { recursive: true }) as string[])
    .map((name) => path.join(own.given.data, name))
    .filter((name) => statSync(name).isFile())
  expect(files).toContain(rows)
  const written = files.map((name) => [name, readFileSync(name)] as const)
  expect(written.some(([, bytes]) => bytes.includes('device.negotiated'))).toBe(true)
  for (const form of [...forms(secret), ...forms(setting)])
    for (const [name, bytes] of written)
      expect([name, form.toString(), bytes.includes(form)]).toEqual([name, form.toString(), false])
  await own.close()
})
