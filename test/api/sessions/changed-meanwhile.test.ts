/** Decisions 10: what was checked about a session or an account is asked again by the change itself, and nothing comes of it where it changed. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountSubject } from '../../../server/features/identity/sessions/failure-book.ts'
import { keepFailures } from '../../../server/features/identity/sessions/failures.store.ts'
import { nameKey } from '../../../shared/kernel/names.ts'
import { type Answer, CLI, type Page, PASSWORD, QUICK, startWorld, type World } from './world.ts'

const MINUTE = 60_000
let world: World
let name: string
let officer: string
let page: Page
beforeAll(async () => {
  world = await startWorld({ passwords: QUICK })
})
afterAll(() => world?.close())
beforeEach(async () => {
  // Of one source the ledger counts what is refused within a minute in one entry.
  world.clock.advance(2 * MINUTE)
  name = `officer ${randomUUID()}`
  officer = await world.user(name)
  page = world.page()
  expect((await page.signIn(name, PASSWORD)).status).toBe(200)
})

const told = ({ status, json }: Answer) => [status, json?.ErrorCode ?? json?.State ?? null]
const UNAUTHORIZED = [401, 'Unauthorized']
const actions = () =>
  world
    .ledger()
    .filter(({ object }) => object.id === officer)
    .map(({ action }) => action)
const disable = () => world.enable(officer, false)
const otherPassword = async (): Promise<void> => {
  const password_hash = await QUICK.hash('nine herons on one leg')
  await world.db.transaction((tx) =>
    tx.updateTable('principals').set({ password_hash }).where('principal_id', '=', Number(officer)).execute(),
  )
}
const signOut = () => page.send('DELETE', '/connect/session')
/** Who is at the page, as a request is told that was let in while the session was there. */
async function principal() {
  const found = await world.sessions.find(page.cookie?.split('=')[1] as string, 'test')
  expect(found).toMatchObject({ id: officer, sessionId: expect.any(Number) })
  return found
}

describe('while the password is verified', () => {
  it.each([
    ['is disabled', disable],
    ['gets another password', otherPassword],
  ])('somebody %s: they are not signed in (S19)', async (_what, change) => {
    const at = world.page()
    world.meanwhile(change)
    const refused = await at.signIn(name, PASSWORD)
    expect([told(refused), at.cookie]).toEqual([[401, 'SignInRefused'], null])
    expect(await world.entriesOf(refused, 1)).toMatchObject([
      { action: 'session.refused', outcome: 'denied', reason: 'disabled', object: { id: officer } },
    ])
  })

  it.each([
    ['whose session ends', signOut],
    ['who is disabled', disable],
    ['who gets another password', otherPassword],
  ])('somebody %s has proved nothing (S19)', async (_what, change) => {
    world.meanwhile(change)
    const refused = await page.send('POST', '/connect/account/second-step', { body: { Password: PASSWORD } })
    expect([told(refused), actions().includes('secondStep.begun')]).toEqual([UNAUTHORIZED, false])
  })

  it.each([
    ['ends', signOut],
    ['is of somebody who is disabled', disable],
  ])('a locked session that %s is not opened (S19)', async (_what, change) => {
    await page.send('POST', '/connect/session/lock')
    world.meanwhile(change)
    const refused = await page.send('POST', '/connect/session/unlock', { body: { Password: PASSWORD } })
    expect([told(refused), actions().includes('session.unlocked')]).toEqual([UNAUTHORIZED, false])
  })
})

describe('while another node counts failures of the same account from the same address (decisions 25)', () => {
  /** As the other node writes it with its fifth failure. @param of the attempt: at sign-in, or in an open session */
  const lock = (of: 'sign-in' | 'session') => async (): Promise<void> => {
    const account = accountSubject('station', nameKey(name))
    const session = async (): Promise<number> => Number((await principal())?.sessionId)
    const subject = `${account} ${of === 'sign-in' ? 'from 127.0.0.1' : `session ${await session()}`}`
    const now = world.clock.now()
    const row = { failures: 5, first_at: now, last_at: now, locked_until: now + 15 * MINUTE }
    await world.db.transaction((tx) => keepFailures(tx, subject, row))
  }
  const WAIT = [429, 'TooManyAttempts']

  it('S18: a right password opens no session', async () => {
    const at = world.page()
    world.meanwhile(lock('sign-in'))
    expect([told(await at.signIn(name, PASSWORD)), at.cookie]).toEqual([WAIT, null])
    expect(actions().filter((action) => action === 'session.opened')).toHaveLength(1)
  })

  it('S18: a right password unlocks no session, and proves nothing', async () => {
    await page.send('POST', '/connect/session/lock')
    world.meanwhile(lock('session'))
    expect(told(await page.send('POST', '/connect/session/unlock', { body: { Password: PASSWORD } }))).toEqual(WAIT)
    expect(await page.state()).toBe('locked')
    world.clock.advance(16 * MINUTE)
    expect((await page.send('POST', '/connect/session/unlock', { body: { Password: PASSWORD } })).status).toBe(200)
    world.meanwhile(lock('session'))
    const refused = await page.send('POST', '/connect/account/second-step', { body: { Password: PASSWORD } })
    expect([told(refused), actions().includes('secondStep.begun')]).toEqual([WAIT, false])
  })
})

describe('after a request was let in', () => {
  it('a session that ends is neither locked nor kept at work (S19)', async () => {
    for (const place of ['lock', 'activity']) {
      world.meanwhile(signOut)
      expect(told(await page.send('POST', `/connect/session/${place}`)), place).toEqual(UNAUTHORIZED)
      expect(told(await page.signIn(name, PASSWORD))).toEqual([200, 'open'])
    }
    expect(actions()).not.toContain('session.locked')
  })

  it('a session that has ended is not unlocked, and changes no password, before anything is verified (S19)', async () => {
    const gone = await principal()
    await signOut()
    const ended = { code: 'Unauthorized' }
    await expect(world.sessions.unlock(CLI, gone, PASSWORD)).rejects.toMatchObject(ended)
    const given = { Password: PASSWORD, NewPassword: 'nine herons on one leg' }
    await expect(world.sessions.ownAccess.changePassword(CLI, gone, given)).rejects.toMatchObject(ended)
    expect(actions()).not.toContain('user.passwordChanged')
  })
})

describe('whatever let a request in', () => {
  it('nobody has no session to lock, and nothing of their own (S19)', async () => {
    const unauthorized = { code: 'Unauthorized' }
    await expect(world.sessions.lock(CLI, null)).rejects.toMatchObject(unauthorized)
    await expect(world.sessions.activity(CLI, null)).rejects.toMatchObject(unauthorized)
    await expect(world.sessions.ownAccess.sessions(null)).rejects.toMatchObject(unauthorized)
    await expect(world.sessions.account.read(null)).rejects.toMatchObject(unauthorized)
  })

  it('a program has no session to lock, to unlock or to keep at work (S19)', async () => {
    const headers = { authorization: `Bearer ${await world.token()}` }
    for (const place of ['lock', 'unlock', 'activity']) {
      const body = { Password: PASSWORD }
      const answer = await world.page().send('POST', `/connect/session/${place}`, { headers, body })
      expect([place, told(answer)]).toEqual([place, UNAUTHORIZED])
    }
  })
})
