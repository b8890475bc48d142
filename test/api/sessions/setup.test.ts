// @module-tag merge
import { createHash, randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { patience } from '../../support/scale.ts'
import { startStation, succeed, temporaryFolder } from '../../support/station.ts'
import { CLI, PASSWORD, QUICK, startWorld, type World } from './world.ts'

/** Decisions 10: the one-time link that makes the first administrator. There is no default password anywhere. */
let world: World
afterEach(() => world?.close())
const fresh = async (settings = {}): Promise<World> => {
  world = await startWorld({ fresh: true, passwords: QUICK, settings })
  return world
}
const MINUTE = 60_000
const person = { Username: 'chief', Password: PASSWORD, FirstName: 'Grace', LastName: 'Hopper', NoticeId: 'default' }

describe('the set-up link', () => {
  it('makes the first administrator, signs in, and is spent', async () => {
    await fresh()
    const page = world.page()
    expect(await page.state()).toBe('setup')
    const Token = await world.setupToken()
    expect(Token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const made = await page.send('POST', '/connect/setup', { body: { Token, ...person } })
    expect([made.status, made.json.State, made.json.User]).toEqual([
      201,
      'open',
      expect.objectContaining({ Username: 'chief', FirstName: 'Grace', LastName: 'Hopper', Administrator: true }),
    ])
    const { Key, Fingerprint } = made.json.StationKey
    // The last part is base64, which has plus signs of its own.
    const [, origin, id, bytes] = /^([^+]+)\+([^+]+)\+(.+)$/.exec(Key as string) as unknown as [
      string,
      string,
      string,
      string,
    ]
    expect([origin, id]).toEqual(['test/station', expect.stringMatching(/^[0-9a-f]{8}$/)])
    // The first byte says that it is an Ed25519 key.
    expect(createHash('sha256').update(Buffer.from(bytes, 'base64').subarray(1)).digest('hex')).toBe(Fingerprint)
    expect((await page.send('GET', '/api/v1/tenant/x/rule')).status).toBe(200)
    expect((await world.entriesOf(made)).map(({ action, object, detail }) => [action, object.name, detail])).toEqual([
      ['user.created', 'chief', expect.objectContaining({ firstAdministrator: true })],
      ['session.opened', 'chief', { notice: 'default', session: '1' }],
    ])
    const again = await world.page().send('POST', '/connect/setup', { body: { Token, ...person, Username: 'second' } })
    expect([again.status, again.json.ErrorCode, again.headers.get('set-cookie')]).toEqual([403, 'AlreadySetUp', null])
    expect(await world.entriesOf(again, 1)).toEqual([
      expect.objectContaining({ action: 'setup.refused', outcome: 'denied', reason: 'AlreadySetUp' }),
    ])
    expect(await world.setupToken()).toBeNull()
    // The password that was chosen opens the door later.
    expect((await world.page().send('GET', '/connect/session')).json.State).toBe('none')
  })

  it('refuses every other token alike, and says so in the ledger', async () => {
    await fresh()
    const Token = (await world.setupToken()) as string
    const first = await world.page().send('POST', '/connect/setup', { body: { Token: 'guess', ...person } })
    expect(await world.entriesOf(first, 1)).toEqual([
      expect.objectContaining({ action: 'setup.refused', outcome: 'denied', reason: 'SetupLinkInvalid' }),
    ])
    for (const wrong of [
      randomBytes(32).toString('base64url'),
      Token.slice(1),
      `${Token}A`,
      'x',
      Token.toLowerCase(),
    ]) {
      const answer = await world.page().send('POST', '/connect/setup', { body: { Token: wrong, ...person } })
      expect([answer.status, answer.json.ErrorCode]).toEqual([401, 'SetupLinkInvalid'])
    }
    expect(await world.page().state()).toBe('setup')
    expect((await world.page().send('POST', '/connect/setup', { body: { Token, ...person } })).status).toBe(201)
  })

  it('holds for 30 minutes, and gives way to a fresh one', async () => {
    await fresh()
    const first = await world.setupToken()
    const Token = await world.setupToken()
    const use = (token: string | null) =>
      world.page().send('POST', '/connect/setup', { body: { Token: token, ...person } })
    expect((await use(first)).status).toBe(401)
    world.clock.advance(30 * MINUTE)
    expect((await use(Token)).status).toBe(401)
    const last = await world.setupToken()
    // Setting the wall clock neither lengthens nor shortens it.
    world.clock.set(world.clock.now() + 86_400_000)
    world.clock.advance(30 * MINUTE - 1)
    expect((await use(last)).status).toBe(201)
  })

  it('is gone with a restart', async () => {
    await fresh()
    const Token = await world.setupToken()
    world = await world.restart()
    const answer = await world.page().send('POST', '/connect/setup', { body: { Token, ...person } })
    expect([answer.status, answer.json.ErrorCode]).toEqual([401, 'SetupLinkInvalid'])
  })

  it('stays good after a name or a password that cannot be used, and names every problem as it was sent', async () => {
    await fresh()
    const Token = await world.setupToken()
    const bad = { Token, ...person, Username: ' chief', Password: 'short', LastName: 'a\u0000b' }
    const refused = await world.page().send('POST', '/connect/setup', { body: bad })
    expect([refused.status, refused.json.ErrorCode]).toEqual([400, 'InvalidModel'])
    expect(refused.json.Details.map(({ Path }: { Path: string }) => Path)).toEqual(['Username', 'Password', 'LastName'])
    expect(refused.text).not.toContain('short')
    const unread = await world.page().send('POST', '/connect/setup', { body: { Token, ...person, NoticeId: 'other' } })
    expect([unread.status, unread.json.Details[0].Path]).toEqual([400, 'NoticeId'])
    expect((await world.page().send('POST', '/connect/setup', { body: { Token, ...person } })).status).toBe(201)
  })

  it('used twice at once makes one administrator', async () => {
    await fresh()
    const Token = await world.setupToken()
    const both = await Promise.all(
      ['one', 'two'].map((Username) =>
        world.page().send('POST', '/connect/setup', { body: { Token, ...person, Username } }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([201, 403])
    const people = world.ledger().filter(({ action }) => action === 'user.created')
    expect(people).toHaveLength(1)
  })

  it('works on the station itself and not through a proxy (S19)', async () => {
    await fresh()
    const Token = await world.setupToken()
    const refused = await world.page().send('POST', '/connect/setup', {
      body: { Token, ...person },
      headers: { 'x-forwarded-for': '127.0.0.1' },
    })
    expect([refused.status, refused.json.ErrorCode, refused.headers.get('set-cookie')]).toEqual([
      403,
      'Forbidden',
      null,
    ])
    expect(await world.entriesOf(refused, 1)).toMatchObject([{ outcome: 'denied', reason: 'NotLoopback' }])
    expect(await world.page().state()).toBe('setup')
    // The link is as good as before.
    expect((await world.page().send('POST', '/connect/setup', { body: { Token, ...person } })).status).toBe(201)
  })

  it('does nothing once the command line made the administrator', async () => {
    await fresh()
    const Token = await world.setupToken()
    await world.users.setupFirstAdministrator(CLI, { username: 'sergeant', password: PASSWORD })
    const answer = await world.page().send('POST', '/connect/setup', { body: { Token, ...person } })
    expect([answer.status, answer.json.ErrorCode]).toEqual([403, 'AlreadySetUp'])
  })
})

describe('the notice', () => {
  const text = 'This station holds evidence.\n\nEverything is recorded.\nAlso what is refused.\n\n \n'
  const id = createHash('sha256').update(text).digest('hex').slice(0, 12)

  it("of the station's own is shown in paragraphs, under the first digits of its hash, and that id is what counts", async () => {
    await fresh({ notice: text })
    const page = world.page()
    expect((await page.send('GET', '/connect/session')).json.Notice).toEqual({
      Id: id,
      Title: null,
      Paragraphs: ['This station holds evidence.', 'Everything is recorded.\nAlso what is refused.'],
    })
    const Token = await world.setupToken()
    const bundled = await page.send('POST', '/connect/setup', { body: { Token, ...person } })
    expect(bundled.status).toBe(400)
    const made = await page.send('POST', '/connect/setup', { body: { Token, ...person, NoticeId: id } })
    expect([made.status, (await world.entriesOf(made)).at(-1)?.detail]).toEqual([201, { notice: id, session: '1' }])
    const rows = await world.db.read.selectFrom('sessions').select('notice').execute()
    expect(rows).toEqual([{ notice: id }])
  })

  it('of blank lines is none', async () => {
    await fresh({ notice: ' \n\n ' })
    expect((await world.page().send('GET', '/connect/session')).json.Notice).toBeNull()
  })
})

describe('a station that starts', () => {
  it('prints the link while there is no administrator, on a line of its own, and a fresh one at each start', async () => {
    const { dir, dispose } = await temporaryFolder('setup-link')
    onTestFinished(dispose)
    // Output comes in pieces: only a line that has ended is whole.
    const linkOf = (said: string): string | undefined =>
      /^Open this once, within 30 minutes, on this machine to make the first administrator: (\S+)\n/m.exec(said)?.[1]
    const waitFor = async (said: () => string): Promise<string> => {
      for (const until = Date.now() + patience(30_000); Date.now() < until && linkOf(said()) === undefined; )
        await new Promise((r) => setTimeout(r, 20))
      return linkOf(said()) ?? ''
    }
    let station = await startStation({ data: dir })
    onTestFinished(() => station.kill())
    const first = await waitFor(station.logs)
    await station.stop()
    station = await startStation({ data: dir })
    const link = new URL(await waitFor(station.logs))
    expect([link.origin, link.pathname, link.href === first]).toEqual([station.url, '/setup', false])
    const Token = new URLSearchParams(link.hash.slice(1)).get('token')
    const made = await fetch(`${station.url}/connect/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ Token, ...person }),
    })
    expect([made.status, ((await made.json()) as { State: string }).State]).toEqual([201, 'open'])
    await station.stop()
    station = await startStation({ data: dir })
    await succeed(['user', 'create', 'officer', '--password-stdin'], { data: dir, input: PASSWORD })
    expect(linkOf(station.logs())).toBeUndefined()
    await station.stop()
  })
})
