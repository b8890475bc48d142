/**
 * B1: a station on SQLite and one on PostgreSQL get the same generated calls, one after the other, and give the same answers: records, lists
 * in their order, searches, counts, histories and refusals. What each station makes for itself (times, random ids) is compared by its place:
 * the third concurrency id of one station is the third of the other.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Given, givenStation, type Json } from '../support/given.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { isLong, scale } from '../support/scale.ts'

const CALLS = scale(2_000, 20_000)
const SEED = Number(process.env['SALLYPORT_TEST_SEED'] ?? (isLong ? Date.now() % 2 ** 31 : 20_261_125))

const CASES = '/api/v1/case/station'
const EVIDENCE = '/documentstore/api/v1/tenant/station/evidence'
const SEARCH = '/searchservice/api/v1/search/station'

interface Side {
  readonly given: Given
  readonly token: string
  readonly evidence: string[]
  readonly cases: string[]
  /** What it made for itself, in the order in which it was first seen. */
  readonly own: Map<string, string>
}

let server: PostgresServer
let sides: Side[] = []

async function side(databaseUrl?: string): Promise<Side> {
  const given = await givenStation({ fresh: true, settings: databaseUrl === undefined ? {} : { databaseUrl } })
  const group = 'Account Administrators'
  const { connection } = await given.command('integration.create', {
    name: 'chief',
    policies: [],
    group,
    baseUrl: given.url,
  })
  const { signIn } = await import('../support/integrator.ts')
  return { given, token: await signIn(connection, given.url), evidence: [], cases: [], own: new Map() }
}

const missing = await postgresMissing()
beforeAll(async () => {
  if (missing !== null) return
  server = await startPostgres()
  sides = [await side(), await side(await server.create('answers'))]
}, 120_000)
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
afterAll(async () => {
  for (const { given } of sides) await given.close()
  await server?.stop()
})

/** One call for either station: the numbers choose among what it has. */
interface Ask {
  readonly method: string
  readonly path: (side: Side) => string | null
  readonly body?: (side: Side, current: Json) => unknown
  /** Read first, for its concurrency id. */
  readonly current?: (side: Side) => string
  readonly remember?: (side: Side, answer: Json) => void
}

const WORDS = [
  'Überfall',
  'uberfall',
  'Nord',
  'north_gate',
  'Tür 12',
  'naïve',
  'Łódź',
  'ferry',
  'FERRY',
  '100%',
  'B-7',
  'día',
  'Ǆungla',
  '東京',
  'a',
]
const word = fc.constantFrom(...WORDS)
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((some) => some.join(' '))
const at = fc.nat(10_000)
const time = fc
  .integer({ min: 0, max: 400 })
  .map((hours) => new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000).toISOString())
/** One that is there; now and then the largest of all, which a number of JavaScript does not hold. */
const pick = (all: readonly string[], number: number): string =>
  number % 97 === 0 ? '9223372036854775807' : (all[number % Math.max(1, all.length)] ?? '999999')
const query = (members: Record<string, string | undefined>): string =>
  new URLSearchParams(Object.entries(members).filter((one): one is [string, string] => one[1] !== undefined)).toString()

const asks: fc.Arbitrary<Ask> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record(
        {
          Name: text,
          Description: text,
          Tags: fc.uniqueArray(word, { maxLength: 3 }),
          SourceId: word,
          LocationText: text,
          StartTimeUtc: time,
          LocationWKT: fc.constantFrom('POINT (16.3 48.2)', 'POINT (-0.1 51.5)'),
        },
        { requiredKeys: ['Name'] },
      )
      .map(
        (body): Ask => ({
          method: 'POST',
          path: () => EVIDENCE,
          body: () => body,
          remember: (own, { EvidenceId }) => void (EvidenceId && own.evidence.push(EvidenceId)),
        }),
      ),
  },
  {
    weight: 5,
    arbitrary: fc
      .record(
        { Title: text, Description: text, ExternalReference1: word, Tags: fc.uniqueArray(word, { maxLength: 3 }) },
        { requiredKeys: ['Title'] },
      )
      .map(
        (body): Ask => ({
          method: 'POST',
          path: () => CASES,
          body: () => body,
          remember: (own, { CaseId }) => void (CaseId && own.cases.push(CaseId)),
        }),
      ),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(at, text, fc.uniqueArray(word, { maxLength: 3 })).map(
      ([n, Name, Tags]): Ask => ({
        method: 'PATCH',
        path: ({ evidence }) => `${EVIDENCE}/${pick(evidence, n)}`,
        current: ({ evidence }) => `${EVIDENCE}/${pick(evidence, n)}`,
        body: (_, current) => ({ ConcurrencyId: current?.ConcurrencyId, Name, Tags }),
      }),
    ),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(at, fc.array(at, { maxLength: 4 }), text).map(
      ([n, linked, Title]): Ask => ({
        method: 'PATCH',
        path: ({ cases }) => `${CASES}/${pick(cases, n)}`,
        current: ({ cases }) => `${CASES}/${pick(cases, n)}`,
        body: ({ evidence }, current) => ({
          ConcurrencyId: current?.ConcurrencyId,
          Title,
          EvidenceIds: [...new Set(linked.map((one) => pick(evidence, one)))],
        }),
      }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(at, fc.constantFrom('close', 'reopen', 'follow')).map(
      ([n, act]): Ask => ({
        method: 'POST',
        path: ({ cases }) => `${CASES}/${pick(cases, n)}/${act}`,
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: at.map((n): Ask => ({ method: 'DELETE', path: ({ evidence }) => `${EVIDENCE}/${pick(evidence, n)}` })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(at, text).map(
      ([n, Text]): Ask => ({
        method: 'POST',
        path: ({ evidence }) => `${EVIDENCE}/${pick(evidence, n)}/note`,
        body: () => ({ Text }),
      }),
    ),
  },
  {
    weight: 10,
    arbitrary: fc
      .record(
        {
          text,
          tag: word,
          sort: fc.constantFrom('recorded', 'created', 'name', 'length', 'type'),
          direction: fc.constantFrom('asc', 'desc'),
          count: fc.integer({ min: 1, max: 30 }).map(String),
          status: fc.constantFrom('open', 'verified'),
          deleted: fc.constantFrom('true', 'false'),
        },
        { requiredKeys: [] },
      )
      .map((members): Ask => ({ method: 'GET', path: () => `${EVIDENCE}?${query(members)}` })),
  },
  {
    weight: 12,
    arbitrary: fc
      .record(
        {
          Query: fc.oneof(
            text,
            word.map((one) => `"${one}"`),
            word.map((one) => `${one.slice(0, 3)}*`),
            word.map((one) => `name:${one}`),
            fc.tuple(word, word).map(([one, other]) => `${one} -${other}`),
            word.map((one) => `tag:${one}`),
            word.map((one) => `category:${one}`),
            at.map((n) => String((n % 60) + 1)),
          ),
          Types: fc.uniqueArray(fc.constantFrom('Case', 'Evidence', 'User', 'Group'), { minLength: 1 }),
          Sort: fc.constantFrom('relevance', 'newest', 'oldest', 'name'),
          Count: fc.integer({ min: 1, max: 40 }),
        },
        { requiredKeys: ['Query'] },
      )
      .map((body): Ask => ({ method: 'POST', path: () => SEARCH, body: () => body })),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(at, fc.constantFrom('', '/history', '/custody', '/resource', '/note'))
      .map(([n, of]): Ask => ({ method: 'GET', path: ({ evidence }) => `${EVIDENCE}/${pick(evidence, n)}${of}` })),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(at, fc.constantFrom('', '/history'))
      .map(([n, of]): Ask => ({ method: 'GET', path: ({ cases }) => `${CASES}/${pick(cases, n)}${of}` })),
  },
)

/** Times and random ids by their place; hashes of entries, which hold times, are left out. */
function compared(own: Side, given: Json): Json {
  // The rows that one statement changes come in any order; the text of an entry repeats its members.
  const written = JSON.stringify(given, (name, value: Json) =>
    name === 'Canonical' ? undefined : name === 'rows.stated' ? value.map(String).toSorted() : value,
  )
  return (
    written
      .replaceAll(own.given.url, 'URL')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, (found) =>
        found.startsWith('2026-01') ? found : 'TIME',
      )
      // Entries of the station's own work stand between those of the calls, wherever they happen to come.
      .replaceAll(/"(Seq|Number)":\d+/g, '"$1":0')
      .replaceAll(/[0-9a-f]{64}/g, 'SHA256')
      .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32,}/g, (found) => {
        const known = own.own.get(found) ?? `ID${own.own.size + 1}`
        own.own.set(found, known)
        return known
      })
      .replaceAll(/"Cursor":"[^"]*"|"Next":"[^"]*"|"ETag":"[^"]*"/g, 'CURSOR')
  )
}

async function answer(own: Side, { method, path, body, current, remember }: Ask): Promise<string> {
  const { given, token } = own
  const address = path(own)
  if (address === null) return 'nothing'
  const now = current === undefined ? null : (await given.call('GET', current(own), { token })).json
  const {
    status,
    json,
    text: sent,
  } = await given.call(method, address, {
    token,
    ...(body === undefined ? {} : { body: body(own, now) }),
  })
  if (json !== null) remember?.(own, json)
  return `${status} ${compared(own, json ?? sent)}`
}

/** Where two answers begin to differ. */
function differing(one: string, other: string): string[] {
  let place = 0
  while (place < one.length && one[place] === other[place]) place++
  return [one, other].map((text) => text.slice(Math.max(0, place - 80), place + 160))
}

/** A place in a list as a caller may make it up. */
const cursor = (...place: unknown[]): string => Buffer.from(JSON.stringify(place)).toString('base64url')
const LARGER_THAN_ALL = '9999999999999999999'
const CAD = '/cadservice/api/v1/events/station'
const event = (members: Record<string, unknown>) => ({ eventStartTimeUtc: '2026-01-01T00:00:00Z', ...members })

/** No form sends these, and who does gets an answer: values that one database alone holds, or reckons with. */
type MadeUp = readonly [name: string, method: string, path: string, body: Json]
const MADE_UP: readonly MadeUp[] = [
  ...['recorded', 'created', 'length', 'type', 'name'].flatMap((sort) =>
    [LARGER_THAN_ALL, `-${LARGER_THAN_ALL}`, '9223372036854775807', 'a\0b'].map(
      (key) =>
        [
          `a place in the list by ${sort}: ${JSON.stringify(key)}`,
          'GET',
          `${EVIDENCE}?sort=${sort}&direction=asc&cursor=${cursor(sort, 'asc', 5, key)}`,
          null,
        ] as const,
    ),
  ),
  ['a tag with NUL', 'GET', `${EVIDENCE}?tag=a%00b`, null],
  ['a text with NUL', 'GET', `${CASES}?text=a%00b`, null],
  ['the beginning of a tag with NUL', 'GET', '/documentstore/api/v1/tenant/station/tag?text=%00', null],
  ['a place in a list of devices with NUL', 'GET', `/api/v1/tenant/station/device?cursor=${cursor('\0', '\0')}`, null],
  ['a member with NUL', 'POST', SEARCH, { CustomFields: [{ Name: 'a\0', Value: 'b\0' }] }],
  ['a custom field of a case with NUL', 'POST', CASES, { Title: 'x', CustomFields: { Plate: 'a\0b' } }],
  ['a custom field of an evidence with NUL', 'POST', EVIDENCE, { Name: 'x', CustomFields: { Plate: 'a\0b' } }],
  ['an event with NUL', 'POST', CAD, event({ eventId: 'E 1', extended: { 'Unit\0': 'B 7\0\0' } })],
  ['an event whose id holds NUL', 'POST', CAD, event({ eventId: 'E\0' })],
  ['an offset of 270 million years', 'POST', `${EVIDENCE}/1/resource`, { Name: 'a', TimeOffset: 'P99999999999D' }],
  ['an offset of 9,000 years', 'POST', `${EVIDENCE}/1/resource`, { Name: 'a', TimeOffset: '-P3287250D' }],
]

it.each(MADE_UP)('B1 answers %s alike', async (_, method, path, body) => {
  const statuses: string[] = []
  for (const { given, token, evidence } of sides) {
    if (evidence.length === 0) {
      const { json: first } = await given.call('POST', EVIDENCE, { token, body: { Name: 'the first' } })
      evidence.push(first.EvidenceId)
    }
    const { status, json } = await given.call(method, path, { token, ...(body === null ? {} : { body }) })
    statuses.push(
      `${status} ${json?.ErrorCode ?? json?.errorCode ?? ''} ${(json?.Details ?? []).map(({ Path }: Json) => Path).join()}`,
    )
  }
  expect(statuses[1]).toBe(statuses[0])
  expect(Number(statuses[0]?.slice(0, 3))).toBeLessThan(500)
})

it(`B1 gives the same answers on both dialects, ${CALLS} generated calls`, {
  timeout: isLong ? 3_600_000 : 300_000,
}, async () => {
  const statuses = new Map<string, number>()
  const calls = fc.sample(asks, { numRuns: CALLS, seed: SEED })
  for (const [number, ask] of calls.entries()) {
    const [one, other] = [await answer(sides[0] as Side, ask), await answer(sides[1] as Side, ask)]
    if (one !== other)
      expect
        .soft(differing(one, other), `call ${number} of seed ${SEED}: ${ask.method} ${ask.path(sides[0] as Side)}`)
        .toEqual([])
    const status = `${ask.method} ${one.slice(0, 3)}`
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  // Most of it got past the door: otherwise the generator is wrong, not the stations right.
  const good = [...statuses].reduce((sum, [status, count]) => sum + (/ 20\d/.test(status) ? count : 0), 0)
  expect(good / CALLS).toBeGreaterThan(0.7)
  console.info(
    `B1 ${CALLS} calls: ${[...statuses]
      .toSorted()
      .map(([status, count]) => `${status} ${count}`)
      .join(', ')}`,
  )
})
