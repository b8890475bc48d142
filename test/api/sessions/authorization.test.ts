/** Decisions 9: programs work in the name of people by authorization code with PKCE and refresh tokens; RFC 6749, 7636, 8252, 9700. */
import { createHash, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorizationRoutes } from '../../../server/features/identity/tokens/authorizations.routes.ts'
import { asking, back, CALLBACK, codeFrom, decide, exchange, letIn, opens, post, refresh } from './programs.ts'
import { type Answer, CLI, PASSWORD, type Page, QUICK, startWorld, type World } from './world.ts'

const SECOND = 1000
const DAY = 86_400 * SECOND
const PROGRAMS = '/connect/authorizations'
let world: World
let officer: string
let page: Page
/** One of their own for every test, so that what one does is nothing to the next. */
let name = ''
beforeAll(async () => {
  world = await startWorld({ passwords: QUICK })
})
afterAll(() => world?.close())
beforeEach(async () => {
  name = `officer ${randomUUID()}`
  officer = await world.user(name)
  page = world.page()
  await page.signIn(name, PASSWORD)
})

const authorize = (query: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${world.url}/connect/authorize?${query}`, { redirect: 'manual', ...init })
const refusal = async (answer: Promise<{ status: number; body: Record<string, string> }>) => {
  const { status, body } = await answer
  return [status, body['error']]
}
const INVALID = [400, 'invalid_grant']
/** Somebody lets a program in, which removes what is of no use any more. */
async function forgetOld(): Promise<void> {
  const other = world.page()
  await other.signIn('sergeant', PASSWORD)
  await codeFrom(other)
}
const ended = () =>
  world.ledger().filter(({ action, object }) => action === 'authorization.ended' && object.id === officer)

describe('asking', () => {
  it('leads to the page that asks the person, with what was asked', async () => {
    const { request } = asking()
    const answer = await authorize(request)
    expect(answer.status).toBe(303)
    const page = `${world.url}/authorize?${new URLSearchParams({ request })}`
    expect(answer.headers.get('location')).toBe(page)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect((await authorize('', { method: 'POST', body: new URLSearchParams(request) })).headers.get('location')).toBe(
      page,
    )
  })

  it.each([
    ['no client', { client_id: undefined }],
    ['a client that is not registered', { client_id: 'stranger' }],
    ['a service as client', { client_id: '2@station' }],
    ['no address', { redirect_uri: undefined }],
    ['another machine', { redirect_uri: 'https://attacker.example/callback' }],
    ['another path', { redirect_uri: 'http://127.0.0.1:51004/elsewhere' }],
    ['the name localhost', { redirect_uri: 'http://localhost:51004/callback' }],
    ['the address of another client', { redirect_uri: 'com.example.uploader:/signed-in' }],
  ])('%s leads nowhere, at the address and at the page', async (_what, changed) => {
    const { request } = asking(changed)
    const answer = await authorize(request)
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(((await answer.json()) as Record<string, string>)['error']).toBe('invalid_request')
    const decided = await decide(page, request)
    expect([decided.status, decided.json.ErrorCode, decided.json.RedirectTo]).toEqual([400, 'InvalidModel', undefined])
  })

  it.each([
    ['a token at once', { response_type: 'token' }, 'unsupported_response_type'],
    ['a token beside the code', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['no response type', { response_type: undefined }, 'unsupported_response_type'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['the plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method, which would mean plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['a challenge that is no SHA-256', { code_challenge: 'x'.repeat(43) }, 'invalid_request'],
    ['an answer in a fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['a request as an object', { request: 'e30.e30.' }, 'invalid_request'],
    ['a request elsewhere', { request_uri: 'https://attacker.example/' }, 'invalid_request'],
    ['a nonce without end', { nonce: 'x'.repeat(1025) }, 'invalid_request'],
    ['not to ask the person', { prompt: 'none' }, 'interaction_required'],
  ])('%s goes back to the program as a refusal', async (_what, changed, error) => {
    const { request } = asking(changed)
    const answer = await authorize(request)
    const address = new URL(answer.headers.get('location') as string)
    expect([answer.status, `${address.origin}${address.pathname}`]).toEqual([303, CALLBACK])
    expect(Object.fromEntries(address.searchParams)).toMatchObject({ error, state: 'a state', iss: world.url })
    expect(address.searchParams.has('code')).toBe(false)
    if (error !== 'interaction_required') expect((await decide(page, request)).status).toBe(400)
  })

  it('a state without end goes back as a refusal, without the state', async () => {
    const { request } = asking({ state: 'x'.repeat(1025) })
    const address = new URL((await authorize(request)).headers.get('location') as string)
    expect(Object.fromEntries(address.searchParams)).toMatchObject({ error: 'invalid_request' })
    expect(address.searchParams.has('state')).toBe(false)
    expect((await decide(page, request)).status).toBe(400)
    const told = await page.send('GET', `/connect/authorization?${new URLSearchParams({ request })}`)
    expect([told.status, told.json.ErrorCode]).toEqual([400, 'InvalidModel'])
  })

  it('a parameter that is there twice is refused', async () => {
    expect((await authorize(`${asking().request}&client_id=viewer`)).status).toBe(400)
    expect((await decide(page, `${asking().request}&state=other`)).status).toBe(400)
  })
})

describe('the page', () => {
  it('is told who asks, and decides', async () => {
    const { request } = asking()
    const told = await page.send('GET', `/connect/authorization?${new URLSearchParams({ request })}`)
    expect(told.json).toEqual({ Client: { Id: 'viewer', Name: 'Case viewer' }, ReturnsTo: CALLBACK })
    const yes = await decide(page, request)
    const given = {
      action: 'authorization.given',
      outcome: 'ok',
      object: { type: 'user', id: officer, name },
    }
    expect(await world.entriesOf(yes, 1)).toEqual([
      expect.objectContaining({
        ...given,
        detail: { client: 'viewer', returnsTo: CALLBACK, scope: 'openid offline_access' },
      }),
    ])
    expect([...back(yes).keys()].sort()).toEqual(['code', 'iss', 'state'])
    const no = await decide(page, request, false)
    expect(Object.fromEntries(back(no))).toMatchObject({ error: 'access_denied', state: 'a state' })
    expect(await world.entriesOf(no, 1)).toEqual([expect.objectContaining({ action: 'authorization.declined' })])
  })

  it('nobody, a locked screen, a token and a foreign page decide nothing', async () => {
    const { access } = await letIn(world, page)
    const { request } = asking()
    expect((await decide(world.page(), request)).status).toBe(401)
    const headers = { authorization: `Bearer ${access}` }
    const body = { Request: request, Allow: true }
    expect((await world.page().send('POST', '/connect/authorization', { body, headers })).status).toBe(403)
    const foreign = { cookie: page.cookie as string, host: `127.0.0.1:${world.port}` }
    expect((await world.raw('POST', '/connect/authorization', { body, headers: foreign })).status).toBe(403)
    await page.send('POST', '/connect/session/lock')
    expect((await decide(page, request)).json.ErrorCode).toBe('SessionLocked')
  })

  it('decides and ends nothing once its session has ended, also after the request was let in (S19)', async () => {
    await letIn(world, page)
    const [program] = (await page.send('GET', PROGRAMS)).json
    const other = world.page()
    await other.signIn(name, PASSWORD)
    const given = () =>
      world.ledger().filter(({ action, object }) => action === 'authorization.given' && object.id === officer)
    expect(given()).toHaveLength(1)
    world.meanwhile(() => page.send('DELETE', '/connect/session'))
    const decided = await decide(page, asking().request)
    expect([decided.status, decided.json.ErrorCode]).toEqual([401, 'Unauthorized'])
    expect(given()).toHaveLength(1)
    world.meanwhile(() => other.send('DELETE', '/connect/session'))
    const ending = await other.send('DELETE', `${PROGRAMS}/${program.AuthorizationId}`)
    expect([ending.status, ending.json.ErrorCode, ended()]).toEqual([401, 'Unauthorized', []])
  })

  it('is asked for by the routes themselves, whatever let a request in (S19)', async () => {
    const routes = authorizationRoutes(world.authorizations, {
      signOut: world.sessions.signOut,
      clearCookie: () => '',
    })
    const asked = routes.filter(({ route }) => route.path.startsWith('/connect/authorization'))
    expect(asked.map(({ route }) => route.id).sort()).toEqual([
      'decideAuthorization',
      'endAllowedProgram',
      'getAuthorization',
      'listAllowedPrograms',
    ])
    const { request } = asking()
    for (const one of asked) {
      const input = {
        call: { ...CLI, principal: null },
        params: { authorizationId: '1' },
        query: { request },
        body: { Request: request, Allow: true },
      }
      const handle = one.handle as (given: typeof input) => Promise<unknown>
      await expect(handle(input), one.route.id).rejects.toMatchObject({ code: 'Unauthorized' })
    }
  })
})

describe('a code', () => {
  it('gives tokens that speak for the person, once', async () => {
    const { code, verifier } = await codeFrom(page)
    const { status, body } = await exchange(world, code, verifier)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'refresh_token',
      'scope',
      'token_type',
    ])
    expect(decodeJwt(body['access_token'] as string)).toMatchObject({
      client_id: 'viewer',
      sub: `${officer}@station`,
      primaryid: officer,
      primarytype: 'user',
    })
    expect(await opens(world, body['access_token'] as string)).toBe(200)
    // An id token and a refresh token open nothing.
    expect(await opens(world, body['id_token'] as string)).toBe(401)
    expect(await opens(world, body['refresh_token'] as string)).toBe(401)
  })

  it('I1: each token that it or a refresh token gives is one entry, of the person, without the token', async () => {
    const { code, verifier } = await codeFrom(page)
    const first = await exchange(world, code, verifier)
    const second = await refresh(world, first.body['refresh_token'] as string)
    for (const [{ body, correlationId }, by] of [
      [first, 'code'],
      [second, 'refresh'],
    ] as const) {
      const { jti, exp } = decodeJwt(body['access_token'] as string)
      const entries = world.ledger().filter((entry) => entry.correlationId === correlationId)
      expect(entries).toEqual([
        expect.objectContaining({
          action: 'token.issued',
          actor: { kind: 'user', id: officer, name, role: null },
          source: '127.0.0.1',
          object: { type: 'user', id: officer, name },
          outcome: 'ok',
          reason: null,
          detail: { tokenId: jti, client: 'viewer', family: expect.stringMatching(/^\d+$/), by, expires: exp },
        }),
      ])
      const written = JSON.stringify(entries)
      for (const secret of [code, body['refresh_token'] as string, ...(body['access_token'] as string).split('.')])
        expect(written).not.toContain(secret)
    }
  })

  it('brought again ends what it gave', async () => {
    const { code, verifier } = await codeFrom(page)
    const { body } = await exchange(world, code, verifier)
    expect(await refusal(exchange(world, code, verifier))).toEqual(INVALID)
    expect(await opens(world, body['access_token'] as string)).toBe(401)
    expect(await refusal(refresh(world, body['refresh_token'] as string))).toEqual(INVALID)
    expect(ended()).toEqual([
      expect.objectContaining({ reason: 'codeReused', object: { type: 'user', id: officer, name } }),
    ])
  })

  it.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['a verifier that is too short', { code_verifier: 'x' }],
    ['the challenge as verifier', 'challenge'],
    ['another client', { client_id: 'uploader' }],
    ['a client that is not registered', { client_id: 'stranger' }],
    ['another port', { redirect_uri: 'http://127.0.0.1:51005/callback' }],
    ['no such address', { redirect_uri: 'https://attacker.example/' }],
  ] as const)('with %s gives nothing, and then nothing any more', async (_what, changed) => {
    const { verifier, request } = asking()
    const code = back(await decide(page, request)).get('code') as string
    const wrong =
      changed === 'challenge'
        ? { code_verifier: new URLSearchParams(request).get('code_challenge') as string }
        : changed
    expect(await refusal(exchange(world, code, verifier, wrong))).toEqual(INVALID)
    expect(await refusal(exchange(world, code, verifier))).toEqual(INVALID)
  })

  it('with a verifier that is too short for the standard gives nothing, though its hash is the challenge', async () => {
    const short = 'x'.repeat(42)
    const challenge = createHash('sha256').update(short).digest('base64url')
    const { code } = await codeFrom(page, { code_challenge: challenge })
    expect(await refusal(exchange(world, code, short))).toEqual(INVALID)
  })

  it('counts for 60 seconds, whichever way the clock is set', async () => {
    const [early, late, set] = [await codeFrom(page), await codeFrom(page), await codeFrom(page)]
    world.clock.advance(60 * SECOND - 1)
    expect((await exchange(world, early.code, early.verifier)).status).toBe(200)
    world.clock.advance(1)
    expect(await refusal(exchange(world, late.code, late.verifier))).toEqual(INVALID)
    world.clock.set(world.clock.now() - DAY)
    expect(await refusal(exchange(world, set.code, set.verifier))).toEqual(INVALID)
  })

  it('gives nothing once its person is disabled, has another password, or was locked out since', async () => {
    const disabled = await codeFrom(page)
    await world.enable(officer, false)
    expect(await refusal(exchange(world, disabled.code, disabled.verifier))).toEqual(INVALID)
    await world.enable(officer, true)
    page = world.page()
    await page.signIn(name, PASSWORD)
    const reset = await codeFrom(page)
    await world.db.transaction((tx) =>
      tx.updateTable('principals').set({ password_hash: 'x' }).where('principal_id', '=', Number(officer)).execute(),
    )
    expect(await refusal(exchange(world, reset.code, reset.verifier))).toEqual(INVALID)
  })

  it('that nobody gave is counted in the ledger, by a word that the program is not told', async () => {
    world.clock.advance(10 * 60 * SECOND)
    const refused = await exchange(world, 'guessed', 'x'.repeat(43))
    const { correlationId, body } = refused
    expect(body['error_description']).not.toContain('guessed')
    const entries = await world.entriesOf({ correlationId } as Answer, 1)
    expect(entries).toMatchObject([{ action: 'token.refused', outcome: 'denied', reason: 'code' }])
  })

  it('and what came of it go when they are of no use any more', async () => {
    const { refresh: token } = await letIn(world, page)
    await codeFrom(page)
    world.clock.advance(31 * DAY)
    page = world.page()
    await page.signIn(name, PASSWORD)
    await codeFrom(page)
    const of = (table: 'authorization_codes' | 'token_families') =>
      world.db.read.selectFrom(table).selectAll().where('principal_id', '=', Number(officer)).execute()
    expect([(await of('authorization_codes')).length, (await of('token_families')).length]).toEqual([1, 0])
    expect(await refusal(refresh(world, token))).toEqual(INVALID)
  })

  it('gives nothing when it is forgotten after it was found (S19)', async () => {
    const { code, verifier } = await codeFrom(page)
    world.clock.advance(31 * DAY)
    world.meanwhile(forgetOld)
    expect(await refusal(exchange(world, code, verifier))).toEqual(INVALID)
  })

  it('S2: brought 40 times at once gives one answer, and in the end nothing', async () => {
    const { code, verifier } = await codeFrom(page)
    const all = await Promise.all(Array.from({ length: 40 }, () => exchange(world, code, verifier)))
    const good = all.filter(({ status }) => status === 200)
    expect(good).toHaveLength(1)
    expect(await opens(world, good[0]?.body['access_token'] as string)).toBe(401)
  })
})

describe('a refresh token', () => {
  it('gives the next one, and that the next, for as long as somebody is at work', async () => {
    let { refresh: token } = await letIn(world, page)
    for (let round = 0; round < 3; round++) {
      world.clock.advance(14 * DAY - 1)
      const { status, body } = await refresh(world, token)
      expect([status, await opens(world, body['access_token'] as string)]).toEqual([200, 200])
      expect(body['refresh_token']).not.toBe(token)
      token = body['refresh_token'] as string
    }
    world.clock.advance(14 * DAY)
    expect(await refusal(refresh(world, token))).toEqual(INVALID)
    expect(ended()).toMatchObject([{ reason: 'idle' }])
  })

  it('brought again ends the family: the next one and every access token of it', async () => {
    const first = await letIn(world, page)
    const other = await letIn(world, page)
    const second = (await refresh(world, first.refresh)).body
    expect(await refusal(refresh(world, first.refresh))).toEqual(INVALID)
    expect(await refusal(refresh(world, second['refresh_token'] as string))).toEqual(INVALID)
    for (const token of [first.access, second['access_token'] as string]) expect(await opens(world, token)).toBe(401)
    // What the same person let another program do goes on.
    expect(await opens(world, other.access)).toBe(200)
    expect((await refresh(world, other.refresh)).status).toBe(200)
    expect(ended()).toMatchObject([{ reason: 'reused', detail: { client: 'viewer' } }])
  })

  it('is of no use to another client, nor in other words', async () => {
    const { refresh: token } = await letIn(world, page)
    expect(await refusal(refresh(world, token, 'uploader'))).toEqual(INVALID)
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 60 }), async (guess) => {
        expect(await refusal(refresh(world, guess))).toEqual(INVALID)
      }),
      { numRuns: 20 },
    )
    expect((await refresh(world, token)).status).toBe(200)
  })

  it('gives nothing when it is forgotten after it was found (S19)', async () => {
    const { refresh: token } = await letIn(world, page)
    world.clock.advance(31 * DAY)
    world.meanwhile(forgetOld)
    expect(await refusal(refresh(world, token))).toEqual(INVALID)
  })

  it('a disabled person: their tokens stop, and stay stopped when they are enabled again', async () => {
    const { access, refresh: token } = await letIn(world, page)
    await world.enable(officer, false)
    expect(await opens(world, access)).toBe(401)
    expect(await refusal(refresh(world, token))).toEqual(INVALID)
    await world.enable(officer, true)
    expect([await opens(world, access), await refusal(refresh(world, token))]).toEqual([401, INVALID])
  })

  it('survives a restart; as a given-back one it does not', async () => {
    const { access, refresh: token } = await letIn(world, page)
    world = await world.restart()
    const next = (await refresh(world, token)).body
    // The address changed with the port, and with it the issuer.
    expect(await opens(world, access)).toBe(401)
    expect(await opens(world, next['access_token'] as string)).toBe(200)
    const back = { token: next['refresh_token'] as string, client_id: 'viewer' }
    expect((await post(world, '/connect/revocation', { ...back, client_id: 'uploader' })).status).toBe(200)
    expect(await opens(world, next['access_token'] as string)).toBe(200)
    expect((await post(world, '/connect/revocation', back)).status).toBe(200)
    expect(await opens(world, next['access_token'] as string)).toBe(401)
    expect(await refusal(refresh(world, back.token))).toEqual(INVALID)
    expect((await post(world, '/connect/revocation', { ...back, token: 'unknown' })).status).toBe(200)
    expect((await post(world, '/connect/revocation', { token: 'x' })).status).toBe(400)
    expect((await post(world, '/connect/revocation', { client_id: 'viewer' })).status).toBe(400)
  })

  it('S2: brought 40 times at once gives one answer', async () => {
    const { refresh: token } = await letIn(world, page)
    const all = await Promise.all(Array.from({ length: 40 }, () => refresh(world, token)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(ended()).toHaveLength(1)
  })
})

describe('signing out', () => {
  const end = (query: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${world.url}/connect/endsession?${query}`, {
      redirect: 'manual',
      headers: { cookie: page.cookie ?? '', ...headers },
    })
  it('ends the session of the browser and not what programs were allowed', async () => {
    const { access } = await letIn(world, page)
    const query = new URLSearchParams({ client_id: 'viewer', post_logout_redirect_uri: CALLBACK, state: 'x' })
    const answer = await end(`${query}`)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${CALLBACK}?state=x`])
    expect(answer.headers.get('set-cookie')).toMatch(/Max-Age=0/)
    expect(await page.state()).toBe('none')
    expect(await opens(world, access)).toBe(200)
    expect((await end('')).headers.get('location')).toBe(`${world.url}/`)
  })
  it('leads to no address that is not registered, and is nothing for a picture', async () => {
    const query = new URLSearchParams({ client_id: 'viewer', post_logout_redirect_uri: 'https://attacker.example/' })
    expect((await end(`${query}`)).status).toBe(400)
    const ofAnother = new URLSearchParams({ client_id: 'uploader', post_logout_redirect_uri: CALLBACK })
    expect((await end(`${ofAnother}`)).status).toBe(400)
    expect((await end('', { 'sec-fetch-dest': 'image' })).status).toBe(400)
    expect(await page.state()).toBe('open')
  })
})

describe('another program', () => {
  const insecure = { [oauth.allowInsecureRequests]: true }
  it('oauth4webapi discovers, asks, checks what comes back, is let in and refreshes', async () => {
    world.clock.set(Date.now())
    await page.signIn(name, PASSWORD)
    const issuer = new URL(world.url)
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...insecure })
    const server = await oauth.processDiscoveryResponse(issuer, found)
    expect(server.code_challenge_methods_supported).toEqual(['S256'])
    expect(server.grant_types_supported).toEqual(expect.arrayContaining(['authorization_code', 'refresh_token']))
    expect(server.grant_types_supported).not.toEqual(expect.arrayContaining(['password']))
    expect(server.response_types_supported).toEqual(['code'])
    const client = { client_id: 'viewer' }
    const [verifier, state, nonce] = [
      oauth.generateRandomCodeVerifier(),
      oauth.generateRandomState(),
      oauth.generateRandomNonce(),
    ]
    const { request } = asking({ state, nonce, code_challenge: await oauth.calculatePKCECodeChallenge(verifier) })
    const address = new URL(server.authorization_endpoint as string)
    address.search = request
    const shown = new URL((await fetch(address, { redirect: 'manual' })).headers.get('location') as string)
    const decided = await decide(page, shown.searchParams.get('request') as string)
    const parameters = oauth.validateAuthResponse(server, client, new URL(decided.json.RedirectTo as string), state)
    const answered = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      CALLBACK,
      verifier,
      insecure,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answered, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    const told = await oauth.userInfoRequest(server, client, tokens.access_token, insecure)
    const subject = oauth.getValidatedIdTokenClaims(tokens)?.sub as string
    expect(await oauth.processUserInfoResponse(server, client, subject, told)).toMatchObject({
      name,
      preferred_username: name,
    })
    const renewed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token as string, insecure),
    )
    expect(await opens(world, renewed.access_token)).toBe(200)
    const gone = await oauth.revocationRequest(server, client, oauth.None(), renewed.refresh_token as string, insecure)
    await oauth.processRevocationResponse(gone)
    expect(await opens(world, renewed.access_token)).toBe(401)
  })
})

it('S3: codes, verifiers and tokens are in no database, ledger or log', async () => {
  const { code, verifier } = await codeFrom(page)
  const { body } = await exchange(world, code, verifier)
  const renewed = (await refresh(world, body['refresh_token'] as string)).body
  await refresh(world, body['refresh_token'] as string)
  await exchange(world, code, verifier)
  world = await world.restart()
  const written = await world.written()
  expect(written.includes('authorization.given')).toBe(true)
  const secrets = [code, verifier, ...[body, renewed].flatMap((one) => [one['access_token'], one['refresh_token']])]
  for (const secret of secrets) {
    // Of a token of three parts none may be there.
    for (const part of (secret as string).split('.').filter((one) => one.length > 40)) {
      for (const form of [part, Buffer.from(part).toString('hex'), Buffer.from(part, 'base64url').toString('hex')])
        expect([form.slice(0, 12), written.includes(form)]).toEqual([form.slice(0, 12), false])
    }
  }
})
