import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, json } from '../../../server/http/handlers.ts'
import { createClient } from '../../../shared/kernel/contract-client.ts'
import { fault, Fault } from '../../../shared/kernel/errors.ts'
import { type Frame, startFrame } from './frame.ts'
import * as r from './routes.ts'

let frame: Frame
beforeAll(async () => {
  frame = await startFrame([
    json(r.readThing, async ({ params, query }) => ({ ...params, count: query.count, tags: [query.tag ?? []].flat() })),
    json(r.createThing, async ({ body }) => {
      if (body.Name === 'known') return { Id: 7, Name: body.Name }
      return answer(201, { Id: 8, Name: body.Name }, { Location: '/8' })
    }),
    json(r.silentPost, async ({ params, call }) => {
      call.reportDecision({ on: 'device', id: params.deviceId, held: 'None' })
      return undefined
    }),
    json(r.template, async () => {
      throw fault('EvidenceNotUpToDate', 'Too late.', [{ Path: 'a', Message: 'b' }])
    }),
    json(r.forbiddenCase, async () => 'x'),
  ])
})
afterAll(() => frame.close())

const client = (token: string | null = 'officer') =>
  createClient({ baseUrl: frame.url, fetch: (url, init: RequestInit) => fetch(url, init), token: () => token })

test('parameters, query and body go out as the contract says, and the answer comes back typed', async () => {
  const thing = await client().call(r.readThing, {
    params: { tenantName: 'a/b', thingId: 'ü%2F' },
    query: { count: 3, tag: ['x&y', 'z'] },
  })
  const { count, tags }: { count?: number | undefined; tags: string[] } = thing
  expect({ ...thing, count, tags }).toEqual({ tenantName: 'a/b', thingId: 'ü%2F', count: 3, tags: ['x&y', 'z'] })
  const made = await client().send(r.createThing, {
    params: { tenantName: 's' },
    body: { Name: 'new' },
    idempotencyKey: 'k',
  })
  expect([made.status, made.body, made.header('location')]).toEqual([201, { Id: 8, Name: 'new' }, '/8'])
  // The plain value of a route with several successes has the first of them.
  expect((await client().send(r.createThing, { params: { tenantName: 's' }, body: { Name: 'known' } })).status).toBe(
    200,
  )
  expect(await client().call(r.silentPost, { params: { tenantId: 's', deviceId: '1' } })).toBeUndefined()
})

test('refusals are faults', async () => {
  const told = async (work: Promise<unknown>) => {
    const error: unknown = await work.catch((thrown: unknown) => thrown)
    if (!(error instanceof Fault)) throw new Error('no fault')
    return error
  }
  expect(await told(client().call(r.template, { params: { tenantName: 's' }, body: { type: 'Case' } }))).toMatchObject({
    code: 'EvidenceNotUpToDate',
    message: 'Too late.',
    details: [{ Path: 'a', Message: 'b' }],
  })
  expect((await told(client().call(r.forbiddenCase, { params: { tenantId: 's', caseId: '1' } }))).code).toBe(
    'Forbidden',
  )
  const unknown = await told(client(null).call(r.readThing, { params: { tenantName: 's', thingId: '1' }, query: {} }))
  expect([unknown.code, unknown.headers['X-Correlation-Id']]).toEqual([
    'Unauthorized',
    expect.stringMatching(/^[0-9a-f-]{36}$/),
  ])
  await expect(client().call(r.readThing, { params: { tenantName: '', thingId: '1' }, query: {} })).rejects.toThrow(
    'readThing needs tenantName',
  )
})

test('addresses for players and downloads', () => {
  expect(
    client().url(r.readThing, { params: { tenantName: 's', thingId: 'a b' }, query: { count: 1, tag: undefined } }),
  ).toBe(`${frame.url}/api/v1/tenant/s/thing/a%20b?count=1`)
})
