/** What forwarding refuses: a second station with the same identity, an older copy of a station, and a headquarters that confirms another hash. */
// @module-tag merge
import { generateKeyPairSync, sign } from 'node:crypto'
import { cpSync, existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keyIdOf } from '../../server/kernel/ledger/signed-note.ts'
import { givenProxy } from './proxy.ts'
import {
  administratorOf,
  alarmsOf,
  completeEvidence,
  entriesAt,
  forwarded,
  HEADQUARTERS,
  importInto,
  itemsOf,
  openStationAt,
  someBytes,
  twoStations,
  until,
  type World,
} from './world.ts'

describe('B7 two stations with one identity', () => {
  let world: World
  let headquartersAdministrator: World['administrator']
  beforeAll(async () => {
    world = await twoStations()
    headquartersAdministrator = await administratorOf(world.headquarters)
  })
  afterAll(() => world.close())

  it('I1: a clone whose ledger is behind is refused, by both sides with an alarm and here with an entry, and sends nothing', async () => {
    // An older copy of the data folder, as a restored machine has it.
    await completeEvidence(world.station, someBytes(50_000, 20), { Name: 'of the clone too' })
    await importInto(world, null)
    await world.station.stop()
    const older = path.join(world.station.dir, 'older')
    cpSync(world.station.data, older, { recursive: true })
    // The station itself goes on, and presents a longer ledger.
    const own = await openStationAt(world.station.data)
    expect(await own.administrator('POST', `${HEADQUARTERS}/test`)).toMatchObject({ State: 'ready', Problem: null })
    await own.server.close()

    const clone = await openStationAt(older)
    await clone.administrator('PUT', `${HEADQUARTERS}/rules`, { Everything: true })
    const shown = await until('the refusal', async () => {
      const found = await clone.administrator('GET', HEADQUARTERS)
      return found.State === 'refused' ? found : null
    })
    expect(shown.Problem).toMatch(/does not go on from|became shorter|has fewer|not those that were signed/)
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(shown.Backlog).toMatchObject({ Waiting: 1, Done: 0 })
    expect(world.headquarters.ledger().filter(({ action }) => action === 'evidence.created')).toEqual([])
    expect(await clone.administrator('POST', `${HEADQUARTERS}/test`)).toMatchObject({ State: 'refused' })
    expect((await alarmsOf(clone.administrator)).some(({ Kind }) => Kind === 'forwarding')).toBe(true)
    expect(
      (await alarmsOf(headquartersAdministrator)).some(
        ({ Kind, Message }) => Kind === 'checkpoint' && Message.includes('was refused'),
      ),
    ).toBe(true)
    await clone.server.close()
    expect(entriesAt(older).filter(({ action }) => action === 'headquarters.refusedStation')[0]).toMatchObject({
      outcome: 'failed',
      reason: shown.Problem,
      object: { type: 'headquarters', name: world.headquarters.url },
    })
  })

  it('another station under a known id with another key is refused at its import, with an alarm at headquarters', async () => {
    const origin = world.station.database((db) =>
      db.prepare("SELECT value FROM station WHERE name = 'origin'").pluck().get(),
    ) as string
    const pair = generateKeyPairSync('ed25519')
    const raw = Buffer.from((pair.publicKey.export({ format: 'jwk' }) as { x: string }).x, 'base64url')
    const text = `${origin}\n100000\n${Buffer.alloc(32, 7).toString('base64')}\n`
    const signature = Buffer.concat([keyIdOf(origin, raw), sign(null, Buffer.from(text), pair.privateKey)]).toString(
      'base64',
    )
    const refused = await world.headquarters.call('POST', '/api/v1/tenant/station/checkpoint', {
      body: { Checkpoint: `${text}\n— ${origin} ${signature}\n`, PublicKey: raw.toString('base64') },
    })
    expect([refused.status, refused.json.ErrorCode]).toEqual([409, 'CheckpointRefused'])
    expect(refused.json.Message).toContain('handed over')
    expect(
      (await alarmsOf(headquartersAdministrator)).some(
        ({ Subject, Message }) => Subject === `from ${origin}` && Message.includes('refused'),
      ),
    ).toBe(true)
  })
})

describe('B7 a headquarters that confirms another hash', () => {
  let world: World
  let proxy: Awaited<ReturnType<typeof givenProxy>>
  beforeAll(async () => {
    proxy = await givenProxy()
    world = await twoStations({ headquarters: { settings: { publicUrl: proxy.url } } })
    proxy.to(world.headquarters.url)
    for (const [name, value] of Object.entries(world.connection))
      if (Array.isArray(value))
        (world.connection as Record<string, unknown>)[name] = value.map((one) =>
          String(one).replace(world.headquarters.url, proxy.url),
        )
  })
  afterAll(async () => {
    await world.close()
    proxy.close()
  })

  it('I1: gets no receipt, raises an alarm and leaves an entry, and nothing is cleared', async () => {
    const made = await completeEvidence(world.station, someBytes(100_000, 21), { Name: 'doubted' })
    await world.station.settled(made.evidenceId)
    proxy.changing(({ path: place }, { status, body }) => {
      if (status !== 200 || !/\/resource\/\d+(\/complete)?$/.test(place)) return body
      const answer = JSON.parse(body.toString('utf8'))
      return answer.Sha256 === made.sha256 ? Buffer.from(JSON.stringify({ ...answer, Sha256: 'f'.repeat(64) })) : body
    })
    await importInto(world, { Everything: true, ClearAfterDays: 0 })
    const failed = await until('the failure', async () => (await itemsOf(world, 'failed'))[0])
    expect(failed.Problem).toContain('confirmed another hash')
    const state = await world.station.expecting(
      200,
      world.station.call('GET', `${world.station.documents}/evidence/${made.evidenceId}/forwarding`),
    )
    expect(state).toMatchObject({ State: 'failed', Resources: [] })
    expect(world.station.ledger().filter(({ action }) => action === 'forwarding.failed')).toMatchObject([
      { object: { type: 'evidence', id: made.evidenceId }, outcome: 'failed', reason: failed.Problem },
    ])
    expect((await alarmsOf(world.administrator)).find(({ Kind }) => Kind === 'forwarding')?.Message).toContain(
      'another hash',
    )
    expect(world.station.ledger().some(({ action }) => action === 'resource.forwarded')).toBe(false)
    expect(
      existsSync(path.join(world.station.data, 'blobs', made.sha256.slice(0, 2), made.sha256.slice(2, 4), made.sha256)),
    ).toBe(true)

    // The right hash makes the receipt, when a person tries again.
    proxy.changing((_, { body }) => body)
    expect(await world.administrator('POST', `${HEADQUARTERS}/item/${made.evidenceId}/retry`)).toMatchObject({
      status: 204,
    })
    await forwarded(world, made.evidenceId)
  })

  it('a protection that comes between the two checks of the clear rule keeps the copy', async () => {
    await world.administrator('PUT', `${HEADQUARTERS}/rules`, { Everything: true })
    const made = await completeEvidence(world.station, someBytes(100_000, 22), { Name: 'protected late' })
    await world.station.settled(made.evidenceId)
    await forwarded(world, made.evidenceId)
    let asked = 0
    proxy.changing(async ({ method, path: place }, { body }) => {
      // Headquarters is asked once more before the transaction that clears.
      if (
        method === 'GET' &&
        /\/resource\/\d+$/.test(place) &&
        JSON.parse(body.toString('utf8')).Sha256 === made.sha256
      ) {
        asked++
        await world.station.meddle(
          (db) =>
            void db
              .prepare("UPDATE evidence SET lifecycle_state = 'Protected' WHERE evidence_id = ?")
              .run(Number(made.evidenceId)),
        )
      }
      return body
    })
    await world.administrator('PUT', `${HEADQUARTERS}/rules`, { Everything: true, ClearAfterDays: 0 })
    await until('the question to headquarters', () => asked > 0)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const state = await world.station.expecting(
      200,
      world.station.call('GET', `${world.station.documents}/evidence/${made.evidenceId}/forwarding`),
    )
    expect(state.Resources[0].ClearedTimeUtc).toBeNull()
  })
})
