import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMetrics, type Metrics } from '../../../server/http/metrics.ts'
import { type Check, operationsRoutes } from '../../../server/http/operations.ts'
import { Fault } from '../../../shared/kernel/errors.ts'
import { OPERATIONS } from '../../../shared/kernel/operations.contract.ts'
import { INTERFACES } from '../../../shared/kernel/route.ts'
import { type Frame, startFrame } from './frame.ts'
import * as r from './routes.ts'

let frame: Frame
let metrics: Metrics
let checks: Record<string, Check> = {}
beforeAll(async () => {
  metrics = createMetrics()
  frame = await startFrame(
    operationsRoutes({
      metrics,
      mode: () => frame.mode,
      checks: async () => checks,
      routes: [r.readThing],
      version: '1.2.3',
    }),
    {
      authorize: async (route, { source, headers }) =>
        route.permission.kind === 'loopback-or-administrator' && headers['x-far'] !== undefined
          ? { principal: null, refusal: new Fault('Unauthorized', `Not from ${source}.`) }
          : { principal: null },
      observe: (request) => metrics.observe(request),
    },
  )
})
afterAll(() => frame.close())

test('alive', async () => {
  const reply = await fetch(`${frame.url}/healthz`)
  expect([reply.status, await reply.json()]).toEqual([200, { Status: 'ok' }])
})

test('ready: every check, and the mode', async () => {
  const ask = async () => {
    const reply = await fetch(`${frame.url}/readyz`)
    return [reply.status, await reply.json()]
  }
  checks = { database: { ok: true, message: '' }, store: { ok: true, message: '' } }
  expect(await ask()).toEqual([
    200,
    { Status: 'ready', Checks: { database: { Ok: true, Message: '' }, store: { Ok: true, Message: '' } } },
  ])
  frame.mode = 'read-only'
  expect(await ask()).toMatchObject([503, { Status: 'read-only' }])
  frame.mode = 'ready'
  checks = { database: { ok: true, message: '' }, store: { ok: false, message: 'cannot be written' } }
  expect(await ask()).toMatchObject([
    503,
    { Status: 'not-ready', Checks: { store: { Ok: false, Message: 'cannot be written' } } },
  ])
})

test('figures', async () => {
  await (await fetch(`${frame.url}/healthz`)).text()
  const reply = await fetch(`${frame.url}/metrics`)
  expect(reply.headers.get('content-type')).toContain('text/plain')
  const text = await reply.text()
  expect(text).toMatch(/sallyport_http_requests_total\{route="health",method="GET",status="200"\} \d+/)
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
  expect((await fetch(`${frame.url}/metrics`, { headers: { 'X-Far': '1' } })).status).toBe(401)
})

test('the document', async () => {
  const reply = await fetch(`${frame.url}/openapi.json`)
  const document = (await reply.json()) as { info: { version: string }; paths: Record<string, unknown> }
  expect(document.info.version).toBe('1.2.3')
  expect(Object.keys(document.paths).sort()).toEqual(
    [r.readThing, ...OPERATIONS].map(({ path }) => path.replaceAll(/:([^/]+)/g, '{$1}')).sort(),
  )
})

test('the document of one interface has its operations, and the models of these', async () => {
  const of = async (name: string) => fetch(`${frame.url}/openapi.json?interface=${name}`)
  const part = (await (await of('operations')).json()) as {
    tags: { name: string }[]
    paths: object
    components: { schemas: object }
  }
  expect(part.tags.map(({ name }) => name)).toEqual(['operations'])
  expect(Object.keys(part.paths).sort()).toEqual(
    OPERATIONS.map(({ path }) => path.replaceAll(/:([^/]+)/g, '{$1}')).sort(),
  )
  expect(Object.keys(part.components.schemas)).toEqual(expect.arrayContaining(['Health', 'Readiness']))
  for (const unknown of ['nothing', '__proto__']) expect((await of(unknown)).status, unknown).toBe(400)
})

describe('the page', () => {
  test('loads nothing from elsewhere and runs no inline script', async () => {
    const reply = await fetch(`${frame.url}/docs`)
    const policy = reply.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
    expect(policy).not.toContain('http')
    const page = await reply.text()
    const addresses = [...page.matchAll(/(?:src|<link [^>]*href)="([^"]+)"/g)].map((match) => match[1] as string)
    expect(addresses).toEqual([
      'data:,',
      '/docs/swagger-ui.css',
      '/docs/start.css',
      '/docs/swagger-ui-bundle.js',
      '/docs/start.js',
    ])
    const others = [...page.matchAll(/<a href="([^"]+)"/g)].map((match) => match[1])
    expect(others).toEqual(INTERFACES.map((name) => `/docs?interface=${name}`))
    expect(page).not.toMatch(/<script>|onload=/)
    for (const address of addresses.slice(1)) {
      const file = await fetch(frame.url + address)
      expect([file.status, (await file.text()).length > 50]).toEqual([200, true])
      expect(file.headers.get('content-type')).toContain(address.endsWith('.css') ? 'text/css' : 'text/javascript')
    }
  })
  test.each([
    'package.json',
    '..%2Fpackage.json',
    '..%2F..%2F..%2Fpackage.json',
    'index.js',
    'swagger-ui-bundle.js.map',
    '%2Fetc%2Fpasswd',
    '__proto__',
    'constructor',
  ])('%s is not served', async (name) => {
    expect((await fetch(`${frame.url}/docs/${name}`)).status).toBe(404)
  })
})
