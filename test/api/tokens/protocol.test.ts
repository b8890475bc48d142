import { execFile } from 'node:child_process'
import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asConnection, fetchToken, TokenRefused } from '../../../server/bin/token-client.ts'
import { craft, type Signer, signatureOf } from '../../support/assertion.ts'
import { temporaryFolder } from '../../support/station.ts'
import { ask, JWT_BEARER, startWorld, type World } from './world.ts'

let world: World
let client: Signer
let connection: Awaited<ReturnType<World['integration']>>['connection']

beforeAll(async () => {
  world = await startWorld()
  // Clients of others use the machine's clock.
  world.clock.set(Date.now())
  ;({ signer: client, connection } = await world.integration('records'))
})
afterAll(() => world.close())
beforeEach(() => {
  world.clock.set(Date.now())
  world.entries.length = 0
})

const right = (): string => craft(client, { audience: world.endpoint, now: world.now() })
const insecure = { [oauth.allowInsecureRequests]: true }

describe('the token endpoint', () => {
  it('answers as RFC 6749 5.1 has it', async () => {
    const { status, headers, body } = await ask(world, client.clientId, right())
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'token_type'])
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('pragma')).toBe('no-cache')
    expect(headers.get('x-correlation-id')).toBeTruthy()
  })

  it('answers at /connect/Token, and takes JSON', async () => {
    const body = JSON.stringify({ grant_type: JWT_BEARER, client_id: client.clientId, assertion: right() })
    const response = await fetch(`${world.url}/connect/Token`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(response.status).toBe(200)
  })

  it.each([
    ['no body', '', 'invalid_request'],
    ['no grant', 'assertion=x&client_id=2%40station', 'invalid_request'],
    ['no assertion', `grant_type=${JWT_BEARER}&client_id=2%40station`, 'invalid_request'],
    ['an empty assertion', `grant_type=${JWT_BEARER}&client_id=2%40station&assertion=`, 'invalid_request'],
    ['no client_id', `grant_type=${JWT_BEARER}&assertion=x`, 'invalid_request'],
    [
      'two client_ids',
      `grant_type=${JWT_BEARER}&assertion=x&client_id=2%40station&client_id=3%40station`,
      'invalid_request',
    ],
    ['two grants', `grant_type=${JWT_BEARER}&grant_type=password`, 'invalid_request'],
    ['client credentials', 'grant_type=client_credentials&client_id=2%40station', 'unsupported_grant_type'],
    ['a password', 'grant_type=password&username=chief&password=x', 'unsupported_grant_type'],
    [
      'a code without its verifier',
      'grant_type=authorization_code&code=x&client_id=a&redirect_uri=b',
      'invalid_request',
    ],
    [
      'a code without its client',
      'grant_type=authorization_code&code=x&code_verifier=a&redirect_uri=b',
      'invalid_request',
    ],
    [
      'a code without its address',
      'grant_type=authorization_code&code=x&code_verifier=a&client_id=b',
      'invalid_request',
    ],
    ['no refresh token', 'grant_type=refresh_token&client_id=a', 'invalid_request'],
    ['a refresh token of no client', 'grant_type=refresh_token&refresh_token=x', 'invalid_request'],
    ['a device code', 'grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=a', 'unsupported_grant_type'],
    ['a grant by the name of what every object has', 'grant_type=constructor&client_id=a', 'unsupported_grant_type'],
    ['more than fits', `grant_type=${JWT_BEARER}&assertion=${'x'.repeat(70_000)}`, 'invalid_request'],
  ])('refuses %s in the terms of RFC 6749 5.2', async (_name, body, error) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await fetch(world.endpoint, { method: 'POST', body, headers })
    expect(response.status).toBe(400)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const answer = (await response.json()) as Record<string, string>
    expect(Object.keys(answer).sort()).toEqual(['error', 'error_description'])
    expect(answer['error']).toBe(error)
    // RFC 6749 5.2: printable ASCII without quote and backslash.
    expect(answer['error_description']).toMatch(/^[ !#-[\]-~]+$/)
    expect(world.entries).toMatchObject([{ action: 'token.refused', outcome: 'denied' }])
  })

  it.each([
    ['text/plain', 'x'],
    ['application/json', '[]'],
    ['application/json', '{'],
    ['multipart/form-data; boundary=x', '--x--'],
  ])('refuses a body of %s', async (type, body) => {
    const response = await fetch(world.endpoint, { method: 'POST', body, headers: { 'content-type': type } })
    expect([400, 415]).toContain(response.status)
    expect(await response.json()).toHaveProperty('error', 'invalid_request')
  })

  it('refuses a body without end while it still comes in', async () => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('assertion=x'.repeat(1000))),
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const sent = fetch(world.endpoint, { method: 'POST', body: endless, headers, duplex: 'half' } as RequestInit)
    // The refusal may be lost with the connection that carries it; what counts is that nobody reads on.
    const status = await sent.then(
      (response) => response.status,
      () => 400,
    )
    expect(status).toBe(400)
    expect(world.entries).toMatchObject([{ action: 'token.refused', reason: 'too-large' }])
  })

  it('takes nothing from the address, and no other method', async () => {
    const query = new URLSearchParams({ grant_type: JWT_BEARER, client_id: client.clientId, assertion: right() })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await fetch(`${world.endpoint}?${query}`, { method: 'POST', headers })).status).toBe(400)
    expect((await fetch(`${world.endpoint}?${query}`)).status).toBe(405)
  })

  it('writes neither assertion nor token into the ledger', async () => {
    const assertion = right()
    const { body } = await ask(world, client.clientId, assertion)
    await ask(world, client.clientId, assertion)
    const written = JSON.stringify(world.entries)
    expect(world.entries.map(({ action }) => action)).toEqual(['token.issued', 'token.refused'])
    for (const secret of [assertion, body['access_token'] as string, signatureOf(assertion).toString('hex')]) {
      for (const piece of secret.split('.')) expect(written).not.toContain(piece)
    }
  })
})

describe('other programs', () => {
  it('oauth4webapi discovers the service, gets a token, and finds it sound (RFC 9068)', async () => {
    const issuer = new URL(world.url)
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...insecure })
    const server = await oauth.processDiscoveryResponse(issuer, found)
    expect(server.grant_types_supported).toContain(JWT_BEARER)
    const application = { client_id: client.clientId }
    const answered = await oauth.genericTokenEndpointRequest(
      server,
      application,
      oauth.None(),
      JWT_BEARER,
      { assertion: right() },
      insecure,
    )
    const { access_token: token } = await oauth.processGenericTokenEndpointResponse(server, application, answered)
    const request = new Request(`${world.url}/api/v1/case/station`, { headers: { authorization: `Bearer ${token}` } })
    const claims = await oauth.validateJwtAccessToken(server, request, `${world.url}/resources`, insecure)
    expect(claims).toMatchObject({ client_id: client.clientId, sub: client.clientId, primarytype: 'service' })
    const told = await oauth.userInfoRequest(server, application, token, insecure)
    expect(await oauth.processUserInfoResponse(server, application, claims.sub, told)).toMatchObject({
      name: 'records',
    })
  })

  it('oauth4webapi is told why it gets none', async () => {
    const server = await oauth.processDiscoveryResponse(
      new URL(world.url),
      await oauth.discoveryRequest(new URL(world.url), insecure),
    )
    const application = { client_id: client.clientId }
    const answered = await oauth.genericTokenEndpointRequest(
      server,
      application,
      oauth.None(),
      JWT_BEARER,
      { assertion: 'x' },
      insecure,
    )
    await expect(oauth.processGenericTokenEndpointResponse(server, application, answered)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('the document is the same under /connect, with addresses on the name that was asked', async () => {
    const read = async (url: string) => (await (await fetch(url)).json()) as Record<string, string>
    const root = await read(`${world.url}/.well-known/openid-configuration`)
    expect(await read(`${world.url}/connect/.well-known/openid-configuration`)).toEqual(root)
    const byName = await read(`${world.url.replace('127.0.0.1', 'localhost')}/.well-known/openid-configuration`)
    expect(byName['issuer']).toBe(world.url)
    expect(byName['token_endpoint']).toBe(`${world.url.replace('127.0.0.1', 'localhost')}/connect/token`)
  })

  it('the published keys hold nothing private', async () => {
    const { jwks_uri: address } = (await (
      await fetch(`${world.url}/.well-known/openid-configuration`)
    ).json()) as Record<string, string>
    const { keys } = (await (await fetch(address as string)).json()) as { keys: Record<string, unknown>[] }
    expect(keys.length).toBeGreaterThan(0)
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })

  it('openssl verifies a token with the published key', async () => {
    const token = (await ask(world, client.clientId, right())).body['access_token'] as string
    const [header, payload] = token.split('.') as [string, string]
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as { kid: string }
    const { keys } = (await (await fetch(`${world.url}/connect/.well-known/jwks`)).json()) as {
      keys: (JsonWebKey & { kid: string })[]
    }
    const key = keys.find((published) => published.kid === kid) as JsonWebKey
    const { dir, dispose } = await temporaryFolder('openssl')
    const at = (name: string): string => path.join(dir, name)
    try {
      await writeFile(at('key.pem'), createPublicKey({ key, format: 'jwk' }).export({ format: 'pem', type: 'spki' }))
      await writeFile(at('signature'), signatureOf(token))
      const verify = async (input: string): Promise<string> => {
        await writeFile(at('input'), input)
        const words = ['dgst', '-sha256', '-verify', at('key.pem'), '-signature', at('signature'), at('input')]
        return promisify(execFile)('openssl', words).then(
          ({ stdout }) => stdout.trim(),
          ({ stdout }: { stdout: string }) => stdout.trim().split('\n')[0] ?? '',
        )
      }
      expect(await verify(`${header}.${payload}`)).toBe('Verified OK')
      expect(await verify(`${header}.${payload}x`)).toMatch(/verification failure/i)
    } finally {
      await dispose()
    }
  })

  it('the command line gets a token from a connection file alone', async () => {
    const answer = await fetchToken(JSON.parse(JSON.stringify(connection)))
    expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
    await expect(world.tokens.verifyAccessToken(answer.access_token)).resolves.toMatchObject({ name: 'records' })
  })

  it('the command line says what is wrong with a file, and what the service said', async () => {
    expect(() => asConnection({ TenantId: 'station', SecurityTokenServiceBaseAddresses: [] })).toThrow(
      'ServicePrincipalId, ServicePrincipalKey, SecurityTokenServiceBaseAddresses',
    )
    const stranger = await fetchToken({ ...connection, ServicePrincipalId: '999' }).catch((error: unknown) => error)
    expect(stranger).toBeInstanceOf(TokenRefused)
    expect(stranger).toMatchObject({ status: 400, error: 'invalid_grant' })
  })
})
