import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answer, bytes, json } from '../../../server/http/handlers.ts'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import { type Frame, startFrame } from './frame.ts'
import { raw } from './raw.ts'
import * as r from './routes.ts'
import { compareShapes } from './shapes.ts'

let frame: Frame
let failure: unknown = null
beforeAll(async () => {
  frame = await startFrame(
    [
      // The parameter is bound first on purpose: order must not matter.
      json(r.readThing, async ({ params, query }) => ({
        thingId: params.thingId,
        tenantName: params.tenantName,
        count: query.count,
        tags: [query.tag ?? []].flat(),
      })),
      json(r.literalThing, async () => true),
      json(
        r.withDefinition(r.silentPost, {
          id: 'postThing',
          params: r.readThing.params,
          path: '/api/v1/tenant/:tenantName/thing/:thingId',
          method: 'POST',
        }),
        async () => undefined,
      ),
      json(r.createThing, async ({ body }) => answer(201, { Id: 1, Name: body.Name }, { Location: '/x\r\ny' })),
      json(r.forbiddenCase, async () => 'x'),
      json(r.caseThing, async () => {
        throw failure
      }),
      json(r.template, async () => {
        throw failure
      }),
      json(r.token, async () => {
        throw failure
      }),
      json(r.echo, async () => {
        throw failure
      }),
      bytes(r.upload, async () => {
        throw failure
      }),
      json(r.withDefinition(r.onlyJson, { id: 'liar', path: '/api/v1/liar' }), async () => 5 as unknown as string),
      bytes(r.content, async (request) => ({
        status: 200,
        headers: { 'X-Name': request.params['name'] ?? '' },
        body: 'x',
      })),
    ],
    {
      site: async (request) =>
        request.headers.accept?.includes('text/html') === true
          ? { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<p>' }
          : null,
    },
  )
})
afterAll(() => frame.close())

const officer = { Authorization: 'Bearer officer' }
const get = (path: string, init: RequestInit = {}) =>
  fetch(frame.url + path, { ...init, headers: { ...officer, ...init.headers } })
const rawGet = (target: string, method = 'GET') =>
  raw(
    frame.port,
    `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${frame.port}\r\nAuthorization: Bearer officer\r\nConnection: close\r\n\r\n`,
  )

describe('paths', () => {
  test('a literal wins over a parameter, with and without a trailing slash', async () => {
    expect(await (await get('/api/v1/tenant/s/thing/canmanage')).json()).toBe(true)
    expect(await (await get('/api/v1/tenant/s/thing/canmanage/')).json()).toBe(true)
    expect(await (await get('/api/v1/tenant/s/thing/CanManage')).json()).toMatchObject({ thingId: 'CanManage' })
    expect(await (await get('/api/v1/tenant/s/thing/can%6Danage')).json()).toMatchObject({ thingId: 'canmanage' })
  })
  test('the literal wins for every method', async () => {
    const reply = await get('/api/v1/tenant/s/thing/canmanage', { method: 'POST' })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
  test('shapes are ordered from left to right', () => {
    const shapes = ['/a/:/:', '/a/b/:', '/a/:/c', '/a', '/a/b/c', '/a/:']
    expect(shapes.toSorted(compareShapes)).toEqual(['/a', '/a/b/c', '/a/b/:', '/a/:', '/a/:/c', '/a/:/:'])
  })
  test('two routes on one path and method are refused at the start', async () => {
    await expect(
      startFrame([
        json(r.literalThing, async () => true),
        json(r.withDefinition(r.literalThing, { id: 'other' }), async () => true),
      ]),
    ).rejects.toThrow('Two routes answer')
    await expect(
      startFrame([json(r.literalThing, async () => true), json(r.literalThing, async () => true)]),
    ).rejects.toThrow('Two routes are called')
  })

  test.each([
    ['a%2Fb', 'a/b'],
    ['a%252Fb', 'a%2Fb'],
    ['%25', '%'],
    ['a+b', 'a+b'],
    ['%E6%97%A5', '日'],
    ['..', null],
    ['%2e%2e', '..'],
    ['a;b=c', 'a;b=c'],
    ['a:b', 'a:b'],
    ['__proto__', '__proto__'],
    ["it's(ok)*!~", "it's(ok)*!~"],
  ])('the id %s is decoded once', async (sent, expected) => {
    const reply = await rawGet(`/api/v1/tenant/s/thing/${sent}`)
    expect(reply.status).toBe(200)
    expect(JSON.parse(reply.body)).toMatchObject({ thingId: expected ?? sent })
  })

  test.each(['%', '%2', '%zz', '%C3', '%FF', '%C0%AF', '%ED%A0%80', 'a%'])(
    '%s is no percent encoding: 400',
    async (sent) => {
      for (const target of [
        `/api/v1/tenant/s/thing/${sent}`,
        `/api/v1/tenant/${sent}/thing/1`,
        `/api/v1/tenant/s/thing/1?tag=${sent}`,
        `/api/v1/tenant/s/thing/1?${sent}=1`,
      ]) {
        const reply = await rawGet(target)
        expect([reply.status, JSON.parse(reply.body)]).toMatchObject([400, { ErrorCode: 'InvalidModel' }])
      }
    },
  )

  test.each([
    '/api/v1/tenant/s/thing//',
    '/api/v1/tenant//thing/1',
    '//api/v1/tenant/s/thing/1',
    '/api/v1/../v1/tenant/s/thing/1',
    '/API/v1/tenant/s/thing/1',
    '/api/v1/tenant/s/thing/1/2/3',
    '/nothing',
    '/',
    '/%',
  ])('%s is not there', async (target) => {
    const reply = await rawGet(target)
    expect([reply.status, JSON.parse(reply.body)]).toMatchObject([404, { ErrorCode: 'NotFound' }])
  })

  test('unknown under an API prefix is 404 JSON, elsewhere the page for who accepts one', async () => {
    const html = { headers: { Accept: 'text/html' } }
    expect((await get('/cases/1', html)).headers.get('content-type')).toBe('text/html')
    expect((await get('/cases/1')).status).toBe(404)
    expect((await get('/cases/1', { ...html, method: 'POST' })).status).toBe(404)
    for (const prefix of 'api connect blob documentstore keystore cadservice customfieldservice searchservice userservice .well-known'.split(
      ' ',
    )) {
      const reply = await get(`/${prefix}/nothing`, html)
      expect([prefix, reply.status, reply.headers.get('content-type')]).toEqual([
        prefix,
        404,
        prefix === 'blob' ? 'application/xml' : 'application/json; charset=utf-8',
      ])
    }
  })

  test.each(['DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PUT'])('%s where it is not answered', async (method) => {
    const reply = await rawGet('/api/v1/tenant/s/thing', method)
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'POST'])
  })

  test('HEAD is GET without the body', async () => {
    const reply = await get('/api/v1/tenant/s/thing/canmanage', { method: 'HEAD' })
    expect([reply.status, reply.headers.get('content-length'), await reply.text()]).toEqual([200, '4', ''])
  })

  test('query members', async () => {
    const told = async (query: string) => (await get(`/api/v1/tenant/s/thing/1?${query}`)).json()
    expect(await told('count=&tag=')).toEqual({ thingId: '1', tenantName: 's', tags: [] })
    expect(await told('count=5&tag=a%26b&tag=c+d')).toMatchObject({ count: 5, tags: ['a&b', 'c d'] })
    expect(await told('__proto__=1&tag=x')).toMatchObject({ tags: ['x'] })
    expect(await told('count=1&count=2')).toMatchObject({ ErrorCode: 'InvalidModel', Details: [{ Path: 'count' }] })
    expect(await told('count=1001')).toMatchObject({ ErrorCode: 'InvalidModel' })
  })
})

describe('refusals (decisions 2)', () => {
  const post = (path: string, body: unknown = {}, method = 'POST') =>
    get(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })

  test('401 says how to sign in and is counted, 403 is written down with its reason', async () => {
    const reply = await fetch(`${frame.url}/api/v1/tenant/s/thing/1`)
    expect([reply.status, reply.headers.get('www-authenticate'), await reply.json()]).toMatchObject([
      401,
      'Bearer realm="sallyport"',
      { ErrorCode: 'Unauthorized' },
    ])
    expect(frame.ledger.at(-1)).toMatchObject({
      tally: true,
      outcome: 'denied',
      reason: 'Unauthorized',
      action: 'access.denied',
      object: { id: '1' },
      actor: 'anonymous',
    })
    const wrong = await fetch(`${frame.url}/api/v1/tenant/s/thing/1`, { headers: { Authorization: 'Bearer x' } })
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer realm="sallyport", error="invalid_token"')
    const onCase = await fetch(`${frame.url}/api/v1/case/s`, { method: 'POST' })
    expect([onCase.status, await onCase.text(), onCase.headers.get('content-type')]).toEqual([401, '', null])
    const denied = await get('/api/v1/case/s/1')
    expect([denied.status, await denied.text()]).toEqual([403, ''])
    expect(frame.ledger.at(-1)).toMatchObject({
      tally: false,
      outcome: 'denied',
      reason: 'PrincipalIsNoAdministrator',
      actor: 'officer',
    })
  })

  test('a refusal by the service is written down too', async () => {
    failure = new Fault('Forbidden', 'No.', { reason: 'UserCannotCreateCase' })
    const reply = await post('/api/v1/case/s', { Title: 'x' })
    expect([reply.status, await reply.text()]).toEqual([403, ''])
    expect(frame.ledger.at(-1)).toMatchObject({
      outcome: 'denied',
      reason: 'UserCannotCreateCase',
      detail: { operation: 'caseThing' },
    })
  })

  test.each([
    ['TenantNotFound', 400, 404],
    ['EvidenceNotUpToDate', 400, 409],
    ['PreconditionFailed', 400, 412],
    ['InvalidModel', 400, 400],
    ['TooManyRequests', 429, 429],
    ['ReadOnly', 503, 503],
    ['StorageFull', 503, 503],
    ['IdempotencyKeyInProgress', 503, 409],
  ] as const)('%s is %i on the case service and %i elsewhere', async (code, onCase, elsewhere) => {
    failure = fault(code, 'Why.')
    const reply = await post('/api/v1/case/s', { Title: 'x' })
    expect([reply.status, await reply.json()]).toMatchObject([
      onCase,
      { ErrorCode: code, Message: 'Why.', Details: [] },
    ])
    const other = await post('/api/v1/echo', {})
    expect([other.status, await other.json()]).toMatchObject([elsewhere, { ErrorCode: code }])
    expect(other.headers.has('retry-after')).toBe(elsewhere === 429 || elsewhere === 503)
  })

  test('each interface in its own words', async () => {
    failure = fault('ReadOnly', 'a < b & c', [{ Path: 'x', Message: 'y' }])
    expect(await (await post('/customfieldservice/api/v1/template/s', { type: 'Case' }, 'PUT')).json()).toMatchObject({
      errorCode: 'ReadOnly',
      message: 'a < b & c',
      details: [{ path: 'x', message: 'y' }],
    })
    expect(await (await post('/connect/token', { grant_type: 'x' })).json()).toMatchObject({
      error: 'temporarily_unavailable',
      error_description: 'a < b & c',
    })
    const blob = await get('/blob/c/b', { method: 'PUT', body: 'x' })
    expect([blob.status, blob.headers.get('x-ms-error-code'), await blob.text()]).toEqual([
      503,
      'ServerBusy',
      '<?xml version="1.0" encoding="utf-8"?><Error><Code>ServerBusy</Code><Message>a &lt; b &amp; c</Message></Error>',
    ])
  })

  test('nothing of the inside goes out', async () => {
    failure = new Error('SQLITE_ERROR: no such table secret_table at /home/station/db.ts:1')
    const reply = await post('/api/v1/echo', {})
    const text = await reply.text()
    expect(reply.status).toBe(500)
    expect(text).not.toMatch(/SQLITE|secret_table|home|\.ts|stack/)
    for (const thrown of [null, undefined, 'text', 5, { code: 'InvalidModel' }]) {
      failure = thrown
      expect((await post('/api/v1/echo', {})).status).toBe(500)
    }
  })

  test('a header with a line break in it never leaves', async () => {
    const reply = await post('/api/v1/tenant/s/thing', { Name: 'x' })
    expect([reply.status, reply.headers.get('location')]).toEqual([500, null])
    const named = await rawGet('/api/v1/tenant/s/content/a%0d%0aSet-Cookie:x')
    expect([named.status, named.headers['set-cookie']]).toEqual([500, undefined])
  })

  test('an answer that breaks the contract is 500 when that is strict, and a line in the log when not', async () => {
    expect((await get('/api/v1/liar')).status).toBe(500)
    const loose = await startFrame(
      [json(r.withDefinition(r.onlyJson, { permission: { kind: 'anyone' } }), async () => 5 as unknown as string)],
      { settings: { strictResponses: false } },
    )
    const reply = await fetch(`${loose.url}/api/v1/evidence/s/1`)
    expect([reply.status, await reply.json()]).toEqual([200, 5])
    await loose.close()
  })

  test('correlation ids: a sane one is kept, another replaced', async () => {
    const idFor = async (value: string) =>
      (await get('/api/v1/tenant/s/thing/1', { headers: { 'X-Correlation-Id': value } })).headers.get(
        'x-correlation-id',
      )
    expect(await idFor('abc-1.2_3')).toBe('abc-1.2_3')
    for (const value of ['', 'x'.repeat(65), 'a b', '<script>', 'é'])
      expect(await idFor(value)).toMatch(/^[0-9a-f-]{36}$/)
  })
})
