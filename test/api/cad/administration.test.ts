import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Reply } from '../../support/given.ts'
import { CASES, type CadWorld, cadWorld, EVENTS, fresh, MAPPING, MESSAGES, OVERVIEW, type Program } from './world.ts'

/** What administrators see of CAD push and do with it, and what a case tells of the messages that made it (decisions 8). */
let world: CadWorld
beforeAll(async () => {
  world = await cadWorld()
})
afterAll(() => world.given.close())

const START = '2026-11-20T02:00:00Z'
const event = (more: Json = {}): Json => ({ eventId: fresh('E'), eventStartTimeUtc: START, ...more })
const asked = (method: string, place: string, body?: unknown, who: Program = world.chief): Promise<Json> =>
  world.given.expecting(200, world.as(who, method, place, body))
const newest = async (state: string): Promise<Json> =>
  (await asked('GET', `${MESSAGES}?state=${state}&count=1`)).items[0]
const serviceOf = (one: Program): string => `/userservice/api/v1/tenant/station/services/${one.id}`
const withKey = (apiKey: string): Promise<Reply> =>
  world.given.call('POST', EVENTS, { token: null, headers: { 'x-api-key': apiKey }, body: event() })

describe('API keys of an integration', () => {
  it('have names, are made one by one, say when they were used, and are taken away one by one', async () => {
    const program = await world.program(fresh('dispatch'), ['PushCadEvents'])
    const place = `${serviceOf(program)}/api-keys`
    const make = (Name: string): Promise<Reply> => world.as(world.chief, 'POST', place, { Name })
    const desk = await make('Dispatch desk')
    const map = await make('Map on the wall')
    expect([desk.status, desk.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect((await make('Dispatch desk')).json.ErrorCode).toBe('NameTaken')
    for (const wrong of ['', 'x'.repeat(101), 'a\nb']) expect((await make(wrong)).status).toBe(400)
    expect(map.json.Service.ApiKeys.map((key: Json) => [key.Name, key.LastUsedUtc])).toEqual([
      ['Map on the wall', null],
      ['Dispatch desk', null],
      ['', null],
    ])
    for (const key of [desk.json.APIKey, map.json.APIKey, program.apiKey]) expect((await withKey(key)).status).toBe(201)
    const used = await world.eventually(
      async () => (await asked('GET', serviceOf(program))).ApiKeys,
      (keys: Json[]) => keys.every(({ LastUsedUtc }) => LastUsedUtc !== null),
    )
    expect(used.every(({ LastUsedUtc }: Json) => LastUsedUtc !== null)).toBe(true)

    const id = map.json.Service.ApiKeys.find((key: Json) => key.Name === 'Dispatch desk').ApiKeyId
    const left = await asked('DELETE', `${place}/${id}`)
    expect(left.ApiKeys.map((key: Json) => key.Name)).toEqual(['Map on the wall', ''])
    expect([(await withKey(desk.json.APIKey)).status, (await withKey(map.json.APIKey)).status]).toEqual([401, 201])
    const again = await world.as(world.chief, 'DELETE', `${place}/${id}`)
    expect([again.status, again.json.ErrorCode]).toEqual([404, 'ApiKeyNotFound'])
    // That of another integration is not taken away by this one's address.
    const other = (await asked('GET', serviceOf(world.dispatch))).ApiKeys[0].ApiKeyId
    expect((await world.as(world.chief, 'DELETE', `${place}/${other}`)).status).toBe(404)
    expect((await withKey(world.dispatch.apiKey)).status).toBe(201)
    for (const who of [program, world.nobody, world.second])
      expect((await world.as(who, 'POST', place, { Name: 'Mine' })).status).toBe(403)
  })

  it('are twenty at most', async () => {
    const program = await world.program(fresh('many'))
    const place = `${serviceOf(program)}/api-keys`
    for (let at = 1; at < 20; at += 1)
      await world.given.expecting(201, world.as(world.chief, 'POST', place, { Name: `Key ${at}` }))
    const more = await world.as(world.chief, 'POST', place, { Name: 'One more' })
    expect([more.status, more.json.Message]).toEqual([
      400,
      'An integration has at most 20 API keys. Take one away first.',
    ])
  })
})

describe('the overview', () => {
  it('tells who is connected, what came and what became of it, and what waits', async () => {
    const name = fresh('connected')
    const program = await world.program(name, ['PushCadEvents'])
    const before = await asked('GET', OVERVIEW)
    const service = (overview: Json): Json => overview.services.find((one: Json) => one.name === name)
    expect(service(before)).toEqual({
      principalId: program.id,
      name,
      enabled: true,
      mayPush: true,
      apiKeys: 1,
      origins: [],
      lastReceivedUtc: null,
      lastDay: 0,
    })
    expect(before.services.some((one: Json) => one.name === 'nobody')).toBe(false)
    expect(before.origins).toContain(world.given.url)
    const given = event({ transactionId: 'one' })
    await world.push(given, { as: program })
    await world.push(given, { as: program })
    await world.push({ eventId: 'no start' }, { as: program })
    const after = await asked('GET', OVERVIEW)
    expect(service(after)).toMatchObject({ lastDay: 3, lastReceivedUtc: after.lastReceivedUtc })
    const more = (member: string): number => after.lastDay[member] - before.lastDay[member]
    expect(['applied', 'repeated', 'unreadable', 'older', 'review'].map(more)).toEqual([1, 1, 1, 0, 0])
    expect(after.waiting.unreadable - before.waiting.unreadable).toBe(1)
    expect((await world.as(world.dispatch, 'GET', OVERVIEW)).status).toBe(403)
    await asked('PUT', '/userservice/api/v1/tenant/station/policies/PushCadEvents', {
      Members: [{ PrincipalId: world.dispatch.id }],
    })
    expect(service(await asked('GET', OVERVIEW))).toMatchObject({ mayPush: false, lastDay: 3 })
  })
})

describe('the mapping', () => {
  it('is refused with the place of what is wrong in it, and every state of it is kept', async () => {
    const { usual: _usual, modifiedUtc, modifiedBy, ...before } = await asked('GET', MAPPING)
    const length = (await asked('GET', `${MAPPING}/history`)).length
    const put = (mapping: Json): Promise<Reply> => world.as(world.chief, 'PUT', MAPPING, mapping)
    const custom = (from: string, name: string) => ({ from, to: 'CustomField', name })
    const twice = await put({ ...before, fields: [custom('a', 'Weather'), custom('b', 'Weather')] })
    expect([twice.status, twice.json.details[0].path]).toEqual([400, 'fields.1.name'])
    for (const from of ['', '.', 'a..b', 'a.b.c.d.e.f.g.h.i', 'x'.repeat(65)])
      expect((await put({ ...before, fields: [{ from, to: 'Title' }] })).status).toBe(400)
    expect((await asked('GET', `${MAPPING}/history`)).length).toBe(length)

    const changed = await put({ ...before, fields: [custom('a', 'Weather')] })
    expect([changed.status, changed.json.modifiedBy]).toEqual([200, { principalId: world.chief.id, name: 'chief' }])
    const back = await put({ ...before, concurrencyId: changed.json.concurrencyId })
    expect([back.status, modifiedUtc, modifiedBy]).toEqual([200, null, null])
    const [now, then] = await asked('GET', `${MAPPING}/history`)
    expect([now.concurrencyId, then.concurrencyId]).toEqual([back.json.concurrencyId, changed.json.concurrencyId])
    expect([now.mapping.fields, then.mapping.fields]).toEqual([before.fields, [custom('a', 'Weather')]])
  })
})

describe('what could not be read', () => {
  it('is tried again altogether, the oldest first, part by part; one that still cannot be read stops no other', async () => {
    const { usual: _u, modifiedUtc: _m, modifiedBy: _b, ...before } = await asked('GET', MAPPING)
    const number = fresh('I')
    const said = Array.from({ length: 60 }, (_, at) => ({ Number: number, Opened: START, What: `Version ${at}` }))
    await world.given.expecting(200, world.as(world.dispatch, 'POST', `${EVENTS}/batch`, [...said, { Number: 'x' }]))
    const waiting = (await asked('GET', OVERVIEW)).waiting.unreadable
    expect(waiting).toBeGreaterThan(60)
    await asked('PUT', MAPPING, {
      ...before,
      members: { eventId: ['eventId', 'Number'], eventStartTimeUtc: ['eventStartTimeUtc', 'Opened'] },
      fields: [{ from: 'What', to: 'Title' }],
    })
    let cursor: string | null = null
    let [tried, settled, rounds] = [0, 0, 0]
    do {
      const part: Json = await asked('POST', `${MESSAGES}/retry`, { state: 'unreadable', cursor })
      expect(part.tried).toBeLessThanOrEqual(50)
      ;[tried, settled, rounds, cursor] = [tried + part.tried, settled + part.settled, rounds + 1, part.cursor]
    } while (cursor !== null)
    expect([tried, settled, rounds]).toEqual([waiting, 60, Math.ceil(waiting / 50)])
    expect((await asked('GET', OVERVIEW)).waiting.unreadable).toBe(waiting - 60)
    const found = await asked('GET', `${EVENTS}/${encodeURIComponent(number)}`)
    // The newest of them was read last.
    expect((await world.caseOf(found.caseId)).Title).toBe('Version 59')
    const { concurrencyId: _c, ...mapping } = before
    await asked('PUT', MAPPING, mapping)
    expect((await world.as(world.chief, 'POST', `${MESSAGES}/retry`, { state: 'applied' })).status).toBe(400)
    expect((await world.as(world.chief, 'POST', `${MESSAGES}/retry`, { state: 'review', cursor: '!' })).status).toBe(
      400,
    )
    expect((await world.as(world.dispatch, 'POST', `${MESSAGES}/retry`, { state: 'review' })).status).toBe(403)
  })

  it('is read in parts where it is long', async () => {
    const long = `{"eventId": "${'ü'.repeat(100_000)}"`
    await world.given.call('POST', EVENTS, { token: world.dispatch.token, raw: long })
    const { messageId } = await newest('unreadable')
    const first = await asked('GET', `${MESSAGES}/${messageId}`)
    const second = await asked('GET', `${MESSAGES}/${messageId}?offset=${first.body.length}`)
    expect([first.bodyCharacters, first.body.length, first.body + second.body === long]).toEqual([
      long.length,
      65_536,
      true,
    ])
    expect((await asked('GET', `${MESSAGES}/${messageId}?offset=999999999`)).body).toBe('')
    expect((await world.as(world.chief, 'GET', `${MESSAGES}/${messageId}?offset=-1`)).status).toBe(400)
  })
})

describe('a receipt', () => {
  it('tells what a message changed in the case, and what it left as somebody wrote it', async () => {
    const officer = await world.officer()
    const given = event({ name: 'Noise', priority: 'P3', location: { latitude: 48.2, longitude: 16.3 } })
    const { caseId } = await world.pushed(given)
    const made = await asked('GET', `${MESSAGES}/${(await newest('applied')).messageId}`)
    expect(made.receipt.left).toEqual([])
    expect(made.receipt.changes).toEqual(
      expect.arrayContaining([
        { field: 'Title', before: null, after: 'Noise' },
        { field: 'CustomFields.Priority', before: null, after: 'P3' },
        { field: 'Location', before: null, after: '48.2, 16.3' },
        { field: 'ExternalReferenceId2', before: null, after: given.eventId },
      ]),
    )
    const { ConcurrencyId } = await world.caseOf(caseId)
    await asked('PATCH', `${CASES}/${caseId}`, { Title: 'Party in the yard', ConcurrencyId })
    const description = 'x'.repeat(5_000)
    await world.pushed({ ...given, name: 'Loud noise', priority: 'P1', description, involvedResources: [officer] })
    const { receipt } = await asked('GET', `${MESSAGES}/${(await newest('applied')).messageId}`)
    expect(receipt.left).toEqual(['Title'])
    expect(receipt.changes).toEqual([
      { field: 'CustomFields.Priority', before: 'P3', after: 'P1' },
      { field: 'Description', before: null, after: `${'x'.repeat(999)}…` },
      { field: 'PersonnelRelations', before: null, after: officer.name },
    ])
    await world.pushed({ ...given, priority: 'P1' })
    const same = await asked('GET', `${MESSAGES}/${(await newest('applied')).messageId}`)
    expect(same.receipt).toEqual({ changes: [], left: ['Title'] })

    const told = await asked('GET', `${CASES}/${caseId}/dispatch`)
    expect(told.Items.map(({ State, Changes, Left }: Json) => [State, Changes.length, Left])).toEqual([
      ['Applied', 0, ['Title']],
      ['Applied', 3, ['Title']],
      ['Applied', made.receipt.changes.length, []],
    ])
    const paged = await asked('GET', `${CASES}/${caseId}/dispatch?count=2`)
    const rest = await asked('GET', `${CASES}/${caseId}/dispatch?count=2&cursor=${paged.Cursor}`)
    expect([...paged.Items, ...rest.Items]).toEqual(told.Items)
    expect(rest.Cursor).toBe(null)
  })

  it('is for whoever may view the case, without the message itself', async () => {
    const { caseId } = await world.pushed(event({ name: 'Seen', extended: { secret: 'only in the message' } }))
    const { nobody } = world
    const place = `${CASES}/${caseId}/dispatch`
    expect((await world.as(nobody, 'GET', place)).status).toBe(403)
    await asked('POST', `${CASES}/${caseId}/share`, {
      AccessPolicies: [{ Permissions: 'View', PrincipalId: nobody.id, KId: nobody.kId, PrincipalType: 'service' }],
    })
    const { Items } = await asked('GET', place, undefined, nobody)
    expect(Items).toHaveLength(1)
    expect(Object.keys(Items[0])).not.toContain('Body')
    const { messageId } = await newest('applied')
    expect((await world.as(nobody, 'GET', `${MESSAGES}/${messageId}`)).status).toBe(403)
  })
})
