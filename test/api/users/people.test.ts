/** Users over HTTP (decisions 1–3 and 10): kept by administrators, disabled, freed, given passwords, looked for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { fresh, PASSWORD, type UsersWorld, usersWorld } from './world.ts'

let world: UsersWorld
beforeAll(async () => {
  world = await usersWorld()
})
afterAll(() => world?.given.close())

const WRONG = 'another long pass phrase'
const entriesAbout = (id: string): Json[] => world.given.ledger().filter(({ object }) => object.id === id) as Json[]

describe('made, read, listed, changed', () => {
  it('gives back what was sent, and never a password', async () => {
    const group = await world.group()
    const sent = {
      Username: fresh('Žofie'),
      FirstName: 'Žofie',
      LastName: 'Nováková',
      Badge: 'B-7',
      Email: 'zofie@station.example',
    }
    const reply = await world.send('POST', '/users', {
      ...sent,
      Password: PASSWORD,
      GroupIds: [group.PrincipalId],
      Policies: [{ Policy: 'CreateCases' }, { Policy: 'AccessUnassociatedFiles', Level: 'Download' }],
    })
    expect(reply.status).toBe(201)
    const made = reply.json
    expect(made).toEqual({
      ...sent,
      PrincipalId: expect.stringMatching(/^\d+$/),
      KId: `urn:user:station:${sent.Username}:${made.PrincipalId}`,
      Guest: false,
      Enabled: true,
      Administrator: false,
      LockedUntilUtc: null,
      LastSignInUtc: null,
      CreatedUtcTime: expect.stringMatching(/Z$/),
      Groups: [
        {
          PrincipalId: group.PrincipalId,
          KId: group.KId,
          Name: group.Name,
          Username: group.Name,
          PrincipalType: 'group',
        },
      ],
      Policies: [
        { Policy: 'AccessUnassociatedFiles', Level: 'Download', Through: null },
        { Policy: 'CreateCases', Level: null, Through: null },
      ],
      SecondStep: false,
      Passkeys: 0,
      PasswordSet: true,
      PasswordDue: true,
    })
    expect(await world.read('users', made.PrincipalId)).toEqual(made)
    expect(reply.text).not.toContain('argon2')
    await world.signedIn(sent.Username)
    const { LastSignInUtc } = await world.read('users', made.PrincipalId)
    expect(Math.abs(Date.parse(LastSignInUtc) - Date.now())).toBeLessThan(60_000)
  })

  it('a repeated create with its key makes one user, and gives the first answer', async () => {
    const body = { Username: fresh(), Password: PASSWORD }
    const first = await world.send('POST', '/users', body, { key: 'user-1' })
    const again = await world.send('POST', '/users', body, { key: 'user-1' })
    expect([again.status, again.json]).toEqual([201, first.json])
    await world.refused(world.send('POST', '/users', body), 409, 'NameTaken')
  })

  it('every problem of a body is listed under its name', async () => {
    const { Details } = await world.refused(
      world.send('POST', '/users', {
        Username: ' x ',
        Password: '',
        FirstName: 'a\u0000',
        Badge: 'x'.repeat(257),
        Email: 'no address',
        Guest: 'yes',
        Policies: [{ Policy: 'Nonsense' }],
      }),
      400,
      'InvalidModel',
    )
    expect(Details.map(({ Path }: Json) => Path).sort()).toEqual([
      'Badge',
      'Email',
      'FirstName',
      'Guest',
      'Password',
      'Policies.0.Policy',
      'Username',
    ])
    const guest = await world.refused(
      world.send('POST', '/users', {
        Username: fresh(),
        Password: 'short',
        Guest: true,
        Policies: [{ Policy: 'ShareCases' }],
      }),
      400,
      'InvalidModel',
    )
    expect(guest.Details.map(({ Path }: Json) => Path).sort()).toEqual(['Password', 'Policies'])
    const administrators = (await world.send('GET', '/groups?text=account')).json.Items[0].PrincipalId
    for (const GroupIds of [['999999'], [world.chief.id], [administrators]]) {
      const { Details: found } = await world.refused(
        world.send('POST', '/users', { Username: fresh(), Password: PASSWORD, Guest: true, GroupIds }),
        400,
        'InvalidModel',
      )
      expect(found[0].Path).toBe('GroupIds.0')
    }
  })

  it('changes names, badge and address, and with the name the KId and what one is found by', async () => {
    const { PrincipalId, Username } = await world.user({ FirstName: 'Ada', Email: 'a@b.example' })
    const next = fresh('renamed')
    const changed = await world.given.expecting(
      200,
      world.send('PATCH', `/users/${PrincipalId}`, { Username: next, LastName: 'Łukasz-Ångström', Email: '' }),
    )
    expect(changed).toMatchObject({
      Username: next,
      FirstName: 'Ada',
      LastName: 'Łukasz-Ångström',
      Email: '',
      KId: `urn:user:station:${next}:${PrincipalId}`,
    })
    expect((await world.send('GET', `/users?text=${encodeURIComponent(`angstrom ${next}`)}`)).json.Items).toHaveLength(
      1,
    )
    expect((await world.send('GET', `/users?text=${encodeURIComponent(Username)}`)).json.Items).toHaveLength(0)
    expect((await world.page().signIn(Username, PASSWORD)).status).toBe(401)
    await world.signedIn(next.toUpperCase())
    expect(entriesAbout(PrincipalId).find(({ action }) => action === 'user.changed').detail).toEqual({
      before: { Username, LastName: '', Email: 'a@b.example' },
      after: { Username: next, LastName: 'Łukasz-Ångström', Email: '' },
    })
    const same = await world.send('PATCH', `/users/${PrincipalId}`, { FirstName: 'Ada', Badge: null })
    expect(same.status).toBe(200)
    expect(entriesAbout(PrincipalId).at(-1).action).toBe('user.read')
  })

  it('a name is taken in any case and composition, its own is not', async () => {
    const one = await world.user({ Username: fresh('Zoë') })
    const two = await world.user()
    await world.refused(
      world.send('PATCH', `/users/${two.PrincipalId}`, { Username: one.Username.normalize('NFD').toUpperCase() }),
      409,
      'NameTaken',
    )
    const own = one.Username.toUpperCase()
    expect((await world.send('PATCH', `/users/${one.PrincipalId}`, { Username: own })).json.Username).toBe(own)
  })

  it('lists by name in pages that miss nobody and repeat nobody, filtered by text, state, group and guests', async () => {
    const stem = fresh('page')
    const made = await Promise.all(
      ['c', 'a', 'B', 'd', 'É'].map((letter, at) =>
        world.user({ Username: `${stem} ${letter}`, Badge: `${stem}-${at}`, Guest: letter === 'd' }),
      ),
    )
    const [first, second] = made
    const group = await world.group([first?.PrincipalId, second?.PrincipalId])
    await world.given.expecting(200, world.send('POST', `/users/${first?.PrincipalId}/disable`))
    const seen: string[] = []
    let cursor: string | null = ''
    for (let pages = 0; cursor !== null; pages++) {
      expect(pages).toBeLessThan(4)
      const place = `/users?text=${encodeURIComponent(stem)}&count=2&cursor=${encodeURIComponent(cursor)}`
      const { Items, Cursor } = await world.given.expecting(200, world.send('GET', place))
      seen.push(...Items.map((one: Json) => one.Username.slice(stem.length + 1)))
      cursor = Cursor
    }
    expect(seen).toEqual(['a', 'B', 'c', 'd', 'É'])
    const names = async (more: string): Promise<string[]> =>
      (await world.send('GET', `/users?text=${encodeURIComponent(stem)}${more}`)).json.Items.map((one: Json) =>
        one.Username.slice(stem.length + 1),
      )
    expect(await names('&enabled=false')).toEqual(['c'])
    expect(await names('&guest=true')).toEqual(['d'])
    expect(await names(`&group=${group.PrincipalId}`)).toEqual(['a', 'c'])
    expect(await names('&enabled=true&guest=false')).toEqual(['a', 'B', 'É'])
    for (const wrong of ['cursor=nonsense', 'cursor=W10', 'count=0', 'count=1001', 'enabled=1', 'group=x'])
      await world.refused(world.send('GET', `/users?${wrong}`), 400, 'InvalidModel')
  })
})

describe('who is asked', () => {
  it('nobody but administrators, whatever they ask', async () => {
    const { PrincipalId } = await world.user()
    for (const [method, place] of [
      ['GET', '/users'],
      ['GET', `/users/${PrincipalId}`],
      ['POST', '/users'],
      ['POST', `/users/${PrincipalId}/disable`],
      ['POST', `/users/${PrincipalId}/password`],
      ['DELETE', `/users/${PrincipalId}/sessions`],
      ['GET', '/groups'],
      ['POST', '/services'],
      ['PUT', '/policies/CreateCases'],
    ] as const) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {}
      await world.refused(world.send(method, place, body, { token: world.given.token }), 403, 'Forbidden')
      await world.refused(world.send(method, place, body, { token: null }), 401, 'Unauthorized')
    }
    expect((await world.read('users', PrincipalId)).Enabled).toBe(true)
  })

  it('what is not there is 404, in each kind its own; another tenant too', async () => {
    const group = await world.group()
    for (const id of ['999999', '9007199254740993', '9223372036854775807', group.PrincipalId, world.chief.id]) {
      await world.refused(world.send('GET', `/users/${id}`), 404, 'UserNotFound')
      await world.refused(world.send('POST', `/users/${id}/disable`), 404, 'UserNotFound')
    }
    await world.refused(world.send('GET', `/groups/${world.chief.id}`), 404, 'GroupNotFound')
    await world.refused(world.send('GET', `/services/${group.PrincipalId}`), 404, 'ServiceNotFound')
    for (const id of ['0', '-1', 'abc', '9223372036854775808'])
      await world.refused(world.send('GET', `/users/${id}`), 400, 'InvalidModel')
    const elsewhere = await world.given.call('GET', '/userservice/api/v1/tenant/elsewhere/users', {
      token: world.chief.token,
    })
    expect([elsewhere.status, elsewhere.json.ErrorCode]).toEqual([404, 'TenantNotFound'])
    const shouted = await world.given.call('GET', '/userservice/api/v1/tenant/STATION/users', {
      token: world.chief.token,
    })
    expect(shouted.status).toBe(200)
  })
})

describe('disabled, locked, given another password', () => {
  it('a disabled user is out within a second, everywhere, and does not come back by being enabled', async () => {
    const { PrincipalId, Username } = await world.user()
    const page = await world.signedIn(Username)
    const other = await world.signedIn(Username)
    expect((await page.send('GET', '/api/v1/tenant/station/station')).status).toBe(200)
    const out = await world.given.expecting(200, world.send('POST', `/users/${PrincipalId}/disable`))
    expect(out.Enabled).toBe(false)
    for (const one of [page, other]) expect((await one.send('GET', '/api/v1/tenant/station/station')).status).toBe(401)
    expect((await world.page().signIn(Username, PASSWORD)).status).toBe(401)
    await world.given.expecting(200, world.send('POST', `/users/${PrincipalId}/enable`))
    expect((await page.send('GET', '/api/v1/tenant/station/station')).status).toBe(401)
    expect(await page.state()).toBe('none')
    await world.signedIn(Username)
    const acts = entriesAbout(PrincipalId).map(({ action, reason, actor }) => [action, reason, actor.name])
    expect(acts).toContainEqual(['user.disabled', null, 'chief'])
    expect(acts.filter(([action]) => action === 'session.ended')).toEqual([
      ['session.ended', 'disabled', 'chief'],
      ['session.ended', 'disabled', 'chief'],
    ])
    expect(acts).toContainEqual(['user.enabled', null, 'chief'])
  })

  it('one who listens to a stream is told nothing more within five seconds', async () => {
    const { PrincipalId, Username } = await world.user()
    const page = await world.signedIn(Username)
    const stream = await fetch(`${world.given.url}/api/v1/tenant/station/station/events`, {
      headers: { cookie: page.cookie as string },
    })
    expect(stream.status).toBe(200)
    await world.given.expecting(200, world.send('POST', `/users/${PrincipalId}/disable`))
    const began = Date.now()
    const reader = stream.body?.getReader()
    await (async () => {
      for (;;) if ((await reader?.read())?.done === true) return
    })().catch(() => {})
    expect(Date.now() - began).toBeLessThan(5_000)
  })

  it('disabling twice and enabling twice is one change each', async () => {
    const { PrincipalId } = await world.user()
    for (const act of ['disable', 'disable', 'enable', 'enable'])
      await world.given.expecting(200, world.send('POST', `/users/${PrincipalId}/${act}`))
    const acts = entriesAbout(PrincipalId).map(({ action }) => action)
    expect(acts).toEqual(['user.created', 'user.disabled', 'user.read', 'user.enabled', 'user.read'])
  })

  it('five wrong passwords lock an account, which an administrator sees and frees', async () => {
    const { PrincipalId, Username } = await world.user()
    // Between the tries lie 0, 0, 1, 2 and 4 seconds; what is not looked at is no failure.
    for (let failures = 0; failures < 5; ) {
      const { status, headers } = await world.page().signIn(Username, WRONG)
      if (status === 401) failures += 1
      else await new Promise((resolve) => setTimeout(resolve, 1000 * Number(headers.get('retry-after') ?? 1)))
    }
    expect((await world.page().signIn(Username, PASSWORD)).status).toBe(429)
    const locked = await world.read('users', PrincipalId)
    const until = Date.parse(locked.LockedUntilUtc) - Date.now()
    expect(until).toBeGreaterThan(10 * 60_000)
    expect(until).toBeLessThanOrEqual(15 * 60_000)
    const listed = (await world.send('GET', `/users?text=${encodeURIComponent(Username)}`)).json.Items[0]
    expect(listed.LockedUntilUtc).toBe(locked.LockedUntilUtc)
    const freed = await world.given.expecting(200, world.send('POST', `/users/${PrincipalId}/unlock`))
    expect(freed.LockedUntilUtc).toBeNull()
    await world.signedIn(Username)
    expect(entriesAbout(PrincipalId).find(({ action }) => action === 'user.unlocked').detail).toEqual({
      before: { failures: 5, until: locked.LockedUntilUtc },
      after: { failures: 0, until: null },
    })
  })

  it('a new password ends sessions, and the old one opens nothing', async () => {
    const { PrincipalId, Username } = await world.user({ LastName: 'Quartermaine' })
    const page = await world.signedIn(Username)
    for (const Password of ['short', 'quartermaine12', 'aaaaaaaaaaaaaaa'])
      await world.refused(world.send('POST', `/users/${PrincipalId}/password`, { Password }), 400, 'InvalidModel')
    expect(await page.state()).toBe('open')
    const reply = await world.send('POST', `/users/${PrincipalId}/password`, { Password: WRONG })
    expect(reply.status).toBe(200)
    expect(reply.text).not.toContain('argon2')
    expect(await page.state()).toBe('none')
    expect((await world.page().signIn(Username, PASSWORD)).status).toBe(401)
    await world.signedIn(Username, WRONG)
    const written = JSON.stringify(entriesAbout(PrincipalId))
    expect(written).not.toContain(WRONG)
    expect(written).not.toContain('argon2')
  })

  it.each([
    ['disable', undefined, 'disabled'],
    ['password', { Password: WRONG }, 'password'],
  ])('I1: %s ends the programs that somebody let in, each with its entry', async (act, body, reason) => {
    const { PrincipalId } = await world.user()
    await world.given.meddle((db) =>
      db
        .prepare(
          "INSERT INTO token_families (principal_id, client_id, scope, created_at, used_at) VALUES (?, 'viewer', '', 1, 1)",
        )
        .run(Number(PrincipalId)),
    )
    expect((await world.send('POST', `/users/${PrincipalId}/${act}`, body)).status).toBe(200)
    const ended = entriesAbout(PrincipalId).filter(({ action }) => action === 'authorization.ended')
    expect(ended.map((entry) => [entry.reason, entry.detail.client])).toEqual([[reason, 'viewer']])
  })

  it('S18: another password of an administrator makes no address familiar any more', async () => {
    const { PrincipalId, Username } = await world.user()
    await world.signedIn(Username)
    const familiar = () =>
      world.given.database((db) =>
        db.prepare('SELECT source FROM familiar_sources WHERE principal_id = ?').pluck().all(Number(PrincipalId)),
      )
    expect(familiar()).toEqual(['127.0.0.1'])
    await world.send('POST', `/users/${PrincipalId}/password`, { Password: WRONG })
    expect(familiar()).toEqual([])
  })

  it('sessions are listed and ended, one or all', async () => {
    const { PrincipalId, Username } = await world.user()
    const pages = [await world.signedIn(Username), await world.signedIn(Username), await world.signedIn(Username)]
    await pages[0]?.send('POST', '/connect/session/lock')
    const place = `/users/${PrincipalId}/sessions`
    const list = (await world.send('GET', place)).json as Json[]
    expect(list.map(({ State, Source }) => [State, Source])).toEqual([
      ['open', '127.0.0.1'],
      ['open', '127.0.0.1'],
      ['locked', '127.0.0.1'],
    ])
    expect((await world.send('DELETE', `${place}/${list[0].SessionId}`)).status).toBe(204)
    expect([await pages[2]?.state(), await pages[1]?.state()]).toEqual(['none', 'open'])
    await world.refused(world.send('DELETE', `${place}/${list[0].SessionId}`), 404, 'SessionNotFound')
    const stranger = await world.user()
    await world.refused(
      world.send('DELETE', `/users/${stranger.PrincipalId}/sessions/${list[1].SessionId}`),
      404,
      'SessionNotFound',
    )
    expect((await world.send('DELETE', place)).status).toBe(204)
    expect([await pages[0]?.state(), await pages[1]?.state()]).toEqual(['none', 'none'])
    expect((await world.send('GET', place)).json).toEqual([])
    const nothing = await world.send('DELETE', place)
    expect(nothing.status).toBe(204)
    expect(
      world.given
        .ledger()
        .filter(({ correlationId }) => correlationId === nothing.correlationId)
        .map(({ action }) => action),
    ).toEqual(['session.listed'])
  })
})
