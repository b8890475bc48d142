/** Who has no part in disclosure whatever they hold, and what is asked again when a record is written (docs/decisions/0035). */
// @module-tag merge
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Reply } from '../../support/given.ts'
import { DEFENCE, DISCLOSURES, type DisclosureWorld, disclosureStation, PROSECUTOR } from './world.ts'

const CASES = '/api/v1/case/station'
const PASSWORD = 'a long enough password'

let world: DisclosureWorld
beforeAll(async () => {
  world = await disclosureStation()
}, 120_000)
afterAll(() => world?.given.close())

async function caseWith(count: number): Promise<{ caseId: string; ids: string[] }> {
  const caseId = await world.newCase('Burglary')
  const ids: string[] = []
  for (let at = 0; at < count; at++) ids.push(await world.add(`Item ${at}`))
  await world.link(caseId, ...ids)
  return { caseId, ids }
}
const given = (more: Json = {}): Json => ({ Recipient: DEFENCE, Authority: 'x', Medium: 'handover', ...more })

/** Calls as somebody who signed in at the station. */
async function signInAs(Username: string): Promise<(method: string, place: string, body?: unknown) => Promise<Reply>> {
  const body = { Username, Password: PASSWORD, NoticeId: 'default' }
  const reply = await world.given.call('POST', '/connect/session', { token: null, body })
  const headers = { cookie: reply.headers.get('set-cookie')?.split(';')[0] as string, origin: world.given.url }
  return (method, place, sent) =>
    world.given.call(method, place, { token: null, headers, ...(sent === undefined ? {} : { body: sent }) })
}

describe('a guest', () => {
  it('S19: with Edit on a case and on its evidence discloses, restricts and reads nothing of it', async () => {
    const { caseId, ids } = await caseWith(1)
    const [evidence = ''] = ids
    await world.disclose(caseId, { EvidenceIds: ids })
    const command = { username: 'visitor', password: PASSWORD, group: null, policies: [], guest: true }
    const guest = await world.given.command('user.create', command)
    const policy = {
      Permissions: 'Edit',
      PrincipalId: guest.principalId,
      PrincipalType: 'user',
      KId: `urn:user:station:visitor:${guest.principalId}`,
    }
    await world.ok(200, 'POST', `${CASES}/${caseId}/share`, { AccessPolicies: [policy] })
    const as = await signInAs('visitor')
    expect((await as('GET', `${CASES}/${caseId}`)).status).toBe(200)
    const restriction = `${DISCLOSURES}/evidence/${evidence}/restriction`
    for (const [method, place, body] of [
      ['GET', `${DISCLOSURES}/case/${caseId}`],
      ['POST', `${DISCLOSURES}/case/${caseId}`, given({ EvidenceIds: ids })],
      ['GET', `${DISCLOSURES}/case/${caseId}/record/1`],
      ['GET', `${DISCLOSURES}/due`],
      ['GET', restriction],
      ['POST', restriction, { Kind: 'privileged', Reason: 'x' }],
      ['POST', `${restriction}/lift`, { Kind: 'privileged', Reason: 'x' }],
    ] as const) {
      const { status, json } = await as(method, place, body)
      expect([method, place, status, json.ErrorCode]).toEqual([method, place, 403, 'Forbidden'])
    }
  })
})

describe('a record', () => {
  it('S19: is refused for a package that is not made, or of which a file is another one now', async () => {
    const { caseId } = await caseWith(1)
    const made = await world.make(caseId, { variant: 'defence' })
    const PackageId = made.packageId.split('/').at(-1)
    const refused = async (): Promise<unknown[]> => {
      const { status, json } = await world.call('POST', `${DISCLOSURES}/case/${caseId}`, given({ PackageId }))
      return [status, json.ErrorCode]
    }
    const set = (sql: string): Promise<unknown> => world.given.meddle((db) => db.prepare(sql).run(Number(PackageId)))
    const SHA256 = made.signedSha256
    for (const state of ['Making', 'Failed']) {
      await set(`UPDATE packages SET state = '${state}', signed_sha256 = NULL WHERE package_id = ?`)
      expect([state, ...(await refused())]).toEqual([state, 404, 'PackageNotFound'])
    }
    await set(`UPDATE packages SET state = 'Made', signed_sha256 = '${SHA256}' WHERE package_id = ?`)
    await set("UPDATE packages SET problem = 'It may have no name.' WHERE package_id = ?")
    expect(await refused()).toEqual([404, 'PackageNotFound'])
    await set("UPDATE packages SET problem = '' WHERE package_id = ?")
    await set(
      "UPDATE package_items SET sha256 = '0000000000000000000000000000000000000000000000000000000000000000' WHERE package_id = ?",
    )
    expect(await refused()).toEqual([404, 'PackageNotFound'])
  })

  it('S19: of originals needs a complete one', async () => {
    const caseId = await world.newCase('Nothing in it')
    const { EvidenceId } = await world.given.evidence({ Name: 'Empty' })
    await world.link(caseId, EvidenceId)
    const body = given({ Recipient: PROSECUTOR, EvidenceIds: [EvidenceId] })
    const { status, json } = await world.call('POST', `${DISCLOSURES}/case/${caseId}`, body)
    expect([status, json.ErrorCode]).toEqual([409, 'NothingToDisclose'])
    const both = await caseWith(1)
    const { packageId } = await world.make(both.caseId, { variant: 'defence' })
    const mixed = given({ PackageId: packageId.split('/').at(-1), EvidenceIds: both.ids })
    const answer = await world.call('POST', `${DISCLOSURES}/case/${both.caseId}`, mixed)
    expect([answer.status, answer.json.ErrorCode]).toEqual([400, 'InvalidModel'])
  })
})

describe('the command line', () => {
  const create = (caseId: string, EvidenceIds: readonly string[]): Promise<unknown> =>
    world.given.command('disclosure.create', { caseId, body: given({ EvidenceIds }) })

  it('S19: discloses nothing of a case that is not there or in the recycle bin, nor evidence that is in it', async () => {
    const { caseId, ids } = await caseWith(2)
    await expect(create('999999', ids)).rejects.toThrow(/no case 999999/)
    await expect(create('1 OR 1', ids)).rejects.toThrow(/no case/)
    await world.given.meddle((db) =>
      db.prepare("UPDATE evidence SET lifecycle_state = 'Deleted' WHERE evidence_id = ?").run(Number(ids[0])),
    )
    await expect(create(caseId, ids)).rejects.toThrow(/recycle bin/)
    await world.given.meddle((db) =>
      db.prepare("UPDATE cases SET lifecycle_state = 'Deleted' WHERE case_id = ?").run(Number(caseId)),
    )
    await expect(create(caseId, [ids[1] as string])).rejects.toThrow(/The case is in the recycle bin/)
  })
})
