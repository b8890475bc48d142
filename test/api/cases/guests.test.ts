/** W1: what guests do with Manage. Their Manage adds sharing only, on cases and on evidence (decisions 3 and 13). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Reply } from '../../support/given.ts'
import { CASES, type CasesWorld, casesWorld } from './world.ts'

const EVIDENCE = '/documentstore/api/v1/tenant/station/evidence'
const PASSWORD = 'a long enough pass phrase'

let world: CasesWorld
let guest: { id: string; kId: string; page: { token: null; headers: { cookie: string; origin: string } } }
beforeAll(async () => {
  world = await casesWorld()
  const { given } = world
  const made = await given.command('user.create', {
    username: 'visitor',
    password: PASSWORD,
    group: null,
    policies: [],
    guest: true,
  })
  const reply = await given.call('POST', '/connect/session', {
    token: null,
    body: { Username: 'visitor', Password: PASSWORD, NoticeId: 'default' },
  })
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] as string
  const page = { token: null, headers: { cookie, origin: given.url } }
  guest = { id: made.principalId, kId: `urn:user:station:visitor:${made.principalId}`, page }
})
afterAll(() => world?.given.close())

const ofGuest = (Permissions = 'Manage') => ({
  Permissions,
  PrincipalId: guest.id,
  KId: guest.kId,
  PrincipalType: 'user',
})
const caseOf = (): Promise<Json> =>
  world.made({
    AccessPolicies: [world.policy(world.maker, 'Manage'), ofGuest()],
    OccurredOn: '2026-01-01T00:00:00Z',
  })
const as = (method: string, place: string, body?: unknown): Promise<Reply> =>
  world.given.call(method, place, { ...guest.page, ...(body === undefined ? {} : { body }) })
const policiesOf = async (id: string): Promise<string[]> =>
  (await world.given.expecting(200, world.send('GET', `${CASES}/${id}`))).AccessPolicies.map(
    (one: Json) => `${one.PrincipalId}:${one.Permissions}`,
  ).sort()

describe('W1: a guest with Manage on a case', () => {
  it('neither closes, reopens, protects, deletes nor moves it', async () => {
    const { CaseId: id, ConcurrencyId, Title } = await caseOf()
    const department = await world.given.expecting(
      201,
      world.send('POST', '/api/v1/department/station', {
        Name: 'Patrol',
        AccessPolicies: [world.policy(world.maker, 'Manage')],
      }),
    )
    const { DepartmentId } = department
    const tried: [string, string, unknown?][] = [
      ['POST', '/close'],
      ['PATCH', '', { State: 'Closed' }],
      ['PATCH', '', { State: 'Closed', Title: 'Other' }],
      ['PATCH', '', { DepartmentId }],
      ['PUT', '', { Title, ConcurrencyId, DepartmentId }],
      ['POST', '/protect', { Reason: 'Mine' }],
      ['DELETE', ''],
      ['GET', '/history'],
    ]
    for (const [method, place, body] of tried) {
      const { status, text } = await as(method, `${CASES}/${id}${place}`, body)
      expect([method, place, status, text]).toEqual([method, place, 403, ''])
    }
    await world.given.expecting(200, world.send('POST', `${CASES}/${id}/close`))
    for (const [method, place, body] of [
      ['POST', '/reopen'],
      ['PATCH', '', { State: 'Open' }],
    ] as const) {
      const { status, text } = await as(method, `${CASES}/${id}${place}`, body)
      expect([status, text]).toEqual([403, ''])
    }
    expect((await world.given.expecting(200, world.send('GET', `${CASES}/${id}`))).State).toBe('Closed')
  })

  it('takes nobody out, lowers nobody and gives no Manage, by PUT, PATCH and POST alike', async () => {
    const { CaseId: id, Title } = await caseOf()
    const before = await policiesOf(id)
    const maker = world.policy(world.maker, 'Manage')
    const lists = [
      [ofGuest()],
      [maker],
      [world.policy(world.maker, 'View'), ofGuest()],
      [maker, ofGuest('View')],
      [maker, ofGuest(), world.policy(world.other, 'Manage')],
      [ofGuest(), world.policy(world.other, 'View')],
    ]
    for (const AccessPolicies of lists) {
      const { ConcurrencyId } = await world.given.expecting(200, world.send('GET', `${CASES}/${id}`))
      for (const [method, body] of [
        ['PUT', { Title, ConcurrencyId, AccessPolicies }],
        ['PATCH', { AccessPolicies }],
      ] as const) {
        const { status, text } = await as(method, `${CASES}/${id}`, body)
        expect([status, text]).toEqual([403, ''])
      }
    }
    const shared = await as('POST', `${CASES}/${id}/share`, { AccessPolicies: [world.policy(world.other, 'Manage')] })
    expect([shared.status, shared.text]).toEqual([403, ''])
    expect(await policiesOf(id)).toEqual(before)
  })

  it('adds and raises below Manage, which is sharing', async () => {
    const { CaseId: id } = await caseOf()
    const { maker, other } = world
    const all = (level: string) => [world.policy(maker, 'Manage'), ofGuest(), world.policy(other, level)]
    await world.given.expecting(200, as('PATCH', `${CASES}/${id}`, { AccessPolicies: all('View') }))
    await world.given.expecting(200, as('PATCH', `${CASES}/${id}`, { AccessPolicies: all('Edit') }))
    expect((await as('PATCH', `${CASES}/${id}`, { AccessPolicies: all('View') })).status).toBe(403)
    const third = await world.person('third')
    await world.given.expecting(
      200,
      as('POST', `${CASES}/${id}/share`, { AccessPolicies: [world.policy(third, 'Edit')] }),
    )
    expect(await policiesOf(id)).toContain(`${third.id}:Edit`)
  })
})

describe('W1: sharing without Manage of one’s own', () => {
  it('ends nobody’s access sooner, by a guest with Manage and by ShareCases alike', async () => {
    const { CaseId: id } = await caseOf()
    const { maker, other } = world
    const sharer = await world.person('shares only', ['ShareCases'])
    await world.given.expecting(
      200,
      world.send('PATCH', `${CASES}/${id}`, {
        AccessPolicies: [
          world.policy(maker, 'Manage'),
          ofGuest(),
          world.policy(other, 'View'),
          world.policy(sharer, 'View'),
        ],
      }),
    )
    const before = await policiesOf(id)
    const place = `${CASES}/${id}/share`
    const body = { AccessPolicies: [world.policy(other, 'Download')], ExpirationDateUtc: '2026-01-02T00:00:00Z' }
    expect((await as('POST', place, body)).status).toBe(403)
    expect((await world.send('POST', place, body, { as: sharer })).status).toBe(403)
    expect(await policiesOf(id)).toEqual(before)
    // Whoever has Manage decides how long anybody has access.
    await world.given.expecting(200, world.send('POST', place, { ...body, ExpirationDateUtc: '2099-01-02T00:00:00Z' }))
    const later = { AccessPolicies: [world.policy(other, 'Edit')], ExpirationDateUtc: '2099-01-03T00:00:00Z' }
    await world.given.expecting(200, as('POST', place, later))
  })
})

describe('W1: a guest with Manage on evidence', () => {
  it('adds below Manage; all else with its policies, protecting and deleting is refused', async () => {
    const { given } = world
    const { EvidenceId: id, AccessPolicies: own } = await given.evidence({ Name: 'Camera 4' })
    const owner = own.map(({ Permissions, PrincipalId, KId, PrincipalType }: Json) => ({
      Permissions,
      PrincipalId,
      KId,
      PrincipalType,
    }))
    const current = () => given.expecting(200, given.call('GET', `${EVIDENCE}/${id}`))
    const patch = async (AccessPolicies: unknown, who: object) =>
      given.call('PATCH', `${EVIDENCE}/${id}`, {
        ...who,
        body: { AccessPolicies, ConcurrencyId: (await current()).ConcurrencyId },
      })
    expect((await patch([...owner, ofGuest()], {})).status).toBe(200)
    const other = (level: string) => world.policy(world.other, level)
    for (const list of [[ofGuest()], owner, [...owner, ofGuest(), other('Manage')], [...owner, ofGuest('View')]])
      expect((await patch(list, guest.page)).status).toBe(403)
    for (const [method, place, body] of [
      ['POST', '/protect', { Reason: 'Mine' }],
      ['DELETE', ''],
    ] as const)
      expect((await as(method, `${EVIDENCE}/${id}${place}`, body)).status).toBe(403)
    expect((await patch([...owner, ofGuest(), other('Edit')], guest.page)).status).toBe(200)
    expect((await patch([...owner, ofGuest(), other('View')], guest.page)).status).toBe(403)
  })
})
