import { createPublicKey, randomUUID } from 'node:crypto'
import type { JWK } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Craft,
  craft,
  inDer,
  malleated,
  part,
  respellings,
  type Signer,
  signature,
  signatureOf,
  withSignature,
} from '../../support/assertion.ts'
import { ask, freshKeys, startWorld, type World } from './world.ts'

let world: World
let client: Signer
let other: Signer
/** Nobody knows this key. */
let attacker: Awaited<ReturnType<typeof freshKeys>>
/** Registered for the client beside its RSA key. */
let curve: Awaited<ReturnType<typeof freshKeys>>
let revoked: typeof curve
let expired: typeof curve
let early: typeof curve
let token: string

beforeAll(async () => {
  world = await startWorld()
  client = (await world.integration('records')).signer
  other = (await world.integration('dispatch')).signer
  attacker = await freshKeys('rsa', client.kid)
  curve = await freshKeys('ec', client.kid)
  revoked = await freshKeys('rsa', client.kid)
  expired = await freshKeys('rsa', client.kid)
  early = await freshKeys('rsa', client.kid)
  await world.register(client, curve.jwk)
  await world.register(client, revoked.jwk, { revoked: '2026-11-21T05:00:00.000Z' })
  await world.register(client, expired.jwk, { to: '2026-11-21T05:59:59.000Z' })
  await world.register(client, early.jwk, { from: '2026-11-21T07:00:00.000Z' })
  token = (await ask(world, client.clientId, right())).body['access_token'] as string
})

afterAll(() => world.close())
beforeEach(() => {
  world.entries.length = 0
})

const right = (given: Partial<Craft> = {}): string =>
  craft(client, { audience: world.endpoint, now: world.now(), ...given })
const onCurve = (given: Partial<Craft> = {}): string =>
  right({ header: { alg: 'ES256' }, signWith: curve.privateKey, ...given })
const publicKey = () => createPublicKey(client.privateKey)
const publicJwk = (): JWK => publicKey().export({ format: 'jwk' }) as JWK
const now = (): number => world.now()

/** What is sent, as which client, and the ledger's word for why nothing is given. */
interface Case {
  readonly make: () => string
  readonly as?: () => string
  readonly reason: string
}

const CASES: Readonly<Record<string, Case>> = {
  'alg none without a signature': {
    make: () => `${part({ alg: 'none' })}.${right().split('.')[1]}.`,
    reason: 'malformed',
  },
  'alg none with the right signature': {
    make: () => right({ header: { alg: 'none' }, signAs: 'RS256' }),
    reason: 'algorithm',
  },
  'alg nOnE': { make: () => right({ header: { alg: 'nOnE' }, signAs: 'RS256' }), reason: 'algorithm' },
  'alg missing': { make: () => right({ header: { alg: undefined }, signAs: 'RS256' }), reason: 'algorithm' },
  'alg in small letters': { make: () => right({ header: { alg: 'rs256' }, signAs: 'RS256' }), reason: 'algorithm' },
  'alg an array': { make: () => right({ header: { alg: ['RS256'] }, signAs: 'RS256' }), reason: 'algorithm' },
  'HS256 with the public key as PEM': {
    make: () => right({ header: { alg: 'HS256' }, signWith: publicKey().export({ format: 'pem', type: 'spki' }) }),
    reason: 'algorithm',
  },
  'HS256 with the public key as DER': {
    make: () => right({ header: { alg: 'HS256' }, signWith: publicKey().export({ format: 'der', type: 'spki' }) }),
    reason: 'algorithm',
  },
  'HS256 with the public JWK': {
    make: () => right({ header: { alg: 'HS256' }, signWith: JSON.stringify(publicJwk()) }),
    reason: 'algorithm',
  },
  'HS512 with an empty secret': { make: () => right({ header: { alg: 'HS512' }, signWith: '' }), reason: 'algorithm' },
  'PS512, which is not offered': { make: () => right({ header: { alg: 'PS512' } }), reason: 'algorithm' },
  'RS512 called RS256': { make: () => right({ signAs: 'RS512' }), reason: 'signature' },
  'PS256 called RS256': { make: () => right({ signAs: 'PS256' }), reason: 'signature' },
  'ES256 signed with the RSA key': {
    make: () => right({ header: { alg: 'ES256' }, signAs: 'RS256' }),
    reason: 'signature',
  },
  'RS256 signed with the curve key': {
    make: () => right({ signAs: 'ES256', signWith: curve.privateKey }),
    reason: 'signature',
  },

  jku: { make: () => right({ header: { jku: 'https://attacker.example/keys' } }), reason: 'header' },
  x5u: { make: () => right({ header: { x5u: 'https://attacker.example/chain' } }), reason: 'header' },
  x5c: { make: () => right({ header: { x5c: ['MIIB'] }, signWith: attacker.privateKey }), reason: 'header' },
  'an embedded key that signed it': {
    make: () => right({ header: { jwk: attacker.jwk }, signWith: attacker.privateKey }),
    reason: 'header',
  },
  'an embedded key that is the registered one': {
    make: () => right({ header: { jwk: publicJwk() } }),
    reason: 'header',
  },
  crit: { make: () => right({ header: { crit: ['exp'], exp: 1 } }), reason: 'header' },
  'b64 false': { make: () => right({ header: { b64: false, crit: ['b64'] } }), reason: 'header' },
  'kid a number': { make: () => right({ header: { kid: 1 } }), reason: 'header' },
  'kid of a file, signed by another key': {
    make: () => right({ signWith: attacker.privateKey, header: { kid: '../../../../dev/null' } }),
    reason: 'signature',
  },
  'kid of SQL, signed by another key': {
    make: () => right({ signWith: attacker.privateKey, header: { kid: "' OR 1=1 --" } }),
    reason: 'signature',
  },
  'kid of another client, signed by another key': {
    make: () => right({ signWith: attacker.privateKey, header: { kid: other.kid } }),
    reason: 'signature',
  },
  'kid of another client, who signed it': {
    make: () => right({ header: { kid: other.kid }, signWith: other.privateKey }),
    reason: 'signature',
  },
  'kid __proto__, signed by another key': {
    make: () => right({ signWith: attacker.privateKey, header: { kid: '__proto__' } }),
    reason: 'signature',
  },
  'typ of an access token': { make: () => right({ header: { typ: 'at+jwt' } }), reason: 'type' },
  'typ of something else': { make: () => right({ header: { typ: 'secevent+jwt' } }), reason: 'type' },

  'signed by nobody known': { make: () => right({ signWith: attacker.privateKey }), reason: 'signature' },
  'signed by another client': { make: () => right({ signWith: other.privateKey }), reason: 'signature' },
  'signed by a revoked key': { make: () => right({ signWith: revoked.privateKey }), reason: 'signature' },
  'signed by a key past its validity': { make: () => right({ signWith: expired.privateKey }), reason: 'signature' },
  'signed by a key before its validity': { make: () => right({ signWith: early.privateKey }), reason: 'signature' },
  'a signature of zeros': { make: () => withSignature(right(), Buffer.alloc(384)), reason: 'signature' },
  'a signature of ones': { make: () => withSignature(right(), Buffer.alloc(384, 0xff)), reason: 'signature' },
  'an ES256 signature of zeros': { make: () => withSignature(onCurve(), Buffer.alloc(64)), reason: 'signature' },
  'an ES256 signature as ASN.1': { make: () => inDer(onCurve()), reason: 'signature' },
  'one bit of the signature turned': {
    make: () => {
      const made = right()
      const bytes = signatureOf(made)
      bytes[100] = (bytes[100] as number) ^ 1
      return withSignature(made, bytes)
    },
    reason: 'signature',
  },
  'the payload of one and the signature of another': {
    make: () => withSignature(right(), signatureOf(right())),
    reason: 'signature',
  },
  'truncated in the signature': { make: () => right().slice(0, -8), reason: 'signature' },
  'a byte behind the signature': {
    make: () => {
      const made = right()
      return withSignature(made, Buffer.concat([signatureOf(made), Buffer.from([0])]))
    },
    reason: 'signature',
  },

  'truncated in the payload': { make: () => right().split('.').slice(0, 2).join('.'), reason: 'malformed' },
  'padding behind it': { make: () => `${right()}==`, reason: 'malformed' },
  'a dot behind it': { make: () => `${right()}.`, reason: 'malformed' },
  'a space before it': { make: () => ` ${right()}`, reason: 'malformed' },
  'a line end behind it': { make: () => `${right()}\n`, reason: 'malformed' },
  'a line end in it': { make: () => right().replace('.', '.\r\n'), reason: 'malformed' },
  huge: { make: () => right({ claims: { more: 'x'.repeat(20_000) } }), reason: 'malformed' },
  'a member twice in the header': {
    make: () => right({ rawHeader: '{"alg":"RS256","alg":"RS256"}' }),
    reason: 'malformed',
  },
  'a member twice in the payload': {
    make: () => {
      const id = JSON.stringify(client.clientId)
      const rest = `"aud":"${world.endpoint}","exp":${now() + 60},"jti":"${randomUUID()}"`
      return right({ rawPayload: `{"iss":${id},"sub":${id},${rest},"exp":${now() + 99_999}}` })
    },
    reason: 'malformed',
  },
  'a payload that is no object': { make: () => right({ rawPayload: '[]' }), reason: 'malformed' },
  'a payload that is no JSON': { make: () => right({ rawPayload: 'sub=1' }), reason: 'malformed' },
  'a payload left out': { make: () => right().replace(/\..*\./, '..'), reason: 'malformed' },
  'an encrypted token': { make: () => `${part({ alg: 'dir', enc: 'A256GCM' })}..AA.AA.AA`, reason: 'malformed' },
  'the JSON serialisation': {
    make: () => {
      const [header, payload, made] = right().split('.')
      return JSON.stringify({ protected: header, payload, signature: made })
    },
    reason: 'malformed',
  },
  'an assertion in an assertion': {
    make: () => right({ header: { cty: 'JWT' }, rawPayload: right() }),
    reason: 'malformed',
  },

  'iss of another client': { make: () => right({ claims: { iss: other.clientId } }), reason: 'issuer' },
  'sub of another client': { make: () => right({ claims: { sub: other.clientId } }), reason: 'subject' },
  'iss missing': { make: () => right({ claims: { iss: undefined } }), reason: 'issuer' },
  'sub an array': { make: () => right({ claims: { sub: [client.clientId] } }), reason: 'subject' },
  'client_id of another client': { make: () => right(), as: () => other.clientId, reason: 'issuer' },
  'of another client, who says to be this one': {
    make: () => craft({ ...other, clientId: client.clientId }, { audience: world.endpoint, now: now() }),
    reason: 'signature',
  },
  'the id spelt with a zero before it': {
    make: () => right({ claims: { iss: `0${client.clientId}`, sub: `0${client.clientId}` } }),
    as: () => `0${client.clientId}`,
    reason: 'signature',
  },
  'of another tenant': {
    make: () =>
      right({
        claims: {
          iss: client.clientId.replace('station', 'elsewhere'),
          sub: client.clientId.replace('station', 'elsewhere'),
        },
      }),
    as: () => client.clientId.replace('station', 'elsewhere'),
    reason: 'signature',
  },
  'of a principal that is not there': {
    make: () => right({ claims: { iss: '999@station', sub: '999@station' } }),
    as: () => '999@station',
    reason: 'signature',
  },
  'of a principal that is a group': {
    make: () => right({ claims: { iss: '1@station', sub: '1@station' } }),
    as: () => '1@station',
    reason: 'signature',
  },

  'aud of another station': {
    make: () => right({ audience: 'https://other.example/connect/token' }),
    reason: 'audience',
  },
  'aud of the resources': { make: () => right({ audience: `${world.url}/resources` }), reason: 'audience' },
  'aud with a slash behind it': { make: () => right({ audience: `${world.url}/connect/` }), reason: 'audience' },
  'aud on another port': { make: () => right({ audience: 'http://127.0.0.1:1/connect/token' }), reason: 'audience' },
  'aud that begins like ours': {
    make: () => right({ audience: `${world.url}.attacker.example/connect` }),
    reason: 'audience',
  },
  'aud missing': { make: () => right({ claims: { aud: undefined } }), reason: 'audience' },
  'aud empty': { make: () => right({ claims: { aud: [] } }), reason: 'audience' },
  'several aud, ours among them': {
    make: () => right({ claims: { aud: [world.endpoint, 'https://other.example'] } }),
    reason: 'audience',
  },
  'the right aud twice': {
    make: () => right({ claims: { aud: [world.endpoint, world.endpoint] } }),
    reason: 'audience',
  },
  'aud in an array in an array': { make: () => right({ claims: { aud: [[world.endpoint]] } }), reason: 'audience' },
  'aud an object': { make: () => right({ claims: { aud: { 0: world.endpoint, length: 1 } } }), reason: 'audience' },

  expired: { make: () => right({ claims: { exp: now() - 60 } }), reason: 'expired' },
  'exp more than an hour ahead': { make: () => right({ claims: { exp: now() + 3600 + 61 } }), reason: 'too-far-ahead' },
  'exp in milliseconds': { make: () => right({ claims: { exp: (now() + 60) * 1000 } }), reason: 'too-far-ahead' },
  'exp missing': { make: () => right({ claims: { exp: undefined } }), reason: 'expiry' },
  'exp a string': { make: () => right({ claims: { exp: String(now() + 60) } }), reason: 'expiry' },
  'exp infinite': {
    make: () => {
      const id = JSON.stringify(client.clientId)
      return right({ rawPayload: `{"iss":${id},"sub":${id},"aud":"${world.endpoint}","exp":1e999}` })
    },
    reason: 'expiry',
  },
  'nbf ahead': { make: () => right({ claims: { nbf: now() + 61 } }), reason: 'not-yet' },
  'nbf a string': { make: () => right({ claims: { nbf: '0' } }), reason: 'not-yet' },
  'iat ahead': { make: () => right({ claims: { iat: now() + 61 } }), reason: 'issued-ahead' },
  'jti a number': { make: () => right({ claims: { jti: 7 } }), reason: 'jti' },
  'jti null': { make: () => right({ claims: { jti: null } }), reason: 'jti' },
  'jti empty': { make: () => right({ claims: { jti: '' } }), reason: 'jti' },

  'an access token': { make: () => token, reason: 'type' },
}

describe('S1 assertions', () => {
  it.each(Object.keys(CASES))('%s: nothing', async (name) => {
    const { make, as, reason } = CASES[name] as Case
    const answer = await ask(world, as?.() ?? client.clientId, make())
    expect(answer.body['access_token']).toBeUndefined()
    expect({ status: answer.status, error: answer.body['error'] }).toEqual({ status: 400, error: 'invalid_grant' })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    // Refused for what is wrong with it, and not for something else.
    expect(world.entries).toMatchObject([{ action: 'token.refused', outcome: 'denied', reason, actor: 'anonymous' }])
  })

  it(`are ${Object.keys(CASES).length} cases, and the promise wants 60`, () => {
    expect(Object.keys(CASES).length).toBeGreaterThanOrEqual(60)
  })

  it.each([
    ['RS256', () => right()],
    ['RS384', () => right({ header: { alg: 'RS384' } })],
    ['RS512', () => right({ header: { alg: 'RS512' } })],
    ['PS256', () => right({ header: { alg: 'PS256' } })],
    ['ES256', () => onCurve()],
    ['no kid', () => right({ header: { kid: undefined } })],
    // Decisions 13: a kid that names none of the client's keys says nothing.
    ['kid the client id', () => right({ header: { kid: client.clientId } })],
    ['kid of a file', () => right({ header: { kid: '../../../../dev/null' } })],
    ['kid of another client', () => right({ header: { kid: other.kid } })],
    ['kid __proto__', () => right({ header: { kid: '__proto__' } })],
    ['an empty kid', () => right({ header: { kid: '' } })],
    ['no typ', () => right({ header: { typ: undefined } })],
    ['typ application/jwt', () => right({ header: { typ: 'application/JWT' } })],
    ['aud in an array of one', () => right({ claims: { aud: [world.endpoint] } })],
    ['aud the issuer', () => right({ audience: world.url })],
    ['aud {origin}/connect', () => right({ audience: `${world.url}/connect` })],
    [
      'aud of another name of the station',
      () => right({ audience: `${world.url.replace('127.0.0.1', 'localhost')}/connect/token` }),
    ],
    ['expired within the skew', () => right({ claims: { exp: now() - 59 } })],
    ['an hour ahead', () => right({ claims: { exp: now() + 3600 } })],
    ['nbf within the skew', () => right({ claims: { nbf: now() + 60, iat: now() + 60 } })],
    ['neither jti nor iat', () => right({ claims: { jti: undefined, iat: undefined } })],
  ])('a right one is taken: %s', async (_name, make) => {
    const answer = await ask(world, client.clientId, make())
    expect(answer.body['error_description']).toBeUndefined()
    expect(answer.status).toBe(200)
    expect(world.entries).toMatchObject([{ action: 'token.issued', actor: 'records', outcome: 'ok' }])
  })

  it('the tenant is compared without case, and its spelling gives no second use', async () => {
    const shouted = client.clientId.toUpperCase()
    const jti = randomUUID()
    const make = (id: string) => right({ claims: { iss: id, sub: id, jti } })
    expect((await ask(world, shouted, make(shouted))).status).toBe(200)
    expect((await ask(world, client.clientId, make(client.clientId))).body['error']).toBe('invalid_grant')
    expect(world.entries.map(({ reason }) => reason)).toEqual([undefined, 'replayed'])
  })

  it.each([
    ['the same again', (used: string) => [used]],
    ['its last character spelt otherwise', respellings],
  ])('a used one gets nothing: %s', async (_name, variants) => {
    for (const claims of [{}, { jti: undefined }]) {
      // 64 bytes leave spare bits in the last character; the 384 of the client's RSA key do not.
      const used = onCurve({ claims: { ...claims, nonce: randomUUID() } })
      expect((await ask(world, client.clientId, used)).status).toBe(200)
      const again = variants(used)
      expect(again.length).toBeGreaterThan(0)
      for (const variant of again) expect((await ask(world, client.clientId, variant)).status).toBe(400)
    }
  })

  it('a used jti gets nothing in another assertion, signed by whichever key of the client', async () => {
    const jti = randomUUID()
    expect((await ask(world, client.clientId, right({ claims: { jti } }))).status).toBe(200)
    expect((await ask(world, client.clientId, right({ claims: { jti, exp: now() + 400 } }))).status).toBe(400)
    expect((await ask(world, client.clientId, onCurve({ claims: { jti } }))).status).toBe(400)
    expect(world.entries.map(({ reason }) => reason)).toEqual([undefined, 'replayed', 'replayed'])
    // It is the client's own: another one may use the same text.
    const theirs = craft(other, { audience: world.endpoint, now: now(), claims: { jti } })
    expect((await ask(world, other.clientId, theirs)).status).toBe(200)
  })

  it("ECDSA's second signature of a used one gets nothing", async () => {
    const used = onCurve({ claims: { jti: undefined } })
    expect((await ask(world, client.clientId, used)).status).toBe(200)
    expect((await ask(world, client.clientId, malleated(used))).status).toBe(400)
    expect(world.entries.at(-1)?.reason).toBe('replayed')
    // The variation itself is a right signature: it is the memory that refuses it.
    expect(
      (await ask(world, client.clientId, malleated(onCurve({ claims: { jti: undefined, fresh: 1 } })))).status,
    ).toBe(200)
  })

  it('a new signature of the same claims by the client itself gets nothing', async () => {
    const make = () => right({ header: { alg: 'PS256' }, claims: { jti: undefined, nonce: 'same' } })
    const [one, two] = [make(), make()]
    expect(one).not.toBe(two)
    expect((await ask(world, client.clientId, one)).status).toBe(200)
    expect((await ask(world, client.clientId, two)).status).toBe(400)
  })

  it('a disabled client gets nothing, and again something when it is enabled', async () => {
    const id = client.clientId.split('@')[0] as string
    await world.enable(id, false)
    expect((await ask(world, client.clientId, right())).status).toBe(400)
    expect(world.entries.at(-1)?.reason).toBe('signature')
    await world.enable(id, true)
    expect((await ask(world, client.clientId, right())).status).toBe(200)
  })

  it('a client that is disabled, or its key revoked, after the assertion was checked gets nothing (S19)', async () => {
    const { signer } = await world.integration('leaving')
    const id = signer.clientId.split('@')[0] as string
    const make = () => craft(signer, { audience: world.endpoint, now: now() })
    const refused = async () => {
      const { status, body } = await ask(world, signer.clientId, make())
      return [status, body['error'], world.entries.at(-1)?.reason]
    }
    world.meanwhile(() => world.enable(id, false))
    expect(await refused()).toEqual([400, 'invalid_grant', 'signature'])
    await world.enable(id, true)
    expect((await ask(world, signer.clientId, make())).status).toBe(200)
    world.meanwhile(() =>
      world.database.transaction((tx) =>
        tx
          .updateTable('service_keys')
          .set({ revoked_utc: '2026-11-21T06:00:00.000Z' })
          .where('principal_id', '=', Number(id))
          .execute(),
      ),
    )
    expect(await refused()).toEqual([400, 'invalid_grant', 'signature'])
    expect(world.entries.filter(({ action }) => action === 'token.issued')).toHaveLength(1)
  })

  it('the signing helper and the station agree on what a signature is', () => {
    const input = `${part({})}.${part({})}`
    expect(signature('ES256', input, curve.privateKey)).toHaveLength(64)
  })
})
