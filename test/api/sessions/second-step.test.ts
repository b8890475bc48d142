/** Decisions 10: a second step at sign-in (RFC 6238), its recovery codes, and an administrator who takes it away. */
import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openKeys } from '../../../server/platform/secrets/keys.ts'
import type { Answer, Page } from './page.ts'
import { letIn } from './programs.ts'
import { PASSWORD, QUICK, startWorld, type World, WRONG } from './world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
let world: World
let name: string
let officer: string
let page: Page
beforeAll(async () => {
  world = await startWorld({ passwords: QUICK })
})
afterAll(() => world?.close())
beforeEach(async () => {
  // Past whatever the test before had locked or held up.
  world.clock.advance(31 * MINUTE)
  name = `officer ${randomUUID()}`
  officer = await world.user(name)
  page = world.page()
  expect((await page.signIn(name, PASSWORD)).status).toBe(200)
})

const account = (place: string, body: unknown, from = page): Promise<Answer> =>
  from.send('POST', `/connect/account/${place}`, { body })
const signIn = (Code?: string, Password = PASSWORD, from = world.page()): Promise<Answer> =>
  from.send('POST', '/connect/session', {
    body: { Username: name, Password, NoticeId: 'default', ...(Code === undefined ? {} : { Code }) },
  })
const told = ({ status, json, headers }: Answer) => [status, json.ErrorCode ?? json.State, headers.get('retry-after')]
const NEEDED = [401, 'SecondStepNeeded', null]
const REFUSED = [401, 'SecondStepRefused', null]
const OPEN = [200, 'open', null]
const held = (seconds: number) => [429, 'TooManyAttempts', String(seconds)]

/** An authenticator, which knows only what it was shown. */
interface Phone {
  readonly secret: string
  code(stepsOff?: number): string
}

const phoneWith = (secret: string): Phone => {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return {
    secret,
    code: (stepsOff = 0) => totp.generate({ timestamp: world.clock.now() + stepsOff * 30 * SECOND }),
  }
}

/** Turned on; a minute passes, so that the code of the moment was not used yet. */
async function enrol(): Promise<{ phone: Phone; codes: string[] }> {
  const begun = await account('second-step', { Password: PASSWORD })
  const phone = phoneWith(begun.json.Secret)
  const confirmed = await account('second-step/confirm', { Code: phone.code() })
  expect(confirmed.status).toBe(200)
  world.clock.advance(MINUTE)
  return { phone, codes: confirmed.json.RecoveryCodes }
}

/** Never one of the three that count now. */
function wrongCode(phone: Phone): string {
  const right = [-1, 0, 1].map((off) => phone.code(off))
  return ['000000', '000001', '000002', '000003'].find((code) => !right.includes(code)) as string
}

describe('turning it on', () => {
  it('takes the password, shows a key once, and counts from the first good code on', async () => {
    expect((await page.send('GET', '/connect/account')).json).toEqual({
      SecondStep: false,
      SecondStepSinceUtc: null,
      RecoveryCodesLeft: 0,
    })
    const begun = await account('second-step', { Password: PASSWORD })
    expect(begun.json.Uri).toContain(`secret=${begun.json.Secret}`)
    expect(begun.json.Uri).toMatch(/^otpauth:\/\/totp\/Harrow%20Quay/)
    // Begun is not on: whoever closes the page here still comes in.
    expect(told(await signIn())).toEqual(OPEN)
    const phone = phoneWith(begun.json.Secret)
    expect(told(await account('second-step/confirm', { Code: wrongCode(phone) }))).toEqual(REFUSED)
    const confirmed = await account('second-step/confirm', { Code: phone.code() })
    expect([confirmed.status, new Set(confirmed.json.RecoveryCodes).size]).toEqual([200, 10])
    const since = new Date(world.clock.now()).toISOString()
    expect((await page.send('GET', '/connect/account')).json).toEqual({
      SecondStep: true,
      SecondStepSinceUtc: since,
      RecoveryCodesLeft: 10,
    })
    const entries = world
      .ledger()
      .filter(({ object, action }) => object.id === officer && action.startsWith('secondStep'))
    expect(entries.map(({ action, actor }) => [action, actor.id])).toEqual([
      ['secondStep.begun', officer],
      ['secondStep.enabled', officer],
    ])
  })

  it('the code that turned it on does not sign in as well', async () => {
    const begun = await account('second-step', { Password: PASSWORD })
    const phone = phoneWith(begun.json.Secret)
    const code = phone.code()
    await account('second-step/confirm', { Code: code })
    const refused = await signIn(code)
    expect(told(refused)).toEqual(REFUSED)
    expect(await world.entriesOf(refused, 1)).toEqual([
      expect.objectContaining({
        action: 'session.refused',
        outcome: 'denied',
        reason: 'secondStep',
        object: { type: 'user', id: officer, name },
      }),
    ])
  })

  const shownKey = async (): Promise<Phone> =>
    phoneWith((await account('second-step', { Password: PASSWORD })).json.Secret as string)
  const tooLate = async (): Promise<string> => {
    const phone = await shownKey()
    world.clock.advance(15 * MINUTE)
    return phone.code()
  }
  const keyBefore = async (): Promise<string> => {
    const phone = await shownKey()
    await shownKey()
    return phone.code()
  }

  it.each<readonly [string, () => Promise<string>, string]>([
    ['before anything was begun', async () => '000000', 'SecondStepOff'],
    ['a quarter of an hour after it was begun', tooLate, 'SecondStepOff'],
    ['with the key of the time before', keyBefore, 'SecondStepRefused'],
    ['when it is on', async () => (await enrol()).phone.code(), 'SecondStepOn'],
  ])('does not work %s', async (_when, prepare, code) => {
    expect((await account('second-step/confirm', { Code: await prepare() })).json.ErrorCode).toBe(code)
  })

  it('a wrong password turns nothing on, and is counted for the session', async () => {
    expect(told(await account('second-step', { Password: WRONG }))).toEqual([401, 'SignInRefused', null])
    expect(told(await account('second-step', { Password: WRONG }))).toEqual([401, 'SignInRefused', null])
    expect(told(await account('second-step', { Password: PASSWORD }))).toEqual(held(1))
    // S18: sign-in has a count of its own.
    expect(told(await signIn())).toEqual(OPEN)
  })

  it('3.7: turning it on, and off, ends the other sessions, each with an entry', async () => {
    const ends = (answer: Answer) =>
      world
        .ledger()
        .filter(({ correlationId, action }) => correlationId === answer.correlationId && action === 'session.ended')
        .map(({ reason }) => reason)
    const other = world.page()
    await other.signIn(name, PASSWORD)
    const begun = await account('second-step', { Password: PASSWORD })
    const phone = phoneWith(begun.json.Secret)
    expect(await other.state()).toBe('open')
    const confirmed = await account('second-step/confirm', { Code: phone.code() })
    expect([await page.state(), await other.state(), ends(confirmed)]).toEqual(['open', 'none', ['secondStep']])
    world.clock.advance(MINUTE)
    const third = world.page()
    await third.send('POST', '/connect/session', {
      body: { Username: name, Password: PASSWORD, NoticeId: 'default', Code: phone.code() },
    })
    expect(await third.state()).toBe('open')
    world.clock.advance(MINUTE)
    const removed = await account('second-step/remove', { Password: PASSWORD, Code: phone.code() })
    expect([removed.status, await page.state(), await third.state(), ends(removed)]).toEqual([
      204,
      'open',
      'none',
      ['secondStep'],
    ])
  })

  it('3.7: whoever has one changes the password with its code alone', async () => {
    const { phone } = await enrol()
    const change = (more: object) =>
      account('password', { Password: PASSWORD, NewPassword: 'quite another long phrase', ...more })
    expect(told(await change({}))[1]).toBe('SecondStepNeeded')
    expect(told(await change({ Code: wrongCode(phone) }))).toEqual(REFUSED)
    expect(told(await signIn(phone.code()))).toEqual(OPEN)
    world.clock.advance(MINUTE)
    expect((await change({ Code: phone.code() })).status).toBe(204)
  })

  it('begins again where the key that was shown cannot be opened any more', async () => {
    const phone = phoneWith((await account('second-step', { Password: PASSWORD })).json.Secret as string)
    await world.db.transaction((tx) =>
      tx.updateTable('second_steps').set({ sealed: 'v1.AAAA' }).where('principal_id', '=', Number(officer)).execute(),
    )
    const confirmed = await account('second-step/confirm', { Code: phone.code() })
    expect(told(confirmed)[1]).toBe('SecondStepOff')
  })

  it('no second key beside the first', async () => {
    await enrol()
    expect((await account('second-step', { Password: PASSWORD })).json.ErrorCode).toBe('SecondStepOn')
  })

  it('nobody, a locked screen, a foreign page and a program turn nothing on or off', async () => {
    const { access } = await letIn(world, page)
    const { phone } = await enrol()
    const proof = { Password: PASSWORD, Code: phone.code() }
    const routes = [
      ['POST', '/connect/account/second-step', { Password: PASSWORD }],
      ['POST', '/connect/account/second-step/confirm', { Code: phone.code() }],
      ['POST', '/connect/account/second-step/remove', proof],
      ['POST', '/connect/account/recovery-codes', proof],
      ['GET', '/connect/account', undefined],
    ] as const
    const headers = { authorization: `Bearer ${access}` }
    const foreign = { cookie: page.cookie as string, host: `127.0.0.1:${world.port}`, origin: 'http://127.0.0.1:9' }
    for (const [method, place, body] of routes) {
      expect([place, (await world.page().send(method, place, { body })).status]).toEqual([place, 401])
      expect([place, (await world.page().send(method, place, { body, headers })).status]).toEqual([place, 403])
      expect([place, (await world.raw(method, place, { body, headers: foreign })).status]).toEqual([place, 403])
    }
    await page.send('POST', '/connect/session/lock')
    for (const [method, place, body] of routes)
      expect((await page.send(method, place, { body })).json.ErrorCode).toBe('SessionLocked')
    expect(told(await signIn())).toEqual(NEEDED)
  })
})

describe('signing in with it', () => {
  it('asks for a code after the password, and lets in with both', async () => {
    const { phone } = await enrol()
    const asked = await signIn()
    expect([told(asked), asked.headers.get('set-cookie')]).toEqual([NEEDED, null])
    expect(await world.entriesOf(asked, 1)).toEqual([
      expect.objectContaining({ action: 'session.secondStepAsked', object: { type: 'user', id: officer, name } }),
    ])
    const opened = await signIn(phone.code())
    expect(told(opened)).toEqual(OPEN)
    expect((await world.entriesOf(opened, 1)).map(({ action, detail }) => [action, detail])).toEqual([
      ['session.opened', { session: expect.any(String), notice: 'default', secondStep: 'code' }],
    ])
  })

  it('a code with a wrong password is a wrong password', async () => {
    const { phone } = await enrol()
    expect(told(await signIn(phone.code(), WRONG))).toEqual([401, 'SignInRefused', null])
    // And it was not used up by that.
    expect(told(await signIn(phone.code()))).toEqual(OPEN)
  })

  it('a code counts once, and so do those before it', async () => {
    const { phone } = await enrol()
    const [before, now, after] = [-1, 0, 1].map((off) => phone.code(off)) as [string, string, string]
    expect(told(await signIn(now))).toEqual(OPEN)
    expect(told(await signIn(now))).toEqual(REFUSED)
    expect(told(await signIn(before))).toEqual(REFUSED)
    world.clock.advance(SECOND)
    expect(told(await signIn(after))).toEqual(OPEN)
  })

  it('one step of drift and no more', async () => {
    const { phone } = await enrol()
    expect(told(await signIn(phone.code(2)))).toEqual(REFUSED)
    expect(told(await signIn(phone.code(-2)))).toEqual(REFUSED)
    world.clock.advance(2 * SECOND)
    expect(told(await signIn(phone.code(1)))).toEqual(OPEN)
  })

  it('S2: one code brought 12 times at once opens one session', async () => {
    const { phone } = await enrol()
    const code = phone.code()
    const all = await Promise.all(Array.from({ length: 12 }, () => signIn(code)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('is of the person: the code of another phone is none', async () => {
    const { phone } = await enrol()
    const mine = name
    name = `other ${randomUUID()}`
    await world.user(name)
    page = world.page()
    await page.signIn(name, PASSWORD)
    await enrol()
    const other = phone.code()
    expect(told(await signIn(other))).toEqual(REFUSED)
    name = mine
    expect(told(await signIn(phone.code()))).toEqual(OPEN)
  })

  it.each(['', ' ', '0', '12345', '1234567', 'abcdef', "' or 1=1 --", '000000000000000000', 'ABCD-EFGH-JKMN-PQRS'])(
    '%j is no code',
    async (code) => {
      await enrol()
      expect([400, 401]).toContain((await signIn(code)).status)
      expect((await signIn(code)).json.State).toBe(undefined)
    },
  )

  it('unlocking the screen asks for the password alone: the session went both steps', async () => {
    const { phone } = await enrol()
    const mine = world.page()
    await signIn(phone.code(), PASSWORD, mine)
    await mine.send('POST', '/connect/session/lock')
    expect(told(await mine.send('POST', '/connect/session/unlock', { body: { Password: PASSWORD } }))).toEqual(OPEN)
  })
})

describe('guessing', () => {
  it('wrong codes hold up and lock like wrong passwords: 0, 0, 1, 2, 4 seconds, then 15 minutes', async () => {
    const { phone } = await enrol()
    for (const wait of [0, 0, 1, 2, 4]) {
      if (wait > 0) {
        expect(told(await signIn(wrongCode(phone)))).toEqual(held(wait))
        world.clock.advance(wait * SECOND)
      }
      expect(told(await signIn(wrongCode(phone)))).toEqual(REFUSED)
    }
    expect(told(await signIn(phone.code()))).toEqual(held(15 * 60))
    const locked = world.ledger().filter(({ action, object }) => action === 'user.locked' && object.id === officer)
    expect(locked).toHaveLength(1)
    world.clock.advance(15 * MINUTE)
    expect(told(await signIn(phone.code()))).toEqual(OPEN)
  })

  it('the right password in between forgives nothing, with passwords and codes counted together', async () => {
    const { phone } = await enrol()
    for (const attempt of ['code', 'password', 'code', 'password', 'code']) {
      expect(told(await signIn())).toEqual(NEEDED)
      const answer = attempt === 'code' ? await signIn(wrongCode(phone)) : await signIn(undefined, WRONG)
      expect(told(answer)).toEqual(attempt === 'code' ? REFUSED : [401, 'SignInRefused', null])
      world.clock.advance(4 * SECOND)
    }
    expect(told(await signIn(phone.code()))[1]).toBe('TooManyAttempts')
  })

  it('sent at once they are looked at one after another', async () => {
    const { phone } = await enrol()
    const all = await Promise.all(Array.from({ length: 12 }, () => signIn(wrongCode(phone))))
    expect(all.filter(({ status }) => status === 401)).toHaveLength(2)
  })

  it('goes through the account page no faster', async () => {
    const { phone } = await enrol()
    const proof = () => ({ Password: PASSWORD, Code: wrongCode(phone) })
    const refused = await account('second-step/remove', proof())
    expect(told(refused)).toEqual(REFUSED)
    expect(await world.entriesOf(refused, 1)).toEqual([
      expect.objectContaining({ action: 'session.refused', outcome: 'denied', reason: 'secondStep' }),
    ])
    expect(told(await account('recovery-codes', proof()))).toEqual(REFUSED)
    for (const wait of [1, 2, 4]) {
      expect(told(await account('second-step/remove', proof()))).toEqual(held(wait))
      world.clock.advance(wait * SECOND)
      expect(told(await account('second-step/remove', proof()))).toEqual(REFUSED)
    }
    expect(told(await account('second-step/remove', { Password: PASSWORD, Code: phone.code() }))).toEqual(held(15 * 60))
    // S18: whoever sits at the open page locks nobody out of sign-in.
    expect(told(await signIn(phone.code()))).toEqual(OPEN)
  })
})

describe('recovery codes', () => {
  it('let in once each, however they are typed', async () => {
    const { phone, codes } = await enrol()
    const [first, second] = codes as [string, string]
    const opened = await signIn(first.toLowerCase().replaceAll('-', ' '))
    expect(told(opened)).toEqual(OPEN)
    expect((await world.entriesOf(opened, 2)).map(({ action, detail }) => [action, detail])).toEqual([
      ['secondStep.recoveryUsed', { left: 9 }],
      ['session.opened', expect.objectContaining({ secondStep: 'recovery' })],
    ])
    expect(told(await signIn(first))).toEqual(REFUSED)
    expect(told(await signIn(second))).toEqual(OPEN)
    expect((await page.send('GET', '/connect/account')).json.RecoveryCodesLeft).toBe(8)
    expect(told(await signIn(phone.code()))).toEqual(OPEN)
  })

  it('new ones take the place of the old ones', async () => {
    const { phone, codes } = await enrol()
    const renewed = await account('recovery-codes', { Password: PASSWORD, Code: phone.code() })
    expect(new Set([...renewed.json.RecoveryCodes, ...codes]).size).toBe(20)
    expect(told(await signIn(codes[0]))).toEqual(REFUSED)
    expect(told(await signIn(renewed.json.RecoveryCodes[0]))).toEqual(OPEN)
  })

  it('work when the seed cannot be opened any more, as after a restore without the keys', async () => {
    const { phone, codes } = await enrol()
    await world.db.transaction((tx) =>
      tx.updateTable('second_steps').set({ sealed: 'v1.AAAA' }).where('principal_id', '=', Number(officer)).execute(),
    )
    expect(told(await signIn(phone.code()))).toEqual(REFUSED)
    expect(told(await signIn(codes[0]))).toEqual(OPEN)
  })
})

describe('turning it off', () => {
  it('takes both steps once more', async () => {
    const { phone } = await enrol()
    expect((await account('second-step/remove', { Password: WRONG, Code: phone.code() })).status).toBe(401)
    expect((await account('second-step/remove', { Password: PASSWORD, Code: phone.code() })).status).toBe(204)
    expect(told(await signIn())).toEqual(OPEN)
    expect(told(await account('second-step/remove', { Password: PASSWORD, Code: phone.code() }))[1]).toBe(
      'SecondStepOff',
    )
    expect(
      await world.db.read
        .selectFrom('recovery_codes')
        .selectAll()
        .where('principal_id', '=', Number(officer))
        .execute(),
    ).toEqual([])
  })

  it('an administrator takes it away from somebody, once, and nobody else does', async () => {
    const { codes } = await enrol()
    const chief = world.page()
    await chief.signIn('sergeant', PASSWORD)
    const place = (id: string) => `/userservice/api/v1/tenant/station/users/${id}/second-step`
    expect((await page.send('DELETE', place(officer))).status).toBe(403)
    const elsewhere = place(officer).replace('/station/', '/elsewhere/')
    expect((await chief.send('DELETE', elsewhere)).json.ErrorCode).toBe('UserNotFound')
    const reset = await chief.send('DELETE', place(officer))
    expect(reset.status).toBe(204)
    expect(await world.entriesOf(reset, 1)).toEqual([
      expect.objectContaining({
        action: 'secondStep.reset',
        object: { type: 'user', id: officer, name },
        actor: expect.objectContaining({ name: 'sergeant' }),
      }),
    ])
    expect(told(await signIn())).toEqual(OPEN)
    expect((await chief.send('DELETE', place(officer))).json.ErrorCode).toBe('SecondStepOff')
    for (const id of ['999999', '9007199254740993', String(2n ** 62n)])
      expect((await chief.send('DELETE', place(id))).json.ErrorCode).toBe('UserNotFound')
    // What was begun and not confirmed is no second step yet.
    await account('second-step', { Password: PASSWORD })
    expect((await chief.send('DELETE', place(officer))).json.ErrorCode).toBe('SecondStepOff')
    // Begun anew, an old code is no good.
    await enrol()
    expect(told(await signIn(codes[0]))).toEqual(REFUSED)
  })
})

it('S3: seeds, codes and recovery codes are in no database, ledger or log', async () => {
  const { phone, codes } = await enrol()
  await signIn(codes[0])
  await account('recovery-codes', { Password: PASSWORD, Code: phone.code() })
  world = await world.restart()
  const written = await world.written()
  const seed = Buffer.from(Secret.fromBase32(phone.secret).bytes)
  expect(written.includes('secondStep.enabled')).toBe(true)
  // The key that opens them lies in keys/, and is what the station seals with.
  const { secretsKey } = await openKeys(`${world.dir}/keys`, { clock: world.clock, established: true })
  expect(secretsKey).toHaveLength(32)
  const forms = [phone.secret, seed, seed.toString('hex'), seed.toString('base64'), seed.toString('base64url')]
  for (const form of [...forms, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
    expect([String(form), written.includes(form)]).toEqual([String(form), false])
})
