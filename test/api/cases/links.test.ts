import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../support/rows.ts'
import type { Json, Reply } from '../../support/given.ts'
import { CASES, type CasesWorld, casesWorld, type Person } from './world.ts'

/** Evidence in cases: linking, taking out, what the links give, and the relations (decisions 2 to 4; promises S4, U7). */
let world: CasesWorld
beforeAll(async () => {
  world = await casesWorld()
})
afterAll(() => world.given.close())

const evidenceBy = (who: Person, body: Json = {}): Promise<Json> =>
  world.given.expecting(
    201,
    world.given.call('POST', `${world.given.documents}/evidence`, {
      token: who.token,
      body: { Name: 'Clip', ...body },
    }),
  )
const link = (caseId: string, evidences: Json[], more: Json = {}, as?: Person): Promise<Reply> =>
  world.send(
    'POST',
    `${CASES}/${caseId}/link-evidences`,
    { Evidences: evidences, ...more },
    as === undefined ? {} : { as },
  )
const read = (caseId: string, as?: Person): Promise<Json> =>
  world.given.expecting(200, world.send('GET', `${CASES}/${caseId}`, undefined, as === undefined ? {} : { as }))
const mayConfirm = async (caseId: string, as?: Person): Promise<boolean[]> =>
  (await read(caseId, as)).Evidences.map((one: Json) => one.MayConfirm)
const code = async (reply: Promise<Reply>): Promise<unknown> => {
  const { status, json, text } = await reply
  return [status, json?.ErrorCode ?? text]
}
const levelOf = async (who: Person, evidenceId: string): Promise<unknown> => {
  const { status, json } = await world.given.call('GET', `${world.given.documents}/evidence/${evidenceId}`, {
    token: who.token,
  })
  return status === 200 ? json.AccessorPermissions.at(-1) : status
}
/** As the correlation engine will: a link that the station makes. */
async function automatically(caseId: string, evidenceId: string): Promise<void> {
  const db = await openTestDatabase({ file: world.given.file })
  await db.transaction(async (tx) => {
    await tx
      .insertInto('case_links')
      .values({
        case_id: Number(caseId),
        evidence_id: Number(evidenceId),
        kind: 'Automatic',
        confirmed: 0,
        rule: 'overlap',
        linked_on: '2026-11-20T03:00:00.000Z',
        linked_by: JSON.stringify({
          PrincipalId: '0',
          KId: '',
          Name: 'internal',
          Username: 'internal',
          PrincipalType: 'internal',
        }),
      })
      .execute()
    await tx
      .updateTable('evidence')
      .set({ association_state: 'Automatic' })
      .where('evidence_id', '=', Number(evidenceId))
      .where('association_state', '=', 'None')
      .execute()
  })
  await db.close()
}

describe('linking', () => {
  it('shows the evidence in the case, and makes a version and an entry of both', async () => {
    const made = await world.made()
    const evidence = await evidenceBy(world.maker, { StartTimeUtc: '2026-11-20T02:00:00Z' })
    const reply = await link(made.CaseId, [{ EvidenceId: evidence.EvidenceId, Name: 'Clip' }])
    expect([reply.status, reply.text]).toEqual([204, ''])
    const now = await read(made.CaseId)
    expect(now.EvidenceIds).toEqual([evidence.EvidenceId])
    expect(now.Evidences).toEqual([
      {
        EvidenceId: evidence.EvidenceId,
        Name: 'Clip',
        DisplayName: 'Clip',
        Thumbnail: null,
        StartTimeUtc: '2026-11-20T02:00:00Z',
        EndTimeUtc: null,
        Clock: {
          CorrectedTimeUtc: '2026-11-20T02:00:00Z',
          DeviceTimeUtc: '2026-11-20T02:00:00Z',
          Offset: null,
          Source: 'none',
          UncertaintySeconds: null,
          ZoneUnknown: false,
        },
        State: 'None',
        LifecycleState: 'None',
        Status: 'open',
        Type: 'none',
        LinkKind: 'Manual',
        Confirmed: true,
        Camera: null,
        MayConfirm: false,
      },
    ])
    expect(now.ConcurrencyId).not.toBe(made.ConcurrencyId)
    const after = await world.given.call('GET', `${world.given.documents}/evidence/${evidence.EvidenceId}`, {
      token: world.maker.token,
    })
    expect([after.json.AssociationState, after.json.ConcurrencyId === evidence.ConcurrencyId]).toEqual([
      'Manual',
      false,
    ])
    const entries = world.given.ledger().filter(({ correlationId }) => correlationId === reply.correlationId)
    expect(entries.map(({ action, object, detail }) => [action, object.id, detail])).toEqual([
      ['evidence.linked', evidence.EvidenceId, { concurrencyId: after.json.ConcurrencyId }],
      ['case.linked', made.CaseId, { added: [evidence.EvidenceId], removed: [], concurrencyId: now.ConcurrencyId }],
    ])
    const before = await world.given.expecting(
      200,
      world.send('GET', `${CASES}/${made.CaseId}?concurrencyId=${made.ConcurrencyId}`),
    )
    expect([before.EvidenceIds, before.Evidences]).toEqual([[], []])
  })

  it('is all or nothing, and what is there stays as it is', async () => {
    const made = await world.made()
    const [one, two] = [await evidenceBy(world.maker), await evidenceBy(world.maker)]
    const ids = [{ EvidenceId: one.EvidenceId }, { EvidenceId: '999999' }]
    expect(await code(link(made.CaseId, ids))).toEqual([400, 'EvidenceNotFound'])
    expect((await read(made.CaseId)).ConcurrencyId).toBe(made.ConcurrencyId)
    await link(made.CaseId, [{ EvidenceId: one.EvidenceId }])
    const linked = await read(made.CaseId)
    await link(made.CaseId, [{ EvidenceId: one.EvidenceId, Action: 'Add' }])
    expect((await read(made.CaseId)).ConcurrencyId).toBe(linked.ConcurrencyId)
    const swap = [
      { EvidenceId: one.EvidenceId, Action: 'Remove' },
      { EvidenceId: Number(two.EvidenceId), Action: 'Add' },
    ]
    expect((await link(made.CaseId, swap, { ConcurrencyId: linked.ConcurrencyId })).status).toBe(204)
    expect((await read(made.CaseId)).EvidenceIds).toEqual([two.EvidenceId])
  })

  it('refuses each condition with its code', async () => {
    const made = await world.made({ AccessPolicies: [world.policy(world.other, 'View')] })
    const evidence = await evidenceBy(world.maker)
    const one = [{ EvidenceId: evidence.EvidenceId }]
    const many = Array.from({ length: 501 }, (_, at) => ({ EvidenceId: String(at + 1_000_000) }))
    // Counted before anything is looked up: not even the case.
    expect(await code(link('999999', many))).toEqual([400, 'TooManyAddedOrRemovedEvidencesAtOnce'])
    expect(await code(link(made.CaseId, many.slice(0, 500)))).toEqual([400, 'EvidenceNotFound'])
    expect(await code(link('999999', one))).toEqual([400, 'CaseNotFound'])
    expect(await code(link(made.CaseId, one, {}, world.other))).toEqual([403, ''])
    expect(await code(link(made.CaseId, [{ ...one[0], Action: 'Move' }]))).toEqual([400, 'InvalidLinkAction'])
    expect(await code(link(made.CaseId, [...one, ...one]))).toEqual([400, 'InvalidModel'])
    expect(await code(link(made.CaseId, [{ ...one[0], Action: 'Remove' }]))).toEqual([400, 'EvidenceNotFound'])
    expect(await code(link(made.CaseId, one, { ConcurrencyId: '0'.repeat(40) }))).toEqual([400, 'CaseNotUpToDate'])
    const hidden = await evidenceBy(world.other)
    expect(await code(link(made.CaseId, [{ EvidenceId: hidden.EvidenceId }]))).toEqual([400, 'EvidenceNotFound'])
    const others = await world.made({ AccessPolicies: [world.policy(world.maker, 'View')] }, await manager())
    const seen = await evidenceBy(await manager(), { CaseIds: [others.CaseId] })
    expect(await code(link(made.CaseId, [{ EvidenceId: seen.EvidenceId }]))).toEqual([
      400,
      'PrincipalCannotManageEvidence',
    ])
    await automatically(made.CaseId, evidence.EvidenceId)
    expect(await code(link(made.CaseId, [{ ...one[0], Action: 'Remove' }]))).toEqual([400, 'InvalidLinkAction'])
    await world.send('POST', `${CASES}/${made.CaseId}/close`)
    expect(await code(link(made.CaseId, one))).toEqual([400, 'CaseClosed'])
  })

  it('takes 50 of a kind for an evidence, and not the 51st', async () => {
    const evidence = await evidenceBy(world.maker)
    const body = { EvidenceIds: [evidence.EvidenceId] }
    for (let made = 0; made < 50; made++) await world.made(body)
    expect(await code(world.send('POST', CASES, { Title: 'x', ...body }))).toEqual([400, 'InvalidLinkAction'])
  })

  it('comes with the case too: EvidenceIds are the links that somebody made', async () => {
    const [one, two, three] = [
      await evidenceBy(world.maker),
      await evidenceBy(world.maker),
      await evidenceBy(world.maker),
    ]
    const made = await world.made({ EvidenceIds: [one.EvidenceId, two.EvidenceId] })
    expect(made.EvidenceIds).toEqual([one.EvidenceId, two.EvidenceId])
    await automatically(made.CaseId, three.EvidenceId)
    const patched = await world.given.expecting(
      200,
      world.send('PATCH', `${CASES}/${made.CaseId}`, { EvidenceIds: [two.EvidenceId] }),
    )
    // The automatic one stays; only what somebody linked goes.
    expect(patched.Evidences.map((each: Json) => [each.EvidenceId, each.LinkKind, each.Confirmed])).toEqual([
      [two.EvidenceId, 'Manual', true],
      [three.EvidenceId, 'Automatic', false],
    ])
    const put = await world.given.expecting(
      200,
      world.send('PUT', `${CASES}/${made.CaseId}`, { Title: 'Same', ConcurrencyId: patched.ConcurrencyId }),
    )
    expect(put.EvidenceIds).toEqual([two.EvidenceId, three.EvidenceId])
  })
})

describe('S4 what a link gives', () => {
  it('the level on the case, until the link or the case goes', async () => {
    const evidence = await evidenceBy(world.maker)
    expect(await levelOf(world.other, evidence.EvidenceId)).toBe(404)
    const made = await world.made({
      EvidenceIds: [evidence.EvidenceId],
      AccessPolicies: [world.policy(world.other, 'Download')],
    })
    expect(await levelOf(world.other, evidence.EvidenceId)).toBe('Download')
    await link(made.CaseId, [{ EvidenceId: evidence.EvidenceId, Action: 'Remove' }])
    expect(await levelOf(world.other, evidence.EvidenceId)).toBe(404)
  })

  it('View through an automatic one, and the level on the case once it is confirmed', async () => {
    const evidence = await evidenceBy(world.maker)
    const made = await world.made({ AccessPolicies: [world.policy(world.other, 'Edit')] })
    await automatically(made.CaseId, evidence.EvidenceId)
    expect(await levelOf(world.other, evidence.EvidenceId)).toBe('View')
    const confirm = `${CASES}/${made.CaseId}/evidence/${evidence.EvidenceId}/confirm`
    expect([await mayConfirm(made.CaseId, world.other), await mayConfirm(made.CaseId)]).toEqual([[false], [true]])
    expect(await code(world.send('POST', confirm, undefined, { as: world.other }))).toEqual([403, ''])
    const relations = await world.given.expecting(200, world.send('POST', confirm))
    expect(relations.Relations).toMatchObject([
      { CaseId: made.CaseId, Kind: 'Automatic', Confirmed: true, Rule: 'overlap' },
    ])
    expect(await levelOf(world.other, evidence.EvidenceId)).toBe('Edit')
    expect(await mayConfirm(made.CaseId)).toEqual([false])
    expect(await code(world.send('POST', confirm))).toEqual([400, 'InvalidLinkAction'])
  })

  it('who may confirm is told: who manages the evidence, whatever they hold on the case, while it is open', async () => {
    const evidence = await evidenceBy(world.other)
    const made = await world.made({ AccessPolicies: [world.policy(world.other, 'View')] })
    await automatically(made.CaseId, evidence.EvidenceId)
    expect([await mayConfirm(made.CaseId), await mayConfirm(made.CaseId, world.other)]).toEqual([[false], [true]])
    const place = `${CASES}/${made.CaseId}`
    const confirm = `${place}/evidence/${evidence.EvidenceId}/confirm`
    expect(await code(world.send('POST', confirm))).toEqual([403, ''])
    await world.send('POST', `${place}/close`)
    expect(await mayConfirm(made.CaseId, world.other)).toEqual([false])
    expect(await code(world.send('POST', confirm, undefined, { as: world.other }))).toEqual([400, 'CaseClosed'])
    await world.send('POST', `${place}/reopen`)
    expect(await mayConfirm(made.CaseId, world.other)).toEqual([true])
    await world.given.expecting(200, world.send('POST', confirm, undefined, { as: world.other }))
    expect(await mayConfirm(made.CaseId, world.other)).toEqual([false])
  })

  it('evidence that goes straight into a case: Edit for who made it, and the case needs Edit', async () => {
    const made = await world.made({ AccessPolicies: [world.policy(world.other, 'Edit')] })
    const evidence = await evidenceBy(world.other, { CaseIds: [made.CaseId] })
    expect([evidence.AccessorPermissions.at(-1), evidence.AssociationState]).toEqual(['Edit', 'Manual'])
    expect((await read(made.CaseId)).EvidenceIds).toEqual([evidence.EvidenceId])
    const documents = `${world.given.documents}/evidence`
    const view = await world.made({ AccessPolicies: [world.policy(world.other, 'View')] })
    const hidden = await world.made()
    const create = (caseId: string) =>
      code(world.given.call('POST', documents, { token: world.other.token, body: { Name: 'x', CaseIds: [caseId] } }))
    expect(await create(view.CaseId)).toEqual([403, 'Forbidden'])
    expect(await create(hidden.CaseId)).toEqual([400, 'InvalidModel'])
    expect(await create('999999')).toEqual([400, 'InvalidModel'])
    await world.send('POST', `${CASES}/${made.CaseId}/close`)
    expect(await create(made.CaseId)).toEqual([400, 'InvalidModel'])
  })
})

describe('U7 an upload into a case', () => {
  it.each([
    ['the case was closed', async (made: Json) => world.send('POST', `${CASES}/${made.CaseId}/close`)],
    [
      'the level was taken back',
      async (made: Json, evidence: Json) => {
        const file = await openTestDatabase({ file: world.given.file })
        await file.transaction((tx) =>
          tx.deleteFrom('evidence_policies').where('evidence_id', '=', Number(evidence.EvidenceId)).execute(),
        )
        await file.close()
        return world.send('PATCH', `${CASES}/${made.CaseId}`, {
          AccessPolicies: [world.policy(world.maker, 'Manage'), world.policy(world.other, 'View')],
        })
      },
    ],
  ] as const)('is refused at completion where %s meanwhile, and the bytes are kept', async (why, meanwhile) => {
    const { given, other } = world
    const made = await world.made({ AccessPolicies: [world.policy(other, 'Edit')] })
    const evidence = await evidenceBy(other, { CaseIds: [made.CaseId] })
    const place = `${given.documents}/evidence/${evidence.EvidenceId}/resource`
    const open = await given.expecting(201, given.call('POST', place, { token: other.token, body: { Name: 'a.bin' } }))
    await given.put(open.UploadUri, Buffer.from('bytes'))
    expect((await meanwhile(made, evidence)).status).toBe(200)
    const done = await given.call('POST', `${place}/${open.ResourceId}/complete`, { token: other.token })
    expect([done.status, done.json.ErrorCode]).toEqual([403, 'Forbidden'])
    const actions = given
      .ledger()
      .filter(({ correlationId }) => correlationId === done.correlationId)
      .map(({ action, reason }) => [action, reason])
    expect(actions).toEqual(
      why === 'the case was closed'
        ? [
            ['resource.refused', 'The authority to upload ended before the upload was complete.'],
            ['access.denied', 'Forbidden'],
          ]
        : [['access.denied', 'PrincipalCannotEditEvidence']],
    )
  })
})

describe('relations', () => {
  const relations = (id: string, as?: Person, query = ''): Promise<Reply> =>
    world.send('GET', `/api/v1/evidence/station/${id}${query}`, undefined, as === undefined ? {} : { as })

  it('tell the cases that one can view, and of the others how many to whom they may be counted', async () => {
    const evidence = await evidenceBy(world.maker)
    const body = { EvidenceIds: [evidence.EvidenceId] }
    const seen = await world.made({ ...body, AccessPolicies: [world.policy(world.other, 'View')] })
    const hidden = await world.made(body)
    const told = await relations(evidence.EvidenceId, world.other)
    expect(told.headers.get('content-type')).toMatch(/^application\/json/)
    expect(told.json.Relations.map(({ CaseId }: Json) => CaseId)).toEqual([seen.CaseId])
    expect(told.json.HiddenCount).toBeNull()
    const whole = (await relations(evidence.EvidenceId)).json
    expect(whole.Relations.map((each: Json) => [each.CaseId, each.Title, each.LinkedBy.Name])).toEqual([
      [seen.CaseId, 'Burglary', 'maker'],
      [hidden.CaseId, 'Burglary', 'maker'],
    ])
    expect(whole.HiddenCount).toBe(0)
    const own = await relations(evidence.EvidenceId, undefined, `?concurrencyId=${evidence.ConcurrencyId}`)
    expect([own.json.Relations, own.json.ConcurrencyId]).toEqual([[], evidence.ConcurrencyId])
  })

  it('of nothing, of what one cannot view, and at no version', async () => {
    const evidence = await evidenceBy(world.maker)
    expect((await relations(evidence.EvidenceId)).json.Relations).toEqual([])
    expect(await code(relations('999999'))).toEqual([400, 'EvidenceRelationsNotFound'])
    expect(await code(relations(evidence.EvidenceId, world.other))).toEqual([403, ''])
    expect(await code(relations(evidence.EvidenceId, undefined, '?concurrencyId=x'))).toEqual([
      400,
      'InvalidConcurrencyId',
    ])
    const xml = await world.send('GET', `/api/v1/evidence/station/${evidence.EvidenceId}`, undefined, {
      headers: { accept: 'text/json' },
    })
    expect(xml.status).toBe(406)
  })
})

let managing: Person | undefined
const manager = async (): Promise<Person> => (managing ??= await world.person('manager', ['CreateCases']))
