/** Who may set up headquarters, and what its routes refuse. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Given, givenStation, type Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'

const PLACE = '/api/v1/tenant/station/headquarters'
const ROUTES = [
  ['GET', ''],
  ['PUT', '/connection', { Connection: {} }],
  ['DELETE', '/connection'],
  ['PUT', '/rules', {}],
  ['POST', '/test'],
  ['GET', '/item'],
  ['POST', '/item/1/retry'],
  ['GET', '/question'],
  ['POST', '/question/1/settle', { Keep: 'ours' }],
] as const

describe('headquarters', () => {
  let given: Given
  let administrator: string
  let everything: string
  beforeAll(async () => {
    given = await givenStation()
    const make = async (name: string, policies: readonly string[], group: string | null): Promise<string> => {
      const { connection } = await given.command('integration.create', { name, policies, group, baseUrl: given.url })
      return signIn(connection, given.url)
    }
    administrator = await make('administrator', [], 'Account Administrators')
    everything = await make('everything else', ['ManageConfiguration', 'ManageDevices', 'AccessAuditTrail'], null)
  })
  afterAll(() => given.close())
  const ask = (token: string | null, method: string, path: string, body?: unknown) =>
    given.call(method, `${PLACE}${path}`, { token, ...(body === undefined ? {} : { body }) })

  it.each(ROUTES)('%s %s is for administrators only', async (method, path, body?: unknown) => {
    expect((await ask(null, method, path, body)).status).toBe(401)
    expect((await ask(everything, method, path, body)).status).toBe(403)
    expect((await ask(administrator, method, path, body)).status).not.toBe(403)
  })

  it('refuses a file that is none, an address without TLS, and one where nobody answers', async () => {
    const connection = await given.integration('own')
    const refused = async (Connection: Json): Promise<string> => {
      const { status, json } = await ask(administrator, 'PUT', '/connection', { Connection })
      expect([status, json.ErrorCode]).toEqual([409, 'HeadquartersUnusable'])
      return json.Message
    }
    expect(await refused({ TenantId: 'station' })).toContain('lacks')
    const at = (origin: string): Json =>
      Object.fromEntries(
        Object.entries(connection).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.map((one) => String(one).replace(given.url, origin)) : value,
        ]),
      )
    expect(await refused(at('http://headquarters.example'))).toContain('does not use TLS')
    expect(await refused(at('http://127.0.0.1:9'))).not.toBe('')
    expect(await refused({ ...connection, ServicePrincipalId: '999999' })).toContain(
      'does not accept the connection file',
    )
  })

  it('refuses rules that cannot be followed, each with its place', async () => {
    await given.expecting(
      200,
      ask(administrator, 'PUT', '/connection', { Connection: await given.integration('self') }),
    )
    const { status, json } = await ask(administrator, 'PUT', '/rules', {
      Windows: [{ Days: [], From: '25:00', To: '06:00' }],
      ClearAfterDays: -1,
    })
    expect(status).toBe(400)
    expect(json.Details.map(({ Path }: Json) => Path).sort()).toEqual([
      'ClearAfterDays',
      'Windows.0.Days',
      'Windows.0.From',
    ])
  })

  it('what is not complete is not forwarded, and a request needs no rule', async () => {
    const { EvidenceId } = await given.evidence()
    const early = await given.call('POST', `${given.documents}/evidence/${EvidenceId}/forward`)
    expect([early.status, early.json.ErrorCode]).toEqual([409, 'EvidenceNotCompleted'])
    await given.expecting(200, ask(administrator, 'PUT', '/rules', { Paused: true }))
    await given.completed(Buffer.from('asked for'), { evidenceId: EvidenceId })
    await given.expecting(200, given.call('POST', `${given.documents}/evidence/${EvidenceId}/complete`, { body: {} }))
    await given.expecting(202, given.call('POST', `${given.documents}/evidence/${EvidenceId}/forward`))
    const { Items } = (await ask(administrator, 'GET', '/item')).json
    expect(Items).toMatchObject([{ EvidenceId, Ground: 'requested', State: 'waiting' }])
    expect((await ask(administrator, 'GET', '')).json).toMatchObject({ State: 'paused', Backlog: { Waiting: 1 } })
  })
})
