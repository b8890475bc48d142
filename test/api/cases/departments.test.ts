/** Departments over HTTP (interfaces.md 2.3, 4, decisions 1–4): templates, versions, rights, codes, races. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { concurrencyIdOf } from '../../../server/kernel/versions/versions.ts'
import { ADMINISTRATOR, type Json, type Reply } from '../../support/given.ts'
import { scale } from '../../support/scale.ts'
import { DEFAULT, departments, fresh, PLACE } from './departments-world.ts'
import { type CasesWorld, casesWorld } from './world.ts'

/** `maker` is in ManageConfiguration and AccessAuditTrail, `other` in nothing. */
let world: CasesWorld
beforeAll(async () => {
  world = await casesWorld()
})
afterAll(() => world?.given.close())
const { at, send, ok, manage, body, made, assign, refused, denied, guest } = departments(() => world)

describe('create, read, list, replace', () => {
  it('gives back what was sent, with a version', async () => {
    const Name = fresh()
    const out = await made({
      Name,
      Description: 'Quays 1 to 9',
      AccessPolicies: [{ ...world.policy(world.other, 'Write'), Username: 'whoever' }, ...manage()],
    })
    expect(out).toMatchObject({ Name, Description: 'Quays 1 to 9', Enabled: true, IsDefault: false })
    expect(out.DepartmentId).toMatch(/^[1-9]\d{0,47}$/)
    expect(out.ConcurrencyId).toMatch(/^[0-9a-f]{40}$/)
    expect(out.LastModifiedBy).toMatchObject({ Name: 'maker', PrincipalType: 'service' })
    expect(out.AccessPolicies).toEqual([
      { ...world.policy(world.maker, 'Manage'), Username: 'maker' },
      { ...world.policy(world.other, 'Edit'), Username: 'other' },
    ])
    expect(await ok(send('GET', at(out)))).toEqual(out)
    expect(await ok(send('GET', `${at(out)}/`))).toEqual(out)
    const list = (await ok(send('GET', PLACE))) as Json[]
    expect(list.find(({ DepartmentId }) => DepartmentId === out.DepartmentId)).toEqual(out)
    const names = list.map((one) => one.Name.toLowerCase())
    expect(names).toEqual([...names].sort())
  })

  it('replaces: what is absent is none, Enabled stays', async () => {
    const first = await made({
      Description: 'd',
      Enabled: false,
      AccessPolicies: [...manage(), world.policy(world.other, 'View')],
    })
    const sent = { Name: fresh(), AccessPolicies: manage(world.other), ConcurrencyId: first.ConcurrencyId }
    const next = await ok(send('PUT', at(first), sent))
    expect(next).toMatchObject({ Name: sent.Name, Description: null, Enabled: false, IsDefault: false })
    expect(next.AccessPolicies).toEqual([{ ...world.policy(world.other, 'Manage'), Username: 'other' }])
    expect(next.CreatedUtcTime).toBe(first.CreatedUtcTime)
    expect(next.ConcurrencyId).not.toBe(first.ConcurrencyId)
    const enabled = await ok(send('PUT', at(first), { ...sent, Enabled: true, ConcurrencyId: next.ConcurrencyId }))
    expect([enabled.Enabled, await ok(send('GET', at(first)))]).toEqual([true, enabled])
  })

  it('nobody writes what the station settles', async () => {
    const out = await made({ DepartmentId: '77777', IsDefault: true, ConcurrencyId: 'x', LastModifiedBy: null })
    expect([out.IsDefault, out.DepartmentId === '77777', out.ConcurrencyId === 'x']).toEqual([false, false, false])
  })

  it('a repeated create with its key is one department', async () => {
    const sent = body()
    const first = await send('POST', PLACE, sent, { key: 'department-1' })
    const again = await send('POST', PLACE, sent, { key: 'department-1' })
    expect([first.status, again.status, again.json]).toEqual([201, 201, first.json])
    await refused(send('POST', PLACE, body(), { key: 'department-1' }), 'InvalidModel')
  })

  it('is a template: what changes in it changes no case', async () => {
    const department = await made({ AccessPolicies: [...manage(), world.policy(world.other, 'Edit')] })
    const file = await world.made({ DepartmentId: department.DepartmentId })
    expect(file.AccessPolicies.map(({ Permissions }: Json) => Permissions)).toEqual(['Manage', 'Edit'])
    const changed = await ok(
      send('PUT', at(department), body({ Enabled: false, ConcurrencyId: department.ConcurrencyId })),
    )
    // The name beside the case is the department's own, as it is today.
    const now = { ...file, DepartmentName: changed.Name }
    expect(await ok(send('GET', `/api/v1/case/station/${file.CaseId}`))).toEqual(now)
  })
})

describe('codes', () => {
  it('a name is taken after NFC, trim and case folding', async () => {
    const stem = fresh('Café Straße')
    const taken = [stem, stem.toUpperCase(), stem.normalize('NFD'), stem.replace('ß', 'SS')]
    const available = (name: string) => ok(send('POST', `${PLACE}/availability`, name))
    expect(await available(stem)).toBe(true)
    await made({ Name: stem, Enabled: false })
    for (const Name of taken) {
      await refused(send('POST', PLACE, body({ Name })), 'DepartmentAlreadyExists')
      expect([Name, await available(Name)]).toEqual([Name, false])
    }
    const other = await made()
    await refused(
      send('PUT', at(other), body({ Name: stem, ConcurrencyId: other.ConcurrencyId })),
      'DepartmentAlreadyExists',
    )
    // Its own name, written differently, is no other's.
    const Name = other.Name.toUpperCase()
    const renamed = await ok(send('PUT', at(other), body({ Name, ConcurrencyId: other.ConcurrencyId })))
    expect(renamed.Name).toBe(Name)
  })

  it('a name that cannot be used is DepartmentNameInvalid, with anything else wrong InvalidModel', async () => {
    const { ConcurrencyId, ...other } = await made()
    for (const Name of ['', ' ', ' a', 'a\t', 'a\u0000b', 'a\u202eb', 'x'.repeat(257), 'x'.repeat(50_000), '\ud800']) {
      await refused(send('POST', PLACE, body({ Name })), 'DepartmentNameInvalid')
      await refused(send('PUT', at(other), body({ Name, ConcurrencyId })), 'DepartmentNameInvalid')
      await refused(send('POST', `${PLACE}/availability`, Name), 'DepartmentNameInvalid')
    }
    for (const name of [7, null, [], {}]) await refused(send('POST', `${PLACE}/availability`, name), 'InvalidModel')
    await refused(send('POST', `${PLACE}/availability`), 'InvalidModel')
    // 256 characters, however they are composed.
    expect((await made({ Name: 'ệ'.normalize('NFD').repeat(256) })).DepartmentId).toBeTruthy()
    const { Details } = await refused(
      send('POST', PLACE, { Name: '', Enabled: 'yes', AccessPolicies: [{ ...manage()[0], Extra: 1 }], Description: 5 }),
      'InvalidModel',
    )
    expect(Details.map(({ Path }: Json) => Path.split('.')[0]).sort()).toEqual([
      'AccessPolicies',
      'Description',
      'Enabled',
      'Name',
    ])
    for (const sent of [{ Name: fresh() }, { AccessPolicies: manage() }, { Name: 7, AccessPolicies: manage() }])
      await refused(send('POST', PLACE, sent), 'InvalidModel')
  })

  it('without somebody who has Manage it is no template', async () => {
    const visitor = await world.given.command('user.create', {
      username: fresh('guest'),
      password: ADMINISTRATOR.password,
      group: null,
      policies: [],
      guest: true,
    })
    const kId = world.given.database((db) =>
      db.prepare('SELECT k_id FROM principals WHERE principal_id = ?').pluck().get(Number(visitor.principalId)),
    )
    const asGuest = { Permissions: 'Manage', PrincipalId: visitor.principalId, KId: kId, PrincipalType: 'user' }
    const department = await made()
    for (const AccessPolicies of [[], [world.policy(world.maker, 'Edit')], [asGuest]]) {
      await refused(send('POST', PLACE, body({ AccessPolicies })), 'DepartmentWithoutManagePermission')
      await refused(
        send('PUT', at(department), body({ AccessPolicies, ConcurrencyId: department.ConcurrencyId })),
        'DepartmentWithoutManagePermission',
      )
    }
    expect(await ok(send('GET', at(department)))).toEqual(department)
    expect((await made({ AccessPolicies: [asGuest, ...manage()] })).AccessPolicies).toHaveLength(2)
  })

  it('a policy that names nobody is UnableToLoadUser, one twice InvalidModel', async () => {
    const right = world.policy(world.other, 'View')
    for (const wrong of [{ PrincipalId: '99999' }, { PrincipalId: 'x' }, { KId: 'urn:x' }, { PrincipalType: 'user' }])
      await refused(
        send('POST', PLACE, body({ AccessPolicies: [...manage(), { ...right, ...wrong }] })),
        'UnableToLoadUser',
      )
    await refused(send('POST', PLACE, body({ AccessPolicies: [...manage(), right, right] })), 'InvalidModel')
    const dated = { ...right, ExpirationDateUtc: '2100-01-01T00:00:00Z' }
    await refused(send('POST', PLACE, body({ AccessPolicies: [...manage(), dated] })), 'InvalidModel')
  })

  it('a stale or odd concurrency id is ConcurrentWritingError, whatever its form', async () => {
    const { ConcurrencyId, ...department } = await made()
    for (const stale of [
      'x',
      '0'.repeat(40),
      'f'.repeat(400),
      `${ConcurrencyId} `,
      ConcurrencyId.replace(/[a-f]/, 'F'),
    ])
      if (stale !== ConcurrencyId) {
        await refused(send('PUT', at(department), body({ ConcurrencyId: stale })), 'ConcurrentWritingError')
        await refused(assign(department.DepartmentId, stale), 'ConcurrentWritingError')
      }
    for (const wrong of [undefined, '', 7])
      await refused(send('PUT', at(department), body({ ConcurrencyId: wrong })), 'InvalidModel')
  })

  it('what is not there is DepartmentNotFound, whatever its form; another tenant TenantNotFound', async () => {
    const { DepartmentId } = await made()
    const ids = ['999999', `0${DepartmentId}`, `${DepartmentId}.0`, '1e0', '-1', '0', 'x', '%00', '9'.repeat(48)]
    for (const id of [...ids, '9007199254740993', '9223372036854775808']) {
      await refused(send('GET', `${PLACE}/${id}`), 'DepartmentNotFound')
      await refused(send('GET', `${PLACE}/${id}/history`), 'DepartmentNotFound')
      await refused(send('PUT', `${PLACE}/${id}`, body({ ConcurrencyId: 'x' })), 'DepartmentNotFound')
    }
    await refused(send('GET', `${PLACE}/${'9'.repeat(49)}`), 'InvalidModel')
    for (const place of ['elsewhere', `elsewhere/${DepartmentId}`, 'default/elsewhere'])
      await refused(send('GET', `/api/v1/department/${place}`), 'TenantNotFound')
    expect((await send('GET', '/api/v1/department/STATION')).status).toBe(200)
  })
})

describe('a case that changes its department', () => {
  it('goes into none in which nobody would have Manage, and stays as it was', async () => {
    const { given } = world
    const keeper = await world.person(fresh('keeper'))
    const from = await made({ AccessPolicies: manage(keeper) })
    const username = 'gone-officer'
    const { principalId: PrincipalId } = await given.command('user.create', {
      username,
      password: ADMINISTRATOR.password,
      group: null,
      policies: [],
      guest: false,
    })
    const KId = `urn:user:station:${username}:${PrincipalId}`
    const gone = { Permissions: 'Manage', PrincipalId, KId, PrincipalType: 'user' }
    const to = await made({ AccessPolicies: [gone] })
    await given.command('user.disable', { username })
    const file = await world.made({ DepartmentId: from.DepartmentId })
    const place = `/api/v1/case/station/${file.CaseId}`
    // The maker's own Manage goes: what is left was copied from the department, and goes with it.
    await ok(send('PATCH', place, { AccessPolicies: manage(keeper) }))
    const as = keeper
    const before = await ok(send('GET', place, undefined, { as }))
    const { Title, ConcurrencyId } = before
    const { DepartmentId } = to
    for (const attempt of [
      () => send('PATCH', place, { DepartmentId }, { as }),
      () => send('PUT', place, { Title, ConcurrencyId, DepartmentId }, { as }),
      () => send('PATCH', place, { DepartmentId, AccessPolicies: manage(keeper) }, { as }),
    ]) {
      const code = 'DepartmentChangeCausesLossOfLastAccessPolicyWithFullPermissions'
      const { Details } = await refused(attempt(), code)
      expect(Details).toEqual([{ Path: 'DepartmentId', Message: 'would leave nobody with Manage' }])
    }
    expect(await ok(send('GET', place, undefined, { as }))).toEqual(before)
    // An entry that is the case's own stays, and is enough.
    const AccessPolicies = [...manage(keeper), ...manage()]
    const moved = await ok(send('PATCH', place, { DepartmentId, AccessPolicies }, { as }))
    const held = moved.AccessPolicies.map((one: Json) => [one.PrincipalId, one.Permissions])
    expect([moved.DepartmentId, held.toSorted()]).toEqual([
      DepartmentId,
      [
        [world.maker.id, 'Manage'],
        [PrincipalId, 'Manage'],
      ].toSorted(),
    ])
  })
})

describe('who may do what', () => {
  const steps: readonly [who: string, policies: readonly string[], allowed: readonly string[]][] = [
    ['a member', [], ['read', 'list', 'default', 'availability']],
    ['an auditor', ['AccessAuditTrail'], ['read', 'list', 'default', 'availability']],
    [
      'a configurer',
      ['ManageConfiguration'],
      ['read', 'list', 'default', 'availability', 'create', 'replace', 'assign', 'policies'],
    ],
    [
      'an auditing configurer',
      ['ManageConfiguration', 'AccessAuditTrail'],
      ['read', 'list', 'default', 'availability', 'create', 'replace', 'assign', 'policies', 'history'],
    ],
  ]

  it.each(steps)('S4 %s', async (who, policies, allowed) => {
    const as = await world.person(fresh(who), policies)
    const department = await made()
    await ok(assign(department.DepartmentId, department.ConcurrencyId))
    const { ConcurrencyId } = await ok(send('GET', at(department)))
    const tries: readonly [string, () => Promise<Reply>][] = [
      ['read', () => send('GET', at(department), undefined, { as })],
      ['list', () => send('GET', PLACE, undefined, { as })],
      ['default', () => send('GET', DEFAULT, undefined, { as })],
      ['availability', () => send('POST', `${PLACE}/availability`, fresh(), { as })],
      ['history', () => send('GET', `${at(department)}/history`, undefined, { as })],
      ['create', () => send('POST', PLACE, body(), { as })],
      ['replace', () => send('PUT', at(department), body({ ConcurrencyId }), { as })],
      [
        'assign',
        async () => {
          const now = (await ok(send('GET', at(department)))).ConcurrencyId
          return send('PUT', `${DEFAULT}/assign`, { DepartmentId: null, ConcurrencyId: now }, { as })
        },
      ],
    ]
    for (const [name, attempt] of tries) {
      const { status, text } = await attempt()
      const good = name === 'create' ? 201 : 200
      expect([name, status, status === 403 ? text : '']).toEqual([name, allowed.includes(name) ? good : 403, ''])
    }
    const [one, list] = [
      await ok(send('GET', at(department), undefined, { as })),
      (await ok(send('GET', PLACE, undefined, { as }))) as Json[],
    ]
    const shown = allowed.includes('policies')
    expect(one.AccessPolicies).toEqual(shown ? [{ ...manage()[0], Username: 'maker' }] : null)
    expect(list.every(({ AccessPolicies }) => (AccessPolicies === null) !== shown)).toBe(true)
    expect(list.find(({ DepartmentId }) => DepartmentId === one.DepartmentId)).toEqual(one)
  })

  it('S4 guests get nothing, strangers less', async () => {
    const department = await made()
    const visitor = await guest()
    const places: readonly [string, string, unknown?][] = [
      ['GET', PLACE],
      ['GET', at(department)],
      ['GET', `${at(department)}/history`],
      ['GET', DEFAULT],
      ['POST', `${PLACE}/availability`, fresh()],
      ['POST', PLACE, body()],
      ['PUT', at(department), body({ ConcurrencyId: department.ConcurrencyId })],
      ['PUT', `${DEFAULT}/assign`, { DepartmentId: department.DepartmentId, ConcurrencyId: department.ConcurrencyId }],
    ]
    for (const [method, place, sent] of places) {
      const given = { token: null, ...(sent === undefined ? {} : { body: sent }) }
      await denied(world.given.call(method, place, { ...given, ...visitor }), 'Forbidden')
      const nobody = await world.given.call(method, place, given)
      expect([method, place, nobody.status, nobody.text]).toEqual([method, place, 401, ''])
    }
    expect(await ok(send('GET', at(department)))).toEqual(department)
  })

  it('S4 the ledger says why the history was refused', async () => {
    const place = `${at(await made())}/history`
    for (const policies of [[], ['ManageConfiguration'], ['AccessAuditTrail']]) {
      const as = await world.person(fresh('curious'), policies)
      await denied(send('GET', place, undefined, { as }), 'PrincipalCannotAccessAuditTrail')
    }
    await denied(send('POST', PLACE, body(), { as: world.other }), 'Forbidden')
  })
})

describe('versions and history', () => {
  it('runs newest first, page by page to forty zeros, with what changed', async () => {
    const first = await made({ Name: fresh('a') })
    let ConcurrencyId = first.ConcurrencyId
    for (const Description of ['b', 'c', 'd']) {
      const sent = { Name: first.Name, AccessPolicies: manage(), Description, ConcurrencyId }
      ConcurrencyId = (await ok(send('PUT', at(first), sent))).ConcurrencyId
    }
    const AccessPolicies = [...manage(), world.policy(world.other, 'View')]
    await ok(send('PUT', at(first), { Name: `${first.Name}!`, AccessPolicies, Description: 'd', ConcurrencyId }))
    const whole = await ok(send('GET', `${at(first)}/history`))
    expect(whole.Name).toBe(`${first.Name}!`)
    expect(whole.Entries.map(({ Action }: Json) => Action)).toEqual([
      ...Array.from({ length: 4 }, () => 'department.changed'),
      'department.created',
    ])
    expect(whole.Entries[0].Changes).toEqual([
      {
        op: 'replace',
        path: '/AccessPolicies',
        value: [
          { ...world.policy(world.maker, 'Manage'), Username: 'maker' },
          { ...world.policy(world.other, 'View'), Username: 'other' },
        ],
      },
      { op: 'replace', path: '/Name', value: `${first.Name}!` },
    ])
    expect(whole.Entries[1].Changes).toEqual([{ op: 'replace', path: '/Description', value: 'd' }])
    expect(whole.Entries[0].Author).toEqual({
      PrincipalId: world.maker.id,
      KId: world.maker.kId,
      Name: 'maker',
      Username: 'maker',
    })
    expect(whole.Entries.at(-1)).toMatchObject({
      ConcurrencyId: first.ConcurrencyId,
      ParentReferenceId: '0'.repeat(40),
      DateUtc: first.LastModifiedUtcTime,
    })
    expect(whole.Entries.at(-1).Changes).toContainEqual({ op: 'add', path: '/Name', value: first.Name })
    const paged: Json[] = []
    let from: string | undefined
    for (;;) {
      const query = from === undefined ? '?count=2' : `?count=2&startingConcurrencyId=${from}`
      const { Entries } = await ok(send('GET', `${at(first)}/history${query}`))
      if (Entries.length === 0) break
      paged.push(...Entries)
      from = Entries.at(-1).ParentReferenceId
    }
    expect([paged, from]).toEqual([whole.Entries, '0'.repeat(40)])
    for (const sent of ['0', '1001', '-1', 'x', '1.5'])
      await refused(send('GET', `${at(first)}/history?count=${sent}`), 'InvalidModel')
    const foreign = (await made()).ConcurrencyId
    for (const id of ['abc', foreign, '0'.repeat(39)])
      await refused(send('GET', `${at(first)}/history?startingConcurrencyId=${id}`), 'InvalidConcurrencyId')
  })

  it('each version is chained by its hash over stored state alone', async () => {
    const { DepartmentId, ConcurrencyId } = await made()
    await ok(assign(DepartmentId, ConcurrencyId))
    const stored = world.given.database((db) =>
      db
        .prepare("SELECT parent_id, state, concurrency_id FROM versions WHERE entity = 'department' AND entity_id = ?")
        .all(Number(DepartmentId)),
    ) as { parent_id: string; state: string; concurrency_id: string }[]
    expect(stored).toHaveLength(2)
    for (const { parent_id: parent, state, concurrency_id: id } of stored) {
      expect(concurrencyIdOf(parent, state)).toBe(id)
      expect(Object.keys(JSON.parse(state))).toEqual([
        'AccessPolicies',
        'DepartmentId',
        'Description',
        'Enabled',
        'IsDefault',
        'Name',
      ])
    }
  })

  it('answers under the media types that interfaces.md names', async () => {
    const department = await made()
    const typed = async (place: string, accept: string) => {
      const { status, headers } = await send('GET', place, undefined, { headers: { accept } })
      return [status, headers.get('content-type')?.split(';')[0]]
    }
    for (const place of [PLACE, at(department), `${at(department)}/history`])
      for (const type of ['application/json', 'text/json', 'text/plain'])
        expect([place, ...(await typed(place, type))]).toEqual([place, 200, type])
    expect(await typed(`${at(department)}/history`, 'application/json-patch+json')).toEqual([
      200,
      'application/json-patch+json',
    ])
    expect(await typed(at(department), 'application/xml')).toEqual([406, 'application/json'])
  })
})

describe('races', () => {
  it('S6 of writers at one version exactly one wins', async () => {
    for (let round = 0; round < scale(3, 100); round++) {
      const { ConcurrencyId, ...department } = await made()
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => send('PUT', at(department), body({ ConcurrencyId }))),
      )
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(replies.filter(({ json }) => json.ErrorCode === 'ConcurrentWritingError')).toHaveLength(9)
      const won = replies.find(({ status }) => status === 200)?.json
      expect(await ok(send('GET', at(department)))).toEqual(won)
    }
  })

  it('S6 of creates of one name, however it is written, exactly one is made', async () => {
    for (let round = 0; round < scale(3, 100); round++) {
      const stem = fresh('Zoë Straße')
      const names = [stem, stem.toUpperCase(), stem.normalize('NFD'), stem.replace('ß', 'ss'), stem.toLowerCase()]
      const replies = await Promise.all(names.map((Name) => send('POST', PLACE, body({ Name }))))
      expect(replies.map(({ status, json }) => json.ErrorCode ?? status).sort()).toEqual([
        201,
        ...Array.from({ length: 4 }, () => 'DepartmentAlreadyExists'),
      ])
    }
  })
})
