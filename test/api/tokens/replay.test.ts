import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { craft } from '../../support/assertion.ts'
import { scale } from '../../support/scale.ts'
import { ask, startWorld, storm, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const remembered = async (): Promise<number> => {
  const rows = await world.database.read.selectFrom('used_assertions').select('assertion_id').execute()
  return rows.length
}

describe('S2 one assertion, one token', () => {
  const count = scale(500, 10_000)

  it.each([
    ['with a jti', {}],
    ['without one', { jti: undefined }],
  ])(`of ${count} requests over 64 connections one gets a token: %s`, async (_name, claims) => {
    const { signer } = await world.integration(`storm ${_name}`)
    const assertion = craft(signer, { audience: world.endpoint, now: world.now(), claims })
    world.entries.length = 0
    expect(await storm(world, signer.clientId, assertion, count, 64)).toEqual({
      '200': 1,
      '400 invalid_grant': count - 1,
    })
    expect(world.entries.filter(({ action }) => action === 'token.issued')).toHaveLength(1)
    expect(world.entries.filter(({ reason }) => reason === 'replayed')).toHaveLength(count - 1)
  })

  it('different assertions at once each get theirs', async () => {
    const { signer } = await world.integration('crowd')
    const make = () => craft(signer, { audience: world.endpoint, now: world.now() })
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(world, signer.clientId, make())))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body['access_token'])).size).toBe(100)
  })

  it('a flood of what was used does not keep the writer busy: each is refused without a transaction (S19)', async () => {
    const { signer } = await world.integration('flood')
    const assertion = craft(signer, { audience: world.endpoint, now: world.now() })
    expect((await ask(world, signer.clientId, assertion)).status).toBe(200)
    const before = world.transactions()
    for (let times = 0; times < 5; times++) expect((await ask(world, signer.clientId, assertion)).status).toBe(400)
    expect(world.transactions()).toBe(before)
  })

  it('also across a restart', async () => {
    const { signer } = await world.integration('restarted')
    const make = (claims: Record<string, unknown>) =>
      craft(signer, { audience: `${world.url}/connect`, now: world.now(), claims })
    const before = world.url
    const used = [make({}), make({ jti: undefined })]
    for (const assertion of used) expect((await ask(world, signer.clientId, assertion)).status).toBe(200)
    world = await world.restart()
    // The port is another one now, and with it the audience: what is tried is the memory, so the same jti goes to the new audience.
    const claims = JSON.parse(
      Buffer.from((used[0] as string).split('.')[1] as string, 'base64url').toString('utf8'),
    ) as { jti: string }
    expect(world.url).not.toBe(before)
    world.entries.length = 0
    expect((await ask(world, signer.clientId, make({ jti: claims.jti }))).status).toBe(400)
    expect(world.entries.at(-1)?.reason).toBe('replayed')
    expect((await ask(world, signer.clientId, make({}))).status).toBe(200)
  })

  it('what ran out is forgotten a day later and not before, and setting the clock back revives nothing', async () => {
    const { signer } = await world.integration('old')
    const assertion = craft(signer, { audience: world.endpoint, now: world.now() })
    expect((await ask(world, signer.clientId, assertion)).status).toBe(200)
    const sent = world.clock.now()
    const another = () => ask(world, signer.clientId, craft(signer, { audience: world.endpoint, now: world.now() }))
    const before = await remembered()

    world.clock.advance(23 * 3600_000)
    expect((await another()).status).toBe(200)
    expect(await remembered()).toBe(before + 1)
    world.clock.set(sent)
    expect((await ask(world, signer.clientId, assertion)).status).toBe(400)

    world.clock.advance(26 * 3600_000)
    expect((await another()).status).toBe(200)
    // All of the first hours are gone; the one of the 23rd hour and the last one are there.
    expect(await remembered()).toBe(2)
    expect((await ask(world, signer.clientId, assertion)).status).toBe(400)
    expect(world.entries.at(-1)?.reason).toBe('expired')
  })
})
