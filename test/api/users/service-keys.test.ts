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
