import { createPublicKey, type KeyObject, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Fault } from '../../../shared/kernel/errors.ts'
import {
  craft,
  part,
  respellings,
  type Signer,
  signature,
  signatureOf,
  withSignature,
} from '../../support/assertion.ts'
import { ask, CALL, freshKeys, startWorld, type World } from './world.ts'

let world: World
let client: Signer
let token: string
let attacker: Awaited<ReturnType<typeof freshKeys>>

beforeAll(async () => {
  world = await startWorld()
  client = (await world.integration('records')).signer
  attacker = await freshKeys('rsa', world.keys.current().kid)
  token = await issue()
})
afterAll(() => world.close())

async function issue(): Promise<string> {
  const answer = await ask(world, client.clientId, craft(client, { audience: world.endpoint, now: world.now() }))
  return answer.body['access_token'] as string
}

const decoded = (index: 0 | 1, text = token): Record<string, unknown> =>
  JSON.parse(Buffer.from(text.split('.')[index] as string, 'base64url').toString('utf8')) as Record<string, unknown>

/** A token by the station's own key (what a mistake elsewhere in the station could sign), or another one. */
function forged(
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
  key: KeyObject | Buffer | string = world.keys.current().privateKey,
): string {
  const input = `${part({ ...decoded(0), ...header })}.${part({ ...decoded(1), jti: randomUUID(), ...claims })}`
  const alg = String(header['alg'] ?? 'RS256')
  return `${input}.${(alg === 'none' ? Buffer.alloc(8) : signature(alg, input, key)).toString('base64url')}`
}

const publicPem = () => createPublicKey(world.keys.current().privateKey).export({ format: 'pem', type: 'spki' })

const CASES: Readonly<Record<string, { make: () => string; reason: string }>> = {
  'of another issuer': { make: () => forged({ iss: 'https://other.example' }), reason: 'issuer' },
  'without an issuer': { make: () => forged({ iss: undefined }), reason: 'issuer' },
  'for another audience': { make: () => forged({ aud: 'https://other.example/resources' }), reason: 'audience' },
  'for the token endpoint': { make: () => forged({ aud: world.endpoint }), reason: 'audience' },
  'for two audiences': {
    make: () => forged({ aud: [`${world.url}/resources`, 'https://other.example'] }),
    reason: 'audience',
  },
  expired: { make: () => forged({ exp: world.now() }), reason: 'expired' },
  'without exp': { make: () => forged({ exp: undefined }), reason: 'expired' },
  'issued ahead': { make: () => forged({ iat: world.now() + 61 }), reason: 'issued-ahead' },
  'without iat': { make: () => forged({ iat: undefined }), reason: 'issued-ahead' },
  'of a session that is no number': { make: () => forged({ sid: '1 OR 1' }), reason: 'members' },
  'of a program that nobody let in (S19)': { make: () => forged({ sid: '999' }), reason: 'ended' },
  'an id token': { make: () => forged({ aud: client.clientId, nonce: 'n' }, { typ: 'JWT' }), reason: 'type' },
  'typ JWT': { make: () => forged({}, { typ: 'JWT' }), reason: 'type' },
  'without typ': { make: () => forged({}, { typ: undefined }), reason: 'type' },
  'an assertion of the client': {
    make: () => craft(client, { audience: world.endpoint, now: world.now() }),
    reason: 'type',
  },
  'an assertion that calls itself an access token': {
    make: () =>
      craft(client, {
        audience: `${world.url}/resources`,
        now: world.now(),
        header: { typ: 'at+jwt' },
        claims: decoded(1),
      }),
    reason: 'key',
  },
  'alg none': { make: () => forged({}, { alg: 'none' }), reason: 'key' },
  'HS256 with the public key': { make: () => forged({}, { alg: 'HS256' }, publicPem()), reason: 'key' },
  'RS512 by the right key': { make: () => forged({}, { alg: 'RS512' }), reason: 'key' },
  'a key that is not published': { make: () => forged({}, { kid: 'key-9' }, attacker.privateKey), reason: 'key' },
  'kid __proto__': { make: () => forged({}, { kid: '__proto__' }), reason: 'key' },
  'without kid': { make: () => forged({}, { kid: undefined }), reason: 'key' },
  'another key under our kid': { make: () => forged({}, {}, attacker.privateKey), reason: 'signature' },
  'an embedded key': { make: () => forged({}, { jwk: attacker.jwk }, attacker.privateKey), reason: 'signature' },
  crit: { make: () => forged({}, { crit: ['x'], x: 1 }), reason: 'signature' },
  'of a principal that is not there': { make: () => forged({ primaryid: '999' }), reason: 'principal' },
  'of another principal by number': { make: () => forged({ primaryid: '1' }), reason: 'principal' },
  'of another principal by KId': {
    make: () => forged({ primarykid: 'urn:user:station:chief:2' }),
    reason: 'principal',
  },
  'of another tenant': { make: () => forged({ tenantid: 'elsewhere' }), reason: 'principal' },
  'primaryid a number': { make: () => forged({ primaryid: 2 }), reason: 'members' },
  'another payload under the signature': {
    make: () => withSignature(forged({ primaryid: '1' }), signatureOf(token)),
    reason: 'signature',
  },
  truncated: { make: () => token.slice(0, -6), reason: 'signature' },
  'its last character spelt otherwise': { make: () => respellings(token)[0] as string, reason: 'malformed' },
  padded: { make: () => `${token}==`, reason: 'malformed' },
  'a member twice': {
    make: () => {
      const input = `${part(decoded(0))}.${part(`${JSON.stringify(decoded(1)).slice(0, -1)},"primaryid":"1"}`)}`
      return `${input}.${signature('RS256', input, world.keys.current().privateKey).toString('base64url')}`
    },
    reason: 'malformed',
  },
  nothing: { make: () => '', reason: 'malformed' },
}

describe('S1 access tokens', () => {
  it.each(Object.keys(CASES))('%s: nothing', async (name) => {
    const { make, reason } = CASES[name] as { make: () => string; reason: string }
    const refusal = await world.tokens.verifyAccessToken(make()).then(
      () => null,
      (error: unknown) => error,
    )
    expect(refusal).toBeInstanceOf(Fault)
    expect(refusal).toMatchObject({ code: 'Unauthorized', reason })
    expect((refusal as Fault).message).not.toContain(reason === 'malformed' ? 'eyJ' : make())
  })

  it('holds exactly the members of decisions 9', () => {
    const id = client.clientId.split('@')[0] as string
    expect(decoded(0)).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: world.keys.current().kid })
    expect(decoded(1)).toEqual({
      iss: world.url,
      aud: `${world.url}/resources`,
      sub: client.clientId,
      client_id: client.clientId,
      iat: world.now(),
      exp: world.now() + 3600,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      tenantid: 'station',
      primaryid: id,
      primarykid: `urn:service:station:records:${id}`,
      primarytype: 'service',
      groups: [],
    })
  })

  it('says whom it speaks for', async () => {
    expect(await world.tokens.verifyAccessToken(token)).toEqual({
      kind: 'service',
      id: client.clientId.split('@')[0],
      name: 'records',
      kId: client.kid,
      tenantId: 'station',
      guest: false,
      clientId: client.clientId,
      tokenId: decoded(1)['jti'],
      expiresAt: (world.now() + 3600) * 1000,
    })
    const response = await fetch(`${world.url}/connect/userinfo`, { headers: { authorization: `Bearer ${token}` } })
    expect(await response.json()).toEqual({ sub: client.clientId, name: 'records' })
    expect((await fetch(`${world.url}/connect/userinfo`)).status).toBe(401)
  })

  it('names the groups of the principal', async () => {
    const { connection } = await world.users.createIntegration(CALL, {
      name: 'grouped',
      baseUrl: world.url,
      group: 'Patrol',
    })
    const { signerOf } = await import('../../support/assertion.ts')
    const answer = await ask(
      world,
      `${connection.ServicePrincipalId}@station`,
      craft(signerOf(connection), { audience: world.endpoint, now: world.now() }),
    )
    const group = await world.database.read
      .selectFrom('principals')
      .select('principal_id')
      .where('name', '=', 'Patrol')
      .executeTakeFirstOrThrow()
    expect(decoded(1, answer.body['access_token'])['groups']).toEqual([String(group.principal_id)])
  })

  it("a disabled principal's tokens stop at once, and work again when it is enabled", async () => {
    const id = client.clientId.split('@')[0] as string
    await world.enable(id, false)
    await expect(world.tokens.verifyAccessToken(token)).rejects.toMatchObject({
      code: 'Unauthorized',
      reason: 'principal',
    })
    expect(
      (await fetch(`${world.url}/connect/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status,
    ).toBe(401)
    await world.enable(id, true)
    await expect(world.tokens.verifyAccessToken(token)).resolves.toMatchObject({ name: 'records' })
  })

  it('S19: says nothing of somebody who was removed since the token was read', async () => {
    const removed = { kind: 'service', id: '999999', name: 'removed', kId: '' } as const
    await expect(world.tokens.userInfo(removed)).rejects.toMatchObject({ code: 'Unauthorized', reason: 'principal' })
  })

  it('outlives a rotation of the key, and new ones are signed by the new key', async () => {
    const before = world.keys.current().kid
    await world.keys.rotate()
    await expect(world.tokens.verifyAccessToken(token)).resolves.toMatchObject({ name: 'records' })
    const fresh = await issue()
    expect(decoded(0, fresh)['kid']).toBe(world.keys.current().kid)
    expect(world.keys.current().kid).not.toBe(before)
    await expect(world.tokens.verifyAccessToken(fresh)).resolves.toMatchObject({ name: 'records' })
  })

  it('ends after an hour', async () => {
    const fresh = await issue()
    world.clock.advance(3599_000)
    await expect(world.tokens.verifyAccessToken(fresh)).resolves.toMatchObject({ name: 'records' })
    world.clock.advance(1_000)
    await expect(world.tokens.verifyAccessToken(fresh)).rejects.toMatchObject({ reason: 'expired' })
  })
})
