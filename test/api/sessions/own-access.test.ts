/** Decisions 9 and 10: one's own password, chosen by oneself; where one is signed in; the programs one let in. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contractRoutes } from '../../../server/openapi.ts'
import { brought, created } from '../../support/authenticator.ts'
import type { Answer, Page } from './page.ts'
import { letIn, opens, refresh } from './programs.ts'
import { PASSWORD, QUICK, startWorld, type World, WRONG } from './world.ts'

const MINUTE = 60_000
const NEW = 'nine herons on one leg'
const SESSIONS = '/connect/account/sessions'
const PROGRAMS = '/connect/authorizations'
const WHO = '/api/v1/tenant/x/who'
let world: World
let name: string
let officer: string
let page: Page
beforeAll(async () => {
  world = await startWorld({ passwords: QUICK })
})
afterAll(() => world?.close())
beforeEach(async () => {
  world.clock.advance(31 * MINUTE)
  ;({ name, id: officer, page } = await person())
})

async function person(more: { passwordDue?: boolean } = {}) {
  const username = `officer ${randomUUID()}`
  const id = await world.user(username, more)
  const at = world.page()
  expect((await at.signIn(username, PASSWORD)).status).toBe(200)
  return { name: username, id, page: at }
}
const told = ({ status, json }: Answer) => [status, json?.ErrorCode ?? json?.State ?? null]
const change = (NewPassword: string, from = page, Password = PASSWORD): Promise<Answer> =>
  from.send('POST', '/connect/account/password', { body: { Password, NewPassword } })

describe('the password', () => {
  it('is changed by whoever knows it; other sessions and programs end, this session goes on', async () => {
    const other = world.page()
    await other.signIn(name, PASSWORD)
    const program = await letIn(world, page)
    expect(await opens(world, program.access)).toBe(200)
    const done = await change(NEW)
    expect(done.status).toBe(204)
    expect((await world.entriesOf(done, 3)).map(({ action, reason, object }) => [action, reason, object.id])).toEqual([
      // I1: the end of a program is an entry, too.
      ['authorization.ended', 'password', officer],
      ['user.passwordChanged', null, officer],
      ['session.ended', 'password', officer],
    ])
    expect([await page.state(), await other.state()]).toEqual(['open', 'none'])
    expect([await opens(world, program.access), (await refresh(world, program.refresh)).status]).toEqual([401, 400])
    expect(told(await world.page().signIn(name, PASSWORD))).toEqual([401, 'SignInRefused'])
    expect(told(await world.page().signIn(name, NEW))).toEqual([200, 'open'])
  })

  it.each([
    ['short', 'tiny one'],
    ['a common one', 'password1234'],
    ['the one that there is', PASSWORD],
  ])('%s is not taken', async (_why, unusable) => {
    const refused = await change(unusable)
    expect([told(refused), refused.json.Details[0].Path]).toEqual([[400, 'InvalidModel'], 'NewPassword'])
    expect(told(await world.page().signIn(name, PASSWORD))).toEqual([200, 'open'])
  })

  it('with a wrong one of before is a failed sign-in, and five of them lock', async () => {
    for (let times = 0; times < 5; times++) {
      expect(told(await change(NEW, page, WRONG))).toEqual([401, 'SignInRefused'])
      world.clock.advance(5_000)
    }
    expect(told(await change(NEW))).toEqual([429, 'TooManyAttempts'])
  })
})

describe('while a password of somebody else is there', () => {
  const due = async () => person({ passwordDue: true })

  it('a session opens nothing but the change, and everything after it', async () => {
    const { page: at } = await due()
    const { json } = await at.send('GET', '/connect/session')
    expect([json.State, json.User.PasswordDue]).toEqual(['open', true])
    for (const [method, place] of [
      ['GET', WHO],
      ['GET', '/connect/account'],
      ['GET', SESSIONS],
      ['POST', '/connect/account/second-step'],
      ['POST', '/connect/account/passkeys/begin'],
      ['POST', '/connect/authorization'],
    ] as const)
      expect([place, told(await at.send(method, place, method === 'GET' ? {} : { body: {} }))]).toEqual([
        place,
        [403, 'PasswordChangeNeeded'],
      ])
    const refused = await at.send('GET', WHO)
    expect((await world.entriesOf(refused, 1)).map(({ action, outcome }) => [action, outcome])).toEqual([
      ['access.denied', 'denied'],
    ])
    expect(told(await at.send('POST', '/connect/session/activity'))).toEqual([200, 'open'])
    expect((await change(NEW, at)).status).toBe(204)
    expect((await at.send('GET', '/connect/session')).json.User.PasswordDue).toBe(false)
    expect((await at.send('GET', WHO)).status).toBe(200)
  })

  it('these routes are answered, and no other that needs a person', () => {
    const open = contractRoutes().filter(({ whilePasswordDue }) => whilePasswordDue === true)
    expect(
      open
        .filter(({ permission }) => permission.kind !== 'anyone')
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['changePassword', 'lockSession', 'sessionActivity', 'unlockSession'])
  })

  it('it holds at the next sign-in too, until it is done', async () => {
    const { name: one, page: at } = await due()
    await at.send('DELETE', '/connect/session')
    await at.signIn(one, PASSWORD)
    expect(told(await at.send('GET', WHO))).toEqual([403, 'PasswordChangeNeeded'])
    expect(told(await change('tiny one', at))).toEqual([400, 'InvalidModel'])
    expect(told(await at.send('GET', WHO))).toEqual([403, 'PasswordChangeNeeded'])
  })

  it('a passkey is no way around it', async () => {
    const at = world.page('localhost')
    await at.signIn(name, PASSWORD)
    const origin = `http://localhost:${world.port}`
    const begun = await at.send('POST', '/connect/account/passkeys/begin', { body: { Password: PASSWORD } })
    const { passkey, response } = created(begun.json.Options, origin)
    await at.send('POST', '/connect/account/passkeys', { body: { Name: 'Desk', Response: response } })
    await world.db.transaction((tx) =>
      tx.updateTable('principals').set({ password_due: 1 }).where('principal_id', '=', Number(officer)).execute(),
    )
    const asked = await at.send('POST', '/connect/session/passkey/begin')
    const body = { NoticeId: 'default', Response: brought(passkey, asked.json.Options, origin) }
    const opened = await at.send('POST', '/connect/session/passkey', { body })
    expect([opened.status, opened.json.User.PasswordDue]).toEqual([200, true])
    expect(told(await at.send('GET', WHO))).toEqual([403, 'PasswordChangeNeeded'])
  })
})

describe('where one is signed in', () => {
  const listed = async (from = page): Promise<{ SessionId: string; Here: boolean; State: string }[]> =>
    (await from.send('GET', SESSIONS)).json

  it('is listed, ended in one place, and everywhere else', async () => {
    const [second, third] = [world.page(), world.page()]
    for (const one of [second, third]) await one.signIn(name, PASSWORD)
    await second.send('POST', '/connect/session/lock')
    expect((await listed()).map(({ Here, State }) => [Here, State])).toEqual([
      [false, 'open'],
      [false, 'locked'],
      [true, 'open'],
    ])
    const [latest] = await listed()
    expect((await page.send('DELETE', `${SESSIONS}/${latest?.SessionId}`)).status).toBe(204)
    expect([await third.state(), await second.state()]).toEqual(['none', 'locked'])
    expect(told(await page.send('DELETE', `${SESSIONS}/${latest?.SessionId}`))).toEqual([404, 'SessionNotFound'])
    expect((await page.send('DELETE', SESSIONS)).status).toBe(204)
    expect([await second.state(), await page.state()]).toEqual(['none', 'open'])
    expect(await listed()).toHaveLength(1)
  })

  it('I1: ending all other sessions where there is none is an entry that says so, and no other', async () => {
    const before = world.ledger().length
    const ended = await page.send('DELETE', SESSIONS)
    expect(ended.status).toBe(204)
    expect(world.ledger().slice(before)).toEqual([
      expect.objectContaining({
        action: 'session.listed',
        actor: { kind: 'user', id: officer, name, role: null },
        source: '127.0.0.1',
        correlationId: ended.correlationId,
        object: { type: 'user', id: officer, name },
        outcome: 'ok',
        reason: null,
        detail: { returned: 0 },
      }),
    ])
    expect(await page.state()).toBe('open')
  })

  it('of somebody else is neither seen nor ended', async () => {
    const other = await person()
    const [theirs] = await listed(other.page)
    expect((await listed()).map(({ SessionId }) => SessionId)).not.toContain(theirs?.SessionId)
    expect(told(await page.send('DELETE', `${SESSIONS}/${theirs?.SessionId}`))).toEqual([404, 'SessionNotFound'])
    expect(await other.page.state()).toBe('open')
  })
})

describe('the programs one let in', () => {
  it('are listed by their names with when and last used, and each is ended', async () => {
    const at = (): string => new Date(world.clock.now()).toISOString()
    const given = at()
    const first = await letIn(world, page)
    world.clock.advance(MINUTE)
    const second = await letIn(world, page)
    world.clock.advance(MINUTE)
    const renewed = (await refresh(world, first.refresh)).body['refresh_token'] as string
    const programs = (await page.send('GET', PROGRAMS)).json
    expect(programs).toEqual([
      {
        AuthorizationId: expect.any(String),
        Client: { Id: 'viewer', Name: 'Case viewer' },
        GivenUtc: given,
        LastUsedUtc: at(),
      },
      expect.objectContaining({ Client: { Id: 'viewer', Name: 'Case viewer' } }),
    ])
    const place = `${PROGRAMS}/${programs[0].AuthorizationId}`
    const other = await person()
    expect(told(await other.page.send('DELETE', place))).toEqual([404, 'AuthorizationNotFound'])
    expect((await page.send('DELETE', place)).status).toBe(204)
    expect([await opens(world, first.access), (await refresh(world, renewed)).status]).toEqual([401, 400])
    expect(await opens(world, second.access)).toBe(200)
    expect(told(await page.send('DELETE', place))).toEqual([404, 'AuthorizationNotFound'])
    expect((await page.send('GET', PROGRAMS)).json).toHaveLength(1)
  })

  it('are not for a program to see or end', async () => {
    const { access } = await letIn(world, page)
    const headers = { authorization: `Bearer ${access}` }
    for (const place of [PROGRAMS, SESSIONS])
      expect((await world.page().send('GET', place, { headers })).status).toBe(403)
  })
})
