import { generateKeyPairSync } from 'node:crypto'
import { exportJWK, type JWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { ACCESS_TOKEN_LIFE, accessTokenChecker, newAccessToken, signAccessToken } from './access-token.ts'

const ISSUER = 'http://127.0.0.1:1'
const NOW = 1_800_000_000
const member = {
  principal_id: 7,
  tenant_id: 'station',
  kind: 'service',
  name: 'records',
  k_id: 'urn:service:station:records:7',
  guest: 0,
  first_name: '',
  last_name: '',
}

async function world() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let published: JWK[] = [{ ...(await exportJWK(publicKey)), kid: 'a', alg: 'RS256' }]
  const keys = { current: () => ({ kid: 'a', privateKey }), all: () => published, refresh: async () => {} }
  const claims = newAccessToken({ member, clientId: '7@station', groups: ['1'] }, ISSUER, NOW)
  return {
    check: accessTokenChecker(keys),
    token: await signAccessToken(claims, keys),
    withdraw: () => {
      published = []
    },
  }
}

it('S1: the keys of other nodes are looked up for a key that is unknown here, and a token of nobody stays refused', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid: 'a', alg: 'RS256' }
  let here: JWK[] = []
  let lookUps = 0
  const refresh = async (): Promise<void> => {
    lookUps += 1
    here = [jwk]
  }
  const keys = { current: () => ({ kid: 'a', privateKey }), all: () => here, refresh }
  const claims = newAccessToken({ member, clientId: '7@station', groups: [] }, ISSUER, NOW)
  const check = accessTokenChecker(keys)
  const token = await signAccessToken(claims, keys)
  expect(await check(token, ISSUER, NOW)).toMatchObject({ claims: { primaryid: '7' } })
  expect(await check(await signAccessToken(claims, keys), ISSUER, NOW)).toMatchObject({ claims: { primaryid: '7' } })
  expect(lookUps).toBe(1)
  const unknown = { ...keys, current: () => ({ kid: 'b', privateKey }) }
  expect(await check(await signAccessToken(claims, unknown), ISSUER, NOW)).toEqual({ reason: 'key' })
  expect(lookUps).toBe(2)
})

describe('a token whose signature was checked before', () => {
  it('says the same as the first time', async () => {
    const { check, token } = await world()
    const first = await check(token, ISSUER, NOW)
    expect(first).toMatchObject({ claims: { primaryid: '7', client_id: '7@station' } })
    expect(await check(token, ISSUER, NOW)).toEqual(first)
  })

  it('S1: is refused once it has run out, was issued ahead, or names another issuer', async () => {
    const { check, token } = await world()
    await check(token, ISSUER, NOW)
    expect(await check(token, ISSUER, NOW + ACCESS_TOKEN_LIFE)).toEqual({ reason: 'expired' })
    expect(await check(token, ISSUER, NOW - 61)).toEqual({ reason: 'issued-ahead' })
    expect(await check(token, 'http://127.0.0.1:2', NOW)).toEqual({ reason: 'issuer' })
    expect(await check(token, ISSUER, NOW)).toHaveProperty('claims')
  })

  it('S1: is refused once its key was withdrawn', async () => {
    const { check, token, withdraw } = await world()
    await check(token, ISSUER, NOW)
    withdraw()
    expect(await check(token, ISSUER, NOW)).toEqual({ reason: 'key' })
  })

  it('S1: lets no other token pass that differs by its signature alone', async () => {
    const { check, token } = await world()
    await check(token, ISSUER, NOW)
    const other = `${token.slice(0, -4)}${token.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`
    expect(await check(other, ISSUER, NOW)).not.toHaveProperty('claims')
  })
})
