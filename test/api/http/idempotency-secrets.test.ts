/** What is remembered of a request that has a password in it (S3, decisions 1). */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { type UsersWorld, usersWorld } from '../users/world.ts'

const BODY = { Username: 'okafor', Password: 'nine boats by the harbour', ChangePassword: true }

let stations: UsersWorld[]
beforeAll(async () => {
  // Each with keys of its own.
  stations = [await usersWorld({}, { fresh: true }), await usersWorld({}, { fresh: true })]
}, 60_000)
afterAll(async () => {
  for (const { given } of stations ?? []) await given.close()
})

const created = ({ given, send }: UsersWorld, body: object, status: number): Promise<Json> =>
  given.expecting(status, send('POST', '/users', body, { headers: { 'Idempotency-Key': 'made-once' } }))
const remembered = ({ given }: UsersWorld): string =>
  given.database((db) =>
    db.prepare("SELECT body_hash FROM idempotency WHERE operation = 'createUser'").pluck().get(),
  ) as string

it('S3 depends on a key of the station: the same request is remembered as something else elsewhere', async () => {
  for (const world of stations) await created(world, BODY, 201)
  const [one, other] = stations.map(remembered)
  expect(one).toMatch(/^[0-9a-f]{64}$/)
  expect(one).not.toBe(other)
})

it('a repetition gets the first answer, and another password is another request', async () => {
  const [world] = stations as [UsersWorld]
  const { PrincipalId } = await created(world, BODY, 201)
  expect(
    world.given
      .database((db) => db.prepare("SELECT principal_id FROM principals WHERE name = 'okafor'").pluck().all())
      .map(String),
  ).toEqual([PrincipalId])
  const { ErrorCode } = await created(world, { ...BODY, Password: 'ten boats by the harbour' }, 409)
  expect(ErrorCode).toBe('IdempotencyKeyReused')
})
