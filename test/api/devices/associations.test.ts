// @module-tag merge
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../support/rows.ts'
import type { Json } from '../../support/given.ts'
import { type DevicesWorld, devicesWorld, fresh, minutes, named, type Officer } from './world.ts'

/** Whose device it is, and what that gives: decisions 3 and 5. */
let world: DevicesWorld
beforeAll(async () => {
  world = await devicesWorld()
})
afterAll(() => world?.close())

const place = (device: Json, more = ''): string => `/device/${device.Id}/association${more}`
const associate = (device: Json, officer: { id: string }, more: Json = {}) =>
  world.send('POST', place(device), { PrincipalId: officer.id, ...more })
const associated = (device: Json, officer: { id: string }, more: Json = {}): Promise<Json> =>
  world.given.expecting(201, associate(device, officer, more))
const change = (device: Json, { AssociationId }: Json, body: Json, token = world.manager.token) =>
  world.send('PUT', place(device, `/${AssociationId}`), body, { token })
const confirm = (device: Json, { AssociationId }: Json, token: string, body?: Json) =>
  world.send('POST', place(device, `/${AssociationId}/confirm`), body, { token })
const confirmed = (device: Json, one: Json): Promise<Json> =>
  world.given.expecting(200, confirm(device, one, world.second.token))
const list = (device: Json): Promise<Json> => world.sent(200, 'GET', place(device))

/** What a device recorded, by its own credential. @param at minutes from now */
async function recorded(device: Json, at: number, more: Json = {}): Promise<Json> {
  const DeviceId = named(device)
  const Credential = { DeviceCredential: `of ${device.Id}` }
  const offer = await world.send('POST', '/configuration/negociate', { DeviceId, Credential })
  if (offer.status === 200)
    await world.sent(204, 'POST', '/configuration/commit', { DeviceId, TransactionId: offer.json.TransactionId })
  return world.given.evidence({
    Name: fresh('recording'),
    Device: { ...DeviceId, DeviceType: 'BodyWornCamera' },
    StartTimeUtc: minutes(at),
    ...Credential,
    ...more,
  })
}

/** The station was not there long enough: the device was active for the last hours. */
async function activeSince(device: Json, at: number): Promise<void> {
  const db = await openTestDatabase({ file: world.given.file })
  await db.transaction((tx) =>
    tx
      .updateTable('device_activity')
      .set({ from_ticks: BigInt(Date.parse(minutes(at))) * 10_000n })
      .where('device_id', '=', device.Id)
      .execute(),
  )
  await db.close()
}
const longActive = async (): Promise<Json> => {
  const device = await world.device()
  await activeSince(device, -600)
  return device
}

const levelOf = async ({ page }: Officer, { EvidenceId }: Json): Promise<string> => {
  const { status, json } = await page.send('GET', `${world.given.documents}/evidence/${EvidenceId}`)
  const list = await page.send('GET', `${world.given.documents}/evidence?count=1000`)
  const listed = list.json.Items.some((one: Json) => one.EvidenceId === EvidenceId)
  const search = await page.send('POST', '/searchservice/api/v1/search/station', {
    body: { Types: ['Evidence'], Count: 1000 },
  })
  const found = search.json.Hits.some(({ Id }: Json) => Id === EvidenceId)
  // A list that shows more or less than the record itself would be a leak, or a loss.
  expect([listed, found]).toEqual([status === 200, status === 200])
  return status === 200 ? json.AccessorPermissions.at(-1) : String(status)
}
const withFiles = (level = 'Download'): Promise<Officer> => world.officer([`AccessFilesFromMyDevice:${level}`])
const told = (action: string, id: string) =>
  world.given.ledger().filter((entry) => entry.action === action && entry.object.id === id)

describe('an association', () => {
  it('from now on is anybody’s with themselves, and nobody’s with another without ManageDevices', async () => {
    const device = await world.device()
    const [own, other] = [await world.officer(), await world.officer()]
    const send = (body: Json) => own.page.send('POST', `/api/v1/tenant/station${place(device)}`, { body })
    for (const body of [
      { PrincipalId: other.id },
      { PrincipalId: own.id, FromUtc: minutes(-5) },
      { PrincipalId: own.id, FromUtc: minutes(5) },
    ])
      await world.refused(send(body), 403, 'Forbidden')
    const { status, json } = await send({ PrincipalId: own.id, FromUtc: minutes(-0.5) })
    expect([status, json]).toEqual([
      201,
      {
        AssociationId: expect.stringMatching(/^\d+$/),
        DeviceId: device.Id,
        Officer: expect.objectContaining({ PrincipalId: own.id, PrincipalType: 'user' }),
        FromUtc: expect.stringMatching(/Z$/),
        ToUtc: null,
        Access: 'Given',
        ChangedBy: [],
        CreatedUtcTime: expect.stringMatching(/Z$/),
        CreatedBy: expect.objectContaining({ PrincipalId: own.id }),
        ConfirmedUtc: null,
        ConfirmedBy: null,
        ConcurrencyId: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
    ])
    // From now on, whatever the own clock says.
    expect(Math.abs(Date.parse(json.FromUtc) - Date.now())).toBeLessThan(20_000)
    await world.refused(send({ PrincipalId: own.id }), 409, 'OfficerAlreadyAssociated')
    const record = await world.sent(200, 'GET', `/device/${device.Id}`)
    expect(record.AssignedTo.map(({ PrincipalId }: Json) => PrincipalId)).toEqual([own.id])
  })

  it('is with an active device and a person who is no guest', async () => {
    const officer = await world.officer()
    const inactive = await world.device({ active: false })
    await world.refused(associate(inactive, officer), 409, 'DeviceNotActive')
    await world.refused(
      associate(inactive, officer, { FromUtc: minutes(-9), ToUtc: minutes(-5) }),
      409,
      'DeviceNotActive',
    )
    const device = await world.device()
    await world.refused(associate(device, { id: world.second.id }), 400, 'InvalidModel')
    await world.refused(associate(device, { id: '999999' }), 400, 'InvalidModel')
    const backwards = { FromUtc: minutes(5), ToUtc: minutes(4) }
    await world.refused(associate(device, officer, backwards), 400, 'InvalidDateTimeRange')
    const guest = fresh('guest')
    const { principalId: id } = await world.given.command('user.create', {
      username: guest,
      password: 'seven lamps by the harbour',
      policies: [],
      group: null,
      guest: true,
    })
    await world.refused(associate(device, { id }), 400, 'InvalidModel')
  })

  it('has ten officers at a time at most, and as many more at others', async () => {
    const device = await world.device()
    const officers = []
    for (let at = 0; at < 11; at++) {
      const { principalId: id } = await world.given.command('user.create', {
        username: fresh('one of many'),
        password: 'seven lamps by the harbour',
        policies: [],
        group: null,
        guest: false,
      })
      officers.push({ id })
    }
    for (const one of officers.slice(0, 10)) await associated(device, one, { ToUtc: minutes(60) })
    const last = officers[10] as { id: string }
    await world.refused(associate(device, last), 409, 'TooManyOfficers')
    await world.refused(associate(device, last, { FromUtc: minutes(59) }), 409, 'TooManyOfficers')
    expect((await associated(device, last, { FromUtc: minutes(61) })).Access).toBe('Given')
  })

  it('ends with the device’s being active: what is past stays, what was to come does not', async () => {
    const device = await world.device()
    const [now, later] = [await world.officer(), await world.officer()]
    const going = await associated(device, now)
    const coming = await associated(device, later, { FromUtc: minutes(60) })
    const { correlationId } = await world.send('POST', `/device/${device.Id}/deactivate`)
    const left = await list(device)
    expect(left.map(({ AssociationId, ToUtc }: Json) => [AssociationId, ToUtc])).toEqual([
      [going.AssociationId, expect.stringMatching(/Z$/)],
    ])
    const entry = world.given.ledger().find((one) => one.correlationId === correlationId)
    expect(entry?.detail).toEqual({ endedAssociations: [going.AssociationId, coming.AssociationId] })
    await world.sent(200, 'POST', `/device/${device.Id}/activate`)
    expect((await world.sent(200, 'GET', `/device/${device.Id}`)).AssignedTo).toEqual([])
  })
})

describe('AccessFilesFromMyDevice', () => {
  it('S4: gives its level over what the own device recorded by its own proof while it was theirs', async () => {
    const device = await longActive()
    const [theirs, without, other] = [await withFiles('Edit'), await world.officer(), await withFiles()]
    for (const one of [theirs, without]) await associated(device, one, { ToUtc: minutes(30) })
    const during = await recorded(device, 10)
    expect(during.DeviceIdentity).toBe('Credential')
    const claimed = await recorded(device, 10, { DeviceCredential: 'wrong' })
    expect(claimed.DeviceIdentity).toBe('Claimed')
    const levels = async (evidence: Json) => [
      await levelOf(theirs, evidence),
      await levelOf(without, evidence),
      await levelOf(other, evidence),
    ]
    expect(await levels(during)).toEqual(['Edit', '404', '404'])
    expect(await levels(claimed)).toEqual(['404', '404', '404'])
    // The end itself is outside.
    expect(await levels(await recorded(device, 31))).toEqual(['404', '404', '404'])
    expect(await levels(await recorded(device, -10))).toEqual(['404', '404', '404'])
    expect(await levels(await recorded(device, 10, { StartTimeUtc: null }))).toEqual(['404', '404', '404'])
  })

  it('is not moved by whoever may edit the time of the record', async () => {
    const device = await longActive()
    const officer = await withFiles('Manage')
    await associated(device, officer)
    const before = await recorded(device, -10)
    const address = `${world.given.documents}/evidence/${before.EvidenceId}`
    await world.given.expecting(200, world.given.call('PATCH', address, { body: { StartTimeUtc: minutes(5) } }))
    expect(await levelOf(officer, before)).toBe('404')
  })

  it('S4: over a changed past comes with the confirmation of another one, and never by oneself', async () => {
    const device = await longActive()
    const officer = await withFiles()
    const evidence = await recorded(device, -60)
    const one = await associated(device, officer, { FromUtc: minutes(-120) })
    expect([one.Access, await levelOf(officer, evidence)]).toEqual(['Pending', '404'])
    // What lies ahead is given at once.
    expect(await levelOf(officer, await recorded(device, 5))).toBe('Download')
    await world.refused(confirm(device, one, world.manager.token), 403, 'Forbidden')
    await world.refused(confirm(device, one, world.nobody), 403, 'Forbidden')
    await world.refused(
      confirm(device, one, world.second.token, { ConcurrencyId: 'old' }),
      409,
      'ConcurrentWritingError',
    )
    expect(await levelOf(officer, evidence)).toBe('404')
    const done = await world.given.expecting(
      200,
      confirm(device, one, world.second.token, { ConcurrencyId: one.ConcurrencyId }),
    )
    expect([done.Access, done.ConfirmedBy.PrincipalId]).toEqual(['Given', world.second.id])
    expect(await levelOf(officer, evidence)).toBe('Download')
    await world.refused(confirm(device, one, world.second.token), 409, 'NothingToConfirm')
  })

  it('S4: never comes by a change of the past that the officer made', async () => {
    const device = await longActive()
    const officer = await world.officer(['AccessFilesFromMyDevice:Manage', 'ManageDevices'])
    const evidence = await recorded(device, -60)
    const send = (method: string, more: string, body: Json) =>
      officer.page.send(method, `/api/v1/tenant/station${place(device, more)}`, { body })
    const { json: one } = await send('POST', '', { PrincipalId: officer.id, FromUtc: minutes(-120) })
    expect(one.Access).toBe('Withheld')
    await world.refused(send('POST', `/${one.AssociationId}/confirm`, {}), 409, 'AssociationWithheld')
    await world.refused(confirm(device, one, world.second.token), 409, 'AssociationWithheld')
    // Nor by one that somebody else made first and the officer widened.
    await world.sent(204, 'DELETE', place(device, `/${one.AssociationId}`))
    const other = await associated(device, officer, { FromUtc: minutes(-30) })
    expect((await send('PUT', `/${other.AssociationId}`, { FromUtc: minutes(-120) })).json.Access).toBe('Withheld')
    await world.refused(confirm(device, other, world.second.token), 409, 'AssociationWithheld')
    expect(await levelOf(officer, evidence)).toBe('404')
  })

  it('S4: whoever widened what waits does not confirm it, whoever began it', async () => {
    const device = await longActive()
    const officer = await withFiles()
    const one = await associated(device, officer, { FromUtc: minutes(-60) })
    const wider = await world.given.expecting(200, change(device, one, { FromUtc: minutes(-90) }, world.second.token))
    expect(wider.Access).toBe('Pending')
    for (const token of [world.manager.token, world.second.token])
      await world.refused(confirm(device, one, token), 403, 'Forbidden')
    const third = await world.officer(['ManageDevices'])
    const { status, json } = await third.page.send(
      'POST',
      `/api/v1/tenant/station${place(device, `/${one.AssociationId}/confirm`)}`,
    )
    expect([status, json.Access]).toEqual([200, 'Given'])
  })

  it('goes at once with a past that is narrowed, deleted or of a device that was not active then', async () => {
    const device = await longActive()
    const officer = await withFiles()
    const [early, late] = [await recorded(device, -100), await recorded(device, -20)]
    const beyond = await recorded(device, -700)
    let one = await associated(device, officer, { FromUtc: minutes(-800) })
    await confirmed(device, one)
    const levels = async () => [
      await levelOf(officer, early),
      await levelOf(officer, late),
      await levelOf(officer, beyond),
    ]
    expect(await levels()).toEqual(['Download', 'Download', '404'])
    one = await world.given.expecting(200, change(device, one, { FromUtc: minutes(-50) }))
    expect([one.Access, await levels()]).toEqual(['Given', ['404', 'Download', '404']])
    // Widened again it waits again, and what was left stays.
    one = await world.given.expecting(200, change(device, one, { FromUtc: minutes(-120) }))
    expect([one.Access, one.ConfirmedBy, await levels()]).toEqual(['Pending', null, ['404', 'Download', '404']])
    await world.sent(204, 'DELETE', place(device, `/${one.AssociationId}`))
    expect(await levels()).toEqual(['404', '404', '404'])
  })

  it('is none of guests, through whatever policy', async () => {
    const device = await longActive()
    const officer = await withFiles()
    const evidence = await recorded(device, 10)
    await associated(device, officer)
    expect(await levelOf(officer, evidence)).toBe('Download')
    const db = await openTestDatabase({ file: world.given.file })
    const guest = (is: number) =>
      db.transaction((tx) =>
        tx.updateTable('principals').set({ guest: is }).where('principal_id', '=', Number(officer.id)).execute(),
      )
    await guest(1)
    expect(await levelOf(officer, evidence)).toBe('404')
    await guest(0)
    await db.close()
  })
})

describe('a change of the past', () => {
  it('re-attributes what was recorded meanwhile, each with an entry of its own', async () => {
    const device = await longActive()
    const [first, second] = [await world.officer(), await world.officer()]
    const [early, late] = [await recorded(device, -100), await recorded(device, -20)]
    const one = await associated(device, first, { FromUtc: minutes(-120) })
    const entries = () =>
      [early, late].map(({ EvidenceId }) =>
        told('evidence.attributed', EvidenceId).map(({ detail }) => (detail as Json).officers),
      )
    expect(entries()).toEqual([[[first.id]], [[first.id]]])
    await associated(device, second, { FromUtc: minutes(-60), ToUtc: minutes(-10) })
    const both = [first.id, second.id].sort((a, b) => Number(a) - Number(b))
    expect(entries()).toEqual([[[first.id]], [[first.id], both]])
    const changed = await world.given.expecting(
      200,
      change(device, one, { FromUtc: minutes(-50), ToUtc: minutes(-30) }),
    )
    expect(changed.ToUtc).toMatch(/Z$/)
    expect(entries()).toEqual([
      [[first.id], []],
      [[first.id], both, [second.id]],
    ])
    await world.sent(204, 'DELETE', place(device, `/${one.AssociationId}`))
    expect(entries()[1]).toEqual([[first.id], both, [second.id]])
    await world.refused(change(device, one, {}), 404, 'AssociationNotFound')
    expect((await list(device)).map(({ Officer: { PrincipalId } }: Json) => PrincipalId)).toEqual([second.id])
  })

  it('refuses what an association could not be made as, and an old version', async () => {
    const device = await longActive()
    const officer = await world.officer()
    const past = await associated(device, officer, { FromUtc: minutes(-90), ToUtc: minutes(-80) })
    const now = await associated(device, officer)
    await world.refused(change(device, past, { ToUtc: null }), 409, 'OfficerAlreadyAssociated')
    await world.refused(change(device, past, { ToUtc: minutes(-100) }), 400, 'InvalidDateTimeRange')
    await world.refused(change(device, past, { ConcurrencyId: now.ConcurrencyId }), 409, 'ConcurrentWritingError')
    await world.sent(200, 'POST', `/device/${device.Id}/deactivate`)
    await world.refused(change(device, now, { ToUtc: null }), 409, 'DeviceNotActive')
    // Shorter it may become of a device that is not active any more.
    expect((await change(device, past, { ToUtc: minutes(-85) })).status).toBe(200)
    await world.refused(change(await world.device(), past, {}), 404, 'AssociationNotFound')
  })
})
