/** The history of an evidence, in the style of cases (decisions 3 and 4). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Reply } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import type { Person } from '../cases/world.ts'
import { type ChangeWorld, changeWorld, refused } from './change-world.ts'

let world: ChangeWorld
beforeAll(async () => {
  world = await changeWorld()
})
afterAll(() => world?.given.close())

describe('history', () => {
  it('runs newest first, with what changed and who did it', async () => {
    const first = await world.evidence({ CustomFields: { a: '1' } })
    const { EvidenceId: id } = first
    const second = await world.changed(id, { Name: 'second', CustomFields: { b: '2' } })
    const reply = await world.history(id, world.owner)
    const { Name, Entries } = reply.json
    expect([Name, Entries.length]).toEqual(['second', 2])
    expect(Entries[0]).toEqual({
      Author: { PrincipalId: world.owner.id, KId: world.owner.kId, Name: 'owner', Username: 'owner' },
      ConcurrencyId: second.ConcurrencyId,
      ParentReferenceId: first.ConcurrencyId,
      DateUtc: expect.stringMatching(/Z$/),
      Action: 'evidence.changed',
      Changes: [
        { op: 'remove', path: '/CustomFields/a' },
        { op: 'add', path: '/CustomFields/b', value: '2' },
        { op: 'replace', path: '/Name', value: 'second' },
      ],
    })
    expect([Entries[1].Action, Entries[1].ConcurrencyId, Entries[1].ParentReferenceId]).toEqual([
      'evidence.created',
      first.ConcurrencyId,
      '0'.repeat(40),
    ])
    expect(Entries[1].Changes).toContainEqual({ op: 'add', path: '/Name', value: 'Front desk' })
    expect(world.entriesOf(reply).map(({ action, object, detail }) => [action, object.name, detail])).toEqual([
      ['evidence.history', 'second', { returned: 2 }],
    ])
  })

  it('pages by startingConcurrencyId and count', async () => {
    const { EvidenceId: id } = await world.evidence()
    for (const at of [1, 2, 3, 4]) await world.changed(id, { Name: `n${at}` })
    const whole = (await world.history(id, world.owner)).json.Entries
    const walked: Json[] = []
    for (let from = ''; from !== '0'.repeat(40); from = walked.at(-1).ParentReferenceId) {
      const page = (await world.history(id, world.owner, `?count=2&startingConcurrencyId=${from}`)).json
        .Entries as Json[]
      expect(page.length).toBeGreaterThan(0)
      walked.push(...page)
    }
    expect(walked).toEqual(whole)
    expect((await world.history(id, world.owner, `?startingConcurrencyId=${'0'.repeat(40)}`)).json.Entries).toEqual([])
    for (const count of ['0', '1001', 'x'])
      await refused(world.history(id, world.owner, `?count=${count}`), 400, 'InvalidModel')
    for (const start of ['x', 'f'.repeat(40), (await world.evidence()).ConcurrencyId])
      await refused(world.history(id, world.owner, `?startingConcurrencyId=${start}`), 400, 'InvalidConcurrencyId')
    const reply = await world.send('GET', `${world.place(id)}/history`, undefined, {
      as: world.owner,
      headers: { accept: 'application/json-patch+json' },
    })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^application\/json-patch\+json/),
    ])
  })

  it('needs Manage and AccessAuditTrail; an administrator without Manage is not told what changed', async () => {
    const auditor = await world.person('auditor', ['AccessAuditTrail'])
    const denied = (reply: Reply) =>
      world.entriesOf(reply).map(({ action, outcome, reason }) => [action, outcome, reason])
    const REFUSED = [['access.denied', 'denied', 'PrincipalCannotAccessAuditTrail']]
    const { EvidenceId: id, ConcurrencyId, AccessPolicies } = await world.evidence()
    await world.changed(id, {
      ConcurrencyId,
      AccessPolicies: [...AccessPolicies, world.policy(world.officer, 'Manage'), world.policy(auditor, 'Edit')],
    })
    for (const who of [world.officer, auditor]) {
      const reply = await world.history(id, who)
      expect([reply.status, reply.json.ErrorCode, denied(reply)]).toEqual([403, 'Forbidden', REFUSED])
    }
    const unseen = await world.history((await world.evidence()).EvidenceId, auditor)
    expect([unseen.status, unseen.json.ErrorCode, denied(unseen)]).toEqual([404, 'EvidenceNotFound', REFUSED])
    await refused(world.history('999999', world.owner), 404, 'EvidenceNotFound')

    const { CaseId } = await world.made({}, world.owner)
    const inCase = await world.evidence({ CaseIds: [CaseId] })
    const chief = await administrator()
    const told = await world.history(inCase.EvidenceId, chief)
    expect(told.status).toBe(200)
    expect(told.json.Entries.map(({ Action }: Json) => Action)).toEqual(['evidence.linked', 'evidence.created'])
    expect(told.json.Entries.map(({ Changes }: Json) => Changes)).toEqual([null, null])
  })

  it('of the cases it was in, tells those that the reader can view', async () => {
    const open = await world.made({ AccessPolicies: [world.policy(world.officer, 'View')] }, world.owner)
    const closed = await world.made({}, world.owner)
    const reader = await world.person('reader', ['AccessAuditTrail'])
    const record = await world.evidence({ CaseIds: [open.CaseId, closed.CaseId] })
    // Whoever puts evidence straight into a case has Edit on it; Manage comes through a case.
    const casePlace = `/api/v1/case/station/${open.CaseId}`
    const AccessPolicies = [world.policy(world.owner, 'Manage'), world.policy(reader, 'Manage')]
    await world.given.expecting(200, world.send('PATCH', casePlace, { AccessPolicies }, { as: world.owner }))
    const linked = (reply: Reply): unknown[] =>
      reply.json.Entries.flatMap(({ Changes }: Json) => Changes)
        .filter(({ path: at }: Json) => at === '/Relations')
        .map(({ value }: Json) => value.map(({ CaseId }: Json) => CaseId))
    expect(linked(await world.history(record.EvidenceId, world.owner))).toEqual([
      [open.CaseId, closed.CaseId],
      [open.CaseId],
      [],
    ])
    expect(linked(await world.history(record.EvidenceId, reader))).toEqual([[open.CaseId], []])
  })
})

async function administrator(): Promise<Person> {
  const { connection } = await world.given.command('integration.create', {
    name: 'chief',
    policies: [],
    group: 'Account Administrators',
    baseUrl: world.given.url,
  })

  return {
    id: connection.ServicePrincipalId,
    kId: connection.ServicePrincipalKey.kid,
    token: await signIn(connection, world.given.url),
  }
}
