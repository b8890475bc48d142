/** Prefilled fields over HTTP (interfaces.md 4, decisions 2–4): made, replaced, deleted; ETags, rights, limits, races. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../server/kernel/ledger/canonical.ts'
import type { Json, Reply } from '../../support/given.ts'
import { sha256Of } from '../../support/given.ts'
import { scale } from '../../support/scale.ts'
import { departments } from './departments-world.ts'
import { type CasesWorld, casesWorld } from './world.ts'

const PLACE = '/api/v1/prefilledfields/station'

/** `maker` is in ManageConfiguration, `other` in nothing. */
let world: CasesWorld
beforeAll(async () => {
  world = await casesWorld()
})
afterAll(() => world?.given.close())

let count = 0
const fresh = (): string => `field-${(count += 1)}`
const at = (id: string, eTag?: string): string =>
  `${PLACE}/${encodeURIComponent(id)}${eTag === undefined ? '' : `?eTag=${encodeURIComponent(eTag)}`}`
const send: CasesWorld['send'] = (...given) => world.send(...given)
const ok = (reply: Promise<Reply>): Promise<Json> => world.given.expecting(200, reply)
const BODY = { Target: 'Location', Label: 'Where', Values: ['Quay 1', 'Quay 2'] }
const put = (id: string, body: unknown = BODY, eTag?: string): Promise<Reply> => send('PUT', at(id, eTag), body)
const refused = async (reply: Promise<Reply>, code: string): Promise<Json> => {
  const { status, json, text } = await reply
  expect([status, json?.ErrorCode ?? text]).toEqual([400, code])
  return json
}
const all = (): Promise<Json[]> => ok(send('GET', PLACE))
const entriesOf = ({ correlationId }: Reply) =>
  world.given
    .ledger()
    .filter((entry) => entry.correlationId === correlationId)
    .map(({ action, object, outcome }) => [action, object.type, object.id, object.name, outcome])

describe('make, replace, list, delete', () => {
  it('PUT makes it if new and replaces it otherwise, DELETE answers the deleted one', async () => {
    const id = fresh()
    const made = await put(id)
    expect([made.status, made.json]).toEqual([
      200,
      { PrefilledFieldId: id, ...BODY, ETag: expect.stringMatching(/^[0-9a-f]{40}$/) },
    ])
    expect(entriesOf(made)).toEqual([['prefilledField.created', 'prefilledField', id, 'Where', 'ok']])
    const replaced = await put(id, { Target: 'Weather', Values: [] })
    expect(replaced.json).toEqual({
      PrefilledFieldId: id,
      Target: 'Weather',
      Label: null,
      Values: [],
      ETag: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    expect(entriesOf(replaced)).toEqual([['prefilledField.changed', 'prefilledField', id, 'Weather', 'ok']])
    expect(replaced.json.ETag).not.toBe(made.json.ETag)
    expect((await all()).filter((one) => one.PrefilledFieldId === id)).toEqual([replaced.json])
    const gone = await send('DELETE', at(id))
    expect([gone.status, gone.json]).toEqual([200, replaced.json])
    expect(entriesOf(gone)).toEqual([['prefilledField.deleted', 'prefilledField', id, 'Weather', 'ok']])
    expect((await all()).filter((one) => one.PrefilledFieldId === id)).toEqual([])
    await refused(send('DELETE', at(id)), 'InvalidModel')
  })

  it('the list is in the order of ids, which are compared as they are written', async () => {
    for (const id of ['b', 'a', 'A', 'Ä', 'a/b', 'a b', 'é', 'é'.normalize('NFD')]) await ok(put(`order ${id}`))
    const ids = (await all()).map((one) => one.PrefilledFieldId as string).filter((id) => id.startsWith('order '))
    expect(ids).toHaveLength(8)
    expect(ids).toEqual([...ids].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))))
  })

  it('an ETag is the hash over the one before and the state', async () => {
    const id = fresh()
    let before = '0'.repeat(40)
    for (const Values of [['b', 'a'], ['b', 'a'], []]) {
      const { ETag, ...state } = await ok(put(id, { ...BODY, Values }))
      expect(ETag).toBe(sha256Of(before + canonicalJson(state)).slice(0, 40))
      before = ETag
    }
  })
})

describe('codes', () => {
  it('a stale eTag is ConcurrentWritingError, whatever its form; without one the last writer wins', async () => {
    const id = fresh()
    const first = await ok(put(id))
    for (const eTag of ['x', '*', '0'.repeat(40), `"${first.ETag}"`, `${first.ETag} `])
      await refused(put(id, BODY, eTag), 'ConcurrentWritingError')
    const second = await ok(put(id, BODY, first.ETag))
    await refused(put(id, BODY, first.ETag), 'ConcurrentWritingError')
    expect((await all()).find((one) => one.PrefilledFieldId === id)).toEqual(second)
    const third = await ok(put(id, { ...BODY, Label: 'unguarded' }))
    // An empty one counts as absent.
    await ok(put(id, { ...BODY, Label: 'empty' }, ''))
    await ok(send('DELETE', at(id)))
    // What it was read as is gone: it is not made again behind the back of whoever deleted it.
    await refused(put(id, BODY, third.ETag), 'ConcurrentWritingError')
    expect((await all()).find((one) => one.PrefilledFieldId === id)).toBeUndefined()
  })

  it('every problem of a body is listed, and nothing is made', async () => {
    const id = fresh()
    const { Details } = await refused(
      put(id, { Target: '', Label: 'a\nb', Values: ['ok', 7, 'a\u0000'] }),
      'InvalidModel',
    )
    expect(Details.map(({ Path }: Json) => Path).sort()).toEqual(['Label', 'Target', 'Values.1', 'Values.2'])
    for (const wrong of [
      { Target: 'x'.repeat(257) },
      { Target: null },
      { Target: '\ud800' },
      { Label: 'x'.repeat(257) },
      { Values: undefined },
      { Values: 'Quay' },
      { Values: Array.from({ length: 1001 }, () => '') },
      { Values: ['x'.repeat(4097)] },
    ])
      await refused(put(id, { ...BODY, ...wrong }), 'InvalidModel')
    for (const other of ['x'.repeat(257), 'a\nb', '\u0000']) await refused(put(other), 'InvalidModel')
    expect((await send('PUT', `${PLACE}/%ff`, BODY)).status).toBe(400)
    expect((await all()).find((one) => one.PrefilledFieldId === id)).toBeUndefined()
    const most = {
      Target: 'x'.repeat(256),
      Label: 'x'.repeat(256),
      Values: Array.from({ length: 1000 }, () => 'x'.repeat(4096)),
    }
    const { ETag, ...rest } = await ok(put('y'.repeat(256), most))
    expect([rest, ETag.length]).toEqual([{ PrefilledFieldId: 'y'.repeat(256), ...most }, 40])
    expect((await all()).find((one) => one.PrefilledFieldId.startsWith('yy'))?.Values).toHaveLength(1000)
    await ok(send('DELETE', at('y'.repeat(256))))
    for (const [method, sent] of [['GET'], ['PUT', BODY], ['DELETE']] as const)
      await refused(
        send(method, `/api/v1/prefilledfields/elsewhere${method === 'GET' ? '' : '/x'}`, sent),
        'TenantNotFound',
      )
  })

  it('S4 whoever is a member reads; writing needs ManageConfiguration', async () => {
    const id = fresh()
    const made = await ok(put(id))
    const as = world.other
    expect((await send('GET', PLACE, undefined, { as })).status).toBe(200)
    for (const [method, sent] of [['PUT', BODY], ['DELETE']] as const) {
      const reply = await send(method, at(id), sent, { as })
      expect([reply.status, reply.text]).toEqual([403, ''])
      expect(entriesOf(reply).map(([action, , , , outcome]) => [action, outcome])).toEqual([
        ['access.denied', 'denied'],
      ])
    }
    const places = [
      ['GET', PLACE],
      ['PUT', at(id), BODY],
      ['DELETE', at(id)],
    ] as const
    for (const [method, place, sent] of places) {
      const nobody = await world.given.call(method, place, {
        token: null,
        ...(sent === undefined ? {} : { body: sent }),
      })
      expect([nobody.status, nobody.text]).toEqual([401, ''])
    }
    const visitor = await departments(() => world).guest()
    for (const [method, place, sent] of places) {
      const reply = await world.given.call(method, place, {
        token: null,
        ...(sent === undefined ? {} : { body: sent }),
        ...visitor,
      })
      expect([method, reply.status, reply.text]).toEqual([method, 403, ''])
    }
    const clerk = await world.person('clerk', ['ManageConfiguration'])
    expect((await send('PUT', at(id, made.ETag), BODY, { as: clerk })).status).toBe(200)
    expect((await send('DELETE', at(id), undefined, { as: clerk })).status).toBe(200)
  })
})

it('S6 of writers with one eTag exactly one wins', async () => {
  for (let round = 0; round < scale(3, 100); round++) {
    const id = fresh()
    const { ETag } = await ok(put(id))
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, writer) => put(id, { ...BODY, Label: `writer ${writer}` }, ETag)),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ json }) => json.ErrorCode === 'ConcurrentWritingError')).toHaveLength(9)
    const won = replies.find(({ status }) => status === 200)?.json
    expect((await all()).find((one) => one.PrefilledFieldId === id)).toEqual(won)
  }
})

it('S6 a new one that many put at once is one, as the last of them left it', async () => {
  const id = fresh()
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, writer) => put(id, { ...BODY, Label: `writer ${writer}` })),
  )
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  expect(
    replies
      .flatMap(entriesOf)
      .map(([action]) => action)
      .sort(),
  ).toEqual([...Array.from({ length: 7 }, () => 'prefilledField.changed'), 'prefilledField.created'])
  const left = (await all()).filter((one) => one.PrefilledFieldId === id)
  expect(left).toHaveLength(1)
  expect(replies.map(({ json }) => json)).toContainEqual(left[0])
})

it('whatever text comes in goes out the same', async () => {
  const id = fresh()
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      fc.array(fc.string({ unit: 'grapheme', maxLength: 100 }), { maxLength: 5 }),
      async (Target, Values) => {
        const reply = await put(id, { Target, Values })
        if (reply.status !== 200) return void expect(reply.json.ErrorCode).toBe('InvalidModel')
        expect(reply.json).toMatchObject({ Target, Values })
        expect((await all()).find((one) => one.PrefilledFieldId === id)).toEqual(reply.json)
      },
    ),
    { numRuns: scale(25, 500) },
  )
})
