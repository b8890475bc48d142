import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { createRateLimiter } from '../../../server/http/limits.ts'
import { answer, bytes, json } from '../../../server/http/handlers.ts'
import { manualClock } from '../../../server/platform/clock/manual-clock.ts'
import { type FrameOptions, OFFICER, SERVICE, startFrame } from './frame.ts'
import * as r from './routes.ts'

const routes = () => [
  json(r.readThing, async ({ params, call }) => {
    call.describeRead({ name: `thing ${params.thingId}`, detail: { from: 'test' } })
    return { ...params, tags: [] }
  }),
  json(r.createThing, async ({ body }) => answer(201, { Id: 1, Name: body.Name })),
  json(
    r.withDefinition(r.echo, {
      id: 'search',
      path: '/api/v1/search',
      audit: { by: 'read', action: 'search.made', objectType: 'search' },
    }),
    async () => 1,
  ),
  json(r.token, async ({ body }) => body),
  json(
    r.withDefinition(r.literalThing, {
      id: 'health',
      path: '/healthz',
      interface: 'operations',
      permission: { kind: 'anyone' },
    }),
    async () => true,
  ),
  bytes(r.content, async () => ({ status: 200, headers: {}, body: 'x' })),
]

async function withFrame(
  options: FrameOptions,
  work: (
    frame: Awaited<ReturnType<typeof startFrame>>,
    ask: (path: string, who?: string, init?: RequestInit) => Promise<Response>,
  ) => Promise<void>,
) {
  const frame = await startFrame(routes(), options)
  try {
    await work(frame, (path, who, init = {}) =>
      fetch(frame.url + path, {
        ...init,
        headers: {
          ...(who === undefined ? {} : { Authorization: `Bearer ${who}` }),
          'Content-Type': 'application/json',
          ...init.headers,
        },
      }),
    )
  } finally {
    await frame.close()
  }
}

const THING = '/api/v1/tenant/s/thing/1'
const statuses = async (replies: Promise<Response>[]) => Promise.all(replies.map(async (reply) => (await reply).status))
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

describe('rates (decisions 1, L5)', () => {
  test('a bucket each: persons, services, sources', async () => {
    await withFrame({ settings: { ratePerson: 5, rateService: 8 } }, async (frame, ask) => {
      expect(await statuses(times(7, () => ask(THING, 'officer')))).toEqual([...times(5, () => 200), 429, 429])
      expect((await statuses(times(9, () => ask(THING, 'service')))).filter((status) => status === 200)).toHaveLength(8)
      expect((await statuses(times(6, () => ask(THING)))).filter((status) => status === 401)).toHaveLength(5)
      const reply = await ask(THING, 'officer')
      expect([reply.status, reply.headers.get('retry-after'), await reply.json()]).toMatchObject([
        429,
        '12',
        { ErrorCode: 'TooManyRequests' },
      ])
      frame.clock.advance(12_000)
      expect(await statuses([ask(THING, 'officer'), ask(THING, 'officer')])).toEqual([200, 429])
    })
  })
  test('what is not counted goes on', async () => {
    await withFrame({ settings: { ratePerson: 1 } }, async (_frame, ask) => {
      expect(new Set(await statuses(times(20, () => ask('/api/v1/tenant/s/content/x', 'officer'))))).toEqual(
        new Set([200]),
      )
      expect(await statuses([ask(THING, 'officer')])).toEqual([200])
    })
  })
  test('a flood of sources does not fill the memory, and takes nobody’s place who is asking', () => {
    const clock = manualClock()
    const rate = createRateLimiter({ ratePerson: 2, rateService: 2 }, clock)
    rate.take(OFFICER, '')
    rate.take(OFFICER, '')
    for (let source = 0; source < 9_000; source++) rate.take(null, String(source))
    expect(() => rate.take(OFFICER, '')).toThrow('2 requests a minute')
    rate.take(SERVICE, '')
  })
})

describe('modes', () => {
  const post = { method: 'POST', body: '{"Name":"x"}' }
  test('read-only: what reads goes on, what writes is 503 with Retry-After', async () => {
    await withFrame({}, async (frame, ask) => {
      frame.mode = 'read-only'
      const refused = await ask('/api/v1/tenant/s/thing', 'officer', post)
      expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
        503,
        '30',
        { ErrorCode: 'ReadOnly' },
      ])
      expect(
        await statuses([
          ask(THING, 'officer'),
          ask('/api/v1/search', 'officer', { method: 'POST', body: '1' }),
          ask('/connect/token', undefined, { method: 'POST', body: '{"grant_type":"x"}' }),
          ask('/healthz'),
        ]),
      ).toEqual([200, 200, 200, 200])
      frame.mode = 'not-ready'
      expect(
        await statuses([
          ask(THING, 'officer'),
          ask('/connect/token', undefined, { method: 'POST', body: '{"grant_type":"x"}' }),
          ask('/healthz'),
        ]),
      ).toEqual([503, 503, 200])
      frame.mode = 'ready'
      expect((await ask('/api/v1/tenant/s/thing', 'officer', post)).status).toBe(201)
    })
  })
})

describe('reads are written down before they are shown', () => {
  test('with what the handler says of them', async () => {
    await withFrame({}, async (frame, ask) => {
      await ask(THING, 'officer')
      expect(frame.ledger).toEqual([
        {
          action: 'evidence.read',
          object: { type: 'thing', id: '1', name: 'thing 1' },
          outcome: 'ok',
          detail: { from: 'test' },
          actor: 'officer',
          tally: false,
        },
      ])
      await ask(`${THING}?count=x`, 'officer')
      await ask(THING, 'officer', { headers: { Accept: 'image/png' } })
      // A request that was not answered is no read.
      expect(frame.ledger).toHaveLength(1)
    })
  })
  test('when the ledger cannot take the entry, nothing is shown', async () => {
    await withFrame({}, async (frame, ask) => {
      frame.ledger.push = () => {
        throw new Error('disk')
      }
      const reply = await ask(THING, 'officer')
      expect([reply.status, (await reply.text()).includes('thingId')]).toEqual([500, false])
    })
  })
})

test('S3: signatures, keys and tokens never reach the log', async () => {
  let text = ''
  const log = pino(
    { level: 'trace' },
    new Writable({ write: (chunk: Buffer, _encoding, done) => ((text += chunk.toString()), done()) }),
  )
  await withFrame({ log }, async (_frame, ask) => {
    await ask('/api/v1/tenant/s/content/x?sig=CANARY1&apikey=CANARY2', 'officer')
    await ask(`${THING}?sig=CANARY3&count=x`, 'officer')
    await ask('/nothing?sig=CANARY4', 'CANARY5', {
      headers: { 'X-Api-Key': 'CANARY6', Cookie: 'CANARY7', 'Idempotency-Key': 'x' },
    })
    await ask('/api/v1/tenant/s/thing', 'officer', { method: 'POST', body: '{"Name":"CANARY8","Count":"CANARY9"}' })
  })
  expect(text).toContain('"path":"/nothing"')
  expect(text).not.toContain('CANARY')
})
