import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOnPostgres } from '../../support/postgres-given.ts'
import { fileOfRows, openTestDatabase } from '../../support/rows.ts'
import { startServer } from '../../../server/index.ts'
import type { Json, Reply } from '../../support/given.ts'
import { CASES, type CadWorld, cadWorld, EVENTS, fresh, MAPPING, MESSAGES, type Program } from './world.ts'

/** CAD push over HTTP (decisions 8; promises S3, S13). */
let world: CadWorld
beforeAll(async () => {
  world = await cadWorld()
})
afterAll(() => world.given.close())

const START = '2026-11-20T02:00:00Z'
const event = (more: Json = {}): Json => ({ eventId: fresh('E'), eventStartTimeUtc: START, ...more })
const path1 = (eventId: string): string => `${EVENTS}/${encodeURIComponent(eventId)}`
const refusal = ({ status, json }: Reply): unknown => [status, json?.errorCode]
const newest = async (state: string): Promise<Json> =>
  (await world.given.expecting(200, world.as(world.chief, 'GET', `${MESSAGES}?state=${state}&count=1`))).items[0]
const pushWith = (address: string, headers: Record<string, string> = {}, body: Json = event()): Promise<Reply> =>
  world.given.call('POST', address, { token: null, body, headers })

describe('who may push', () => {
  it('a token or an API key of a service in PushCadEvents, in the query or as a header', async () => {
    const { dispatch } = world
    expect((await world.push(event())).status).toBe(201)
    expect((await pushWith(`${EVENTS}?apikey=${dispatch.apiKey}`)).status).toBe(201)
    expect((await pushWith(EVENTS, { 'x-api-key': dispatch.apiKey })).status).toBe(201)
  })

  it('a wrong key is 401, one of a service outside the policy 403, none 401', async () => {
    expect(refusal(await pushWith(`${EVENTS}?apikey=${world.dispatch.apiKey.slice(1)}`))).toEqual([401, 'Unauthorized'])
    expect(refusal(await pushWith(`${EVENTS}?apikey=`))).toEqual([401, 'Unauthorized'])
    expect(refusal(await pushWith(`${EVENTS}?apikey=${world.nobody.apiKey}`))).toEqual([403, 'Forbidden'])
    expect(refusal(await pushWith(EVENTS))).toEqual([401, 'Unauthorized'])
  })

  it('an API key opens nothing but CAD push', async () => {
    const key = world.chief.apiKey
    for (const place of [
      `${world.given.documents}/evidence`,
      CASES,
      '/api/v1/tenant/station/device',
      '/userservice/api/v1/tenant/station/users',
      '/customfieldservice/api/v1/template/station',
    ]) {
      const asQuery = await world.given.call('GET', `${place}?apikey=${key}`, { token: null })
      const asHeader = await world.given.call('GET', place, { token: null, headers: { 'x-api-key': key } })
      expect([place, asQuery.status, asHeader.status]).toEqual([place, 401, 401])
    }
  })

  it('a key that was replaced, and one of a disabled service, open nothing from then on', async () => {
    const one = await world.program(fresh('dispatch'), ['PushCadEvents'])
    const place = `/userservice/api/v1/tenant/station/services/${one.id}`
    const { APIKey } = await world.given.expecting(200, world.as(world.chief, 'POST', `${place}/rotate-api-key`, {}))
    expect((await pushWith(`${EVENTS}?apikey=${one.apiKey}`)).status).toBe(401)
    expect((await pushWith(`${EVENTS}?apikey=${APIKey}`)).status).toBe(201)
    await world.given.expecting(200, world.as(world.chief, 'POST', `${place}/disable`))
    expect((await pushWith(`${EVENTS}?apikey=${APIKey}`)).status).toBe(401)
  })

  it('S3 an API key is written nowhere', async () => {
    await pushWith(`${EVENTS}?apikey=${world.dispatch.apiKey}`)
    await pushWith(`${EVENTS}?apikey=${world.dispatch.apiKey}`, {}, { eventId: 'without a start' })
    const key = Buffer.from(world.dispatch.apiKey)
    const forms = [key, Buffer.from(key.toString('base64')), Buffer.from(key.toString('hex'))]
    await fileOfRows(world.given.file)
    for (const name of readdirSync(world.given.data, { recursive: true }) as string[]) {
      const file = path.join(world.given.data, name)
      if (!statSync(file).isFile()) continue
      const bytes = readFileSync(file)
      for (const form of forms) expect([name, bytes.includes(form)]).toEqual([name, false])
    }
  })
})

describe('an event', () => {
  it('becomes a case, with what it says in its place', async () => {
    const { category } = { category: fresh('Theft') }
    await world.given.expecting(201, world.as(world.chief, 'POST', '/api/v1/category/station', { Name: category }))
    const officer = await world.officer()
    const given = event({
      name: 'Theft of a bicycle',
      description: 'Two people\nOne bicycle',
      eventEndTimeUtc: '2026-11-20T03:00:00Z',
      category: category.toUpperCase(),
      district: 'North',
      beat: 4,
      priority: 'P2',
      state: 'Closed',
      location: { latitude: 48.2, longitude: 16.3, address: '17 Mill Lane', notes: null },
      involvedResources: [{ name: officer.name }, { id: 'nobody at all' }],
      extended: { caller: 'Anonymous', __proto__: null },
      transactionId: null,
    })
    const { caseId } = await world.pushed(given)
    const made = await world.caseOf(caseId)
    expect(made).toMatchObject({
      Title: 'Theft of a bicycle',
      Description: 'Two people\nOne bicycle',
      ExternalReferenceId2: given.eventId,
      OccurredOn: START,
      EndedOn: '2026-11-20T03:00:00Z',
      State: 'Open',
      SourceType: 'Cad',
      CategoryId: expect.any(String),
      LocationWKT: 'POINT (16.3 48.2)',
      LocationText: '17 Mill Lane',
      Tags: [],
      PersonnelRelations: [{ PrincipalId: officer.id }],
      CustomFields: { District: 'North', Beat: '4', Priority: 'P2', State: 'Closed', caller: 'Anonymous' },
    })
    expect((await newest('applied')).problems).toEqual([
      { path: '', message: '"nobody at all" is nobody of this station.' },
    ])
  })

  it('without a name is called by its number; a category that is none is kept as a tag', async () => {
    const given = event({ category: 'Unheard of' })
    const { caseId } = await world.pushed(given)
    expect(await world.caseOf(caseId)).toMatchObject({ Title: given.eventId, CategoryId: null, Tags: ['Unheard of'] })
  })

  it('again is 200 and changes the same case; what it does not say, or says as null, stays', async () => {
    const given = event({ name: 'First', description: 'As told', eventEndTimeUtc: '2026-11-20T03:00:00Z' })
    const first = await world.push(given)
    const again = await world.push({ ...given, name: 'Second', description: null, eventEndTimeUtc: undefined })
    expect([first.status, again.status, again.json.caseId, again.json.applied]).toEqual([
      201,
      200,
      first.json.caseId,
      true,
    ])
    expect(await world.caseOf(first.json.caseId)).toMatchObject({
      Title: 'Second',
      Description: 'As told',
      EndedOn: '2026-11-20T03:00:00Z',
    })
  })

  it('the same transaction again, or an older one, changes nothing', async () => {
    const given = event({ name: 'At one', transactionId: 't1', transactionDateUtc: '2026-11-20T01:00:00Z' })
    const { caseId } = await world.pushed(given)
    await world.pushed({ ...given, name: 'At three', transactionId: 't3', transactionDateUtc: '2026-11-20T03:00:00Z' })
    for (const late of [
      { name: 'At one, repeated', transactionId: 't1', transactionDateUtc: '2026-11-20T04:00:00Z' },
      { name: 'At two', transactionId: 't2', transactionDateUtc: '2026-11-20T02:00:00Z' },
      // One 100 ns tick before what was applied.
      { name: 'A tick before', transactionId: 't4', transactionDateUtc: '2026-11-20T02:59:59.9999999Z' },
    ]) {
      const reply = await world.push({ ...given, ...late })
      expect([reply.status, reply.json.caseId, reply.json.applied]).toEqual([200, caseId, false])
    }
    expect((await world.caseOf(caseId)).Title).toBe('At three')
  })

  it('what somebody changed by hand is left alone from then on', async () => {
    const [one, two, three] = [await world.officer(), await world.officer(), await world.officer()]
    const given = event({
      name: 'By dispatch',
      district: 'North',
      involvedResources: [{ id: one.badge }, { id: two.badge }],
    })
    const { caseId } = await world.pushed(given)
    const made = await world.caseOf(caseId)
    const asSent = (id: string) => made.PersonnelRelations.find((each: Json) => each.PrincipalId === id)
    await world.given.expecting(
      200,
      world.as(world.chief, 'PATCH', `${CASES}/${caseId}`, {
        Title: 'By hand',
        CustomFields: { ...made.CustomFields, District: 'South', Own: 'x' },
        PersonnelRelations: [asSent(one.id)],
      }),
    )
    await world.pushed({
      ...given,
      name: 'By dispatch once more',
      district: 'East',
      priority: 1,
      involvedResources: [{ id: two.badge }, { id: three.badge }],
    })
    const now = await world.caseOf(caseId)
    expect([now.Title, now.CustomFields]).toEqual(['By hand', { District: 'South', Own: 'x', Priority: '1' }])
    // One is not involved any more, two was taken out by hand, three came.
    expect(now.PersonnelRelations.map((each: Json) => each.PrincipalId)).toEqual([three.id])
  })

  it('a value that does not fit a typed field is kept as text, and flagged', async () => {
    await world.given.expecting(
      200,
      world.as(world.chief, 'PUT', '/customfieldservice/api/v1/template/station', {
        type: 'Case',
        customFields: [{ name: 'Units', type: 'Number' }],
      }),
    )
    const { caseId } = await world.pushed(event({ extended: [{ key: 'Units', value: 'many' }] }))
    expect((await world.caseOf(caseId)).CustomFields.Units).toBe('many')
    expect((await newest('applied')).problems[0].message).toContain('CustomFields.Units must be a number')
  })

  it('gives Edit to who pushed; without a default department Manage to administrators, else what the department has', async () => {
    const levels = async (caseId: string): Promise<Json> =>
      (await world.caseOf(caseId)).AccessPolicies.map((one: Json) => [one.Username, one.Permissions]).sort()
    const alone = await world.pushed(event())
    expect(await levels(alone.caseId)).toEqual([
      ['Account Administrators', 'Manage'],
      ['dispatch', 'Edit'],
    ])
    const { dispatch, chief, nobody } = world
    const department = await world.given.expecting(
      201,
      world.as(chief, 'POST', '/api/v1/department/station', {
        Name: fresh('Patrol'),
        AccessPolicies: [{ Permissions: 'Manage', PrincipalId: nobody.id, KId: nobody.kId, PrincipalType: 'service' }],
      }),
    )
    const assign = (id: string | null, concurrencyId: string) =>
      world.given.expecting(
        200,
        world.as(chief, 'PUT', '/api/v1/department/default/station/assign', {
          DepartmentId: id,
          ConcurrencyId: concurrencyId,
        }),
      )
    await assign(department.DepartmentId, department.ConcurrencyId)
    const { caseId } = await world.pushed(event())
    const read = await world.given.expecting(200, world.as(nobody, 'GET', `${CASES}/${caseId}`))
    expect([
      read.DepartmentId,
      read.AccessPolicies.map((one: Json) => [one.PrincipalId, one.Permissions]).sort(),
    ]).toEqual([
      department.DepartmentId,
      [
        [dispatch.id, 'Edit'],
        [nobody.id, 'Manage'],
      ].sort(),
    ])
    const current = await world.given.expecting(200, world.as(chief, 'GET', '/api/v1/department/default/station'))
    await assign(null, current.ConcurrencyId)
  })

  it('for a closed case is kept and listed for review, and applied when somebody tries it again later', async () => {
    const given = event({ name: 'Before' })
    const { caseId } = await world.pushed(given)
    await world.given.expecting(200, world.as(world.chief, 'POST', `${CASES}/${caseId}/close`))
    const late = await world.push({ ...given, name: 'After', transactionId: 'late' })
    expect([late.status, late.json.applied, (await world.caseOf(caseId)).Title]).toEqual([200, false, 'Before'])
    const waiting = await newest('review')
    expect(waiting).toMatchObject({ eventId: given.eventId, reason: 'The case of this event is closed.' })
    await world.given.expecting(200, world.as(world.chief, 'POST', `${CASES}/${caseId}/reopen`))
    const tried = await world.given.expecting(
      200,
      world.as(world.chief, 'POST', `${MESSAGES}/${waiting.messageId}/retry`),
    )
    expect([tried.state, tried.attempts, (await world.caseOf(caseId)).Title]).toEqual(['applied', 2, 'After'])
    expect((await world.as(world.chief, 'POST', `${MESSAGES}/${waiting.messageId}/retry`)).status).toBe(400)
  })

  it('in one body is one case, whoever races: 16 at once', async () => {
    const given = event()
    const replies = await Promise.all(Array.from({ length: 16 }, () => world.push(given)))
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(15).fill(200), 201])
    expect(new Set(replies.map(({ json }) => json.caseId)).size).toBe(1)
  })

  it('sent again under its Idempotency-Key is answered as the first time, and not read again', async () => {
    const given = event()
    const key = randomUUID()
    const first = await world.push(given, { key })
    const again = await world.push(given, { key })
    expect([first.status, again.status, again.json]).toEqual([201, 201, first.json])
    const messages = (await world.given.expecting(200, world.as(world.chief, 'GET', MESSAGES))).items as Json[]
    expect(messages.filter(({ eventId }) => eventId === given.eventId)).toHaveLength(1)
  })
})

describe('a batch', () => {
  it('has a result for each event, in order; a bad one stops no other', async () => {
    const [one, two] = [event({ name: 'One' }), event({ name: 'Two' })]
    const { status, json } = await world.as(world.dispatch, 'POST', `${EVENTS}/batch`, [
      one,
      { eventId: 'no start' },
      two,
      7,
      { ...one, name: 'One again' },
    ])
    expect([status, json.map((each: Json) => [each.status, each.applied, each.errorCode])]).toEqual([
      200,
      [
        [201, true, null],
        [400, false, 'InvalidModel'],
        [201, true, null],
        [400, false, 'InvalidModel'],
        [200, true, null],
      ],
    ])
    expect(json[1]).toMatchObject({ eventId: 'no start', details: [{ path: 'eventStartTimeUtc' }] })
    expect((await world.caseOf(json[0].caseId)).Title).toBe('One again')
  })

  it.each([
    ['none', []],
    ['1001', Array.from({ length: 1001 }, () => ({}))],
    ['no list', { eventId: 'x' }],
  ])('of %s is refused, and kept', async (_name, body) => {
    const reply = await world.as(world.dispatch, 'POST', `${EVENTS}/batch`, body)
    expect(refusal(reply)).toEqual([400, 'InvalidModel'])
    expect(await newest('unreadable')).toMatchObject({ state: 'unreadable', reason: 'The request is not valid.' })
  })
})

describe('what cannot be read', () => {
  it.each([
    ['no JSON', '{"eventId": "x"', 'The body cannot be read.'],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'The body cannot be read.'],
    ['no object', '[1]', 'The request is not valid.'],
    ['a member twice', '{"eventId":"a","eventId":"b"}', 'The body cannot be read.'],
  ])('%s is refused and kept as it came', async (_name, raw, reason) => {
    const reply = await world.given.call('POST', EVENTS, { token: world.dispatch.token, raw })
    expect(refusal(reply)).toEqual([400, 'InvalidModel'])
    const kept = await newest('unreadable')
    expect(kept).toMatchObject({ eventId: null, attempts: 1, sentBy: { name: 'dispatch' } })
    const whole = await world.given.expecting(200, world.as(world.chief, 'GET', `${MESSAGES}/${kept.messageId}`))
    expect(whole.body).toBe(typeof raw === 'string' ? raw : new TextDecoder().decode(raw))
    expect(kept.reason).toBe(reason)
    expect((await world.as(world.dispatch, 'GET', MESSAGES)).status).toBe(403)
  })

  it.each([
    [{ eventId: 'a' }, 'eventStartTimeUtc'],
    [{ eventStartTimeUtc: START }, 'eventId'],
    [event({ eventStartTimeUtc: 'yesterday' }), 'eventStartTimeUtc'],
    [event({ eventEndTimeUtc: '2026-11-19T00:00:00Z' }), 'eventEndTimeUtc'],
    [event({ location: { latitude: 48 } }), 'location'],
    [event({ location: { latitude: 91, longitude: 0 } }), 'location.latitude'],
    [event({ involvedResources: 'all' }), 'involvedResources'],
    [event({ eventId: 'x'.repeat(257) }), 'eventId'],
  ])('%j tells where it is wrong', async (given, where) => {
    const reply = await world.push(given)
    expect([reply.status, reply.json.details.map((one: Json) => one.path)]).toEqual([400, [where]])
  })

  it('is read once the mapping is right: looked at first on the message itself, then tried again', async () => {
    const odd = { Incident: { Number: fresh('I') }, Opened: START, Crew: [{ id: 'x' }], What: 'A noise' }
    expect((await world.push(odd)).status).toBe(400)
    const kept = await newest('unreadable')
    const before = await world.given.expecting(200, world.as(world.chief, 'GET', MAPPING))
    const { usual, concurrencyId, ...usualMapping } = before
    expect(usual).toBe(true)
    const mapping = {
      ...usualMapping,
      members: { eventId: ['eventId', 'Incident.Number'], eventStartTimeUtc: ['eventStartTimeUtc', 'Opened'] },
      fields: [
        { from: 'What', to: 'Title' },
        ...usualMapping.fields,
        { from: 'Crew.0.id', to: 'CustomField', name: 'Crew' },
      ],
    }
    const [preview] = await world.given.expecting(
      200,
      world.as(world.chief, 'POST', `${MAPPING}/preview`, { mapping, messageIds: [kept.messageId] }),
    )
    expect(preview.now.readable).toBe(false)
    expect(preview.proposed).toMatchObject({
      readable: true,
      fields: { Title: 'A noise', ExternalReferenceId2: odd.Incident.Number, 'CustomFields.Crew': 'x' },
    })
    const retry = () => world.given.expecting(200, world.as(world.chief, 'POST', `${MESSAGES}/${kept.messageId}/retry`))
    expect((await retry()).state).toBe('unreadable')
    const changed = await world.given.expecting(
      200,
      world.as(world.chief, 'PUT', MAPPING, { ...mapping, concurrencyId }),
    )
    expect(refusal(await world.as(world.chief, 'PUT', MAPPING, { ...mapping, concurrencyId }))).toEqual([
      409,
      'ConcurrentWritingError',
    ])
    const tried = await retry()
    expect([tried.state, tried.attempts]).toEqual(['applied', 3])
    expect(await world.caseOf(tried.caseId)).toMatchObject({ Title: 'A noise', CustomFields: { Crew: 'x' } })
    await world.given.expecting(
      200,
      world.as(world.chief, 'PUT', MAPPING, { ...usualMapping, concurrencyId: changed.concurrencyId }),
    )
  })
})

describe('asking for events', () => {
  it('by number, as an address, as a redirect: for who may push, and for who can view the case', async () => {
    const given = event({ name: 'Asked for', eventId: fresh('E/ü') })
    const { caseId, uri } = await world.pushed(given)
    const asked = async (who: Program): Promise<unknown[]> => {
      const query = `?eventId=${encodeURIComponent(given.eventId)}`
      const replies = [
        await world.as(who, 'GET', path1(given.eventId)),
        await world.as(who, 'GET', `${EVENTS}/singleuri${query}`),
        await world.as(who, 'GET', `${EVENTS}/singleredirect${query}`),
      ]
      return replies.map(({ status, json, headers }) => [status, json?.errorCode ?? json, headers.get('location')])
    }
    const all = [
      [200, { eventId: given.eventId, caseId, uri, event: given }, null],
      [200, uri, null],
      [302, { uri }, uri],
    ]
    const none = Array.from({ length: 3 }, () => [404, 'CadEventNotFound', null])
    expect(await asked(world.dispatch)).toEqual(all)
    expect(await asked(world.nobody)).toEqual(none)
    const { nobody } = world
    await world.given.expecting(
      200,
      world.as(world.chief, 'POST', `${CASES}/${caseId}/share`, {
        AccessPolicies: [{ Permissions: 'View', PrincipalId: nobody.id, KId: nobody.kId, PrincipalType: 'service' }],
      }),
    )
    expect(await asked(nobody)).toEqual(all)
    const byKey = await world.given.call('GET', `${path1(given.eventId)}?apikey=${nobody.apiKey}`, { token: null })
    expect(byKey.status).toBe(200)
  })

  it('by time and place', async () => {
    const day = '2031-05-05T'
    const made = async (name: string, from: string, to: string, location: Json) => {
      await world.pushed(event({ name, eventStartTimeUtc: day + from, eventEndTimeUtc: day + to, location }))
      return name
    }
    const names = [
      await made('early', '01:00:00Z', '02:00:00Z', { latitude: 48.2, longitude: 16.3 }),
      await made('late', '03:00:00Z', '04:00:00Z', { latitude: 48.2009, longitude: 16.3 }),
      await made('nowhere', '03:30:00Z', '03:40:00Z', null),
    ]
    const found = async (query: string, who: Program = world.dispatch): Promise<string[]> =>
      (await world.given.expecting(200, world.as(who, 'GET', `${EVENTS}/search?${query}`))).map(
        (one: Json) => one.event.name,
      )
    const time = `startTimeUtc=${day}00:00:00Z&endTimeUtc=${day}05:00:00Z`
    expect(await found(time)).toEqual([names[2], names[1], names[0]])
    expect(await found(`startTimeUtc=${day}02:30:00Z&endTimeUtc=${day}03:10:00Z`)).toEqual(['late'])
    expect(await found(`${time}&latitude=48.2&longitude=16.3&radiusMeters=50`)).toEqual(['early'])
    expect(await found(`${time}&latitude=48.2&longitude=16.3&radiusMeters=150`)).toEqual(['late', 'early'])
    expect(await found(time, world.nobody)).toEqual([])
    for (const wrong of ['latitude=48.2', 'latitude=91&longitude=0&radiusMeters=1', 'startTimeUtc=x'])
      expect((await world.as(world.dispatch, 'GET', `${EVENTS}/search?${wrong}`)).status).toBe(400)
  })
})

describe('S13 CORS is answered to listed pages with the key in the address, and to nobody else', () => {
  const PAGE = 'https://dispatch.example'
  const asks = (place: string, headers: Record<string, string>, method = 'OPTIONS') =>
    world.given.call(method, place, {
      token: null,
      headers: { 'access-control-request-method': 'POST', ...headers },
    })

  it('', async () => {
    const { id, apiKey } = await world.program(fresh('pages'), ['PushCadEvents'])
    const origins = `/userservice/api/v1/tenant/station/services/${id}/origins`
    const place = `${EVENTS}?apikey=${apiKey}`
    expect((await asks(place, { origin: PAGE })).status).toBe(403)
    for (const wrong of ['*', 'null', 'dispatch.example', `${PAGE}/`, 'ftp://dispatch.example'])
      expect((await world.as(world.chief, 'PUT', origins, { Origins: [wrong] })).status).toBe(400)
    await world.given.expecting(200, world.as(world.chief, 'PUT', origins, { Origins: [PAGE] }))

    const preflight = await asks(place, { origin: PAGE })
    expect([preflight.status, preflight.text]).toEqual([204, ''])
    expect(preflight.headers.get('access-control-allow-origin')).toBe(PAGE)
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
    const done = await world.given.call('POST', place, { token: null, body: event(), headers: { origin: PAGE } })
    expect([done.status, done.headers.get('access-control-allow-origin')]).toEqual([201, PAGE])
    expect(done.headers.get('vary')).toContain('Origin')
    const wrong = await world.given.call('POST', place, { token: null, body: {}, headers: { origin: PAGE } })
    expect([wrong.status, wrong.headers.get('access-control-allow-origin')]).toEqual([400, PAGE])

    const refused: [string, Record<string, string>][] = [
      [place, { origin: 'https://elsewhere.example' }],
      [place, { origin: 'null' }],
      [place, { origin: PAGE, cookie: 'a=b' }],
      [EVENTS, { origin: PAGE, 'x-api-key': apiKey }],
      [`${EVENTS}?apikey=${world.dispatch.apiKey}`, { origin: PAGE }],
      [`${CASES}?apikey=${apiKey}`, { origin: PAGE }],
      [`${world.given.documents}/evidence?apikey=${apiKey}`, { origin: PAGE }],
    ]
    for (const [where, headers] of refused) {
      const reply = await asks(where, headers)
      expect([where, headers, reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([
        where,
        headers,
        403,
        null,
      ])
    }
    await world.given.expecting(200, world.as(world.chief, 'PUT', origins, { Origins: [] }))
    expect((await asks(place, { origin: PAGE })).status).toBe(403)
  })
})

it('D1 what was kept and not looked into when the station ended is read at the next start', async () => {
  const { given } = world
  const late = event({ name: 'Left behind' })
  await given.stop()
  const db = await openTestDatabase({ file: given.file })
  await db.transaction((tx) =>
    tx
      .insertInto('cad_deliveries')
      .values({
        tenant_id: 'station',
        principal_id: Number(world.dispatch.id),
        sent_by: JSON.stringify({
          principalId: world.dispatch.id,
          name: 'dispatch',
          kind: 'service',
          kId: world.dispatch.kId,
        }),
        source: '127.0.0.1',
        correlation_id: 'left',
        batch: 0,
        body: Buffer.from(JSON.stringify(late)),
        sha256: 'a'.repeat(64),
        received_utc: START,
        taken: 0,
      })
      .execute(),
  )
  await db.close()
  const station = await startServer(given.settings)
  try {
    // Of several nodes the one that runs the tasks reads it, half a minute later.
    const found = (): unknown =>
      given.database((raw) =>
        raw.prepare('SELECT title FROM cases WHERE external_reference_2 = ?').pluck().all(late.eventId),
      )
    await expect.poll(found, { timeout: isOnPostgres ? 45_000 : 1, interval: 500 }).toEqual(['Left behind'])
    const left = given.database((raw) =>
      raw.prepare('SELECT count(*) FROM cad_deliveries WHERE taken = 0').pluck().get(),
    )
    expect(left).toBe(0)
  } finally {
    await station.close()
  }
})
