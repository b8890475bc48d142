import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answer, bytes, json } from '../../../server/http/handlers.ts'
import { type Frame, startFrame } from './frame.ts'
import * as r from './routes.ts'

let frame: Frame
beforeAll(async () => {
  frame = await startFrame([
    json(r.readThing, async ({ params, query }) => ({
      thingId: params.thingId,
      tenantName: params.tenantName,
      count: query.count,
      tags: [query.tag ?? []].flat(),
    })),
    json({ ...r.silentPost, id: 'unjudged', path: `${r.silentPost.path}-unjudged` }, async ({ call }) => {
      call.reportDecision({ on: 'device', id: '2', held: 'None' })
      return undefined
    }),
    json(r.literalThing, async () => true),
    json(r.createThing, async ({ body }) => answer(201, { Id: 1, Name: body.Name }, { Location: '/somewhere' })),
    json(r.silentPost, async ({ params, call }) => {
      call.reportDecision({ on: 'device', id: params.deviceId, held: 'None' })
      return undefined
    }),
    bytes(r.content, async (request) => ({
      status: 200,
      headers: { 'Content-Type': 'text/plain' },
      body: request.params['name'] ?? '',
    })),
  ])
})
afterAll(() => frame.close())

const officer = { Authorization: 'Bearer officer' }

describe('the way of a request', () => {
  test('a JSON route', async () => {
    const reply = await fetch(`${frame.url}/api/v1/tenant/station/thing/a%252Fb?count=3&tag=x&tag=y`, {
      headers: officer,
    })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await reply.json()).toEqual({ thingId: 'a%2Fb', tenantName: 'station', count: 3, tags: ['x', 'y'] })
    expect(frame.ledger.at(-1)).toMatchObject({
      action: 'evidence.read',
      object: { type: 'thing', id: 'a%2Fb' },
      outcome: 'ok',
      actor: 'officer',
    })
  })
  test('a bytes route', async () => {
    const reply = await fetch(`${frame.url}/api/v1/tenant/station/content/hello`)
    expect(await reply.text()).toBe('hello')
  })
  test('create', async () => {
    const reply = await fetch(`${frame.url}/documentstore/api/v1/tenant/station/thing/`, {
      method: 'POST',
      headers: { ...officer, 'Content-Type': 'application/json', 'Idempotency-Key': 'a' },
      body: '{"Name":"x"}',
    })
    expect([reply.status, reply.headers.get('location'), await reply.json()]).toEqual([
      201,
      '/somewhere',
      { Id: 1, Name: 'x' },
    ])
  })
  test('nothing', async () => {
    const reply = await fetch(`${frame.url}/api/v1/tenant/station/device/1/activate`, {
      method: 'POST',
      headers: officer,
    })
    expect(reply.status).toBe(204)
  })
  test('S16: an answer about a device without a permission check is not sent', async () => {
    const ask = (id: string) =>
      fetch(`${frame.url}/api/v1/tenant/station/device/${id}/activate-unjudged`, { method: 'POST', headers: officer })
    expect((await ask('1')).status).toBe(500)
    expect((await ask('2')).status).toBe(204)
  })
})
