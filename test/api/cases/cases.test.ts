/** Cases over HTTP (interfaces.md 2.1, 4, decisions 1–4): what is stored, who may do what, versions, transitions, races. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { concurrencyIdOf } from '../../../server/kernel/versions/versions.ts'
import type { Json, Reply } from '../../support/given.ts'
import { scale } from '../../support/scale.ts'
import { CASES, type CasesWorld, casesWorld, type Person } from './world.ts'

let world: CasesWorld
beforeAll(async () => {
  world = await casesWorld()
})
afterAll(() => world?.given.close())

const at = ({ CaseId }: Json): string => `${CASES}/${CaseId}`
const send: CasesWorld['send'] = (...given) => world.send(...given)
const ok = (reply: Promise<Reply>): Promise<Json> => world.given.expecting(200, reply)
const made: CasesWorld['made'] = (...given) => world.made(...given)
const refused = async (reply: Promise<Reply>, code: string): Promise<Json> => {
  const { status, json, text } = await reply
  expect([status, json?.ErrorCode ?? text]).toEqual([400, code])
  return json
}
const denied = async (reply: Promise<Reply>, reason: string): Promise<void> => {
  const { status, text, correlationId } = await reply
  expect([status, text]).toEqual([403, ''])
  const entries = world.given.ledger().filter((entry) => entry.correlationId === correlationId)
  expect(entries.map((entry) => [entry.action, entry.outcome, entry.reason])).toEqual([
    ['access.denied', 'denied', reason],
  ])
}
const WHOLE = {
  Title: 'Tanner’s Row 14',
  Description: 'Entry by the rear window.\nTwo persons seen.',
  OccurredOn: '2026-11-20T02:39:55.1234567+01:00',
  EndedOn: '2026-11-20T02:10:00Z',
  ExternalReferenceId1: 'R-1',
  ExternalReferenceId2: 'I-2',
  LocationText: 'Tanner’s Row 14',
  Location: { Latitude: 52.3728, Longitude: 4.8936, Address: 'Tanner’s Row 14', Notes: null },
  Tags: ['burglary', 'night'],
  CustomFields: { Weather: 'rain' },
}

describe('create and read', () => {
  it('gives back what was sent, normalised as decisions 1 say', async () => {
    const out = await made({ ...WHOLE, CustomFields: JSON.parse('{"Weather":"rain","__proto__":"x"}') })
    expect(out).toMatchObject({
      ...WHOLE,
      OccurredOn: '2026-11-20T01:39:55.1234567Z',
      EndedOn: '2026-11-20T02:10:00Z',
      LocationWKT: 'POINT (4.8936 52.3728)',
      State: 'Open',
      LifecycleState: 'Normal',
      SourceType: 'Manual',
      DepartmentId: null,
      ClosedOn: null,
      Following: false,
      AccessorPermissions: ['View', 'Download', 'Edit', 'Manage'],
    })
    expect(Object.entries(out.CustomFields)).toEqual([
      ['Weather', 'rain'],
      ['__proto__', 'x'],
    ])
    expect(out.Ordinal).toMatch(/^20\d\d-\d{6}$/)
    expect(out.AccessPolicies).toEqual([
      { ...world.policy(world.maker, 'Manage'), Username: 'maker', ExpirationDateUtc: null },
    ])
    expect(await ok(send('GET', at(out)))).toEqual(out)
    const next = await made()
    expect(Number(next.Ordinal.slice(5))).toBe(Number(out.Ordinal.slice(5)) + 1)
  })

  it('a point fills Location, Latitude and Longitude fill LocationWKT, two places are none', async () => {
    const { Location } = await made({ LocationWKT: 'POINT(4.5 52)' })
    expect(Location).toEqual({ Latitude: 52, Longitude: 4.5, Address: null, Notes: null })
    expect((await made({ LocationWKT: 'LINESTRING (1 2, 3 4)' })).Location).toBeNull()
    expect(
      (await made({ LocationWKT: 'POINT (4.5 52)', Location: { Latitude: 52, Longitude: 4.5 } })).CaseId,
    ).toBeTruthy()
    const body = { Title: 'x', LocationWKT: 'POINT (4.5 52)', Location: { Latitude: 52.1, Longitude: 4.5 } }
    await refused(send('POST', CASES, body), 'InvalidModel')
    await refused(send('POST', CASES, { Title: 'x', Location: { Latitude: 1 } }), 'InvalidModel')
    for (const LocationWKT of ['POINT (52.3728, 4.8936)', 'POINT (181 0)', 'POINT (0 91)', 'CIRCLE (1 2)', 'POINT'])
      await refused(send('POST', CASES, { Title: 'x', LocationWKT }), 'InvalidModel')
  })

  it('bad members are all told, and nothing is made', async () => {
    const head = world.given.ledger().length
    const { Details } = await refused(
      send('POST', CASES, {
        Title: ' x',
        Tags: ['', 'a', ' b'],
        OccurredOn: '2026-11-20T01:00:00',
        EndedOn: 'yesterday',
        CategoryId: -1,
        AccessPolicies: [{ ...world.policy(world.other, 'View'), Extra: 1 }],
      }),
      'InvalidModel',
    )
    expect([...new Set(Details.map(({ Path }: Json) => Path.replace(/[[.].*/, '')))].sort()).toEqual(
      ['AccessPolicies', 'CategoryId', 'EndedOn', 'OccurredOn', 'Tags', 'Title'].sort(),
    )
    for (const Title of ['', ' ', 'x'.repeat(257), 'a\nb', null, 5])
      await refused(send('POST', CASES, { Title }), 'InvalidModel')
    const range = { Title: 'x', OccurredOn: '2026-11-20T02:00:00Z', EndedOn: '2026-11-20T02:00:00.9999999+00:01' }
    await refused(send('POST', CASES, range), 'InvalidDateTimeRange')
    await refused(send('POST', CASES, { Title: 'x', CategoryId: '99' }), 'CategoryNotFound')
    await refused(send('POST', CASES, { Title: 'x', DepartmentId: 'd' }), 'DepartmentNotFound')
    await refused(send('POST', CASES, { Title: 'x', EvidenceIds: ['1'] }), 'EvidenceNotFound')
    expect(
      world.given
        .ledger()
        .slice(head)
        .filter(({ action }) => action === 'case.created'),
    ).toEqual([])
  })

  it('an idempotent create is one case; without the policy it is none', async () => {
    const body = { Title: 'Once' }
    const first = await send('POST', CASES, body, { key: 'case-1' })
    const again = await send('POST', CASES, body, { key: 'case-1' })
    expect([first.status, again.status, again.json]).toEqual([201, 201, first.json])
    await denied(send('POST', CASES, body, { as: world.other }), 'UserCannotCreateCase')
    const nobody = await world.given.call('POST', CASES, { token: null, body })
    expect([nobody.status, nobody.text]).toEqual([401, ''])
  })

  it('a case that is not there is CaseNotFound for everybody', async () => {
    for (const id of ['987654', '9007199254740993', '9223372036854775807'])
      for (const [method, more, body] of [
        ['GET', ''],
        ['GET', '/history'],
        ['PUT', '', { Title: 'x', ConcurrencyId: 'y' }],
        ['PATCH', '', {}],
        ['POST', '/close'],
        ['POST', '/reopen'],
        ['POST', '/follow'],
      ] as const)
        await refused(send(method, `${CASES}/${id}${more}`, body), 'CaseNotFound')
    for (const id of ['0', '1e3', '9223372036854775808']) await refused(send('GET', `${CASES}/${id}`), 'InvalidModel')
  })
})

describe('replace and patch', () => {
  it('PUT replaces what describes, and leaves sharing alone', async () => {
    const first = await made({
      ...WHOLE,
      AccessPolicies: [world.policy(world.maker, 'Manage'), world.policy(world.other, 'View')],
    })
    const next = await ok(send('PUT', at(first), { Title: 'New', ConcurrencyId: first.ConcurrencyId }))
    expect(next).toMatchObject({
      Title: 'New',
      Description: null,
      OccurredOn: null,
      Tags: [],
      CustomFields: {},
      LocationWKT: null,
      Location: null,
    })
    expect(next.AccessPolicies).toEqual(first.AccessPolicies)
    await refused(send('PUT', at(first), { Title: 'Late', ConcurrencyId: first.ConcurrencyId }), 'CaseNotUpToDate')
    await refused(send('PUT', at(first), { Title: 'x', ConcurrencyId: 'whatever' }), 'CaseNotUpToDate')
    await refused(send('PUT', at(first), { Title: 'x' }), 'InvalidModel')
  })

  it('PATCH replaces exactly what is sent and not null', async () => {
    const first = await made(WHOLE)
    const all = await ok(send('PATCH', at(first), { Title: null, Description: null, Tags: null, State: null }))
    for (const name of ['Title', 'Description', 'Tags', 'OccurredOn', 'Location', 'CustomFields', 'State'])
      expect([name, all[name]]).toEqual([name, first[name]])
    const moved = await ok(
      send('PATCH', at(first), { LocationWKT: 'POINT (1 2)', Tags: [], EndedOn: '2027-01-01T00:00Z' }),
    )
    expect(moved.Location).toEqual({ ...WHOLE.Location, Latitude: 2, Longitude: 1 })
    expect([moved.Tags, moved.EndedOn, moved.Title]).toEqual([[], '2027-01-01T00:00:00Z', first.Title])
    await refused(send('PATCH', at(first), { EndedOn: '2020-01-01T00:00:00Z' }), 'InvalidDateTimeRange')
    await refused(send('PATCH', at(first), { Title: 'x', ConcurrencyId: first.ConcurrencyId }), 'CaseNotUpToDate')
    expect((await ok(send('PATCH', at(first), { Title: 'x', ConcurrencyId: moved.ConcurrencyId }))).Title).toBe('x')
  })

  it('takes the vendor media type in version 1 of any vendor, and no other version', async () => {
    const first = await made()
    const type = (vendor: string, v: string) => ({
      headers: { 'content-type': `application/vnd.${vendor}.SaaS.CaseService.PatchCaseModel+json${v}` },
    })
    for (const one of [type('acme', '; v=1'), type('x.y', ';v="1"'), type('acme', '')])
      expect((await send('PATCH', at(first), { Title: 'by vendor' }, one)).status).toBe(200)
    for (const one of [type('acme', '; v=2'), type('acme', '; charset=utf-8; V=0')])
      expect((await send('PATCH', at(first), { Title: 'by vendor' }, one)).status).toBe(415)
    expect((await send('PATCH', at(first), { Title: 'x' }, { headers: { 'content-type': 'text/json' } })).status).toBe(
      200,
    )
  })
})

describe('who may do what', () => {
  const steps: readonly [level: string, allowed: readonly string[]][] = [
    ['View', ['read', 'follow']],
    ['Download', ['read', 'follow']],
    ['Edit', ['read', 'follow', 'edit', 'replace']],
    ['Manage', ['read', 'follow', 'edit', 'replace', 'close', 'reopen', 'policies']],
  ]
  const tries = (file: Json, as: Person): Readonly<Record<string, () => Promise<Reply>>> => ({
    read: () => send('GET', at(file), undefined, { as }),
    follow: () => send('POST', `${at(file)}/follow`, undefined, { as }),
    edit: () => send('PATCH', at(file), { Description: 'changed' }, { as }),
    replace: async () => {
      const { ConcurrencyId } = await ok(send('GET', at(file)))
      return send('PUT', at(file), { Title: 'replaced', ConcurrencyId }, { as })
    },
    close: () => send('POST', `${at(file)}/close`, undefined, { as }),
    reopen: () => send('PATCH', at(file), { State: 'Open' }, { as }),
    policies: () =>
      send(
        'PATCH',
        at(file),
        { AccessPolicies: [world.policy(world.maker, 'Manage'), world.policy(as, 'View')] },
        { as },
      ),
  })

  it.each(steps)('S4 %s', async (level, allowed) => {
    const as = await world.person(`holds ${level}`)
    const file = await made({ AccessPolicies: [world.policy(as, level)] })
    for (const [name, attempt] of Object.entries(tries(file, as))) {
      const { status, text } = await attempt()
      expect([name, status, status === 403 ? text : '']).toEqual([name, allowed.includes(name) ? 200 : 403, ''])
    }
    const held = ['View', 'Download', 'Edit', 'Manage']
    const seen = await ok(send('GET', at(file), undefined, { as: level === 'Manage' ? world.maker : as }))
    if (level !== 'Manage') expect(seen.AccessorPermissions).toEqual(held.slice(0, held.indexOf(level) + 1))
  })

  it('S4 no level is 403 without a body, the reason in the ledger', async () => {
    const file = await made()
    const as = world.other
    await denied(send('GET', at(file), undefined, { as }), 'PrincipalCannotReadCase')
    await denied(send('PATCH', at(file), { Title: 'x' }, { as }), 'PrincipalCannotEditCase')
    await denied(send('PATCH', at(file), { State: 'Closed' }, { as }), 'PrincipalCannotManageCase')
    await denied(send('POST', `${at(file)}/close`, undefined, { as }), 'PrincipalCannotManageCase')
    await denied(send('GET', `${at(file)}/history`, undefined, { as }), 'PrincipalCannotAccessAuditTrail')
  })

  it('a policy counts until it expires, and Manage never does', async () => {
    const as = await world.person('on loan')
    const expires = (ExpirationDateUtc: string | null, level = 'Edit') => ({
      AccessPolicies: [world.policy(world.maker, 'Manage'), world.policy(as, level)],
      AccessPolicyExpirations: [{ PrincipalId: as.id, KId: as.kId, ExpirationDateUtc }],
    })
    const file = await made(expires('2100-01-01T00:00:00'))
    expect((await send('GET', at(file), undefined, { as })).status).toBe(200)
    await ok(send('PATCH', at(file), expires('2020-01-01T00:00:00Z')))
    await denied(send('GET', at(file), undefined, { as }), 'PrincipalCannotReadCase')
    // Sent again without a word about it, the entry keeps its expiry.
    const kept = await ok(send('PATCH', at(file), { AccessPolicies: expires(null).AccessPolicies }))
    expect(kept.AccessPolicies.map((one: Json) => one.ExpirationDateUtc)).toEqual([null, '2020-01-01T00:00:00Z'])
    await ok(send('PATCH', at(file), expires(null)))
    expect((await send('GET', at(file), undefined, { as })).status).toBe(200)
    await refused(send('PATCH', at(file), expires('2100-01-01T00:00:00Z', 'Manage')), 'InvalidModel')
    await ok(send('PATCH', at(file), expires('2100-01-01T00:00:00Z')))
    const raised = await ok(send('PATCH', at(file), { AccessPolicies: expires(null, 'Manage').AccessPolicies }))
    expect(raised.AccessPolicies.every((one: Json) => one.ExpirationDateUtc === null)).toBe(true)
  })

  it('the last Manage stays, whatever is sent', async () => {
    const file = await made()
    for (const AccessPolicies of [[], [world.policy(world.maker, 'Edit')], [world.policy(world.other, 'View')]])
      await refused(send('PATCH', at(file), { AccessPolicies }), 'CannotRemoveLastAccessPolicyWithFullPermissions')
    const body = {
      Title: 'x',
      AccessPolicies: [world.policy(world.maker, 'View'), world.policy(world.other, 'Manage')],
    }
    await refused(send('POST', CASES, body), 'CannotCreateCaseWithNoManageAccess')
    await ok(send('PATCH', at(file), { AccessPolicies: [world.policy(world.other, 'Manage')] }))
    await denied(send('GET', at(file)), 'PrincipalCannotReadCase')
  })

  it('who names nobody, or two, is told', async () => {
    const right = world.policy(world.other, 'View')
    for (const wrong of [{ PrincipalId: '99999' }, { PrincipalId: 'x' }, { KId: 'urn:x' }, { PrincipalType: 'user' }])
      await refused(send('POST', CASES, { Title: 'x', AccessPolicies: [{ ...right, ...wrong }] }), 'UnableToLoadUser')
    await refused(send('POST', CASES, { Title: 'x', AccessPolicies: [right, right] }), 'InvalidModel')
    await refused(
      send('POST', CASES, { Title: 'x', PersonnelRelations: [{ PrincipalId: world.other.id }] }),
      'UnableToLoadUser',
    )
    expect((await made({ AccessPolicies: [{ ...right, Permissions: 'Write' }] })).AccessPolicies[1].Permissions).toBe(
      'Edit',
    )
  })
})

describe('close, reopen, categories', () => {
  it('a closed case takes nothing but its own end', async () => {
    const { CategoryId } = await world.given.expecting(
      201,
      send('POST', '/api/v1/category/station', { Name: 'Kept a month', RetentionDays: 30 }),
    )
    const file = await made({ CategoryId })
    const closed = await ok(send('PATCH', at(file), { State: 'Closed', Title: 'Solved' }))
    expect([closed.State, closed.Title]).toEqual(['Closed', 'Solved'])
    expect(Date.parse(closed.ScheduledDeletionUtc) - Date.parse(closed.ClosedOn)).toBe(30 * 86_400_000)
    await refused(send('PATCH', at(file), { Title: 'x' }), 'CannotUpdateClosedCase')
    await refused(send('PATCH', at(file), { State: 'Open', Title: 'x' }), 'CannotUpdateClosedCase')
    await refused(send('PUT', at(file), { Title: 'x', ConcurrencyId: closed.ConcurrencyId }), 'CannotUpdateClosedCase')
    await refused(send('POST', `${at(file)}/close`), 'CaseNotInNormalState')
    await refused(send('PATCH', at(file), { State: 'Closed' }), 'CaseNotInNormalState')
    const open = await ok(send('PATCH', at(file), { State: 'Open' }))
    expect([open.State, open.ClosedOn, open.ScheduledDeletionUtc]).toEqual(['Open', null, null])
    await refused(send('POST', `${at(file)}/reopen`), 'CaseNotInNormalState')
    expect((await ok(send('POST', `${at(file)}/close`))).State).toBe('Closed')
    expect((await ok(send('POST', `${at(file)}/reopen`))).State).toBe('Open')
  })

  it('a disabled category takes no new cases and keeps those it has', async () => {
    const place = '/api/v1/category/station'
    const category = await world.given.expecting(201, send('POST', place, { Name: 'Retired' }))
    const file = await made({ CategoryId: category.CategoryId })
    const { Name, CategoryId, ConcurrencyId } = category
    await ok(send('PUT', `${place}/${CategoryId}`, { Name, Enabled: false, ConcurrencyId }))
    await refused(send('POST', CASES, { Title: 'x', CategoryId }), 'CannotAssignCaseToDisabledCategory')
    expect((await ok(send('PATCH', at(file), { Title: 'y' }))).CategoryId).toBe(CategoryId)
    expect((await ok(send('PATCH', at(file), { CategoryId }))).CategoryId).toBe(CategoryId)
  })

  it('following is a person’s own and makes no version', async () => {
    const file = await made({ AccessPolicies: [world.policy(world.other, 'View')] })
    const mine = await ok(send('POST', `${at(file)}/follow`, undefined, { as: world.other }))
    expect([mine.Following, mine.ConcurrencyId]).toEqual([true, file.ConcurrencyId])
    expect((await ok(send('GET', at(file)))).Following).toBe(false)
    expect((await ok(send('DELETE', `${at(file)}/follow`, undefined, { as: world.other }))).Following).toBe(false)
  })
})

describe('versions and history', () => {
  it('each is there as it was, chained by its hash, and judged by today’s rights', async () => {
    const first = await made(WHOLE)
    const second = await ok(
      send('PATCH', at(first), {
        Title: 'Second',
        AccessPolicies: [world.policy(world.maker, 'Manage'), world.policy(world.other, 'View')],
      }),
    )
    const old = await ok(
      send('GET', `${at(first)}?concurrencyId=${first.ConcurrencyId}`, undefined, { as: world.other }),
    )
    expect(old).toEqual({ ...first, AccessorPermissions: ['View'], LastModifiedUtcTime: first.LastModifiedUtcTime })
    expect((await ok(send('GET', `${at(first)}?concurrencyId=${second.ConcurrencyId}`))).Title).toBe('Second')
    for (const id of ['x', '0'.repeat(40), first.ConcurrencyId.toUpperCase()])
      if (id !== first.ConcurrencyId)
        await refused(send('GET', `${at(first)}?concurrencyId=${id}`), 'InvalidConcurrencyId')
    expect((await ok(send('GET', `${at(first)}?concurrencyId=`))).Title).toBe('Second')
    const states = world.given.database((db) =>
      db
        .prepare("SELECT parent_id, state, concurrency_id FROM versions WHERE entity = 'case' AND entity_id = ?")
        .all(Number(first.CaseId)),
    ) as { parent_id: string; state: string; concurrency_id: string }[]
    for (const { parent_id: parent, state, concurrency_id: id } of states)
      expect(concurrencyIdOf(parent, state)).toBe(id)
  })

  it('runs newest first, page by page to forty zeros, with what changed', async () => {
    const file = await made()
    for (const Title of ['b', 'c', 'd']) await ok(send('PATCH', at(file), { Title }))
    await ok(send('POST', `${at(file)}/close`))
    const whole = await ok(send('GET', `${at(file)}/history`))
    expect(whole.Name).toBe('d')
    expect(whole.Entries.map(({ Action }: Json) => Action)).toEqual([
      'case.closed',
      'case.changed',
      'case.changed',
      'case.changed',
      'case.created',
    ])
    expect(whole.Entries[1].Changes).toEqual([{ op: 'replace', path: '/Title', value: 'd' }])
    expect(whole.Entries.at(-1).ParentReferenceId).toBe('0'.repeat(40))
    expect(whole.Entries.at(-1).Changes).toContainEqual({ op: 'add', path: '/Title', value: 'Burglary' })
    const paged: Json[] = []
    let from: string | undefined
    for (;;) {
      const query = from === undefined ? '?count=2' : `?count=2&startingConcurrencyId=${from}`
      const { Entries } = await ok(send('GET', `${at(file)}/history${query}`))
      if (Entries.length === 0) break
      paged.push(...Entries)
      from = Entries.at(-1).ParentReferenceId
    }
    expect(paged).toEqual(whole.Entries)
    for (const count of ['0', '1001', '-1', 'x', '1.5'])
      await refused(send('GET', `${at(file)}/history?count=${count}`), 'InvalidModel')
    await refused(send('GET', `${at(file)}/history?startingConcurrencyId=abc`), 'InvalidConcurrencyId')
    const patch = await send('GET', `${at(file)}/history`, undefined, {
      headers: { accept: 'application/json-patch+json' },
    })
    expect([patch.status, patch.headers.get('content-type')]).toEqual([200, expect.stringContaining('json-patch+json')])
  })

  it('an administrator without Manage gets the entries without what changed', async () => {
    const file = await made()
    const { connection } = await world.given.command('integration.create', {
      name: 'chief of cases',
      policies: [],
      group: 'Account Administrators',
      baseUrl: world.given.url,
    })
    const { signIn } = await import('../../support/integrator.ts')
    const token = await signIn(connection, world.given.url)
    const { Entries } = await ok(send('GET', `${at(file)}/history`, undefined, { token }))
    expect(Entries.map(({ Changes }: Json) => Changes)).toEqual([null])
    expect((await send('GET', at(file), undefined, { token })).status).toBe(403)
  })
})

describe('races', () => {
  it('S6 of writers at one version exactly one wins, and the others are told', async () => {
    for (let round = 0; round < scale(3, 100); round++) {
      const { ConcurrencyId, ...file } = await made()
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, writer) => send('PUT', at(file), { Title: `writer ${writer}`, ConcurrencyId })),
      )
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(replies.filter(({ json }) => json.ErrorCode === 'CaseNotUpToDate')).toHaveLength(9)
      const won = replies.find(({ status }) => status === 200)?.json
      expect((await ok(send('GET', at(file)))).Title).toBe(won.Title)
    }
  })

  it('ordinals are given once, without a gap', async () => {
    const files: Json[] = await Promise.all(Array.from({ length: 20 }, () => made()))
    const numbers = files.map(({ Ordinal }) => Number(Ordinal.slice(5))).sort((one, other) => one - other)
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] as number) + index))
  })

  it('the last Manage survives two who take it from each other', async () => {
    for (let round = 0; round < scale(5, 100); round++) {
      const both = [world.policy(world.maker, 'Manage'), world.policy(world.other, 'Manage')]
      const file = await made({ AccessPolicies: both })
      await Promise.all([
        send('PATCH', at(file), { AccessPolicies: [both[0]] }),
        send('PATCH', at(file), { AccessPolicies: [both[1]] }, { as: world.other }),
      ])
      const levels = world.given.database((db) =>
        db
          .prepare("SELECT count(*) FROM case_policies WHERE case_id = ? AND level = 'Manage'")
          .pluck()
          .get(Number(file.CaseId)),
      )
      expect(Number(levels)).toBeGreaterThan(0)
    }
  })
})

it('whatever text comes in goes out the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', maxLength: 100 }),
      fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), fc.string({ unit: 'grapheme' }), {
        maxKeys: 5,
      }),
      async (Description, CustomFields) => {
        const reply = await send('POST', CASES, { Title: 'x', Description, CustomFields })
        if (reply.status !== 201) return void expect(reply.json.ErrorCode).toBe('InvalidModel')
        const read = await ok(send('GET', at(reply.json)))
        expect([read.Description, Object.entries(read.CustomFields).sort()]).toEqual([
          Description,
          Object.entries(CustomFields).sort(),
        ])
      },
    ),
    { numRuns: scale(25, 500) },
  )
})
