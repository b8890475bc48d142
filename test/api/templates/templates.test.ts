/** Custom-field templates over HTTP (interfaces.md 2.7, 4.4, decisions 7): their rules, limits, codes and rights. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ADMINISTRATOR, type CallOptions, type Given, givenStation, type Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { newPage } from '../sessions/page.ts'

const PLACE = '/customfieldservice/api/v1/template/station'
let given: Given
/** A token of an integration in ManageConfiguration, and its principal id. */
let clerk: string
let clerkId: string
beforeAll(async () => {
  given = await givenStation()
  const connection = await given.integration('clerk', ['ManageConfiguration'])
  clerkId = connection.ServicePrincipalId
  clerk = await signIn(connection, given.url)
})
afterAll(() => given?.close())

const read = async (): Promise<Json[]> => (await given.expecting(200, given.call('GET', PLACE))) as Json[]
const put = (body: unknown, more: CallOptions = {}) => given.call('PUT', PLACE, { token: clerk, body, ...more })
const stored = (body: Record<string, unknown>): Promise<Json> => given.expecting(200, put(body))
const refused = async (body: unknown): Promise<string[]> => {
  const { status, json } = await put(body)
  expect([status, json?.errorCode]).toEqual([400, 'InvalidModel'])
  return json.details.map(({ path }: Json) => path).sort()
}

const EVIDENCE = {
  type: 'Evidence',
  renamedFields: [
    { fieldId: 'TagsTitle', customName: 'Keywords' },
    { fieldId: 'DescriptionTitle', customName: 'Notes' },
    { fieldId: 'SomethingOfALaterVersion', customName: 'Kept all the same' },
  ],
  customFields: [
    { name: 'Weather', type: 'Choice', choices: ['fog', 'rain', 'Fog bank'] },
    { name: 'Age', type: 'Number' },
    { name: 'Seen on', type: 'Date' },
    { name: 'Armed', type: 'Boolean' },
    { name: 'Remarks', type: 'Text' },
  ],
}

describe('a new station', () => {
  it('has none', async () => {
    expect(await read()).toEqual([])
  })
})

describe('add, replace, list', () => {
  it('gives back what was sent, in its order, with who and when', async () => {
    const out = await stored(EVIDENCE)
    expect(out).toEqual({
      ...EVIDENCE,
      lastModifiedUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      lastModifiedBy: {
        firstName: '',
        lastName: '',
        username: 'clerk',
        principalId: Number(clerkId),
        principalType: 'service',
        kId: `urn:service:station:clerk:${clerkId}`,
      },
    })
    expect(await read()).toEqual([out])
    expect((await given.call('GET', `${PLACE}/`)).json).toEqual([out])
    expect((await given.call('GET', PLACE.replace('station', 'STATION'))).json).toEqual([out])
  })

  it('replaces whole: what is absent is none from then on; the other type stays', async () => {
    const evidence = await stored(EVIDENCE)
    const first = await stored({ type: 'Case', customFields: [{ name: 'Operation', type: 'Text' }] })
    expect([first.renamedFields, first.customFields]).toEqual([[], [{ name: 'Operation', type: 'Text' }]])
    const next = await stored({ type: 'Case', renamedFields: [{ fieldId: 'RecordNumber', customName: 'File no.' }] })
    expect([next.renamedFields, next.customFields]).toEqual([[{ fieldId: 'RecordNumber', customName: 'File no.' }], []])
    expect(await read()).toEqual([next, evidence])
    const swapped = { ...EVIDENCE, customFields: EVIDENCE.customFields.toReversed() }
    expect((await stored(swapped)).customFields).toEqual(swapped.customFields)
    expect((await stored({ type: 'Case', renamedFields: null, customFields: null })).customFields).toEqual([])
  })

  it('S5 who and when are the station’s: a template sent back as it was read, with others in it', async () => {
    const out = await stored(EVIDENCE)
    const again = await stored({
      ...out,
      lastModifiedUtc: '1999-01-01T00:00:00Z',
      lastModifiedBy: { ...out.lastModifiedBy, username: 'mallory', principalId: 0 },
      tenant: 'elsewhere',
    })
    expect(again).toEqual({ ...out, lastModifiedUtc: again.lastModifiedUtc })
    expect(Date.parse(again.lastModifiedUtc)).toBeGreaterThanOrEqual(Date.parse(out.lastModifiedUtc))
  })

  it('says the names of a person as they are', async () => {
    await given.meddle((db) =>
      db
        .prepare("UPDATE principals SET first_name = 'Ada', last_name = 'Byron' WHERE name = ?")
        .run(ADMINISTRATOR.username),
    )
    const page = newPage(given.url)
    expect((await page.signIn(ADMINISTRATOR.username, ADMINISTRATOR.password)).status).toBe(200)
    const { status, json } = await page.send('PUT', PLACE, { body: { type: 'Case' } })
    expect([status, json.lastModifiedBy]).toEqual([
      200,
      {
        firstName: 'Ada',
        lastName: 'Byron',
        username: ADMINISTRATOR.username,
        principalId: expect.any(Number),
        principalType: 'user',
        kId: `urn:user:station:${ADMINISTRATOR.username}:${json.lastModifiedBy.principalId}`,
      },
    ])
  })

  it('of many who write at once the last one stays, whole', async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        put({ type: 'Case', customFields: [{ name: `N${index}`, type: 'Text' }] }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200))
    const [template, ...others] = (await read()).filter(({ type }) => type === 'Case')
    expect(others).toEqual([])
    expect(replies.map(({ json }) => json)).toContainEqual(template)
  })
})

describe('what is refused', () => {
  const field = (name: string, type = 'Text') => ({ name, type })
  const named = (...names: string[]) => ({ type: 'Case', customFields: names.map((name) => field(name)) })

  beforeEach(() => stored({ type: 'Case', customFields: [field('Kept')] }))

  it.each([
    ['Weather', 'Weather'],
    ['Weather', 'WEATHER'],
    ['Café', 'Cafe\u0301'],
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
  ])('two fields of one name, %j and %j', async (one, other) => {
    expect(await refused(named('First', one, 'Between', other))).toEqual(['customFields.3.name'])
    const renamed = [one, 'Between', other].map((fieldId) => ({ fieldId, customName: 'x' }))
    expect(await refused({ type: 'Case', renamedFields: renamed })).toEqual(['renamedFields.2.fieldId'])
    expect((await read()).find(({ type }) => type === 'Case').customFields).toEqual([field('Kept')])
  })

  it('one that differs from another by its outer spaces is both taken and unusable', async () => {
    expect(await refused(named('Weather', ' Weather '))).toEqual(['customFields.1.name', 'customFields.1.name'])
  })

  it('the same label for two fields is no conflict', async () => {
    const renamedFields = ['StartTime', 'EndTime'].map((fieldId) => ({ fieldId, customName: 'When' }))
    expect((await stored({ type: 'Evidence', renamedFields })).renamedFields).toEqual(renamedFields)
  })

  it.each([
    ['no type', { customFields: [] }, ['type']],
    ['an unknown type', { type: 'Device' }, ['type']],
    ['a type in other letters', { type: 'case' }, ['type']],
    ['no body', undefined, ['']],
    ['a list of templates', [{ type: 'Case' }], ['']],
    [
      'fields that are no list',
      { type: 'Case', customFields: {}, renamedFields: 'x' },
      ['customFields', 'renamedFields'],
    ],
    ['an unknown field type', { type: 'Case', customFields: [field('a', 'Colour')] }, ['customFields.0.type']],
    ['a field without a type', { type: 'Case', customFields: [{ name: 'a' }] }, ['customFields.0.type']],
    ['an empty name', named(''), ['customFields.0.name']],
    ['a name of spaces', named('  '), ['customFields.0.name']],
    ['a name of 257', named('n'.repeat(257)), ['customFields.0.name', 'customFields.0.name']],
    ['a name with a line break', named('a\nb'), ['customFields.0.name']],
    ['a name that turns its letters around', named('a\u202eb'), ['customFields.0.name']],
    ['half a surrogate pair', named('a\ud800'), ['customFields.0.name']],
    [
      'a label and a fieldId that are none',
      { type: 'Case', renamedFields: [{ fieldId: '', customName: 7 }] },
      ['renamedFields.0.customName', 'renamedFields.0.fieldId'],
    ],
    ['a Choice without choices', { type: 'Case', customFields: [field('a', 'Choice')] }, ['customFields.0.choices']],
    [
      'a Choice with none',
      { type: 'Case', customFields: [{ ...field('a', 'Choice'), choices: [] }] },
      ['customFields.0.choices'],
    ],
    [
      'choices that repeat, are empty or no text',
      {
        type: 'Case',
        customFields: [
          { ...field('a', 'Choice'), choices: ['fog', 'FOG'] },
          { ...field('b', 'Choice'), choices: ['', 1] },
        ],
      },
      ['customFields.0.choices.1', 'customFields.1.choices.0', 'customFields.1.choices.1'],
    ],
    [
      'choices of what is no Choice',
      {
        type: 'Case',
        customFields: ['Text', 'Number', 'Date', 'Boolean'].map((type, at) => ({
          name: `f${at}`,
          type,
          choices: ['x'],
        })),
      },
      [0, 1, 2, 3].map((at) => `customFields.${at}.choices`),
    ],
    ['1,001 fields', named(...Array.from({ length: 1001 }, (_, at) => `f${at}`)), ['customFields']],
    [
      '1,001 labels',
      {
        type: 'Case',
        renamedFields: Array.from({ length: 1001 }, (_, at) => ({ fieldId: `f${at}`, customName: 'x' })),
      },
      ['renamedFields'],
    ],
  ])('%s', async (_title, body, paths) => {
    expect(await refused(body)).toEqual(paths)
    expect((await read()).find(({ type }) => type === 'Case').customFields).toEqual([field('Kept')])
  })

  it('1,000 fields are taken, as is a name of 256 and one that an object has itself', async () => {
    const names = ['n'.repeat(256), '__proto__', 'constructor', ...Array.from({ length: 997 }, (_, at) => `f${at}`)]
    expect((await stored(named(...names))).customFields.map(({ name }: Json) => name)).toEqual(names)
    expect((await read()).find(({ type }) => type === 'Case').customFields).toHaveLength(1000)
  })
})

describe('who may', () => {
  it('any member reads, ManageConfiguration writes, errors are camelCase', async () => {
    expect((await given.call('GET', PLACE)).status).toBe(200)
    const forbidden = await given.call('PUT', PLACE, { body: EVIDENCE })
    expect([forbidden.status, forbidden.json]).toEqual([
      403,
      { errorCode: 'Forbidden', message: expect.any(String), details: [], correlationId: forbidden.correlationId },
    ])
    const entries = given.ledger().filter(({ correlationId }) => correlationId === forbidden.correlationId)
    expect(entries.map(({ action, outcome }) => [action, outcome])).toEqual([['access.denied', 'denied']])
    for (const method of ['GET', 'PUT']) {
      const nobody = await given.call(method, PLACE, { token: null, ...(method === 'PUT' ? { body: EVIDENCE } : {}) })
      expect([nobody.status, nobody.json.errorCode]).toEqual([401, 'Unauthorized'])
    }
  })

  it('guests do not read', async () => {
    const password = 'a guest with a pass phrase'
    await given.command('user.create', { username: 'visitor', password, group: null, policies: [], guest: true })
    const page = newPage(given.url)
    expect((await page.signIn('visitor', password)).status).toBe(200)
    const reply = await page.send('GET', PLACE)
    expect([reply.status, reply.json.errorCode]).toEqual([403, 'Forbidden'])
    expect((await page.send('PUT', PLACE, { body: EVIDENCE })).status).toBe(403)
  })

  it('another tenant is not there', async () => {
    for (const method of ['GET', 'PUT']) {
      const place = PLACE.replace('station', 'elsewhere')
      const { status, json } = await given.call(method, place, {
        token: clerk,
        ...(method === 'PUT' ? { body: EVIDENCE } : {}),
      })
      expect([status, json.errorCode]).toEqual([404, 'TenantNotFound'])
    }
    const below = await given.call('GET', `${PLACE}/Case`)
    expect([below.status, below.json.errorCode]).toEqual([404, 'NotFound'])
  })
})

describe('the ledger', () => {
  it('says which fields came, went and changed their kind; what is refused leaves nothing', async () => {
    await stored({ type: 'Case', customFields: ['A', 'B', 'C'].map((name) => ({ name, type: 'Text' })) })
    const { correlationId } = await put({
      type: 'Case',
      customFields: [
        { name: 'A', type: 'Text' },
        { name: 'B', type: 'Number' },
        { name: 'D', type: 'Choice', choices: ['x'] },
      ],
    })
    const of = (id: string) => given.ledger().filter((entry) => entry.correlationId === id)
    expect(of(correlationId).map(({ action, object, detail }) => [action, object, detail])).toEqual([
      [
        'template.changed',
        { type: 'template', id: 'Case', name: 'Case' },
        {
          added: false,
          renamedFields: 0,
          customFields: 3,
          fieldsAdded: ['D'],
          fieldsRemoved: ['C'],
          fieldsRetyped: ['B'],
        },
      ],
    ])
    const bad = await put({ type: 'Case', customFields: [{ name: 'A', type: 'x' }] })
    expect(of(bad.correlationId)).toEqual([])
  })
})
