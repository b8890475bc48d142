import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Fault } from '../../../shared/kernel/errors.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import { createAuthorize } from '../../../server/app/authorize.ts'
import { tokenFrom } from '../../../server/features/identity/sessions/cookie.ts'
import { rule, figures, who } from './routes.ts'
import { type Answer, type Page, PASSWORD, QUICK, SECURE, startWorld, type World } from './world.ts'

let world: World
let other: World
let page: Page
let token = ''
let mine = ''
beforeAll(async () => {
  world = await startWorld({ passwords: QUICK })
  other = await startWorld({ passwords: QUICK })
  page = world.page()
  await page.signIn('sergeant', PASSWORD)
  mine = (page.cookie as string).split('=')[1] as string
  token = await world.token()
})
afterAll(async () => {
  await world?.close()
  await other?.close()
})

const WHO = '/api/v1/tenant/x/who'
const CHANGE = '/api/v1/tenant/x/change'
const ask = (cookie: string, at = world): Promise<Answer> =>
  at.raw('GET', WHO, { headers: { host: `127.0.0.1:${at.port}`, cookie } })

describe('S1 a cookie that is not exactly the one that was given gets nothing', () => {
  const named = (value: string): string => `sallyport_session=${value}`
  const flipped = (value: string, at: number): string =>
    `${value.slice(0, at)}${value[at] === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`
  const FORGED: readonly (readonly [string, () => string])[] = [
    ['none', () => ''],
    ['empty', () => named('')],
    ['random', () => named(randomBytes(32).toString('base64url'))],
    ['one character changed at the start', () => named(flipped(mine, 0))],
    ['one character changed in the middle', () => named(flipped(mine, 21))],
    ['one character less', () => named(mine.slice(0, -1))],
    ['one character more', () => named(`${mine}A`)],
    ['quoted', () => named(`"${mine}"`)],
    ['percent-encoded', () => named(`%${mine.charCodeAt(0).toString(16)}${mine.slice(1)}`)],
    ['in other letters', () => named(mine.toUpperCase() === mine ? mine.toLowerCase() : mine.toUpperCase())],
    ['its own hash, as it lies in the database', () => named(createHash('sha256').update(mine).digest('hex'))],
    ['its own hash in base64url', () => named(createHash('sha256').update(mine).digest('base64url'))],
    ['a session number', () => named('1')],
    ['SQL', () => named("' OR '1'='1")],
    ['a wildcard', () => named('%')],
    ['under another name', () => `session=${mine}`],
    ['under a longer name', () => `xsallyport_session=${mine}`],
    ['under the name in capitals', () => `SALLYPORT_SESSION=${mine}`],
    ['under the name of TLS on a plain connection', () => `__Host-sallyport_session=${mine}`],
    ['twice, the same', () => `${named(mine)}; ${named(mine)}`],
    ['twice, ours first', () => `${named(mine)}; ${named('x')}`],
    ['twice, ours last', () => `${named(randomBytes(32).toString('base64url'))}; ${named(mine)}`],
  ]
  it.each(FORGED)('%s', async (_name, cookie) => {
    expect(tokenFrom(cookie(), world.origin) === mine).toBe(false)
    expect((await ask(cookie())).status).toBe(401)
    expect((await ask(`sallyport_session=${mine}`)).status).toBe(200)
  })

  it('beside other cookies it counts', async () => {
    expect((await ask(`theme=dark; sallyport_session=${mine}; __Host-x=1`)).status).toBe(200)
  })

  it('at another station it is nothing', async () => {
    expect((await ask(`sallyport_session=${mine}`, other)).status).toBe(401)
  })

  it('as a bearer token it is nothing, and a bearer token is no cookie', async () => {
    const bearer = await world.raw('GET', WHO, {
      headers: { host: `127.0.0.1:${world.port}`, authorization: `Bearer ${mine}` },
    })
    expect([bearer.status, (await ask(named(token))).status]).toEqual([401, 401])
  })

  it('what is not kept cannot be read from the station: only the hash lies there', async () => {
    expect((await world.written()).includes(mine)).toBe(false)
    const rows = await world.db.read.selectFrom('sessions').select('token_hash').execute()
    expect(rows.map(({ token_hash }) => token_hash)).toContain(createHash('sha256').update(mine).digest('hex'))
  })

  it('no two are alike, and none is kept over a sign-in (no fixation)', async () => {
    const chosen = randomBytes(32).toString('base64url')
    const seen = new Set<string>()
    for (let times = 0; times < 5; times++) {
      const victim = world.page()
      victim.cookie = named(chosen)
      await victim.signIn('sergeant', PASSWORD)
      seen.add(victim.cookie)
    }
    expect([seen.size, seen.has(named(chosen)), (await ask(named(chosen))).status]).toEqual([5, false, 401])
  })
})

describe('of a request with both, the bearer token counts', () => {
  const both = (authorization: string, method = 'GET', address = WHO): Promise<Answer> =>
    world.raw(method, address, {
      headers: { host: `127.0.0.1:${world.port}`, cookie: page.cookie as string, authorization },
    })
  it('a good one names the caller, and needs no Origin', async () => {
    expect((await both(`Bearer ${token}`)).json).toMatchObject({ kind: 'service' })
    expect((await both(`Bearer ${token}`, 'POST', CHANGE)).json).toMatchObject({ kind: 'service' })
  })
  it.each(['Bearer ', 'Bearer nothing', 'Basic c2VyZ2VhbnQ6eA==', 'nonsense'])(
    '%j is no way round to the cookie',
    async (authorization) => {
      expect((await both(authorization)).status).toBe(401)
      expect((await both(authorization, 'GET', '/connect/session')).json.State).toBe('none')
    },
  )
  it('it has no session to lock', async () => {
    for (const what of ['lock', 'activity']) {
      const answer = await both(`Bearer ${token}`, 'POST', `/connect/session/${what}`)
      expect([answer.status, answer.json.ErrorCode]).toEqual([401, 'Unauthorized'])
    }
    expect(await page.state()).toBe('open')
  })
})

describe('S13 a change with a cookie says from which page it comes', () => {
  const from = (method: string, address: string, origin: string | null): Promise<Answer> =>
    world.raw(method, address, {
      headers: {
        host: `127.0.0.1:${world.port}`,
        cookie: page.cookie as string,
        ...(origin === null ? {} : { origin }),
      },
    })
  const OTHERS = (): (string | null)[] => [
    null,
    '',
    'null',
    `http://localhost:${world.port}`,
    `https://127.0.0.1:${world.port}`,
    'http://evil.example',
    SECURE,
  ]

  it.each([
    ['POST', CHANGE],
    ['POST', '/api/v1/tenant/x/upload'],
    ['POST', '/connect/session/lock'],
    ['POST', '/connect/session/unlock'],
    ['POST', '/connect/session/activity'],
    ['POST', '/connect/session'],
    ['DELETE', '/connect/session'],
    ['POST', '/connect/setup'],
  ])('%s %s', async (method, address) => {
    for (const origin of OTHERS()) {
      const answer = await from(method, address, origin)
      expect([origin, answer.status, answer.json?.ErrorCode]).toEqual([origin, 403, 'OriginNotAllowed'])
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
    expect(await page.state()).toBe('open')
  })

  it('is an entry in the name of the person', async () => {
    const answer = await from('POST', CHANGE, null)
    expect(await world.entriesOf(answer)).toEqual([
      expect.objectContaining({
        action: 'access.denied',
        outcome: 'denied',
        reason: 'OriginMissing',
        actor: expect.objectContaining({ name: 'sergeant' }),
      }),
    ])
  })

  it('reading needs none, and with the right one changes are made', async () => {
    expect((await from('GET', WHO, null)).status).toBe(200)
    expect((await from('HEAD', WHO, null)).status).toBe(200)
    expect((await from('POST', CHANGE, world.origin)).status).toBe(200)
  })

  it('without a session nobody needs one to sign in: there is nothing yet that a foreign page could ride on', async () => {
    const body = { Username: 'sergeant', Password: PASSWORD, NoticeId: 'default' }
    const host = `127.0.0.1:${world.port}`
    expect((await world.raw('POST', '/connect/session', { headers: { host }, body })).status).toBe(200)
  })
})

describe('over TLS', () => {
  it('the cookie is Secure and bears the prefix that browsers hold to; the plain name counts for nothing there', async () => {
    const headers = { host: 'station.example', origin: SECURE }
    const body = { Username: 'sergeant', Password: PASSWORD, NoticeId: 'default' }
    const answer = await world.raw('POST', '/connect/session', { headers, body })
    const set = answer.headers.get('set-cookie') as string
    expect(set).toMatch(/^__Host-sallyport_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
    const cookie = set.split(';')[0] as string
    expect((await world.raw('GET', WHO, { headers: { ...headers, cookie } })).status).toBe(200)
    const plain = cookie.replace('__Host-', '')
    expect((await world.raw('GET', WHO, { headers: { ...headers, cookie: plain } })).status).toBe(401)
    const out = await world.raw('DELETE', '/connect/session', { headers: { ...headers, cookie } })
    expect(out.headers.get('set-cookie')).toBe(
      '__Host-sallyport_session=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0',
    )
  })
})

describe('from another machine', () => {
  const session = {
    ...INTERNAL,
    kind: 'user',
    id: '7',
    tenantId: 'station',
    guest: false,
    sessionId: 1,
    locked: false,
    passwordDue: false,
  } as const
  const authorize = (administrator: boolean, locked = false) =>
    createAuthorize({
      tokens: {
        verifyAccessToken: async () => {
          throw new Fault('Unauthorized', 'no')
        },
      },
      sessions: { find: async () => ({ ...session, locked }), stands: async () => null },
      findGuest: async () => null,
      byApiKey: async () => null,
      apiKeyInQuery: true,
      isAdministrator: async () => administrator,
      isInPolicy: async () => false,
      isEnabled: async () => true,
      levelOnEvidence: async () => null,
    })
  const request = (source: string, cookie?: string) => ({
    method: 'GET',
    headers: cookie === undefined ? {} : { cookie },
    params: {},
    query: {},
    url: '/',
    source,
    arrival: 'network' as const,
    origin: SECURE,
    correlationId: 'x',
  })
  const cookie = `__Host-sallyport_session=${'a'.repeat(43)}`

  it.each([
    ['the figures, an administrator', true, false, cookie, figures, undefined],
    ['the figures, somebody else', false, false, cookie, figures, 'Forbidden'],
    ['the figures, an administrator who stepped away', true, true, cookie, figures, 'SessionLocked'],
    ['the figures, nobody', true, false, undefined, figures, 'Unauthorized'],
    ['what administrators do, an administrator', true, false, cookie, rule, undefined],
    ['what administrators do, somebody else', false, false, cookie, rule, 'Forbidden'],
    ['what all do, somebody else', false, false, cookie, who, undefined],
  ] as const)('%s', async (_name, administrator, locked, sent, route, refusal) => {
    const answer = await authorize(administrator, locked)(route, request('192.0.2.7', sent))
    expect(answer.refusal?.code).toBe(refusal)
  })
})
