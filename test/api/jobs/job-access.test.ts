import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Given, givenStation, type Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'

/** S16: what the station is busy with is told to those who may view the evidence, and to nobody else. */
const JOBS = '/api/v1/tenant/station/job'
const STATION = '/api/v1/tenant/station/station'
let given: Given
let evidence: string
let stranger: { id: string; kId: string; token: string }
beforeAll(async () => {
  given = await givenStation()
  const made = await given.integration('stranger')
  stranger = {
    id: made.ServicePrincipalId,
    kId: made.ServicePrincipalKey.kid as string,
    token: await signIn(made, given.url),
  }
  evidence = (await given.completed(Buffer.from('bytes'))).evidenceId
  await given.settled(evidence)
})
afterAll(() => given?.close())

const list = (token: string): Promise<Json[]> => given.expecting(200, given.call('GET', JOBS, { token }))
const station = (token: string): Promise<Json> => given.expecting(200, given.call('GET', STATION, { token }))

/** What a caller's stream of jobs carries while somebody has evidence made. */
async function heard(token: string, during: () => Promise<unknown>): Promise<string[]> {
  const abort = new AbortController()
  const response = await fetch(`${given.url}${JOBS}/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: abort.signal,
  })
  let text = ''
  const reading = (async () => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      text += Buffer.from(chunk).toString('utf8')
  })().catch(() => {})
  await during()
  await new Promise((resolve) => setTimeout(resolve, 300))
  abort.abort()
  await reading
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data as string).Subject as string)
}

it('S16: jobs, their stream and the figures are those of what the caller may view', async () => {
  const another = async (): Promise<unknown> =>
    given.settled((await given.completed(Buffer.from(`${Math.random()}`))).evidenceId)
  const own = await list(given.token)
  expect(own.length).toBeGreaterThan(0)
  expect(await list(stranger.token)).toEqual([])
  expect(new Set(await heard(given.token, another)).size).toBeGreaterThan(0)
  expect(await heard(stranger.token, another)).toEqual([])
  expect((await station(stranger.token)).Evidence.Count).toBe(0)
  expect((await station(given.token)).Evidence.Count).toBe(3)
  for (const act of ['cancel', 'retry']) {
    const { status, json } = await given.call('POST', `${JOBS}/${own[0].JobId}/${act}`, { token: stranger.token })
    expect([status, json.ErrorCode]).toEqual([404, 'JobNotFound'])
  }
})

it('S16: nobody stops a job about evidence that they may not edit, whatever the job is about it by', async () => {
  const id = await given.meddle(
    (db) =>
      db
        .prepare(
          `INSERT INTO jobs (kind, payload, subject, state, created_utc) VALUES ('dock.recording', '{}', ?, 'failed', '2026-11-22T06:00:00.000Z')`,
        )
        .run(`evidence:${evidence}`).lastInsertRowid,
  )
  const { status } = await given.call('POST', `${JOBS}/${id}/retry`, { token: stranger.token })
  expect(status).toBe(404)
  expect((await list(given.token)).map(({ JobId }) => JobId)).toContain(String(id))
  expect((await station(given.token)).Queue.Failed).toBe(1)
  expect((await station(stranger.token)).Queue).toEqual({ Running: 0, Queued: 0, Waiting: 0, Failed: 0 })
})

it('S16: who is given the evidence sees its jobs, and no more when it is taken back', async () => {
  const place = `${given.documents}/evidence/${evidence}`
  const before = await given.expecting(200, given.call('GET', place))
  const policies = before.AccessPolicies
  const policy = { Permissions: 'View', PrincipalId: stranger.id, KId: stranger.kId, PrincipalType: 'service' }
  const share = (ConcurrencyId: string, AccessPolicies: Json[]): Promise<Json> =>
    given.expecting(200, given.call('PATCH', place, { body: { ConcurrencyId, AccessPolicies } }))
  const { ConcurrencyId } = await share(before.ConcurrencyId, [...policies, policy])
  expect((await list(stranger.token)).length).toBeGreaterThan(0)
  expect((await station(stranger.token)).Evidence.Count).toBe(1)
  await share(ConcurrencyId, policies)
  expect(await list(stranger.token)).toEqual([])
  expect((await station(stranger.token)).Evidence.Count).toBe(0)
})

it('S16: evidence that is not there and evidence that may not be seen leave the same entry', async () => {
  const told = async (id: string) => {
    const reply = await given.call('GET', `${given.documents}/evidence/${id}`, { token: stranger.token })
    const entries = given.ledger().filter(({ correlationId }) => correlationId === reply.correlationId)
    const shape = entries.map(({ action, outcome, reason, object, detail }) => {
      const { evidenceId, ...rest } = detail ?? {}
      return { action, outcome, reason, type: object.type, name: object.name, same: object.id === evidenceId, ...rest }
    })
    const { CorrelationId: _id, Message, ...body } = reply.json
    return { status: reply.status, ...body, Message: Message.replace(id, ''), shape }
  }
  expect(await told(evidence)).toEqual(await told('99999999'))
})
