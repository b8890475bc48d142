import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createIdempotency } from '../../../server/http/idempotency.ts'
import { forgetAnswers, KEPT_FOR } from '../../../server/kernel/idempotency.store.ts'
import { answer, json } from '../../../server/http/handlers.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { scale } from '../../support/scale.ts'
import { type Frame, OFFICER, startFrame } from './frame.ts'
import * as r from './routes.ts'

let frame: Frame
let made = 0
/** Resolved by a test that wants a handler to wait. */
let gate: Promise<void> = Promise.resolve()
let failAfterRemembering = false

beforeAll(async () => {
  frame = await startFrame([
    json(r.createThing, async ({ body, call }) => {
      await gate
      const id = ++made
      const reply = answer(201, { Id: id, Name: body.Name }, { Location: `/thing/${id}` })
      await frame.database.transaction(async (tx) => {
        await tx
          .insertInto('station')
          .values({ name: `thing ${id} ${randomUUID()}`, value: body.Name })
          .execute()
        await call.rememberAnswer(tx, reply)
        if (failAfterRemembering) throw fault('ResourceNotOpen', 'Not now.')
      })
      return reply
    }),
    json(r.caseThing, async ({ call }) => {
      await gate
      const reply = { CaseId: String(++made) }
      await frame.database.transaction(async (tx) => {
        await call.rememberAnswer(tx, reply)
      })
      return reply
    }),
    json(
      r.withDefinition(r.createThing, { id: 'withSecret', path: '/api/v1/tenant/:tenantName/secret', aliases: [] }),
      async ({ body, call }) => {
        const id = ++made
        await frame.database.transaction((tx) => call.rememberAnswer(tx, answer(201, { Id: id, Name: 'to be signed' })))
        return answer(201, { Id: id, Name: `signed ${body.Name}` })
      },
      {
        revive: async (remembered, { body }) =>
          answer(201, { ...(remembered as { Id: number }), Name: `signed again ${body.Name}` }),
      },
    ),
  ])
})
afterAll(() => frame.close())
beforeEach(() => {
  gate = Promise.resolve()
  failAfterRemembering = false
})

const post = (key: string | null, body: unknown, options: { who?: string; path?: string } = {}) =>
  fetch(`${frame.url}${options.path ?? '/api/v1/tenant/station/thing'}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${options.who ?? 'officer'}`,
      'Content-Type': 'application/json',
      ...(key === null ? {} : { 'Idempotency-Key': key }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const told = async (reply: Response) => ({
  status: reply.status,
  location: reply.headers.get('location'),
  body: await reply.json(),
})
const things = async () =>
  Number(
    (
      await frame.database.read
        .selectFrom('station')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('name', 'like', 'thing %')
        .executeTakeFirstOrThrow()
    ).n,
  )

describe('Idempotency-Key', () => {
  test('the same key and body give the first answer, status and headers included', async () => {
    const key = randomUUID()
    const before = await things()
    const first = await told(await post(key, { Name: 'x', Count: 2 }))
    const again = await told(await post(key, '{ "Count": 2,   "Name": "x" }'))
    expect(first.status).toBe(201)
    expect(again).toEqual(first)
    expect(await things()).toBe(before + 1)
  })

  test('another body under the key is refused: 409, on the case service 400 InvalidModel', async () => {
    const key = randomUUID()
    await post(key, { Name: 'x' })
    const reply = await told(await post(key, { Name: 'y' }))
    expect([reply.status, reply.body.ErrorCode]).toEqual([409, 'IdempotencyKeyReused'])
    await post(key, { Title: 'x' }, { path: '/api/v1/case/station' })
    const onCase = await told(await post(key, { Title: 'y' }, { path: '/api/v1/case/station' }))
    expect([onCase.status, onCase.body.ErrorCode]).toEqual([400, 'InvalidModel'])
  })

  test('another object in the path is another request', async () => {
    const key = randomUUID()
    await post(key, { Name: 'x' })
    expect((await post(key, { Name: 'x' }, { path: '/api/v1/tenant/other/thing' })).status).toBe(409)
  })

  test('scoped to principal and operation; an alias is the same operation', async () => {
    const key = randomUUID()
    const mine = await told(await post(key, { Name: 'x' }))
    const theirs = await told(await post(key, { Name: 'x' }, { who: 'service' }))
    const elsewhere = await told(await post(key, { Title: 'x' }, { path: '/api/v1/case/station' }))
    expect(theirs.body.Id).not.toBe(mine.body.Id)
    expect(elsewhere.status).toBe(201)
    expect(await told(await post(key, { Name: 'x' }, { path: '/documentstore/api/v1/tenant/station/thing' }))).toEqual(
      mine,
    )
  })

  test('without a key every request counts', async () => {
    const [first, second] = [await told(await post(null, { Name: 'x' })), await told(await post(null, { Name: 'x' }))]
    expect(first.body.Id).not.toBe(second.body.Id)
  })

  test.each(['', ' ', 'a b', 'x'.repeat(256), 'é'])('the key %j is none', async (key) => {
    const reply = await post(key, { Name: 'x' }).then(told)
    // An empty header is one that was not given a value: refused like the others.
    expect([reply.status, reply.body.ErrorCode, reply.body.Details?.[0]?.Path]).toEqual([
      400,
      'InvalidModel',
      'Idempotency-Key',
    ])
  })

  test('what was rolled back was not remembered', async () => {
    const key = randomUUID()
    failAfterRemembering = true
    const before = await things()
    expect((await post(key, { Name: 'x' })).status).toBe(409)
    expect(await things()).toBe(before)
    failAfterRemembering = false
    expect((await post(key, { Name: 'x' })).status).toBe(201)
    expect(await things()).toBe(before + 1)
  })

  test(`many at once run once`, async () => {
    const key = randomUUID()
    const before = await things()
    let release = (): void => {}
    gate = new Promise((resolve) => {
      release = resolve
    })
    const all = Array.from({ length: scale(20, 200) }, () => post(key, { Name: 'x' }).then(told))
    setTimeout(() => release(), 100)
    const replies = await Promise.all(all)
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1)
    expect(await things()).toBe(before + 1)
  })

  test('whoever waits too long is told so', async () => {
    const idempotency = createIdempotency(frame.database, frame.clock, 0)
    const call = {
      route: r.createThing,
      principal: OFFICER,
      key: randomUUID(),
      hash: 'one',
      status: 201,
    }
    let release = (): void => {}
    const first = idempotency.run(
      call,
      () =>
        new Promise<string>((resolve) => {
          release = () => resolve('done')
        }),
      async () => 'replayed',
    )
    await expect(
      idempotency.run(
        call,
        async () => 'second',
        async () => 'replayed',
      ),
    ).rejects.toMatchObject({ code: 'IdempotencyKeyInProgress' })
    await expect(
      idempotency.run(
        { ...call, hash: 'other' },
        async () => 'second',
        async () => 'replayed',
      ),
    ).rejects.toMatchObject({ code: 'IdempotencyKeyReused' })
    // Until here the first has only reached the database.
    await expect.poll(() => (release(), Promise.race([first, 'running']))).toBe('done')
  })

  test('kept 7 days', async () => {
    const key = randomUUID()
    const first = await told(await post(key, { Name: 'x' }))
    frame.clock.advance(KEPT_FOR - 1000)
    expect(await told(await post(key, { Name: 'x' }))).toEqual(first)
    frame.clock.advance(1000)
    const later = await told(await post(key, { Name: 'another body is no matter now' }))
    expect([later.status, later.body.Name]).toEqual([400, undefined])
    const anew = await told(await post(key, { Name: 'y' }))
    expect(anew.body.Id).not.toBe(first.body.Id)
    frame.clock.advance(KEPT_FOR)
    const forgotten = await frame.database.transaction((tx) => forgetAnswers(tx, frame.clock.now()))
    expect(forgotten).toBeGreaterThan(0)
    expect(await frame.database.read.selectFrom('idempotency').selectAll().execute()).toEqual([])
  })

  test('what must not lie in the database is put in again', async () => {
    const key = randomUUID()
    const first = await told(await post(key, { Name: 'x' }, { path: '/api/v1/tenant/station/secret' }))
    const again = await told(await post(key, { Name: 'x' }, { path: '/api/v1/tenant/station/secret' }))
    expect(first.body.Name).toBe('signed x')
    expect(again.body).toEqual({ Id: first.body.Id, Name: 'signed again x' })
    const rows = await frame.database.read
      .selectFrom('idempotency')
      .select('answer')
      .where('idempotency_key', '=', key)
      .execute()
    expect(rows.map((row) => row.answer).join()).not.toContain('signed x')
  })
})
