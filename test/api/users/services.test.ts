/** Integrations over HTTP (decisions 3, 9): the connection file is handed out once, keys are replaced, a disabled one stops at once. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { fileOfRows } from '../../support/rows.ts'
import { BASE, fresh, type UsersWorld, usersWorld } from './world.ts'

let world: UsersWorld
beforeAll(async () => {
  world = await usersWorld()
})
afterAll(() => world?.given.close())

const works = async (token: string): Promise<number> =>
  (await world.given.call('GET', '/api/v1/category/station', { token })).status
const tokenOf = (connection: Json): Promise<string> => signIn(connection, world.given.url)
const apiKeys = (id: string): Json[] =>
  world.given.database((db) =>
    db
      .prepare('SELECT key_hash, revoked_utc, expires_utc FROM api_keys WHERE principal_id = ? ORDER BY 1')
      .all(Number(id)),
  ) as Json[]

describe('a connection file', () => {
  it('is in the answer of the creation, works, and is kept nowhere', async () => {
    const { service, connection, token } = await world.service({
      BaseUrl: 'https://station.example:7443',
      Policies: [{ Policy: 'PushCadEvents' }],
    })
    expect(service).toMatchObject({
      BaseUrl: 'https://station.example:7443',
      Enabled: true,
      Policies: [{ Policy: 'PushCadEvents', Level: null, Through: null }],
      Keys: [{ Thumbprint: expect.stringMatching(/^[\w-]{43}$/), ExpiresUtc: null }],
      ApiKeys: [{ ExpiresUtc: null }],
    })
    expect(connection.SecurityTokenServiceBaseAddresses).toEqual(['https://station.example:7443/connect'])
    expect(await works(token)).toBe(200)
    const { d, p, q } = connection.ServicePrincipalKey
    await fileOfRows(world.given.file)
    const kept = (readdirSync(world.given.data, { recursive: true }) as string[])
      .map((name) => path.join(world.given.data, name))
      .filter((file) => statSync(file).isFile())
    expect(kept.length).toBeGreaterThan(5)
    for (const secret of [d, p, q, connection['APIKey']] as string[])
      for (const file of kept) expect(readFileSync(file).includes(secret), file).toBe(false)
    const read = await world.send('GET', `/services/${service.PrincipalId}`)
    expect(read.json).toEqual(service)
  })

  it('is not given twice for one Idempotency-Key: the repeat says so', async () => {
    const body = { Name: fresh('service') }
    const first = await world.send('POST', '/services', body, { key: 'service-1' })
    expect([first.status, first.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(await works(await tokenOf(first.json.Connection))).toBe(200)
    const again = await world.send('POST', '/services', body, { key: 'service-1' })
    expect([again.status, again.json]).toEqual([201, { Service: first.json.Service, Connection: null }])
    await world.refused(world.send('POST', '/services', body), 409, 'NameTaken')
  })

  it('names the address of the request, or the one that was sent, which must be an origin', async () => {
    const { connection } = await world.service()
    expect(connection['ApiBaseAddresses']).toEqual([world.given.url])
    for (const BaseUrl of ['station.example', 'ftp://station.example', 'https://station.example/path', ''])
      await world.refused(world.send('POST', '/services', { Name: fresh(), BaseUrl }), 400, 'InvalidModel')
    const { Details } = await world.refused(
      world.send('POST', '/services', { Name: fresh(), Policies: [{ Policy: 'CreateCases', Level: 'View' }] }),
      400,
      'InvalidModel',
    )
    expect(Details[0].Path).toBe('Policies')
  })
})

describe('keys that are replaced', () => {
  it('end at once, both of them, and the new file works', async () => {
    const { service, connection, token } = await world.service()
    const reply = await world.send('POST', `/services/${service.PrincipalId}/rotate-key`)
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store'])
    await expect(tokenOf(connection)).rejects.toThrow(/invalid_grant/)
    expect(await works(await tokenOf(reply.json.Connection))).toBe(200)
    expect(reply.json.Connection).toMatchObject({
      ServicePrincipalId: service.PrincipalId,
      ServicePrincipalKey: { kid: service.KId },
    })
    expect(reply.json.Service.Keys).toHaveLength(1)
    expect(reply.json.Service.Keys[0].Thumbprint).not.toBe(service.Keys[0].Thumbprint)
    expect(reply.json.Service.ApiKeys).toHaveLength(1)
    const hash = createHash('sha256').update(reply.json.Connection.APIKey).digest('hex')
    expect(apiKeys(service.PrincipalId).filter((one) => one.revoked_utc === null)).toEqual([
      { key_hash: hash, revoked_utc: null, expires_utc: null },
    ])
    // What the description says: a token that was given out runs on.
    expect(await works(token)).toBe(200)
  })

  it('are taken side by side for the time that was given, and not a second longer', async () => {
    const { service, connection } = await world.service()
    const reply = await world.send('POST', `/services/${service.PrincipalId}/rotate-key`, { OverlapMinutes: 60 })
    const ends = Date.parse(reply.json.OldEndsUtc) - Date.now()
    expect(ends).toBeGreaterThan(59 * 60_000)
    expect(ends).toBeLessThanOrEqual(60 * 60_000)
    expect(await works(await tokenOf(connection))).toBe(200)
    expect(await works(await tokenOf(reply.json.Connection))).toBe(200)
    expect(reply.json.Service.Keys.map((one: Json) => one.ExpiresUtc)).toEqual([null, reply.json.OldEndsUtc])
    expect(reply.json.Service.ApiKeys.map((one: Json) => one.ExpiresUtc)).toEqual([null, reply.json.OldEndsUtc])

    // A second rotation does not lengthen what the first one ends.
    const next = await world.send('POST', `/services/${service.PrincipalId}/rotate-key`, { OverlapMinutes: 600 })
    expect(next.json.Service.Keys.map((one: Json) => one.ExpiresUtc)).toEqual([
      null,
      next.json.OldEndsUtc,
      reply.json.OldEndsUtc,
    ])
    // And one at once ends them all.
    const last = await world.send('POST', `/services/${service.PrincipalId}/rotate-key`, { OverlapMinutes: 0 })
    expect(last.json.Service.Keys).toHaveLength(1)
    for (const old of [connection, reply.json.Connection, next.json.Connection])
      await expect(tokenOf(old)).rejects.toThrow(/invalid_grant/)
    for (const OverlapMinutes of [-1, 43_201, 1.5, '60'])
      await world.refused(
        world.send('POST', `/services/${service.PrincipalId}/rotate-key`, { OverlapMinutes }),
        400,
        'InvalidModel',
      )
  })

  it('an API key goes alone', async () => {
    const { service, connection } = await world.service()
    const reply = await world.send('POST', `/services/${service.PrincipalId}/rotate-api-key`, { OverlapMinutes: 5 })
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const hashOf = (key: unknown) => createHash('sha256').update(String(key)).digest('hex')
    expect(apiKeys(service.PrincipalId)).toEqual(
      [
        { key_hash: hashOf(connection['APIKey']), revoked_utc: null, expires_utc: reply.json.OldEndsUtc },
        { key_hash: hashOf(reply.json.APIKey), revoked_utc: null, expires_utc: null },
      ].toSorted((one, other) => (one.key_hash < other.key_hash ? -1 : 1)),
    )
    expect(reply.json.Service.Keys).toEqual(service.Keys)
    expect(await works(await tokenOf(connection))).toBe(200)
    expect(JSON.stringify(world.given.ledger())).not.toContain(reply.json.APIKey)
    const { ApiKeys } = (await world.send('POST', `/services/${service.PrincipalId}/rotate-api-key`)).json.Service
    expect(ApiKeys).toHaveLength(1)
  })
})

describe('a disabled integration', () => {
  it('stops with the very next call, gets no token, and is listed as what it is', async () => {
    const { service, connection, token } = await world.service()
    expect(await works(token)).toBe(200)
    const out = await world.given.expecting(200, world.send('POST', `/services/${service.PrincipalId}/disable`))
    expect(out.Enabled).toBe(false)
    expect(await works(token)).toBe(401)
    await expect(tokenOf(connection)).rejects.toThrow(/invalid_grant/)
    const listed = async (flag: string): Promise<Json[]> =>
      (await world.send('GET', `/services?enabled=${flag}&text=${encodeURIComponent(service.Name)}`)).json.Items
    expect([(await listed('false')).length, (await listed('true')).length]).toEqual([1, 0])
    await world.given.expecting(200, world.send('POST', `/services/${service.PrincipalId}/enable`))
    expect(await works(await tokenOf(connection))).toBe(200)
  })

  it('that is the only administrator among the services leaves the users theirs, and cannot act any more', async () => {
    const administrators = (await world.send('GET', '/groups?text=account')).json.Items[0].PrincipalId
    const { service, token } = await world.service({ GroupIds: [administrators] })
    expect(service.Administrator).toBe(true)
    expect((await world.given.call('GET', `${BASE}/users`, { token })).status).toBe(200)
    expect((await world.send('POST', `/services/${service.PrincipalId}/disable`)).status).toBe(200)
    expect((await world.given.call('GET', `${BASE}/users`, { token })).status).toBe(401)
    expect((await world.read('services', service.PrincipalId)).Administrator).toBe(false)
  })
})
