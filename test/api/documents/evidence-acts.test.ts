import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Reply } from '../../support/given.ts'
import { CASES, type CasesWorld, casesWorld, type Person } from '../cases/world.ts'

/** Protecting, deleting, restoring and moving evidence; what is unfinished; the same bytes twice (decisions 3, 4 and 6). */
let world: CasesWorld
let keeper: Person
let restorer: Person
let documents: string
beforeAll(async () => {
  world = await casesWorld()
  documents = world.given.documents
  keeper = await world.person('keeper', [
    'CreateCases',
    'DeleteCasesAndFiles',
    'ProtectFromDeletion',
    'AccessAuditTrail',
  ])
  restorer = await world.person('restorer', ['RestoreFromRecycleBin'])
})
afterAll(() => world.given.close())

const send = (method: string, place: string, body?: unknown, as: Person = keeper): Promise<Reply> =>
  world.send(method, place, body, { as })
const done = (reply: Promise<Reply>): Promise<Json> => world.given.expecting(200, reply)
const code = async (reply: Promise<Reply>): Promise<unknown> => {
  const { status, json } = await reply
  return status < 400 ? status : [status, json?.ErrorCode ?? '']
}
const placeOf = (evidenceId: string): string => `${documents}/evidence/${evidenceId}`
const evidence = (body: Json = {}, as: Person = keeper): Promise<Json> =>
  world.given.expecting(201, send('POST', `${documents}/evidence`, { Name: 'Clip', ...body }, as))
/** With one whole file. */
async function withFile(body: Json = {}, bytes: Uint8Array = randomBytes(40), as: Person = keeper): Promise<Json> {
  const made = await evidence(body, as)
  return { ...made, ...(await fileInto(made.EvidenceId, bytes, as)) }
}
async function fileInto(evidenceId: string, bytes: Uint8Array, as: Person = keeper): Promise<Json> {
  const open = await world.given.expecting(201, send('POST', `${placeOf(evidenceId)}/resource`, { Name: 'a.bin' }, as))
  await world.given.put(open.UploadUri, bytes)
  const whole = await done(send('POST', `${placeOf(evidenceId)}/resource/${open.ResourceId}/complete`, {}, as))
  return { ResourceId: whole.ResourceId, Sha256: whole.Sha256 }
}
const listed = async (query: string, as: Person = keeper): Promise<string[]> => {
  const { Items, Total } = await done(send('GET', `${documents}/evidence?count=1000&${query}`, undefined, as))
  expect(Total).toBe(Items.length)
  return Items.map(({ EvidenceId }: Json) => EvidenceId)
}
const caseNamed = async (Title: string, body: Json = {}): Promise<string> =>
  (await world.made({ Title, ...body }, keeper)).CaseId
const history = async (evidenceId: string): Promise<Json[]> =>
  (await done(send('GET', `${placeOf(evidenceId)}/history`))).Entries

describe('protecting evidence', () => {
  it('bars deletion, not edits, until it is taken away; each is a version', async () => {
    const { EvidenceId } = await evidence()
    const place = placeOf(EvidenceId)
    const held = await done(send('POST', `${place}/protect`, { Reason: 'Appeal' }))
    expect([held.LifecycleState, held.ProtectedUntil]).toEqual(['Protected', null])
    expect(await code(send('POST', `${place}/protect`, { Reason: 'x' }))).toEqual([409, 'EvidenceNotInNormalState'])
    await done(send('PATCH', place, { Description: 'Still here' }))
    expect(await code(send('DELETE', place))).toEqual([409, 'EvidenceProtected'])
    expect((await done(send('POST', `${place}/unprotect`))).LifecycleState).toBe('None')
    expect(await code(send('POST', `${place}/unprotect`))).toEqual([409, 'EvidenceNotProtected'])
    expect((await history(EvidenceId)).map(({ Action }) => Action)).toEqual([
      'evidence.unprotected',
      'evidence.changed',
      'evidence.protected',
      'evidence.created',
    ])
    const version = await done(send('GET', `${place}?concurrencyId=${held.ConcurrencyId}`))
    expect(version.LifecycleState).toBe('Protected')
  })

  it('ends at its instant, also before the station wrote that down, and then it does', async () => {
    const { EvidenceId } = await evidence()
    const place = placeOf(EvidenceId)
    for (const body of [{ Reason: 'x', Until: '2020-01-01T00:00:00Z' }, { Reason: '  ' }, {}])
      expect(await code(send('POST', `${place}/protect`, body))).toEqual([400, 'InvalidModel'])
    const until = new Date(Date.now() + 1200).toISOString()
    expect((await done(send('POST', `${place}/protect`, { Reason: 'x', Until: until }))).ProtectedUntil).toBe(until)
    expect(await code(send('DELETE', place))).toEqual([409, 'EvidenceProtected'])
    await new Promise((resolve) => setTimeout(resolve, 1300))
    const after = await done(send('GET', place))
    expect([after.LifecycleState, after.ProtectedUntil]).toEqual(['None', null])
    expect((await done(send('DELETE', place))).LifecycleState).toBe('Deleted')
  })

  it('of a case holds for its evidence; a case that the caller cannot view is not named', async () => {
    const shown = await caseNamed('Shown')
    const { EvidenceId } = await evidence({ CaseIds: [shown] })
    await done(send('POST', `${CASES}/${shown}/protect`, { Reason: 'Appeal' }))
    const refused = await send('DELETE', placeOf(EvidenceId))
    expect([refused.status, refused.json.ErrorCode, refused.json.Message]).toEqual([
      409,
      'EvidenceProtected',
      expect.stringContaining(shown),
    ])
    const hidden = await caseNamed('Hidden')
    const other = await evidence({ CaseIds: [hidden] })
    const manager = await world.person('evidence manager', ['DeleteCasesAndFiles'])
    const record = await done(send('GET', placeOf(other.EvidenceId)))
    const own = [keeper, manager].map((who) => world.policy(who, 'Manage'))
    await done(send('PATCH', placeOf(other.EvidenceId), { ConcurrencyId: record.ConcurrencyId, AccessPolicies: own }))
    await done(send('POST', `${CASES}/${hidden}/protect`, { Reason: 'Appeal' }))
    const told = await send('DELETE', placeOf(other.EvidenceId), undefined, manager)
    expect([told.status, told.json.Message]).toEqual([409, 'The evidence belongs to a protected case.'])
    await done(send('POST', `${CASES}/${hidden}/unprotect`))
    expect((await done(send('DELETE', placeOf(other.EvidenceId), undefined, manager))).LifecycleState).toBe('Deleted')
  })
})

describe('the recycle bin', () => {
  it('gives nothing out to those who could view it, is not there for others, and gives it back whole', async () => {
    const held = await caseNamed('Holding', { AccessPolicies: [world.policy(world.other, 'View')] })
    const { EvidenceId, ResourceId } = await withFile({ Tags: ['binned'], CaseIds: [held] })
    const open = await world.given.expecting(201, send('POST', `${placeOf(EvidenceId)}/resource`, { Name: 'b.bin' }))
    const place = placeOf(EvidenceId)
    const resource = `${place}/resource/${ResourceId}`
    const before = await done(send('GET', place))
    const gone = await done(send('DELETE', place))
    expect([gone.LifecycleState, gone.Thumbnail, gone.DeletedBy.Username, Date.parse(gone.DeletedOnUtc) > 0]).toEqual([
      'Deleted',
      null,
      'keeper',
      true,
    ])
    for (const [method, path, body] of [
      ['GET', place],
      ['HEAD', place],
      ['GET', `${place}?concurrencyId=${before.ConcurrencyId}`],
      ['PATCH', place, { Name: 'x' }],
      ['GET', `${place}/resource`],
      ['GET', resource],
      ['GET', `${resource}/content`],
      ['GET', `${resource}/content?purpose=play`],
      ['GET', `${resource}/thumbnail`],
      ['GET', `${place}/thumbnail`],
      ['GET', `${resource}/media`],
      ['GET', `${place}/custody`],
      ['GET', `${place}/history`],
      ['GET', `${place}/duplicates`],
      ['POST', `${place}/resource`, { Name: 'c.bin' }],
      ['POST', `${place}/resource/${open.ResourceId}/upload-uri`],
      ['POST', `${place}/resource/${open.ResourceId}/complete`, {}],
      ['POST', `${place}/complete`],
      ['POST', `${place}/protect`, { Reason: 'x' }],
      ['POST', `${place}/unprotect`],
      ['POST', `${place}/move`, { FromCaseId: held, ToCaseId: '1' }],
    ] as const) {
      const reply = await send(method, path, body)
      expect([path, reply.status, reply.json?.ErrorCode ?? '']).toEqual([
        path,
        409,
        method === 'HEAD' ? '' : 'EvidenceDeleted',
      ])
      // Nobody to whom it is not there learns that it was.
      const policied = path.endsWith('protect')
      expect([path, (await send(method, path, body, world.maker)).status]).toEqual([path, policied ? 403 : 404])
    }
    expect(await code(send('DELETE', place))).toEqual([409, 'EvidenceAlreadyDeleted'])
    expect(await code(send('GET', place, undefined, world.other))).toEqual([409, 'EvidenceDeleted'])
    expect(await code(send('GET', `/api/v1/evidence/station/${EvidenceId}`))).toEqual([400, 'EvidenceDeleted'])
    expect(await listed('tag=binned')).toEqual([])
    expect((await done(send('GET', `${documents}/tag?text=binned`))).length).toBe(0)
    expect(await listed(`case=${held}`)).toEqual([])
    expect(await listed('tag=binned&deleted=true')).toEqual([EvidenceId])
    expect(await listed('tag=binned&deleted=true', world.maker)).toEqual([])
    expect(await listed('tag=binned&deleted=true', restorer)).toEqual([EvidenceId])
    // Its case goes on naming it, and it goes neither in nor out.
    const named = await done(send('GET', `${CASES}/${held}`))
    expect(named.Evidences.map((one: Json) => [one.EvidenceId, one.LifecycleState, one.Thumbnail])).toEqual([
      [EvidenceId, 'Deleted', null],
    ])
    const link = (Action: string) =>
      send('POST', `${CASES}/${held}/link-evidences`, { Evidences: [{ EvidenceId, Action }] })
    expect(await code(link('Add'))).toEqual([400, 'EvidenceDeleted'])
    expect(await code(link('Remove'))).toEqual([400, 'EvidenceDeleted'])
    expect(await code(send('POST', `${place}/restore`))).toEqual([403, 'Forbidden'])
    const back = await done(send('POST', `${place}/restore`, undefined, restorer))
    expect([back.LifecycleState, back.DeletedOnUtc, back.DeletedBy, back.AccessorPermissions]).toEqual([
      'None',
      null,
      null,
      ['None'],
    ])
    expect(await code(send('POST', `${place}/restore`, undefined, restorer))).toEqual([404, 'EvidenceNotFound'])
    expect((await send('GET', `${resource}/content`)).bytes.length).toBe(40)
    expect((await history(EvidenceId)).slice(0, 2).map(({ Action }) => Action)).toEqual([
      'evidence.restored',
      'evidence.deleted',
    ])
    await world.given.put(open.UploadUri, randomBytes(8))
    await done(send('POST', `${place}/resource/${open.ResourceId}/complete`, {}))
  })

  it('is told in the ledger as the refusal that it is', async () => {
    const { EvidenceId } = await evidence()
    const refused = await send(
      'POST',
      `${placeOf(EvidenceId)}/protect`,
      { Reason: 'x' },
      await world.person('stranger', ['ProtectFromDeletion']),
    )
    const entry = world.given.ledger().find(({ correlationId }) => correlationId === refused.correlationId)
    expect([refused.status, entry?.action, entry?.reason]).toEqual([
      404,
      'access.denied',
      'PrincipalCannotReadEvidence',
    ])
  })

  it('ends the authority to upload while a completion waits for its bytes', async () => {
    const made = await evidence()
    const open = await world.given.expecting(
      201,
      send('POST', `${placeOf(made.EvidenceId)}/resource`, { Name: 'late.bin' }),
    )
    await world.given.put(open.UploadUri, randomBytes(8))
    await done(send('DELETE', placeOf(made.EvidenceId)))
    const complete = `${placeOf(made.EvidenceId)}/resource/${open.ResourceId}/complete`
    expect(await code(send('POST', complete, {}))).toEqual([409, 'EvidenceDeleted'])
    await done(send('POST', `${placeOf(made.EvidenceId)}/restore`, undefined, restorer))
    expect((await done(send('POST', complete, {}))).State).toBe('UserCompleted')
  })
})

describe('deleting a case with its files', () => {
  it('takes what is in no other case, all or nothing, and brings just that back', async () => {
    const one = await caseNamed('One')
    const two = await caseNamed('Two')
    const [alone, shared, before, sealed] = await Promise.all([
      withFile({ CaseIds: [one] }),
      evidence({ CaseIds: [one, two] }),
      evidence({ CaseIds: [one] }),
      evidence({ CaseIds: [one] }),
    ])
    await done(send('DELETE', placeOf(before.EvidenceId)))
    await done(send('POST', `${placeOf(sealed.EvidenceId)}/protect`, { Reason: 'Appeal' }))
    await done(send('POST', `${CASES}/${one}/close`))
    const refused = await send('DELETE', `${CASES}/${one}?withFiles=true`)
    expect([refused.status, refused.json.ErrorCode, refused.json.Details.length]).toEqual([400, 'EvidenceProtected', 1])
    expect((await done(send('GET', placeOf(alone.EvidenceId)))).LifecycleState).toBe('None')
    await done(send('POST', `${placeOf(sealed.EvidenceId)}/unprotect`))
    await done(send('DELETE', `${CASES}/${one}?withFiles=true`))
    const answers = async () =>
      Promise.all([alone, shared, before, sealed].map(({ EvidenceId }) => code(send('GET', placeOf(EvidenceId)))))
    const DELETED = [409, 'EvidenceDeleted']
    expect(await answers()).toEqual([DELETED, 200, DELETED, DELETED])
    await done(send('POST', `${CASES}/${one}/restore`, undefined, restorer))
    expect(await answers()).toEqual([200, 200, DELETED, 200])
    const entry = world.given.ledger().findLast(({ action, object }) => action === 'case.restored' && object.id === one)
    expect(entry?.detail?.['files']).toEqual([alone.EvidenceId, sealed.EvidenceId])
    // Without the word it stays.
    await done(send('DELETE', `${CASES}/${one}`))
    expect(await code(send('GET', placeOf(alone.EvidenceId)))).toBe(200)
  })

  it('what was restored alone stays restored', async () => {
    const { EvidenceId } = await evidence()
    const held = await caseNamed('Again', { EvidenceIds: [EvidenceId] })
    await done(send('POST', `${CASES}/${held}/close`))
    await done(send('DELETE', `${CASES}/${held}?withFiles=true`))
    await done(send('POST', `${placeOf(EvidenceId)}/restore`, undefined, restorer))
    await done(send('DELETE', placeOf(EvidenceId)))
    await done(send('POST', `${CASES}/${held}/restore`, undefined, restorer))
    expect(await code(send('GET', placeOf(EvidenceId)))).toEqual([409, 'EvidenceDeleted'])
  })
})

describe('moving', () => {
  it('is one act with one version of each, undone by moving back', async () => {
    const [from, to] = [await caseNamed('From'), await caseNamed('To')]
    const { EvidenceId } = await evidence({ CaseIds: [from] })
    const move = (FromCaseId: string, ToCaseId: string): Promise<Reply> =>
      send('POST', `${placeOf(EvidenceId)}/move`, { FromCaseId, ToCaseId })
    const inside = async (id: string): Promise<string[]> => (await done(send('GET', `${CASES}/${id}`))).EvidenceIds
    const versions = async (id: string): Promise<number> =>
      (await done(send('GET', `${CASES}/${id}/history`))).Entries.length
    const before = [(await history(EvidenceId)).length, await versions(from), await versions(to)]
    await done(move(from, to))
    expect([await inside(from), await inside(to)]).toEqual([[], [EvidenceId]])
    expect([(await history(EvidenceId)).length, await versions(from), await versions(to)]).toEqual(
      before.map((count) => count + 1),
    )
    await done(move(to, from))
    expect([await inside(from), await inside(to)]).toEqual([[EvidenceId], []])
  })

  it('refuses whole what it cannot do whole', async () => {
    const [from, to, third] = [await caseNamed('From'), await caseNamed('To'), await caseNamed('Third')]
    const theirs = (await world.made({ AccessPolicies: [world.policy(keeper, 'View')] })).CaseId
    const unseen = (await world.made()).CaseId
    const { EvidenceId } = await evidence({ CaseIds: [from, third] })
    const move = (FromCaseId: Json, ToCaseId: Json): Promise<unknown> =>
      code(send('POST', `${placeOf(EvidenceId)}/move`, { FromCaseId, ToCaseId }))
    expect(await move(from, from)).toEqual([400, 'InvalidModel'])
    expect(await move(from, '999999')).toEqual([400, 'InvalidModel'])
    expect(await move(from, unseen)).toEqual([400, 'InvalidModel'])
    expect(await move(to, from)).toEqual([400, 'InvalidModel'])
    expect(await move(from, undefined)).toEqual([400, 'InvalidModel'])
    expect(await move(from, theirs)).toEqual([403, 'Forbidden'])
    expect(await move(from, third)).toEqual([409, 'InvalidLinkAction'])
    await done(send('POST', `${CASES}/${to}/close`))
    expect(await move(from, to)).toEqual([409, 'CaseClosed'])
    expect((await done(send('GET', `${CASES}/${from}`))).EvidenceIds).toEqual([EvidenceId])
  })
})

describe('the same bytes twice', () => {
  it('are kept as two and told of each other, to those who can view both', async () => {
    const bytes = randomBytes(64)
    const [one, two, three, unlike] = [
      await withFile({ Name: 'First' }, bytes),
      await withFile({ Name: 'Second' }, bytes),
      await withFile({ Name: 'Third' }, bytes, world.maker),
      await withFile(),
    ]
    const told = async (id: string, query = ''): Promise<Json> => done(send('GET', `${placeOf(id)}/duplicates${query}`))
    expect(await told(one.EvidenceId)).toEqual({
      Items: [
        {
          ResourceId: one.ResourceId,
          Sha256: one.Sha256,
          EvidenceId: two.EvidenceId,
          EvidenceName: 'Second',
          OtherResourceId: two.ResourceId,
          Name: 'a.bin',
          LengthInBytes: 64,
          UploadedTimeUtc: expect.any(String),
        },
      ],
      Cursor: null,
    })
    expect((await told(unlike.EvidenceId)).Items).toEqual([])
    // Twice within one evidence is no other evidence.
    await fileInto(one.EvidenceId, bytes)
    const first = await told(two.EvidenceId, '?count=1')
    const rest = await told(two.EvidenceId, `?count=1&cursor=${first.Cursor}`)
    expect([first, rest].map(({ Items }) => Items.map((item: Json) => item.EvidenceId))).toEqual([
      [one.EvidenceId],
      [one.EvidenceId],
    ])
    expect([first.Items[0].OtherResourceId === rest.Items[0].OtherResourceId, rest.Cursor]).toEqual([false, null])
    expect(await code(send('GET', `${placeOf(one.EvidenceId)}/duplicates?cursor=x`))).toEqual([400, 'InvalidModel'])
    await done(send('DELETE', placeOf(two.EvidenceId)))
    expect((await told(one.EvidenceId)).Items).toEqual([])
    expect(three.Sha256).toBe(one.Sha256)
  })
})

describe('what is unfinished', () => {
  it('is what has an open file; evidence that is complete takes further files, each a version', async () => {
    const { EvidenceId } = await withFile()
    await done(send('POST', `${placeOf(EvidenceId)}/complete`))
    expect(await listed('unfinished=true')).not.toContain(EvidenceId)
    const versions = (await history(EvidenceId)).length
    const open = await world.given.expecting(201, send('POST', `${placeOf(EvidenceId)}/resource`, { Name: 'late.bin' }))
    expect(await listed('unfinished=true')).toContain(EvidenceId)
    await world.given.put(open.UploadUri, randomBytes(9))
    const { correlationId } = await send('POST', `${placeOf(EvidenceId)}/resource/${open.ResourceId}/complete`, {})
    expect(await listed('unfinished=true')).not.toContain(EvidenceId)
    const [latest, ...older] = await history(EvidenceId)
    expect([latest?.Action, older.length]).toEqual(['evidence.extended', versions])
    expect(latest?.Changes).toEqual([
      { op: 'replace', path: '/Files', value: expect.arrayContaining([open.ResourceId]) },
    ])
    const { State, ConcurrencyId } = await done(send('GET', placeOf(EvidenceId)))
    expect(State).toBe('UserCompleted')
    // I1: the file and what it extends are an entry each.
    const entries = world.given.ledger().filter((entry) => entry.correlationId === correlationId)
    expect(entries.map(({ action }) => action)).toEqual(['resource.completed', 'evidence.extended'])
    expect(entries.at(-1)).toMatchObject({
      actor: { kind: 'service', id: keeper.id, name: 'keeper', role: null },
      object: { type: 'evidence', id: EvidenceId, name: 'Clip' },
      outcome: 'ok',
      reason: null,
      detail: { resourceId: open.ResourceId, concurrencyId: ConcurrencyId },
    })
  })
})

describe('the filter of a case', () => {
  it('shows what is in it to those who can view it, and nothing to others', async () => {
    const held = await caseNamed('Filtered')
    const [one, two] = [await evidence({ CaseIds: [held] }), await evidence()]
    expect(await listed(`case=${held}`)).toEqual([one.EvidenceId])
    expect(await listed(`case=${held}`, world.maker)).toEqual([])
    expect(await listed('case=99999999999999999')).toEqual([])
    expect(await code(send('GET', `${documents}/evidence?case=x`))).toEqual([400, 'InvalidModel'])
    // Whoever may view the evidence alone does not learn in which case it is.
    const record = await done(send('GET', placeOf(one.EvidenceId)))
    const AccessPolicies = [world.policy(keeper, 'Manage'), world.policy(world.maker, 'View')]
    await done(send('PATCH', placeOf(one.EvidenceId), { ConcurrencyId: record.ConcurrencyId, AccessPolicies }))
    expect(await code(send('GET', placeOf(one.EvidenceId), undefined, world.maker))).toBe(200)
    expect(await listed(`case=${held}`, world.maker)).toEqual([])
    expect(two.EvidenceId).not.toBe(one.EvidenceId)
  })
})
