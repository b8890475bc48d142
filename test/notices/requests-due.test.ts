import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRequests } from '../../server/features/disclosure/requests.service.ts'
import { insertRequest, requestsOf, updateRequest } from '../../server/features/disclosure/requests.store.ts'
import { createAccess } from '../../server/kernel/access/access.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { type NoticesWorld, noticesWorld } from './world.ts'

/** The day of a request for disclosure is told of three days before, once for each day that it has (decisions 40). */
const folder = mkdtempSync(join(tmpdir(), 'sallyport-requests-due-'))
let world: NoticesWorld
beforeAll(async () => {
  world = await noticesWorld(join(folder, 'sallyport.db'))
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

let serial = 0
const add = (caseId: number, who: number, due: string | null, state: 'open' | 'closed' = 'open'): Promise<void> =>
  world.inTransaction((tx) =>
    insertRequest(tx, {
      tenant_id: 'station',
      case_id: caseId,
      no: ++serial,
      recipient_name: 'A. Mercer',
      recipient_role: 'defence',
      recipient_organisation: '',
      authority: '',
      request_number: '',
      request_date: null,
      request_due: due,
      what: 'Everything',
      recorded_utc: '2026-11-20T08:00:00.000Z',
      recorded_by: JSON.stringify({ PrincipalId: String(who), Username: 'who', KId: '', PrincipalType: 'user' }),
      state,
      closed_utc: state === 'open' ? null : '2026-11-21T08:00:00.000Z',
      closed_by: state === 'open' ? null : '{}',
      close_reason: '',
      disclosure_id: null,
      reminded_due: null,
    }),
  )
const remind = (day: string): Promise<void> =>
  createRequests({
    ...world,
    access: createAccess({ clock: systemClock }),
    ledger: null as never,
    clock: { now: () => Date.parse(`${day}T12:00:00Z`) } as never,
    timeZone: 'Europe/Vienna',
  }).remind()
const told = async (who: number): Promise<number> =>
  (await world.list(who)).filter(({ Kind }) => Kind === 'disclosure.requestDue').length

it('reminds of open requests, whose people may still edit the case, three days before', async () => {
  const [who, viewer] = [await world.principal('user'), await world.principal('user')]
  const caseId = await world.aCase()
  await world.policies(caseId, [
    { principalId: who, level: 'Edit' },
    { principalId: viewer, level: 'Download' },
  ])
  await add(caseId, who, '2026-12-04')
  await add(caseId, who, null)
  await add(caseId, who, '2026-12-01', 'closed')
  await add(caseId, viewer, '2026-12-01')
  await remind('2026-11-30')
  expect([await told(who), await told(viewer)]).toEqual([0, 0])
  await remind('2026-12-01')
  await remind('2026-12-02')
  expect([await told(who), await told(viewer)]).toEqual([1, 0])
  const [first] = await world.inTransaction((tx) => requestsOf(tx, caseId))
  await world.inTransaction((tx) => updateRequest(tx, first?.request_id ?? 0, { request_due: '2026-12-10' }))
  await remind('2026-12-07')
  expect(await told(who)).toBe(2)
})

it('reminds of more than are told in one transaction, and of none in a case in the recycle bin', async () => {
  const who = await world.principal('user')
  const [caseId, deleted] = [await world.aCase(), await world.aCase()]
  for (const one of [caseId, deleted]) await world.policies(one, [{ principalId: who, level: 'Edit' }])
  for (let at = 0; at < 101; at++) await add(caseId, who, '2026-12-04')
  await add(deleted, who, '2026-12-04')
  await world.inTransaction((tx) =>
    tx.updateTable('cases').set({ lifecycle_state: 'Deleted' }).where('case_id', '=', deleted).execute(),
  )
  await remind('2026-12-04')
  expect(await told(who)).toBe(101)
})
