import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import { openDatabase } from '../../server/kernel/database/database.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { type Given, givenStation, type Json } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import { programOf } from '../support/program.ts'

/** S16: what a station of before let through is found again in its ledger, by the command that ships. */
let given: Given
let evidence: string
let resource: string
let reader: string
let stranger: { id: string; token: string }
beforeAll(async () => {
  given = await givenStation()
  evidence = (await given.evidence()).EvidenceId
  resource = (await given.completed(Buffer.from('bytes'), { evidenceId: evidence })).resourceId
  const made = await given.integration('reader')
  reader = await signIn(made, given.url)
  const { AccessPolicies, ConcurrencyId } = await given.expecting(
    200,
    given.call('GET', `${given.documents}/evidence/${evidence}`),
  )
  const policy = {
    Permissions: 'View',
    PrincipalId: made.ServicePrincipalId,
    KId: made.ServicePrincipalKey.kid,
    PrincipalType: 'service',
  }
  await given.expecting(
    200,
    given.call('PATCH', `${given.documents}/evidence/${evidence}`, {
      body: { ConcurrencyId, AccessPolicies: [...AccessPolicies, policy] },
    }),
  )
  const other = await given.integration('stranger')
  stranger = { id: other.ServicePrincipalId, token: await signIn(other, given.url) }
})
afterAll(() => given?.close())

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const review = (): Promise<{ code: number; report: Json }> =>
  new Promise((resolve, reject) => {
    const args = [programOf('server/bin/sallyport.ts'), 'access-review', '--json', '--data', given.data]
    execFile(process.execPath, args, { cwd: ROOT }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      try {
        resolve({ code, report: JSON.parse(stdout) })
      } catch {
        reject(new Error(`${code}: ${stderr}`))
      }
    })
  })

it('S16: the review of an honest station lists nothing, and finds what the old check let through', async () => {
  const place = `${given.documents}/evidence/${evidence}`
  for (const token of [given.token, reader]) await given.expecting(200, given.call('GET', place, { token }))
  expect((await given.call('GET', place, { token: stranger.token })).status).toBe(404)
  const honest = await review()
  expect([honest.code, honest.report.Unexplained, honest.report.NotJudged]).toEqual([0, [], 0])
  expect(honest.report.Reviewed).toBeGreaterThan(2)

  // As the frame wrote it then: the caller was not judged, and the entry has the id that was answered.
  const db = await openDatabase({ file: given.file })
  const ledger = createLedger({ db, clock: systemClock, log: createLog('silent') })
  await given.stop()
  const actor = { kind: 'service', id: stranger.id, name: 'stranger', kId: '' } as const
  const call = { actor, source: '127.0.0.1', correlationId: 'of-before' }
  await ledger.record(call, {
    action: 'evidence.read',
    object: { type: 'evidence', id: evidence, name: 'x' },
    outcome: 'ok',
  })
  await ledger.record(call, {
    action: 'resource.downloaded',
    object: { type: 'resource', id: resource, name: 'x' },
    outcome: 'ok',
  })
  await ledger.stop()
  await db.close()
  const { code, report } = await review()
  expect(code).toBe(1)
  expect(
    report.Unexplained.map((use: Json) => [use.PrincipalId, use.Name, use.Action, use.EvidenceId, use.ResourceId]),
  ).toEqual([
    [stranger.id, 'stranger', 'evidence.read', evidence, null],
    [stranger.id, 'stranger', 'resource.downloaded', evidence, resource],
  ])
})
