/** Categories over HTTP (interfaces.md 4, decisions 1–4): their rules, limits, codes and races. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallOptions, type Given, givenStation, type Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'

const PLACE = '/api/v1/category/station'
let given: Given
/** A token of an integration in ManageConfiguration. */
let clerk: string
beforeAll(async () => {
  given = await givenStation()
  clerk = await signIn(await given.integration('clerk', ['ManageConfiguration']), given.url)
})
afterAll(() => given?.close())

let count = 0
const fresh = (name = 'Burglary'): string => `${name} ${(count += 1)}`
const send = (method: string, place: string, body?: unknown, more: CallOptions = {}) =>
  given.call(method, place, { token: clerk, ...(body === undefined ? {} : { body }), ...more })
const made = (body: Record<string, unknown> = {}): Promise<Json> =>
  given.expecting(201, send('POST', PLACE, { Name: fresh(), ...body }))
const refused = async (reply: ReturnType<typeof send>, code: string): Promise<Json> => {
  const { status, json } = await reply
  expect([status, json?.ErrorCode]).toEqual([400, code])
  return json
}

describe('create, read, list, replace', () => {
  it('gives back what was sent, with a version', async () => {
    const Name = fresh()
    const out = await made({ Name, Description: 'Homes', Color: '#c2410c', RetentionDays: 730 })
    expect(out).toMatchObject({ Name, Description: 'Homes', Color: '#c2410c', RetentionDays: 730, Enabled: true })
    expect(out.CategoryId).toMatch(/^\d+$/)
    expect(out.ConcurrencyId).toMatch(/^[0-9a-f]{40}$/)
    expect(out.LastModifiedBy).toMatchObject({ Name: 'clerk', PrincipalType: 'service' })
    expect((await send('GET', `${PLACE}/${out.CategoryId}`)).json).toEqual(out)
    expect((await send('GET', `${PLACE}/${out.CategoryId}/`)).json).toEqual(out)
    const list = (await send('GET', PLACE)).json as Json[]
    expect(list.find(({ CategoryId }) => CategoryId === out.CategoryId)).toEqual(out)
    const names = list.map((one) => one.Name.toLowerCase())
    expect(names).toEqual([...names].sort())
  })

  it('replaces: what is absent is none, Enabled stays', async () => {
    const first = await made({ Description: 'd', Color: 'red', RetentionDays: 30, Enabled: false })
    const place = `${PLACE}/${first.CategoryId}`
    const Name = fresh()
    const next = await given.expecting(200, send('PUT', place, { Name, ConcurrencyId: first.ConcurrencyId }))
    expect(next).toMatchObject({ Name, Description: null, Color: null, RetentionDays: null, Enabled: false })
    expect(next.CreatedUtcTime).toBe(first.CreatedUtcTime)
    expect(next.ConcurrencyId).not.toBe(first.ConcurrencyId)
    const enabled = await given.expecting(
      200,
      send('PUT', place, { Name, Enabled: true, ConcurrencyId: next.ConcurrencyId }),
    )
    expect(enabled.Enabled).toBe(true)
  })

  it('a repeated create with its key is one category', async () => {
    const body = { Name: fresh() }
    const first = await send('POST', PLACE, body, { key: 'category-1' })
    const again = await send('POST', PLACE, body, { key: 'category-1' })
    expect([again.status, again.json]).toEqual([201, first.json])
    await refused(send('POST', PLACE, { Name: fresh() }, { key: 'category-1' }), 'InvalidModel')
  })
})

describe('codes', () => {
  it('a name is taken after NFC, trim and case folding', async () => {
    const stem = fresh('Café Straße')
    await made({ Name: stem })
    for (const Name of [stem, stem.toUpperCase(), stem.normalize('NFD'), stem.replace('ß', 'SS')])
      await refused(send('POST', PLACE, { Name }), 'CategoryWithSameNameAlreadyExists')
    const other = await made()
    await refused(
      send('PUT', `${PLACE}/${other.CategoryId}`, { Name: stem, ConcurrencyId: other.ConcurrencyId }),
      'CategoryWithSameNameAlreadyExists',
    )
    // Its own name, written differently, is no other's.
    const own = other.Name.toUpperCase()
    const renamed = await send('PUT', `${PLACE}/${other.CategoryId}`, { Name: own, ConcurrencyId: other.ConcurrencyId })
    expect([renamed.status, renamed.json.Name]).toEqual([200, own])
  })

  it('a stale or odd concurrency id is ConcurrentWritingError, whatever its form', async () => {
    const { CategoryId, ConcurrencyId } = await made()
    const place = `${PLACE}/${CategoryId}`
    for (const stale of ['x', '0'.repeat(40), ConcurrencyId.toUpperCase(), `${ConcurrencyId} `])
      if (stale !== ConcurrencyId)
        await refused(send('PUT', place, { Name: fresh(), ConcurrencyId: stale }), 'ConcurrentWritingError')
    await refused(send('PUT', place, { Name: fresh() }), 'InvalidModel')
    await refused(send('PUT', place, { Name: fresh(), ConcurrencyId: '' }), 'InvalidModel')
  })

  it('what is not there is CategoryNotFound, another tenant TenantNotFound', async () => {
    const ConcurrencyId = '0'.repeat(40)
    for (const id of ['999999', '9007199254740993', '9223372036854775807']) {
      await refused(send('GET', `${PLACE}/${id}`), 'CategoryNotFound')
      await refused(send('PUT', `${PLACE}/${id}`, { Name: fresh(), ConcurrencyId }), 'CategoryNotFound')
    }
    for (const id of ['0', '-1', '1.5', 'abc', '9223372036854775808', '9'.repeat(40)])
      await refused(send('GET', `${PLACE}/${id}`), 'InvalidModel')
    await refused(send('GET', '/api/v1/category/elsewhere'), 'TenantNotFound')
    expect((await send('GET', '/api/v1/category/STATION')).status).toBe(200)
  })

  it('every problem of a body is listed', async () => {
    const { Details } = await refused(
      send('POST', PLACE, { Name: ' two ', Color: 'a\nb', RetentionDays: 0, Enabled: 'yes' }),
      'InvalidModel',
    )
    expect(Details.map(({ Path }: Json) => Path).sort()).toEqual(['Color', 'Enabled', 'Name', 'RetentionDays'])
    for (const Name of ['', ' ', 'a\u0000b', 'a\u202eb', 'x'.repeat(257), '\ud800', 7, null])
      await refused(send('POST', PLACE, { Name }), 'InvalidModel')
    for (const RetentionDays of [-1, 0, 1.5, 36_526, 2 ** 53])
      await refused(send('POST', PLACE, { Name: fresh(), RetentionDays }), 'InvalidModel')
    await refused(send('POST', PLACE, undefined, { raw: '{"Name":' }), 'InvalidModel')
    expect((await send('POST', PLACE, { Name: '<script>alert(1)</script>', More: 1 })).status).toBe(201)
  })

  it('who may not write gets 403 without a body, and the ledger knows', async () => {
    for (const [method, place] of [
      ['POST', PLACE],
      ['PUT', `${PLACE}/1`],
    ] as const) {
      const reply = await given.call(method, place, { body: { Name: fresh(), ConcurrencyId: 'x' } })
      expect([reply.status, reply.text]).toEqual([403, ''])
      expect(
        given.ledger().some((entry) => entry.correlationId === reply.correlationId && entry.outcome === 'denied'),
      ).toBe(true)
    }
    expect((await given.call('GET', PLACE)).status).toBe(200)
    const nobody = await given.call('GET', PLACE, { token: null })
    expect([nobody.status, nobody.text]).toEqual([401, ''])
  })
})

describe('races and what hangs on them', () => {
  it('of many writers at one version exactly one wins', async () => {
    const { CategoryId, ConcurrencyId } = await made()
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => send('PUT', `${PLACE}/${CategoryId}`, { Name: fresh(), ConcurrencyId })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ json }) => json.ErrorCode === 'ConcurrentWritingError')).toHaveLength(11)
  })

  it('of many creates of one name exactly one is made', async () => {
    const Name = fresh()
    const replies = await Promise.all(Array.from({ length: 12 }, () => send('POST', PLACE, { Name })))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ json }) => json.ErrorCode === 'CategoryWithSameNameAlreadyExists')).toHaveLength(11)
  })

  it('evidence is filed under a category that is there, and under no other', async () => {
    const { CategoryId } = await made()
    expect((await given.evidence({ CategoryId })).CategoryId).toBe(CategoryId)
    const reply = await given.call('POST', `${given.documents}/evidence`, { body: { Name: 'x', CategoryId: '424242' } })
    expect([reply.status, reply.json.ErrorCode, reply.json.Details[0].Path]).toEqual([
      400,
      'InvalidModel',
      'CategoryId',
    ])
  })

  it('a policy held through a group opens the door, and through nothing else', async () => {
    const { connection } = await given.command('integration.create', {
      name: 'group clerk',
      policies: [],
      group: 'Account Administrators',
      baseUrl: given.url,
    })
    const token = await signIn(connection, given.url)
    expect((await send('POST', PLACE, { Name: fresh() }, { token })).status).toBe(201)
    const other = await signIn(await given.integration('dispatch', ['PushCadEvents', 'CreateCases']), given.url)
    expect((await send('POST', PLACE, { Name: fresh() }, { token: other })).status).toBe(403)
  })
})
