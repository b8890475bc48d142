import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Given, givenStation } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { EVENTS } from './world.ts'

/** S-8: a station can refuse API keys in the query, where logs and histories keep them. */
let given: Given
let key: string
let token: string
beforeAll(async () => {
  given = await givenStation({ settings: { apiKeyInQuery: false } })
  const connection = await given.integration('dispatch', ['PushCadEvents'])
  key = String(connection['APIKey'])
  token = await signIn(connection, given.url)
})
afterAll(() => given?.close())

const push = (address: string, headers: Record<string, string> = {}) =>
  given.call('POST', address, {
    token: null,
    headers,
    body: { eventId: `event ${Math.random()}`, eventStartTimeUtc: '2026-11-20T02:00:00Z' },
  })

it('S-8: the right key in the query is 401 with a sentence that names the header, and opens nothing', async () => {
  const refused = await push(`${EVENTS}?apikey=${key}`)
  expect([refused.status, refused.json.errorCode]).toEqual([401, 'Unauthorized'])
  expect(refused.json.message).toContain('X-Api-Key')
  expect(refused.text).not.toContain(key)
  // The same whatever the key is: nobody learns that it would have been right.
  const wrong = await push(`${EVENTS}?apikey=wrong`)
  expect({ ...wrong.json, correlationId: '' }).toEqual({ ...refused.json, correlationId: '' })
  expect((await push(`${EVENTS}?apikey=${key}`, { 'x-api-key': key })).status).toBe(401)
})

it('S-8: the header and a token work as before', async () => {
  expect((await push(EVENTS, { 'x-api-key': key })).status).toBe(201)
  expect((await push(EVENTS, { authorization: `Bearer ${token}` })).status).toBe(201)
})

it('S-8: pages of other origins may not even ask', async () => {
  const asked = await given.call('OPTIONS', `${EVENTS}?apikey=${key}`, {
    token: null,
    headers: { origin: 'https://dispatch.example', 'access-control-request-method': 'POST' },
  })
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([403, null])
})
