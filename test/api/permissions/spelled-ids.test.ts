// @module-tag merge
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { placesOf } from '../../../server/http/routing.ts'
import { IdParam } from '../../../shared/kernel/fields.ts'
import type { RouteDefinition } from '../../../shared/kernel/route.ts'
import { ADMINISTRATOR, type CallOptions, type Given, givenStation, type Reply } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { contractRoutes } from '../http/contract-routes.ts'

/** S16: an id in another spelling than its own opens nothing that the id itself does not open. */
let given: Given
let evidence: string
let resource: string
/** Two callers without any right on the evidence. */
const strangers: { name: string; as: CallOptions }[] = []
beforeAll(async () => {
  given = await givenStation()
  const { EvidenceId } = await given.evidence({ Name: 'shared with nobody' })
  evidence = EvidenceId
  resource = (await given.completed(Buffer.from('the only copy'), { evidenceId: evidence })).resourceId
  const integration = await given.integration('in no policy')
  strangers.push({ name: 'an integration in no policy', as: { token: await signIn(integration, given.url) } })
  const { password } = ADMINISTRATOR
  await given.command('user.create', { username: 'visitor', password, group: null, policies: [], guest: true })
  const { headers } = await given.call('POST', '/connect/session', {
    token: null,
    body: { Username: 'visitor', Password: password, NoticeId: 'default' },
  })
  const cookie = headers.get('set-cookie')?.split(';')[0] as string
  strangers.push({ name: 'a guest', as: { token: null, headers: { cookie, origin: given.url } } })
})
afterAll(() => given?.close())

const WRITES = { resource: { Name: 'x' }, note: { Text: 'x' } } as const
const operations = (id: string): readonly (readonly [string, string, unknown?])[] => {
  const place = `${given.documents}/evidence/${id}`
  const file = `${place}/resource/${resource}`
  return [
    ['GET', place],
    ['HEAD', place],
    ['GET', `${place}/resource`],
    ['GET', file],
    ['GET', `${file}/content`],
    ['GET', `${file}/content?purpose=play`],
    ['GET', `${file}/media`],
    ['GET', `${file}/thumbnail`],
    ['GET', `${place}/note`],
    ['GET', `${place}/bookmark`],
    ['GET', `${place}/duplicates`],
    ['GET', `${place}/suggestions`],
    ['GET', `${place}/custody`],
    ['GET', `${place}/custody/export`],
    ['POST', `${place}/custody/verify`],
    ['POST', `${place}/check`],
    ['POST', `${place}/resource`, WRITES.resource],
    ['POST', `${file}/still`, { Seconds: 0 }],
    ['POST', `${file}/clips`, { Kind: 'exact', Ranges: [{ FromSeconds: 0, ToSeconds: 0 }] }],
    ['POST', `${file}/clip-bounds`, { Ranges: [{ FromSeconds: 0, ToSeconds: 0 }] }],
    ['POST', `${file}/crop`, { Left: 0, Top: 0, Width: 1, Height: 1 }],
    ['POST', `${file}/upload-uri`],
    ['POST', `${place}/complete`],
    ['PATCH', place, { Description: 'x' }],
    ['POST', `${place}/note`, WRITES.note],
  ]
}
const told = ({ status, json }: Reply): string => `${status} ${json?.ErrorCode ?? ''}`

describe('S16 a padded id', () => {
  it.each([1, 2, 17, 18, 19, 20, 21, 31, 32].map((length) => [length]))(
    'of %i digits is the id itself to who may not see it',
    async (length) => {
      const padded = evidence.padStart(length, '0')
      for (const { name, as } of strangers) {
        const own = operations(evidence)
        for (const [at, [method, place, body]] of operations(padded).entries()) {
          const [, canonical] = own[at] as (typeof own)[number]
          const options = body === undefined ? as : { ...as, body }
          const reply = await given.call(method, place, options)
          expect(`${method} ${place} ${told(reply)}`, name).toBe(
            `${method} ${place} ${told(await given.call(method, canonical, options))}`,
          )
          expect(reply.status, `${name}: ${method} ${place}`).toBe(404)
        }
      }
    },
  )

  it('is the id itself to who may: in the answer and in the ledger', async () => {
    const before = given.ledger().at(-1)?.seq ?? 0
    const { status, json } = await given.call('GET', `${given.documents}/evidence/${evidence.padStart(32, '0')}`)
    expect([status, json.EvidenceId]).toEqual([200, evidence])
    expect(given.ledger(before).map(({ action, object }) => [action, object.id])).toEqual([['evidence.read', evidence]])
  })

  it('that breaks the contract is 401 to nobody, and every problem to who is known', async () => {
    for (const spelled of ['0'.repeat(33), '+1', '-1', ' 1', '1e0', '0x1', '%EF%BC%91', '9'.repeat(20), 'x']) {
      const place = `${given.documents}/evidence/${spelled}/resource`
      const body = { Name: '' }
      expect((await given.call('POST', place, { token: null, body })).status).toBe(401)
      for (const { name, as } of strangers) {
        const { status, json } = await given.call('POST', place, { ...as, body })
        expect([status, json.ErrorCode, json.Details.map(({ Path }: { Path: string }) => Path)], name).toEqual([
          400,
          'InvalidModel',
          ['evidenceId', 'Name'],
        ])
      }
    }
  })
})

describe('S16 a route of kind level', () => {
  const route: RouteDefinition = {
    id: 'guarded',
    interface: 'document',
    method: 'GET',
    path: '/evidence/:evidenceId',
    origin: 'extension',
    summary: 'a test',
    permission: { kind: 'level', level: 'View', on: 'evidence' },
    audit: { by: 'none', reason: 'a test' },
    params: z.object({ evidenceId: IdParam }),
    responses: { 200: z.string() },
    errors: [],
  }
  const registering = (more: object) => () =>
    placesOf([{ kind: 'json', route: { ...route, ...more }, handle: async () => '' }])
  it('is registered only where its id can be judged', () => {
    expect(registering({})).not.toThrow()
    expect(registering({ permission: { kind: 'level', level: 'View', on: 'device' } })).toThrow(/nobody judges/)
    expect(registering({ path: '/evidence/:id' })).toThrow(/id/)
    expect(registering({ aliases: ['/evidence'] })).toThrow(/names no evidence/)
    expect(registering({ params: z.object({}) })).toThrow(/evidenceId/)
    expect(registering({ params: undefined })).toThrow(/evidenceId/)
  })
})

it('S16: the contract parses every parameter of every path', async () => {
  for (const { id, params, path, aliases = [] } of await contractRoutes())
    for (const place of [path, ...aliases])
      for (const [, name] of place.matchAll(/:([^/]+)/g))
        expect(Object.keys((params as z.ZodObject | undefined)?.shape ?? {}), id).toContain(name)
})
