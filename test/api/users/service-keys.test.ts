/** Public keys that integrations make themselves (decisions 2 and 9): registered, used, and refused where they are of no use. */
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { type UsersWorld, usersWorld } from './world.ts'

let world: UsersWorld
let made: { service: Json; connection: Json }
beforeAll(async () => {
  world = await usersWorld()
  made = await world.service({})
})
afterAll(() => world?.given.close())

const register = (body: Json) => world.send('POST', `/services/${made.service.PrincipalId}/register-key`, body)
const rsa = (bits = 2048) => {
  const pair = generateKeyPairSync('rsa', { modulusLength: bits })
  return { open: pair.publicKey.export({ format: 'jwk' }), secret: pair.privateKey.export({ format: 'jwk' }) }
}

it('a key of its own obtains tokens beside the one that the station made', async () => {
  const { open, secret } = rsa()
  const reply = await register({ Key: open })
  expect([reply.status, reply.json.Keys.length]).toEqual([200, 2])
  const own = {
    ...made.connection,
    ServicePrincipalKey: { ...secret, kid: made.connection.ServicePrincipalKey.kid } as Json,
  }
  for (const connection of [own, made.connection])
    expect(await signIn(connection, world.given.url)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
})

it.each([
  ['private members', () => rsa().secret],
  ['1,024 bits', () => rsa(1024).open],
  ['another kind', () => ({ kty: 'oct', k: 'AAAA' })],
  ['another curve', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' })],
  ['a broken modulus', () => ({ ...rsa().open, n: '!' })],
  ['nothing', () => ({})],
])('a key with %s is refused', async (_what, key) => {
  await world.refused(register({ Key: key() }), 400, 'InvalidJsonWebKeys')
})

it.each([
  ['past', { ExpiresUtc: '2020-01-01T00:00:00Z' }],
  ['before it begins', { NotBeforeUtc: '2098-01-01T00:00:00Z', ExpiresUtc: '2097-01-01T00:00:00Z' }],
])('an end that is %s is refused', async (_when, validity) => {
  await world.refused(register({ Key: rsa().open, ...validity }), 400, 'InvalidJsonWebKeyValidityPeriod')
})

it('a key obtains nothing before it begins', async () => {
  const { open, secret } = rsa()
  const fresh = await world.service({})
  await world.given.expecting(
    200,
    world.send('POST', `/services/${fresh.service.PrincipalId}/register-key`, {
      Key: open,
      NotBeforeUtc: '2098-01-01T00:00:00Z',
    }),
  )
  const own = {
    ...fresh.connection,
    ServicePrincipalKey: { ...secret, kid: fresh.connection.ServicePrincipalKey.kid } as Json,
  }
  await expect(signIn(own, world.given.url)).rejects.toThrow()
})

it.each([
  ['exp is past', { nbf: '2000-01-01T00:00:00', exp: '2001-01-01T00:00:00' }, {}],
  ['exp is past, in seconds', { exp: 978_307_200 }, {}],
  ['exp is before nbf', { nbf: '2098-01-01T00:00:00Z', exp: '2097-01-01T00:00:00Z' }, {}],
  ['exp is no time', { exp: 'some day' }, {}],
  ['nbf is no time', { nbf: {} }, {}],
  [
    'exp is before the NotBeforeUtc beside it',
    { exp: '2097-01-01T00:00:00Z' },
    { NotBeforeUtc: '2098-01-01T00:00:00Z' },
  ],
  ['nbf is after the ExpiresUtc beside it', { nbf: '2098-01-01T00:00:00Z' }, { ExpiresUtc: '2097-01-01T00:00:00Z' }],
])('W7: a key whose %s is refused', async (_what, members, beside) => {
  await world.refused(
    register({ Key: { ...rsa().open, ...members }, ...beside }),
    400,
    'InvalidJsonWebKeyValidityPeriod',
  )
})

it('W7: exp and nbf inside a key count, the narrower bound wins, and 0001-01-01T00:00:00 means not set', async () => {
  const fresh = await world.service({})
  const registered = async (members: Json, beside: Json = {}): Promise<Json> =>
    (
      await world.given.expecting(
        200,
        world.send('POST', `/services/${fresh.service.PrincipalId}/register-key`, {
          Key: { ...rsa().open, ...members },
          ...beside,
        }),
      )
    ).Keys[0].ExpiresUtc
  expect(await registered({ exp: '2097-01-01T00:00:00' })).toBe('2097-01-01T00:00:00Z')
  expect(await registered({ exp: '2097-01-01T00:00:00Z' }, { ExpiresUtc: '2096-01-01T00:00:00Z' })).toBe(
    '2096-01-01T00:00:00Z',
  )
  expect(await registered({ exp: 4_000_000_000 }, { ExpiresUtc: '2098-01-01T00:00:00Z' })).toBe(
    '2096-10-02T07:06:40.000Z',
  )
  const notSet = '0001-01-01T00:00:00'
  expect(await registered({ nbf: notSet, exp: notSet }, { NotBeforeUtc: notSet, ExpiresUtc: notSet })).toBeNull()
  expect(await registered({ nbf: null, exp: null })).toBeNull()

  const { open, secret } = rsa()
  const begins = { ...open, nbf: '2098-01-01T00:00:00Z' }
  await world.given.expecting(
    200,
    world.send('POST', `/services/${fresh.service.PrincipalId}/register-key`, { Key: begins }),
  )
  const early = { ...fresh.connection, ServicePrincipalKey: { ...secret, kid: 'any' } as Json }
  await expect(signIn(early, world.given.url)).rejects.toThrow()
})

it('W4: an integration has at most ten keys that count, since each may be tried for one assertion', async () => {
  const fresh = await world.service({})
  const { open } = rsa()
  const one = () => world.send('POST', `/services/${fresh.service.PrincipalId}/register-key`, { Key: open })
  for (let keys = 1; keys < 10; keys++) await world.given.expecting(200, one())
  await world.refused(one(), 400, 'InvalidModel')
})
