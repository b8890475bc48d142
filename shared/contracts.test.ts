import { expect, it } from 'vitest'
import { z } from 'zod'
import * as contracts from './contracts.ts'
import type { RouteDefinition } from './kernel/route.ts'

const routes = Object.values(contracts)
  .flatMap((contract) => Object.values(contract) as unknown[])
  .filter((one): one is RouteDefinition => typeof one === 'object' && one !== null && 'path' in one && 'method' in one)

const SECRET = /password|passphrase|secret|credential|private/i

it('S3 a create whose body has a secret names it: what is remembered of the request depends on a key then', () => {
  const named = routes.flatMap(({ id, idempotent, body, secrets = [] }) => {
    if (idempotent !== true || body === undefined) return []
    const shape = body instanceof z.ZodObject ? (body.shape as Readonly<Record<string, z.ZodType>>) : {}
    // A mark about a secret is none.
    const found = Object.entries(shape).filter(([name, one]) => SECRET.test(name) && !one.safeParse(true).success)
    return found.map(([name]) => [id, name, secrets.includes(name)])
  })
  expect(named.toSorted()).toEqual([
    ['createEvidence', 'DeviceCredential', true],
    ['createUser', 'Password', true],
  ])
})
