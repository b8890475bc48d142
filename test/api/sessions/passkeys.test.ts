/** Decisions 10: passkeys, by an authenticator that does what a test wants (WebAuthn Level 3, 7.1 and 7.2). */
import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountSubject } from '../../../server/features/identity/sessions/failure-book.ts'
import { keepFailures } from '../../../server/features/identity/sessions/failures.store.ts'
import { createPasskeyChallenges } from '../../../server/features/identity/sessions/passkey-challenges.ts'
import { MOST_PASSKEYS, passkeysAt } from '../../../shared/identity/passkeys.ts'
import { brought, created, type Passkey, type Wrong } from '../../support/authenticator.ts'
import type { Json } from '../../support/given.ts'
import type { Answer, Page } from './page.ts'
import { PASSWORD, QUICK, SECURE, startWorld, type World, WRONG } from './world.ts'

const MINUTE = 60_000
let world: World
let origin: string
let name: string
let officer: string
let page: Page
let known: Awaited<ReturnType<typeof person>>
beforeAll(async () => {
  world = await startWorld({ passwords: QUICK })
  origin = `http://localhost:${world.port}`
  known = await person()
})
afterAll(() => world?.close())
// Past whatever the test before had locked or held up.
beforeEach(() => world.clock.advance(31 * MINUTE))

const asNew = async (): Promise<void> => {
  ;({ name, id: officer, page } = await person())
}
/** The same person for tests that leave nothing behind: making one is what takes time. */
const asKnown = async (): Promise<void> => {
  await world.db.transaction((tx) => tx.deleteFrom('passkeys').where('principal_id', '=', Number(known.id)).execute())
  page = world.page('localhost')
  ;({ name, id: officer } = known)
  expect((await page.signIn(name, PASSWORD)).status).toBe(200)
}

async function person() {
  const username = `officer ${randomUUID()}`
  const id = await world.user(username)
  const at = world.page('localhost')
  expect((await at.signIn(username, PASSWORD)).status).toBe(200)
  return { name: username, id, page: at }
}

const PASSKEYS = '/connect/account/passkeys'
const begin = (from = page, body: unknown = { Password: PASSWORD }): Promise<Answer> =>
  from.send('POST', `${PASSKEYS}/begin`, { body })
const keep = (Response: Json, from = page, Name = 'Front desk'): Promise<Answer> =>
  from.send('POST', PASSKEYS, { body: { Name, Response } })
const told = ({ status, json }: Answer) => [status, json?.ErrorCode ?? json?.State ?? null]

async function registered(from = page, wrong: Wrong = {}): Promise<Passkey> {
  const { json } = await begin(from)
  const { passkey, response } = created(json.Options, origin, wrong)
  const kept = await keep(response, from)
  expect(kept.status).toBe(201)
  return passkey
}

const asked = async (from: Page): Promise<Json> =>
  (await from.send('POST', '/connect/session/passkey/begin')).json.Options
const signIn = (Response: Json, from: Page, NoticeId = 'default'): Promise<Answer> =>
  from.send('POST', '/connect/session/passkey', { body: { NoticeId, Response } })
async function bring(passkey: Passkey, wrong: Wrong = {}, from = world.page('localhost')): Promise<Answer> {
  return signIn(brought(passkey, await asked(from), origin, wrong), from)
}
const reasonOf = async (answer: Answer): Promise<string | null> =>
  (await world.entriesOf(answer, 1)).find(({ outcome }) => outcome === 'denied')?.reason ?? null

describe('a passkey', () => {
  beforeEach(asNew)
  it('is made, listed with its uses, signs in as both steps, and is taken away', async () => {
    const begun = await begin()
    expect(begun.json.Options).toMatchObject({
      rp: { id: 'localhost', name: 'Harrow Quay' },
      user: { name },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    })
    const { passkey, response } = created(begun.json.Options, origin)
    const kept = await keep(response)
    const now = (): string => new Date(world.clock.now()).toISOString()
    const shown = { PasskeyId: kept.json.PasskeyId, Name: 'Front desk', Synced: false, CreatedUtc: now(), Here: true }
    expect([kept.status, kept.json]).toEqual([201, { ...shown, LastUsedUtc: null }])

    world.clock.advance(MINUTE)
    const opened = await bring(passkey)
    expect(told(opened)).toEqual([200, 'open'])
    expect(opened.json.User.PrincipalId).toBe(officer)
    expect(await world.entriesOf(opened, 1)).toEqual([
      expect.objectContaining({
        action: 'session.opened',
        actor: expect.objectContaining({ kind: 'user', id: officer }),
        detail: { session: expect.any(String), notice: 'default', passkey: shown.PasskeyId },
      }),
    ])
    expect((await page.send('GET', PASSKEYS)).json).toEqual({
      None: null,
      Passkeys: [{ ...shown, LastUsedUtc: now() }],
    })
    expect((await begin()).json.Options.excludeCredentials).toEqual([
      { type: 'public-key', id: passkey.id, transports: ['usb'] },
    ])

    const remove = (Password: string): Promise<Answer> =>
      page.send('POST', `${PASSKEYS}/${shown.PasskeyId}/remove`, { body: { Password } })
    expect(told(await remove(WRONG))).toEqual([401, 'SignInRefused'])
    expect((await remove(PASSWORD)).status).toBe(204)
    expect(told(await remove(PASSWORD))).toEqual([404, 'PasskeyNotFound'])
    expect(told(await bring(passkey))).toEqual([401, 'PasskeyRefused'])
    const actions = world.ledger().filter(({ object }) => object.id === officer)
    expect(actions.map(({ action }) => action).filter((action) => action.startsWith('passkey'))).toEqual([
      'passkey.begun',
      'passkey.added',
      'passkey.begun',
      'passkey.removed',
    ])
  })

  it('3.7: the first one ends the other sessions with an entry, a further one none', async () => {
    const other = world.page('localhost')
    await other.signIn(name, PASSWORD)
    await registered()
    expect([await page.state(), await other.state()]).toEqual(['open', 'none'])
    const ended = () =>
      world.ledger().filter(({ action, object }) => action === 'session.ended' && object.id === officer)
    expect(ended().map(({ reason }) => reason)).toEqual(['passkey'])
    await other.signIn(name, PASSWORD)
    await registered()
    expect(await other.state()).toBe('open')
  })

  it('takes the code too of whoever has a second step, and none at sign-in', async () => {
    const begun = await page.send('POST', '/connect/account/second-step', { body: { Password: PASSWORD } })
    const totp = new TOTP({ secret: Secret.fromBase32(begun.json.Secret) })
    const code = (): string => totp.generate({ timestamp: world.clock.now() })
    await page.send('POST', '/connect/account/second-step/confirm', { body: { Code: code() } })
    world.clock.advance(MINUTE)
    expect(told(await begin())).toEqual([401, 'SecondStepNeeded'])
    expect(told(await begin(page, { Password: PASSWORD, Code: '000000' }))).toEqual([401, 'SecondStepRefused'])
    const { json } = await begin(page, { Password: PASSWORD, Code: code() })
    const { passkey, response } = created(json.Options, origin)
    expect((await keep(response)).status).toBe(201)
    expect(told(await bring(passkey))).toEqual([200, 'open'])
  })

  it('of an authenticator that does not count is taken each time', async () => {
    const passkey = await registered(page, { counter: 0 })
    for (let times = 0; times < 3; times++) expect(told(await bring(passkey, { counter: 0 }))).toEqual([200, 'open'])
  })

  it('that its own key attests is taken: it names no maker, and nothing has to be asked (S19)', async () => {
    const passkey = await registered(page, { selfAttested: true })
    expect(told(await bring(passkey))).toEqual([200, 'open'])
  })

  it('two of one person carry one handle, and of two people two', async () => {
    const one = await registered()
    const two = await registered()
    const other = await registered((await person()).page)
    expect([two.userHandle === one.userHandle, other.userHandle === one.userHandle]).toEqual([true, false])
  })

  it('needs the notice that was shown', async () => {
    const passkey = await registered()
    const from = world.page('localhost')
    const refused = await signIn(brought(passkey, await asked(from), origin), from, 'another')
    expect(told(refused)).toEqual([400, 'InvalidModel'])
  })

  it(`there are at most ${MOST_PASSKEYS}`, async () => {
    for (let times = 1; times < MOST_PASSKEYS; times++) await registered()
    const last = await begin()
    await registered()
    expect(told(await begin())).toEqual([409, 'TooManyPasskeys'])
    // Begun while there was room.
    expect(told(await keep(created(last.json.Options, origin).response))).toEqual([409, 'TooManyPasskeys'])
  })

  it('of somebody of another tenant is not an administrator’s to take away (S19)', async () => {
    const passkey = await registered()
    const sergeant = world.page()
    await sergeant.signIn('sergeant', PASSWORD)
    const place = `/userservice/api/v1/tenant/elsewhere/users/${officer}/passkeys`
    expect(told(await sergeant.send('DELETE', place))).toEqual([404, 'UserNotFound'])
    expect(told(await bring(passkey))).toEqual([200, 'open'])
  })

  it('is an administrator’s to take away, all at once', async () => {
    const [one, two] = [await registered(), await registered()]
    const place = `/userservice/api/v1/tenant/station/users/${officer}/passkeys`
    expect((await page.send('DELETE', place)).status).toBe(403)
    const sergeant = world.page()
    await sergeant.signIn('sergeant', PASSWORD)
    const done = await sergeant.send('DELETE', place)
    expect(done.status).toBe(204)
    expect(await world.entriesOf(done, 1)).toEqual([
      expect.objectContaining({ action: 'passkey.reset', object: { type: 'user', id: officer, name } }),
    ])
    expect(told(await sergeant.send('DELETE', place))).toEqual([404, 'PasskeyNotFound'])
    const nobody = place.replace(officer, '999999')
    expect(told(await sergeant.send('DELETE', nobody))).toEqual([404, 'UserNotFound'])
    for (const gone of [one, two]) expect(told(await bring(gone))).toEqual([401, 'PasskeyRefused'])
  })
})

describe('a hostile sign-in is refused alike, and opens nothing', () => {
  beforeEach(asKnown)
  const answers: Record<string, (passkey: Passkey, from: Page) => Promise<Json> | Json> = {
    'another origin: passkeyInvalid': async (passkey, from) =>
      brought(passkey, await asked(from), origin, { origin: 'http://localhost.attacker.example' }),
    'the same name on another port: passkeyInvalid': async (passkey, from) =>
      brought(passkey, await asked(from), origin, { origin: 'http://localhost:1' }),
    'another station: passkeyInvalid': async (passkey, from) =>
      brought(passkey, await asked(from), origin, { rpId: 'station.example' }),
    'a count that goes back: passkeyCounter': async (passkey, from) =>
      brought(passkey, await asked(from), origin, { counter: 0 }),
    'the same count again: passkeyCounter': async (passkey, from) =>
      brought(passkey, await asked(from), origin, { counter: passkey.counter }),
    'nobody verified: passkeyInvalid': async (passkey, from) =>
      brought(passkey, await asked(from), origin, { flags: 0x01 }),
    'nobody there: passkeyInvalid': async (passkey, from) =>
      brought(passkey, await asked(from), origin, { flags: 0x04 }),
    'an answer to making one: passkeyInvalid': async (passkey, from) =>
      brought(passkey, await asked(from), origin, { type: 'webauthn.create' }),
    'made inside another page: passkeyChallenge': async (passkey, from) =>
      brought(passkey, await asked(from), origin, { crossOrigin: true }),
    'a challenge that nobody gave: passkeyChallenge': async (passkey, from) =>
      brought(passkey, await asked(from), origin, { challenge: 'A'.repeat(43) }),
    'a challenge for making one: passkeyChallenge': async (passkey) =>
      brought(passkey, { ...(await begin()).json.Options, rpId: 'localhost' }, origin),
    'a challenge of five minutes ago: passkeyChallenge': async (passkey, from) => {
      const options = await asked(from)
      world.clock.advance(5 * MINUTE)
      return brought(passkey, options, origin)
    },
    'a challenge that was used: passkeyChallenge': async (passkey, from) => {
      const options = await asked(from)
      await signIn(brought(passkey, options, origin), world.page('localhost'))
      return brought(passkey, options, origin)
    },
    'the challenge of another name of the station: passkeyChallenge': async (passkey) => {
      const options = await world.raw('POST', '/connect/session/passkey/begin', {
        headers: { host: 'station.example' },
      })
      expect(options.json.Options.rpId).toBe('station.example')
      return brought(passkey, options.json.Options, origin, { rpId: 'localhost' })
    },
    'somebody else’s signature: passkeyInvalid': async (passkey, from) => {
      const mine = await registered((await person()).page)
      return brought({ ...mine, counter: 9 }, await asked(from), origin, {
        id: passkey.id,
        userHandle: passkey.userHandle,
      })
    },
    'somebody else’s handle: passkeyOwner': async (passkey, from) => {
      const other = await registered((await person()).page)
      return brought(passkey, await asked(from), origin, { userHandle: other.userHandle })
    },
    'no handle: passkeyOwner': async (passkey, from) =>
      brought(passkey, await asked(from), origin, { userHandle: null }),
    'an unknown passkey: passkeyUnknown': async (passkey, from) =>
      brought(passkey, await asked(from), origin, { id: 'unknown' }),
    'one bit of the signature: passkeyInvalid': async (passkey, from) => {
      const sent = brought(passkey, await asked(from), origin)
      const bytes = Buffer.from(sent.response.signature, 'base64url')
      bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1
      return { ...sent, response: { ...sent.response, signature: bytes.toString('base64url') } }
    },
    'data cut short: passkeyInvalid': async (passkey, from) => {
      const sent = brought(passkey, await asked(from), origin)
      return { ...sent, response: { ...sent.response, authenticatorData: 'AAAA' } }
    },
    'client data that is none: passkeyChallenge': async (passkey, from) => {
      const sent = brought(passkey, await asked(from), origin)
      return { ...sent, response: { ...sent.response, clientDataJSON: Buffer.from('[1').toString('base64url') } }
    },
    'garbage after true data: passkeyInvalid': async (passkey, from) => {
      const sent = brought(passkey, await asked(from), origin, { flags: 0xc5 })
      const more = Buffer.concat([Buffer.from(sent.response.authenticatorData, 'base64url'), Buffer.alloc(60, 0xff)])
      return { ...sent, response: { ...sent.response, authenticatorData: more.toString('base64url') } }
    },
  }

  it.each(Object.entries(answers))('%s', async (what, make) => {
    const passkey = await registered()
    // Used once before, so that there is a count to go back behind.
    expect(told(await bring(passkey))).toEqual([200, 'open'])
    const from = world.page('localhost')
    const refused = await signIn(await make(passkey, from), from)
    expect(told(refused)).toEqual([401, 'PasskeyRefused'])
    expect([await reasonOf(refused), from.cookie]).toEqual([what.split(': ')[1], null])
    expect(refused.json.Message).toBe('This passkey does not open this station.')
  })

  it('from another address than the one that asked', async () => {
    const passkey = await registered()
    const Response = brought(passkey, await asked(world.page('localhost')), origin)
    const refused = await world.raw('POST', '/connect/session/passkey', {
      from: '127.0.0.2',
      headers: { host: `localhost:${world.port}`, origin },
      body: { NoticeId: 'default', Response },
    })
    expect([told(refused), await reasonOf(refused)]).toEqual([[401, 'PasskeyRefused'], 'passkeyChallenge'])
  })

  it('of somebody who is disabled, and good again when they are not', async () => {
    const passkey = await registered()
    await world.enable(officer, false)
    const refused = await bring(passkey)
    expect([told(refused), await reasonOf(refused)]).toEqual([[401, 'PasskeyRefused'], 'disabled'])
    await world.enable(officer, true)
    world.clock.advance(MINUTE)
    expect(told(await bring(passkey))).toEqual([200, 'open'])
  })

  it('of a passkey that is taken away while it is verified (S19)', async () => {
    const passkey = await registered()
    world.meanwhile(() =>
      world.db.transaction((tx) => tx.deleteFrom('passkeys').where('principal_id', '=', Number(officer)).execute()),
    )
    const refused = await bring(passkey)
    expect([told(refused), await reasonOf(refused)]).toEqual([[401, 'PasskeyRefused'], 'disabled'])
  })

  it('of a copy that comes with the same count at the same moment from elsewhere (S19)', async () => {
    const passkey = await registered()
    const copy = { ...passkey }
    const headers = { host: `localhost:${world.port}`, origin }
    const elsewhere = (place: string, body?: Json) =>
      world.raw('POST', `/connect/session/passkey${place}`, { from: '127.0.0.2', headers, body })
    world.meanwhile(async () => {
      const { json } = await elsewhere('/begin')
      const Response = brought(copy, json.Options, origin)
      expect(told(await elsewhere('', { NoticeId: 'default', Response }))).toEqual([200, 'open'])
    })
    const refused = await bring(passkey)
    expect(copy.counter).toBe(passkey.counter)
    expect([told(refused), await reasonOf(refused)]).toEqual([[401, 'PasskeyRefused'], 'passkeyCounter'])
  })

  it('a passkey of one name does not sign in under another', async () => {
    const passkey = await registered()
    const headers = { host: 'station.example' }
    const { json } = await world.raw('POST', '/connect/session/passkey/begin', { headers })
    const Response = brought(passkey, json.Options, SECURE)
    const refused = await world.raw('POST', '/connect/session/passkey', {
      headers: { ...headers, origin: SECURE },
      body: { NoticeId: 'default', Response },
    })
    expect([told(refused), await reasonOf(refused)]).toEqual([[401, 'PasskeyRefused'], 'passkeyElsewhere'])
  })

  it('failures delay and lock as with passwords, and a good one after it forgives', async () => {
    const passkey = await registered()
    const failing = { flags: 0x01 }
    for (let times = 0; times < 4; times++) {
      expect(told(await bring(passkey, failing))).toEqual([401, 'PasskeyRefused'])
      world.clock.advance(5_000)
    }
    expect(told(await bring(passkey))).toEqual([200, 'open'])
    for (let times = 0; times < 5; times++) {
      expect(told(await bring(passkey, failing))).toEqual([401, 'PasskeyRefused'])
      world.clock.advance(5_000)
    }
    expect(told(await bring(passkey))).toEqual([429, 'TooManyAttempts'])
    expect(told(await world.page().signIn(name, PASSWORD))).toEqual([429, 'TooManyAttempts'])
    expect(
      world.ledger().filter(({ action, object }) => action === 'user.locked' && object.id === officer),
    ).toHaveLength(1)
    world.clock.advance(16 * MINUTE)
    expect(told(await bring(passkey))).toEqual([200, 'open'])
  })

  it('what is no answer of a browser is a bad request', async () => {
    const from = world.page('localhost')
    for (const Response of [null, {}, { id: 'a', rawId: 'a', type: 'password', response: {} }, { id: 'ü'.repeat(9) }])
      expect(told(await signIn(Response, from))).toEqual([400, 'InvalidModel'])
  })
})

describe('a hostile new passkey is not kept', () => {
  beforeEach(asKnown)
  const deep = Buffer.alloc(40_000, 0x81)
  const attested = new Map<string, unknown>([
    ['alg', -7],
    ['sig', new Uint8Array(70)],
    ['x5c', [new Uint8Array(300)]],
  ])
  const answers: Record<string, (options: Json) => Promise<Json> | Json> = {
    'another origin: passkeyInvalid': (options) =>
      created(options, origin, { origin: 'https://attacker.example' }).response,
    'another station: passkeyInvalid': (options) => created(options, origin, { rpId: 'attacker.example' }).response,
    'nobody verified: passkeyInvalid': (options) => created(options, origin, { flags: 0x01 }).response,
    'an answer to signing in: passkeyInvalid': (options) => created(options, origin, { type: 'webauthn.get' }).response,
    'a challenge that nobody gave: passkeyChallenge': (options) =>
      created(options, origin, { challenge: 'A'.repeat(43) }).response,
    'a challenge for signing in: passkeyChallenge': async (options) =>
      created({ ...options, challenge: (await asked(page)).challenge }, origin).response,
    'a challenge of another session: passkeyChallenge': async () =>
      created((await begin((await person()).page)).json.Options, origin).response,
    'a statement with certificates: passkeyInvalid': (options) =>
      created(options, origin, { statement: ['packed', attested] }).response,
    'a format that looks things up: passkeyInvalid': (options) =>
      created(options, origin, { statement: ['fido-u2f', attested] }).response,
    'somebody’s passkey: passkeyKnown': async (options) => {
      const other = await registered((await person()).page)
      return created(options, origin, { id: other.id }).response
    },
    'another id than the one inside: passkeyInvalid': (options) => {
      const { response } = created(options, origin)
      return { ...response, id: 'AAAA', rawId: 'AAAA' }
    },
    'garbage: passkeyInvalid': (options) => attesting(options, Buffer.from('ffffffff', 'hex')),
    'a length that lies: passkeyInvalid': (options) => attesting(options, Buffer.from('5b7fffffffffffffff', 'hex')),
    'a map of nothing: passkeyInvalid': (options) => attesting(options, Buffer.from('a0', 'hex')),
    'forty thousand lists in lists: passkeyInvalid': (options) => attesting(options, deep),
  }
  const attesting = (options: Json, bytes: Buffer): Json => {
    const { response } = created(options, origin)
    return { ...response, response: { ...response.response, attestationObject: bytes.toString('base64url') } }
  }

  it.each(Object.entries(answers))('%s', async (what, make) => {
    const { json } = await begin()
    const refused = await keep(await make(json.Options))
    expect(told(refused)).toEqual([401, 'PasskeyRefused'])
    expect(await reasonOf(refused)).toBe(what.split(': ')[1])
    expect((await page.send('GET', PASSKEYS)).json.Passkeys).toEqual([])
  })

  it('once used its challenge makes no second one', async () => {
    const { json } = await begin()
    expect((await keep(created(json.Options, origin).response)).status).toBe(201)
    expect(told(await keep(created(json.Options, origin).response))).toEqual([401, 'PasskeyRefused'])
  })

  it('a program of somebody does not make one', async () => {
    const token = await world.token()
    const headers = { authorization: `Bearer ${token}` }
    for (const [method, place] of [
      ['GET', PASSKEYS],
      ['POST', `${PASSKEYS}/begin`],
    ] as const) {
      const body = method === 'GET' ? undefined : { Password: PASSWORD }
      expect((await world.page('localhost').send(method, place, { headers, body })).status).toBe(403)
    }
  })
})

describe('where the address allows none', () => {
  beforeEach(asKnown)
  it('the station says so and begins nothing', async () => {
    const here = world.page()
    await here.signIn(name, PASSWORD)
    expect((await here.send('GET', PASSKEYS)).json).toEqual({ None: 'address', Passkeys: [] })
    expect(told(await begin(here))).toEqual([409, 'PasskeysUnavailable'])
    expect(told(await here.send('POST', '/connect/session/passkey/begin'))).toEqual([409, 'PasskeysUnavailable'])
  })

  it.each([
    ['http://localhost:7460', { rpId: 'localhost' }],
    ['https://station.example', { rpId: 'station.example' }],
    ['https://desk:7443', { rpId: 'desk' }],
    ['http://station.example', { none: 'plain' }],
    ['http://127.0.0.1:7460', { none: 'address' }],
    ['https://192.168.1.4:7443', { none: 'address' }],
    ['https://[fd00::1]:7443', { none: 'address' }],
    ['http://[::1]:7460', { none: 'address' }],
  ])('%s', (at, expected) => expect(passkeysAt(at)).toEqual(expected))
})

it('S18: a right passkey opens no session once another node has locked the account for its address', async () => {
  await asNew()
  const passkey = await registered()
  const key = (
    await world.db.read
      .selectFrom('principals')
      .select('name_key')
      .where('principal_id', '=', Number(officer))
      .executeTakeFirstOrThrow()
  ).name_key
  world.meanwhile(() => {
    const now = world.clock.now()
    const row = { failures: 5, first_at: now, last_at: now, locked_until: now + 15 * MINUTE }
    return world.db.transaction((tx) => keepFailures(tx, `${accountSubject('station', key)} from 127.0.0.1`, row))
  })
  expect(told(await bring(passkey))).toEqual([429, 'TooManyAttempts'])
  world.clock.advance(16 * MINUTE)
  expect(told(await bring(passkey))).toEqual([200, 'open'])
})

it('challenges: any number at once, each valid once, for its purpose, until its end, and none that was changed', async () => {
  const { db, clock } = world
  const of = (secret: number) => createPasskeyChallenges({ db, clock, secretsKey: new Uint8Array(32).fill(secret) })
  const challenges = of(1)
  const note = 'a'.repeat(43).replace(/.$/, 'A')
  const purpose = (holder: string, act: 'signIn' | 'register' = 'signIn') =>
    ({ act, origin: 'https://a.example', holder }) as const
  const mine = challenges.make(purpose('me'), note)
  const flood = Array.from({ length: 3000 }, () => challenges.make(purpose('stranger')))
  expect(new Set(flood).size).toBe(3000)
  // Another node with the same key knows it; whoever has another key does not, and does not use it up.
  expect(await of(2).take(mine, purpose('me'))).toBeNull()
  expect(await Promise.all([of(1).take(mine, purpose('me')), challenges.take(mine, purpose('me'))])).toContain(note)
  expect(await challenges.take(mine, purpose('me'))).toBeNull()
  // A wrong purpose uses it up too.
  const wrong = challenges.make(purpose('me'), note)
  expect(await challenges.take(wrong, purpose('me', 'register'))).toBeNull()
  expect(await challenges.take(wrong, purpose('me'))).toBeNull()
  const bytes = Buffer.from(challenges.make(purpose('me'), note), 'base64url')
  for (const place of [0, 10, 30, 60, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[place] = (changed[place] as number) ^ 1
    expect(await challenges.take(changed.toString('base64url'), purpose('me'))).toBeNull()
  }
  expect(await challenges.take(`${bytes.toString('base64url')}=`, purpose('me'))).toBeNull()
  clock.advance(-MINUTE)
  expect(await challenges.take(bytes.toString('base64url'), purpose('me'))).toBeNull()
  clock.advance(MINUTE)
  expect(await challenges.take(bytes.toString('base64url'), purpose('me'))).toBe(note)
  expect(await challenges.take(bytes.toString('base64url'), purpose('me'))).toBeNull()
  const late = challenges.make(purpose('me'), note)
  clock.advance(5 * MINUTE)
  expect(await challenges.take(late, purpose('me'))).toBeNull()
})

it('challenges: those that were used are forgotten a day after their end, and leave no row before their use', async () => {
  const rows = () => world.db.read.selectFrom('used_challenges').selectAll().execute()
  const challenges = createPasskeyChallenges({ ...world, secretsKey: new Uint8Array(32) })
  const purpose = { act: 'signIn', origin: 'https://a.example', holder: 'me' } as const
  const aDay = (): void => world.clock.advance(24 * 60 * MINUTE + 6 * MINUTE)
  aDay()
  await challenges.take(challenges.make(purpose), purpose)
  const challenge = challenges.make(purpose)
  expect(await rows()).toHaveLength(1)
  expect(await challenges.take(challenge, purpose)).toBe('')
  expect(await rows()).toHaveLength(2)
  aDay()
  await challenges.take(challenges.make(purpose), purpose)
  expect(await rows()).toHaveLength(1)
})
