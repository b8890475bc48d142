/** CAD push is fed by strangers: whatever they send is answered clearly and kept, and the station goes on (decisions 8). */
// @module-tag counted
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Reply } from '../../support/given.ts'
import { isLong, scale } from '../../support/scale.ts'
import { type CadWorld, cadWorld, EVENTS, fresh, MAPPING, MESSAGES, OVERVIEW } from './world.ts'
import { EVENT_MEMBERS } from '../../../shared/dispatch/cad-mapping.ts'

const SENT = scale(400, 5_000, 100)
const SEED = Number(process.env['SALLYPORT_TEST_SEED'] ?? (isLong ? Date.now() % 2 ** 31 : 20_261_122))
let world: CadWorld
beforeAll(async () => {
  world = await cadWorld()
})
afterAll(() => world.given.close())

const START = '2026-11-20T02:00:00Z'
const sent = (place: string, raw: string | Uint8Array): Promise<Reply> =>
  world.given.call('POST', place, { token: world.dispatch.token, raw })
const chief = (method: string, place: string, body?: Json): Promise<Json> =>
  world.given.expecting(200, world.as(world.chief, method, place, body))
const count = (): number =>
  world.given.database((db) => db.prepare('SELECT count(*) FROM cad_deliveries').pluck().get()) as number
const stands = async (): Promise<void> => {
  expect((await world.push({ eventId: fresh('E'), eventStartTimeUtc: START })).status).toBe(201)
}

const DATES = [
  START,
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.9999999Z',
  '+275760-09-13T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20',
  '1763600000',
  '',
]
const TEXTS = [
  '__proto__',
  'constructor',
  '<script>alert(1)</script>',
  '\u202egnp.exe',
  '\u0000',
  '\ud800',
  "'; DROP TABLE cases; --",
  '=HYPERLINK("x")',
  'x'.repeat(70_000),
  '\r\nSet-Cookie: a=b',
]
const NUMBERS = [0, -1, 1e308, -1e308, 5e-324, 2 ** 53, 2 ** 64, 1e21, 90.0000001, -180.5]
const wild: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom(...DATES),
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...NUMBERS),
  fc.constantFrom(null, true, false, [], {}, [[]], [null], { key: 'a' }, [{ key: 'a', value: {} }], ['a', 'b']),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 4 }),
)
const location = fc.record(
  { latitude: wild, longitude: wild, address: wild, notes: wild, somethingElse: wild },
  { requiredKeys: [] },
)
const resource = fc.record(
  { id: wild, name: wild, type: wild, dispatchedUtc: wild, clearedUtc: wild },
  { requiredKeys: [] },
)
/** Right in most members, wrong in a few: what is wrong all over gets no further than the first look. */
const events = fc
  .record({
    usual: fc.record({
      eventId: fc.constantFrom('A', 'B', 'C', 'D/ü', '7'),
      eventStartTimeUtc: fc.constantFrom(START, '2026-11-20T03:00:00+01:00', '2026-11-20T02:00:00.1234567'),
    }),
    odd: fc.dictionary(fc.constantFrom(...EVENT_MEMBERS), wild, { maxKeys: 4 }),
    location: fc.option(location),
    involvedResources: fc.option(fc.array(resource, { maxLength: 5 })),
    extended: fc.option(
      fc.dictionary(fc.oneof(fc.constantFrom(...TEXTS.slice(0, 4)), fc.string()), wild, { maxKeys: 5 }),
    ),
  })
  .map(({ usual, odd, ...more }) => ({ ...usual, ...more, ...odd }))

const bodies = fc.oneof(
  { weight: 8, arbitrary: events.map((one) => JSON.stringify(one)) },
  { weight: 2, arbitrary: wild.map((one) => JSON.stringify(one) ?? 'null') },
  { weight: 1, arbitrary: events.map((one) => JSON.stringify(one).slice(0, -1)) },
  { weight: 1, arbitrary: events.map((one) => JSON.stringify(one).replace(/^\{(.+)\}$/s, '{$1,$1}')) },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 60 }) },
  {
    weight: 1,
    arbitrary: events.map((one) => Buffer.concat([Buffer.from(JSON.stringify(one)), Buffer.from([0xed, 0xa0, 0x80])])),
  },
  { weight: 1, arbitrary: events.map((one) => Buffer.from(JSON.stringify(one), 'utf16le')) },
)

/** Said in words, by the code of the specification. */
const clear = (reply: Reply): boolean =>
  reply.status === 400 && reply.json?.errorCode === 'InvalidModel' && (reply.json.message?.length ?? 0) > 10

describe('whatever is sent', () => {
  it(`is taken or refused in words, and kept: ${SENT} messages`, { timeout: 300_000 }, async () => {
    const before = count()
    let done = 0
    await fc.assert(
      fc.asyncProperty(bodies, async (raw) => {
        const reply = await sent(EVENTS, raw)
        done += 1
        if (reply.status === 200 || reply.status === 201) expect(reply.json.caseId).toMatch(/^(\d+|null)$/)
        else expect([reply.status, clear(reply), reply.text.slice(0, 300)]).toEqual([400, true, expect.any(String)])
      }),
      { numRuns: SENT, seed: SEED },
    )
    expect(count() - before).toBe(done)
    await stands()
  })

  it('in a batch has a result of its own, in order', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(events, wild), { minLength: 1, maxLength: 12 }), async (list) => {
        const reply = await sent(`${EVENTS}/batch`, JSON.stringify(list))
        expect([reply.status, reply.json.length]).toEqual([200, list.length])
        for (const one of reply.json) expect([200, 201, 400]).toContain(one.status)
      }),
      { numRuns: Math.ceil(SENT / 10), seed: SEED },
    )
    await stands()
  })

  it('can be listed, read, tried again and previewed afterwards', { timeout: 120_000 }, async () => {
    let cursor = ''
    const ids: string[] = []
    do {
      const page = await chief('GET', `${MESSAGES}?count=500${cursor === '' ? '' : `&cursor=${cursor}`}`)
      ids.push(...page.items.map((one: Json) => one.messageId))
      cursor = page.cursor ?? ''
    } while (cursor !== '')
    expect(ids.length).toBeGreaterThan(SENT)
    for (const id of ids.slice(0, 150)) await chief('GET', `${MESSAGES}/${id}`)
    const { members, fields, keepExtended } = await chief('GET', MAPPING)
    for (let at = 0; at < 150; at += 50)
      await chief('POST', `${MAPPING}/preview`, {
        mapping: { members, fields, keepExtended },
        messageIds: ids.slice(at, at + 50),
      })
    let next: string | null = null
    do next = (await chief('POST', `${MESSAGES}/retry`, { state: 'unreadable', cursor: next })).cursor
    while (next !== null)
    const { lastDay } = await chief('GET', OVERVIEW)
    expect(Object.values<number>(lastDay).reduce((sum, one) => sum + one, 0)).toBe(ids.length)
    await stands()
  })
})

describe('what is too much', () => {
  it.each([
    ['ten megabytes', `{"eventId":"${'x'.repeat(10_000_000)}"}`, 413],
    ['brackets to the bottom', `${'['.repeat(500_000)}`, 400],
    [
      'a depth of 65',
      `{"eventId":"d","eventStartTimeUtc":"${START}","extended":${'{"a":'.repeat(64)}1${'}'.repeat(64)}}`,
      400,
    ],
    ['a number that is none', '{"eventId":1e999,"eventStartTimeUtc":"2026-11-20T02:00:00Z"}', 400],
    ['100,000 members', `{${Array.from({ length: 100_000 }, (_, at) => `"m${at}":1`).join(',')}}`, 400],
    [
      'a thousand and one resources',
      JSON.stringify({
        eventId: 'r',
        eventStartTimeUtc: START,
        involvedResources: Array.from({ length: 1001 }, () => ({})),
      }),
      400,
    ],
  ])('%s is refused in words', { timeout: 60_000 }, async (_name, raw, status) => {
    const reply = await sent(EVENTS, raw)
    expect([reply.status, reply.json?.errorCode?.length > 0, reply.json?.message?.length > 10]).toEqual([
      status,
      true,
      true,
    ])
    await stands()
  })

  it('mappings of every kind are taken or refused, and read what was sent without harm', {
    timeout: 120_000,
  }, async () => {
    const path = fc.oneof(
      fc.constantFrom(
        'eventId',
        'a.b',
        'extended.0.value',
        '__proto__.x',
        'constructor',
        'location.latitude',
        '..',
        '',
      ),
      fc.string({ maxLength: 12 }),
    )
    const mapping = fc.record({
      members: fc.dictionary(fc.constantFrom(...EVENT_MEMBERS), fc.array(path, { maxLength: 3 }), { maxKeys: 4 }),
      fields: fc.array(
        fc.record(
          {
            from: path,
            to: fc.constantFrom(
              'Title',
              'Description',
              'ExternalReferenceId1',
              'Category',
              'Tag',
              'CustomField',
              'State',
            ),
            name: fc.constantFrom('Weather', '__proto__', 'x'.repeat(256)),
          },
          { requiredKeys: ['from', 'to'] },
        ),
        { maxLength: 4 },
      ),
      keepExtended: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(mapping, async (drawn) => {
        const reply = await world.as(world.chief, 'POST', `${MAPPING}/preview`, { mapping: drawn })
        if (reply.status !== 200) expect([reply.status, clear(reply)]).toEqual([400, true])
      }),
      { numRuns: scale(60, 600, 20), seed: SEED },
    )
  })
})
