import { SECURITY_POLICIES } from '../../../shared/kernel/permissions.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../../shared/kernel/contract-client.ts'
import * as contract from '../../../shared/identity/sessions.contract.ts'
import type { StoredEntry } from '../../../server/kernel/ledger/format.ts'
import { type Page, PASSWORD, QUICK, startWorld, type World, WRONG } from './world.ts'

/** Decisions 10: people sign in, step away, come back and leave. Times by hand. */
let world: World
let officer = ''
beforeAll(async () => {
  world = await startWorld({ passwords: QUICK })
  officer = await world.user('officer')
})
afterAll(() => world?.close())

const MINUTE = 60_000
const HOUR = 60 * MINUTE
let page: Page
beforeEach(async () => {
  // What an earlier test left in the table no longer counts.
  world.clock.advance(HOUR)
  page = world.page()
})

const told = (entries: readonly StoredEntry[]) =>
  entries.map(({ action, actor, object, outcome, reason }) => [action, actor.name, object.name, outcome, reason])
const who = (from: Page) => from.send('GET', '/api/v1/tenant/x/who')

describe('signing in', () => {
  it('gives a session in a cookie that scripts and other sites do not get', async () => {
    expect(await page.state()).toBe('none')
    const answer = await page.signIn('Sergeant', PASSWORD)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).toMatch(
      /^sallyport_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const now = world.clock.now()
    expect(answer.json).toEqual({
      State: 'open',
      TenantId: 'station',
      Station: {
        Name: 'Harrow Quay',
        Version: '1',
        Vendor: 'sallyport',
        TimeZone: 'Europe/Berlin',
        RecycleBinDays: 7,
        SeveralNodes: false,
      },
      Notice: null,
      IdleSeconds: 1800,
      User: {
        PrincipalId: expect.stringMatching(/^\d+$/),
        KId: expect.stringMatching(/^urn:user:station:sergeant:\d+$/),
        Username: 'sergeant',
        FirstName: 'Ada',
        LastName: 'Byron',
        Badge: '',
        Administrator: true,
        Guest: false,
        PasswordDue: false,
        Policies: [...SECURITY_POLICIES].sort(),
      },
      SignedInUtc: new Date(now).toISOString(),
      LocksUtc: new Date(now + 30 * MINUTE).toISOString(),
    })
    expect((await page.send('GET', '/connect/session')).json).toEqual(answer.json)
    expect(await world.entriesOf(answer)).toEqual([
      expect.objectContaining({
        action: 'session.opened',
        actor: { kind: 'user', id: answer.json.User.PrincipalId, name: 'sergeant', role: null },
        object: { type: 'user', id: answer.json.User.PrincipalId, name: 'sergeant' },
        source: '127.0.0.1',
        outcome: 'ok',
        detail: { notice: 'default', session: expect.stringMatching(/^\d+$/) },
      }),
    ])
  })

  it('opens what is closed to strangers, under the name of the person', async () => {
    expect((await who(page)).status).toBe(401)
    await page.signIn('officer', PASSWORD)
    const kId = `urn:user:station:officer:${officer}`
    expect((await who(page)).json).toEqual({ id: officer, name: 'officer', kId, kind: 'user', source: '127.0.0.1' })
    expect((await page.send('POST', '/api/v1/tenant/x/change')).status).toBe(200)
  })

  it('needs the notice that is shown, before anything is made of the password', async () => {
    for (const body of [
      { Username: 'officer', Password: PASSWORD },
      { Username: 'officer', Password: PASSWORD, NoticeId: '' },
      { Username: 'officer', Password: WRONG, NoticeId: '0123456789ab' },
    ]) {
      const answer = await page.send('POST', '/connect/session', { body })
      expect([answer.status, answer.json.ErrorCode, answer.json.Details[0].Path]).toEqual([
        400,
        'InvalidModel',
        'NoticeId',
      ])
      expect(await world.entriesOf(answer)).toEqual([])
    }
    expect(page.cookie).toBeNull()
  })

  it('in the same place as somebody else closes the session before', async () => {
    await page.signIn('officer', PASSWORD)
    const before = page.cookie
    const answer = await page.signIn('sergeant', PASSWORD)
    expect(told(await world.entriesOf(answer))).toEqual([
      ['session.closed', 'officer', 'officer', 'ok', 'replaced'],
      ['session.opened', 'sergeant', 'sergeant', 'ok', null],
    ])
    const old = world.page()
    old.cookie = before
    expect([await old.state(), await page.state()]).toEqual(['none', 'open'])
  })

  it('says with what roles a session is: administrator and guest', async () => {
    const guest = await world.user('visitor', { guest: true })
    const visitor = world.page()
    expect((await visitor.signIn('visitor', PASSWORD)).json.User).toMatchObject({
      PrincipalId: guest,
      Administrator: false,
      Guest: true,
    })
    await page.signIn('sergeant', PASSWORD)
    for (const [address, asChief, asGuest] of [
      ['rule', 200, 403],
      ['members', 200, 403],
      ['who', 200, 200],
      ['figures', 200, 200],
    ] as const) {
      const path = `/api/v1/tenant/x/${address}`
      const both = [await page.send('GET', path), await visitor.send('GET', path)]
      expect([address, ...both.map(({ status }) => status)]).toEqual([address, asChief, asGuest])
    }
  })

  it('answers the typed client as the contract says', async () => {
    const client = createClient<AbortSignal>({ baseUrl: world.url, fetch })
    const session = await client.call(contract.getSession, {})
    expect(contract.SessionModel.parse(session)).toMatchObject({ State: 'none', User: null })
    await expect(
      client.call(contract.signIn, { body: { Username: 'officer', Password: WRONG, NoticeId: 'default' } }),
    ).rejects.toMatchObject({ name: 'Fault', code: 'SignInRefused' })
  })
})

describe('locking', () => {
  it('by hand: nothing but the session itself and uploads that run is answered', async () => {
    await page.signIn('officer', PASSWORD)
    const locked = await page.send('POST', '/connect/session/lock')
    expect([locked.status, locked.json.State, locked.json.User.Username, locked.json.LocksUtc]).toEqual([
      200,
      'locked',
      'officer',
      null,
    ])
    expect(told(await world.entriesOf(locked))).toEqual([['session.locked', 'officer', 'officer', 'ok', null]])
    for (const [method, address, status] of [
      ['GET', '/api/v1/tenant/x/who', 401],
      ['POST', '/api/v1/tenant/x/change', 401],
      ['GET', '/api/v1/tenant/x/rule', 401],
      ['GET', '/api/v1/tenant/x/events', 401],
      ['POST', '/api/v1/tenant/x/upload', 200],
      ['GET', '/connect/session', 200],
      ['POST', '/connect/session/activity', 200],
      ['POST', '/connect/session/lock', 200],
      ['GET', '/connect/userinfo', 401],
    ] as const) {
      const answer = await page.send(method, address)
      expect([address, answer.status]).toEqual([address, status])
      if (status === 401) {
        expect(answer.json.ErrorCode).toBe('SessionLocked')
        expect(told(await world.entriesOf(answer))).toMatchObject([
          ['access.denied', 'officer', '', 'denied', 'SessionLocked'],
        ])
      } else expect(await world.entriesOf(answer)).toEqual([])
    }
    expect(await page.state()).toBe('locked')
  })

  it('by the station, at the moment it is next asked, after half an hour without anybody at work', async () => {
    await page.signIn('officer', PASSWORD)
    world.clock.advance(30 * MINUTE - 1)
    // Looking and polling are no work: the clock of the session stands where it stood.
    expect((await who(page)).status).toBe(200)
    world.clock.advance(1)
    const asked = await who(page)
    expect([asked.status, asked.json.ErrorCode]).toEqual([401, 'SessionLocked'])
    expect(told(await world.entriesOf(asked))).toEqual([
      ['session.locked', 'internal', 'officer', 'ok', 'idle'],
      ['access.denied', 'officer', '', 'denied', 'SessionLocked'],
    ])
    // It is locked once, however often it is asked after that.
    world.clock.advance(MINUTE)
    expect(told(await world.entriesOf(await who(page)))).toEqual([
      ['access.denied', 'officer', '', 'denied', 'SessionLocked'],
    ])
    // Too late: work does not open it again.
    expect((await page.send('POST', '/connect/session/activity')).json.State).toBe('locked')
  })

  it('is put off by activity and by nothing else', async () => {
    await page.signIn('officer', PASSWORD)
    for (let times = 0; times < 4; times++) {
      world.clock.advance(20 * MINUTE)
      const active = await page.send('POST', '/connect/session/activity')
      expect([active.json.State, active.json.LocksUtc]).toEqual([
        'open',
        new Date(world.clock.now() + 30 * MINUTE).toISOString(),
      ])
      expect(await world.entriesOf(active)).toEqual([])
    }
    world.clock.advance(20 * MINUTE)
    await page.send('POST', '/api/v1/tenant/x/change')
    await page.send('GET', '/connect/session')
    world.clock.advance(10 * MINUTE)
    expect(await page.state()).toBe('locked')
  })

  it('locks when the clock went back so far that nobody can tell how long it was', async () => {
    await page.signIn('officer', PASSWORD)
    const now = world.clock.now()
    world.clock.set(now - 59_000)
    expect(await page.state()).toBe('open')
    world.clock.set(now - 5 * MINUTE)
    expect(await page.state()).toBe('locked')
    world.clock.set(now)
  })

  it('opens with the password, with another cookie, and the idle clock begins anew', async () => {
    await page.signIn('officer', PASSWORD)
    const before = page.cookie
    await page.send('POST', '/connect/session/lock')
    world.clock.advance(25 * MINUTE)
    const opened = await page.send('POST', '/connect/session/unlock', { body: { Password: PASSWORD } })
    expect([opened.status, opened.json.State, opened.json.LocksUtc]).toEqual([
      200,
      'open',
      new Date(world.clock.now() + 30 * MINUTE).toISOString(),
    ])
    expect(told(await world.entriesOf(opened))).toEqual([['session.unlocked', 'officer', 'officer', 'ok', null]])
    expect(page.cookie).not.toBe(before)
    const old = world.page()
    old.cookie = before
    expect([await old.state(), (await who(page)).status]).toEqual(['none', 200])
  })

  it('a wrong password leaves it locked, is an entry, and counts against the session alone', async () => {
    await page.signIn('officer', PASSWORD)
    await page.send('POST', '/connect/session/lock')
    const wrong = await page.send('POST', '/connect/session/unlock', { body: { Password: WRONG } })
    expect([wrong.status, wrong.json.ErrorCode, wrong.headers.get('set-cookie')]).toEqual([401, 'SignInRefused', null])
    expect(told(await world.entriesOf(wrong))).toEqual([
      ['session.refused', 'officer', 'officer', 'denied', 'password'],
    ])
    expect(await page.state()).toBe('locked')
    await page.send('POST', '/connect/session/unlock', { body: { Password: WRONG } })
    const third = await page.send('POST', '/connect/session/unlock', { body: { Password: PASSWORD } })
    expect([third.status, third.json.ErrorCode, third.headers.get('retry-after')]).toEqual([
      429,
      'TooManyAttempts',
      '1',
    ])
    // S18: the session has a count of its own, whoever sits in front of it.
    expect((await world.page().signIn('officer', PASSWORD)).status).toBe(200)
    world.clock.advance(1000)
    expect((await page.send('POST', '/connect/session/unlock', { body: { Password: PASSWORD } })).status).toBe(200)
  })
})

describe('leaving', () => {
  it.each(['open', 'locked'])('signs out an %s session and takes the cookie away', async (state) => {
    await page.signIn('officer', PASSWORD)
    if (state === 'locked') await page.send('POST', '/connect/session/lock')
    const { cookie } = page
    const out = await page.send('DELETE', '/connect/session')
    expect([out.status, out.text]).toEqual([204, ''])
    expect(out.headers.get('set-cookie')).toBe('sallyport_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0')
    expect(told(await world.entriesOf(out))).toEqual([['session.closed', 'officer', 'officer', 'ok', null]])
    const old = world.page()
    old.cookie = cookie
    expect([await old.state(), (await who(old)).status]).toEqual(['none', 401])
  })

  it('where nobody is signed in only takes the cookie away', async () => {
    const out = await page.send('DELETE', '/connect/session')
    expect([out.status, out.headers.get('set-cookie') !== null, await world.entriesOf(out)]).toEqual([204, true, []])
  })

  it('ends for good after twelve hours, however busy, also when locked', async () => {
    await page.signIn('officer', PASSWORD)
    const away = world.page()
    await away.signIn('officer', PASSWORD)
    await away.send('POST', '/connect/session/lock')
    for (let times = 0; times < 35; times++) {
      world.clock.advance(20 * MINUTE)
      await page.send('POST', '/connect/session/activity')
    }
    world.clock.advance(20 * MINUTE - 1)
    expect([await page.state(), await away.state()]).toEqual(['open', 'locked'])
    world.clock.advance(1)
    const late = await page.send('POST', '/connect/session/activity')
    expect([late.status, late.json.ErrorCode]).toEqual([401, 'Unauthorized'])
    expect(told(await world.entriesOf(late, 1))[0]).toEqual(['session.ended', 'internal', 'officer', 'ok', 'expired'])
    expect(await away.state()).toBe('none')
    const password = await away.send('POST', '/connect/session/unlock', { body: { Password: PASSWORD } })
    expect(password.status).toBe(401)
  })

  it('ends for good when its person is disabled, and stays ended when they are enabled again', async () => {
    const id = await world.user('leaver')
    await page.signIn('leaver', PASSWORD)
    await world.enable(id, false)
    const asked = await who(page)
    expect([asked.status, asked.json.ErrorCode]).toEqual([401, 'Unauthorized'])
    expect(told(await world.entriesOf(asked, 1))[0]).toEqual(['session.ended', 'internal', 'leaver', 'ok', 'disabled'])
    await world.enable(id, true)
    expect(await page.state()).toBe('none')
  })

  it('outlives a restart, locked or open', async () => {
    await page.signIn('officer', PASSWORD)
    const away = world.page()
    await away.signIn('sergeant', PASSWORD)
    await away.send('POST', '/connect/session/lock')
    world = await world.restart()
    const [again, locked] = [world.page(), world.page()]
    again.cookie = page.cookie
    locked.cookie = away.cookie
    expect([await again.state(), await locked.state()]).toEqual(['open', 'locked'])
  })
})

describe('a station that takes no changes', () => {
  it('lets people in, lock, unlock and out, since they come to read', async () => {
    world.mode = 'read-only'
    try {
      expect((await page.signIn('officer', PASSWORD)).status).toBe(200)
      expect((await page.send('POST', '/connect/session/activity')).status).toBe(200)
      expect((await page.send('POST', '/api/v1/tenant/x/change')).status).toBe(503)
      expect((await page.send('POST', '/connect/session/lock')).status).toBe(200)
      expect((await page.send('POST', '/connect/session/unlock', { body: { Password: PASSWORD } })).status).toBe(200)
      expect((await page.send('DELETE', '/connect/session')).status).toBe(204)
    } finally {
      world.mode = 'ready'
    }
  })
})
