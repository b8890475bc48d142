import { afterAll, beforeAll, expect, test } from 'vitest'
import { json } from '../../../server/http/handlers.ts'
import { type Frame, startFrame } from './frame.ts'
import { raw } from './raw.ts'
import * as r from './routes.ts'

let frame: Frame
beforeAll(async () => {
  frame = await startFrame([
    json(r.echo, async ({ body }) => body),
    json(r.token, async ({ body }) => ({ grant_type: body.grant_type })),
    json(r.history, async () => ['x']),
    json(r.onlyJson, async () => 'x'),
    json(r.silentPost, async ({ params, call }) => {
      call.reportDecision({ on: 'device', id: params.deviceId, held: 'None' })
      return undefined
    }),
  ])
})
afterAll(() => frame.close())

const HEAD = () => `Host: 127.0.0.1:${frame.port}\r\nConnection: close\r\nAuthorization: Bearer officer\r\n`
const send = (method: string, path: string, lines: readonly string[], body = '') =>
  raw(
    frame.port,
    `${method} ${path} HTTP/1.1\r\n${HEAD()}${lines.map((line) => `${line}\r\n`).join('')}${body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`}\r\n${body}`,
  )

const ECHO = '/api/v1/echo'
const REQUESTS: [type: string | null, status: number][] = [
  ['application/json', 200],
  ['Application/JSON', 200],
  ['application/json; charset=utf-8', 200],
  ['application/json;charset="UTF-8"', 200],
  ['text/json', 200],
  ['application/json-patch+json', 200],
  ['application/vnd.acme.SaaS.CaseService.PatchCaseModel+json; v=1', 200],
  ['application/problem+json', 200],
  ['application/merge-patch+json', 200],
  [null, 415],
  ['', 415],
  ['text/plain', 415],
  ['application/xml', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['text/foo+json', 415],
  ['application/json5', 415],
  ['application/+json', 415],
  ['application/json, text/plain', 415],
  ['application/json; charset=utf-16', 415],
  ['application/json; charset=iso-8859-1', 415],
]
test.each(REQUESTS)('a body as %s → %i', async (type, status) => {
  const reply = await send('POST', ECHO, type === null ? [] : [`Content-Type: ${type}`], '{"a":1}')
  expect(reply.status).toBe(status)
  expect(JSON.parse(reply.body)).toMatchObject(status === 200 ? { a: 1 } : { ErrorCode: 'UnsupportedMediaType' })
})

test('an encoded body is refused', async () => {
  expect((await send('POST', ECHO, ['Content-Type: application/json', 'Content-Encoding: gzip'], 'xx')).status).toBe(
    415,
  )
  expect((await send('POST', ECHO, ['Content-Type: application/json', 'Content-Encoding: identity'], '1')).status).toBe(
    200,
  )
})

test('a form where the route takes one, and nowhere else', async () => {
  const form = ['Content-Type: application/x-www-form-urlencoded']
  expect(JSON.parse((await send('POST', '/connect/token', form, 'grant_type=a%2Bb+c')).body)).toEqual({
    grant_type: 'a+b c',
  })
  expect((await send('POST', '/connect/Token', form, 'grant_type=x')).status).toBe(200)
  const twice = await send('POST', '/connect/token', form, 'grant_type=x&grant_type=y')
  expect([twice.status, JSON.parse(twice.body)]).toMatchObject([
    400,
    { error: 'invalid_request', ErrorCode: 'InvalidModel' },
  ])
})

test('a body nobody asked for is no matter', async () => {
  expect((await send('POST', '/api/v1/tenant/s/device/1/activate', ['Content-Type: text/plain'], 'hello')).status).toBe(
    204,
  )
  expect((await send('POST', '/api/v1/tenant/s/device/1/activate', [])).status).toBe(204)
})

const HISTORY = '/api/v1/case/s/1/history'
const ONLY = '/api/v1/evidence/s/1'
const JSON_TYPE = 'application/json; charset=utf-8'
const ANSWERS: [accept: string | null, path: string, type: string | null][] = [
  [null, ECHO, JSON_TYPE],
  ['', ECHO, JSON_TYPE],
  ['*/*', ECHO, JSON_TYPE],
  ['application/*', ECHO, JSON_TYPE],
  ['application/json', ECHO, JSON_TYPE],
  ['APPLICATION/JSON', ECHO, JSON_TYPE],
  ['text/json', ECHO, 'text/json; charset=utf-8'],
  ['text/plain', ECHO, 'text/plain; charset=utf-8'],
  ['text/*', ECHO, 'text/json; charset=utf-8'],
  ['text/plain, application/json;q=0.5', ECHO, 'text/plain; charset=utf-8'],
  ['text/plain;q=0.4, application/json;q=0.5', ECHO, JSON_TYPE],
  ['application/json;q=0, */*', ECHO, 'text/json; charset=utf-8'],
  ['text/html, application/xhtml+xml, */*;q=0.8', ECHO, JSON_TYPE],
  ['application/json;v=1', ECHO, JSON_TYPE],
  ['application/xml', ECHO, null],
  ['text/html', ECHO, null],
  ['*/*;q=0', ECHO, null],
  ['application/json;q=0', ECHO, null],
  ['nonsense', ECHO, null],
  ['application/json-patch+json', ECHO, null],
  ['application/json-patch+json', HISTORY, 'application/json-patch+json; charset=utf-8'],
  ['*/*', HISTORY, JSON_TYPE],
  ['text/plain', HISTORY, 'text/plain; charset=utf-8'],
  ['application/json', ONLY, JSON_TYPE],
  ['text/plain', ONLY, null],
  ['text/json', ONLY, null],
  [null, ONLY, JSON_TYPE],
]
test.each(ANSWERS)('Accept: %s at %s → %s', async (accept, path, type) => {
  const lines = accept === null ? [] : [`Accept: ${accept}`]
  const reply =
    path === ECHO
      ? await send('POST', path, [...lines, 'Content-Type: application/json'], '"x"')
      : await send('GET', path, lines)
  expect(reply.status).toBe(type === null ? 406 : 200)
  expect(reply.headers['content-type']).toBe(type ?? JSON_TYPE)
})
test('an answer without a body needs no type', async () => {
  expect((await send('POST', '/api/v1/tenant/s/device/1/activate', ['Accept: application/xml'])).status).toBe(204)
})
