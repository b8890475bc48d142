/** Later changes of the record, cases, and what a person decides. */
// @module-tag merge
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import {
  completeEvidence,
  forwarded,
  HEADQUARTERS,
  importInto,
  itemsOf,
  remoteFiles,
  someBytes,
  twoStations,
  until,
  type World,
} from './world.ts'

describe('what changes after it was forwarded', () => {
  let world: World
  let token: string
  beforeAll(async () => {
    world = await twoStations()
    await importInto(world)
    token = await signIn(world.connection as never, world.headquarters.url)
  })
  afterAll(() => world.close())

  const remote = (id: string): Promise<Json> =>
    world.headquarters.expecting(
      200,
      world.headquarters.call('GET', `${world.headquarters.documents}/evidence/${id}`, { token }),
    )
  const patchRemote = (id: string, body: object): Promise<Json> =>
    world.headquarters.expecting(
      200,
      world.headquarters.call('PATCH', `${world.headquarters.documents}/evidence/${id}`, { token, body }),
    )
  const patch = (id: string, body: object): Promise<Json> =>
    world.station.expecting(200, world.station.call('PATCH', `${world.station.documents}/evidence/${id}`, { body }))
  const given = async (seed: number, body: Record<string, unknown>) => {
    const made = await completeEvidence(world.station, someBytes(50_000, seed), body)
    await world.station.settled(made.evidenceId)
    const item = await forwarded(world, made.evidenceId)
    await world.headquarters.expecting(
      200,
      world.headquarters.call('GET', `${world.headquarters.documents}/evidence/${item.RemoteEvidenceId}`, { token }),
    )
    return { ...made, remoteId: item.RemoteEvidenceId as string }
  }

  it('goes to headquarters as far as nobody changed it there', async () => {
    const { evidenceId, remoteId } = await given(31, { Name: 'first name', Tags: ['a'], Description: 'ours' })
    await patchRemote(remoteId, { Description: 'theirs' })
    await patch(evidenceId, { Name: 'second name', Tags: ['a', 'b'] })
    await until('the new name', async () => (await remote(remoteId)).Name === 'second name')
    expect(await remote(remoteId)).toMatchObject({ Name: 'second name', Tags: ['a', 'b'], Description: 'theirs' })
    await until('the custody of the change', async () => (await remoteFiles(world, remoteId)).custody.length === 2)
    expect((await remoteFiles(world, remoteId)).originals).toHaveLength(1)
    expect((await world.administrator('GET', HEADQUARTERS)).Backlog.Questions).toBe(0)
  })

  it('I1: a field that was changed on both sides is a question, with its entry: ours is kept', async () => {
    const { evidenceId, remoteId } = await given(32, { Name: 'name', Description: 'before' })
    await patchRemote(remoteId, { Description: 'theirs' })
    await patch(evidenceId, { Description: 'ours', Name: 'new name' })
    const question = await until(
      'the question',
      async () => (await world.administrator('GET', `${HEADQUARTERS}/question`))[0],
    )
    expect(question).toMatchObject({
      EvidenceId: evidenceId,
      Fields: [{ Field: 'Description', Ours: 'ours', Theirs: 'theirs' }],
    })
    expect(world.station.ledger().filter(({ action }) => action === 'forwarding.questionAsked')).toMatchObject([
      { object: { id: evidenceId }, detail: { fields: ['Description'], address: world.headquarters.url } },
    ])
    // What is not in question has gone.
    expect(await remote(remoteId)).toMatchObject({ Name: 'new name', Description: 'theirs' })
    expect(
      await world.administrator('POST', `${HEADQUARTERS}/question/${question.QuestionId}/settle`, { Keep: 'ours' }),
    ).toMatchObject({ status: 204 })
    await until('ours', async () => (await remote(remoteId)).Description === 'ours')
    expect(
      await world.administrator('POST', `${HEADQUARTERS}/question/${question.QuestionId}/settle`, { Keep: 'ours' }),
    ).toMatchObject({ status: 404 })
  })

  it('or theirs is: then the record here takes it', async () => {
    const { evidenceId, remoteId } = await given(33, { Name: 'name', Description: 'before', Tags: ['one'] })
    await patchRemote(remoteId, { Description: 'theirs', Tags: ['two'] })
    await patch(evidenceId, { Description: 'ours', Tags: ['three'] })
    const question = await until(
      'the question',
      async () => (await world.administrator('GET', `${HEADQUARTERS}/question`))[0],
    )
    await world.administrator('POST', `${HEADQUARTERS}/question/${question.QuestionId}/settle`, { Keep: 'theirs' })
    const now = await world.station.expecting(
      200,
      world.station.call('GET', `${world.station.documents}/evidence/${evidenceId}`),
    )
    expect(now).toMatchObject({ Description: 'theirs', Tags: ['two'] })
    await until('the end of it', async () =>
      (await itemsOf(world, 'done')).some(({ EvidenceId }) => EvidenceId === evidenceId),
    )
    expect(await remote(remoteId)).toMatchObject({ Description: 'theirs', Tags: ['two'] })
    expect(await world.administrator('GET', `${HEADQUARTERS}/question`)).toMatchObject({})
    expect((await world.administrator('GET', HEADQUARTERS)).Backlog.Questions).toBe(0)
  })

  it('a file that is added later follows', async () => {
    const { evidenceId, remoteId } = await given(34, { Name: 'grows' })
    await world.station.completed(someBytes(70_000, 35), { evidenceId, name: 'second.bin' })
    await until('the second file', async () => (await remoteFiles(world, remoteId)).originals.length === 2)
  })

  it('deletion is never forwarded', async () => {
    const { evidenceId, remoteId } = await given(36, { Name: 'deleted here' })
    await world.station.meddle(
      (db) =>
        void db
          .prepare("UPDATE evidence SET lifecycle_state = 'Deleted', concurrency_id = 'x' WHERE evidence_id = ?")
          .run(Number(evidenceId)),
    )
    await new Promise((resolve) => setTimeout(resolve, 3000))
    expect(await remote(remoteId)).toMatchObject({ LifecycleState: 'None', Name: 'deleted here' })
  })

  it('cases are found by their numbers or created, and linked', async () => {
    const { connection } = await world.station.command('integration.create', {
      name: 'case maker',
      policies: ['CreateCases'],
      group: 'Account Administrators',
      baseUrl: world.station.url,
    })
    const maker = await signIn(connection, world.station.url)
    const there = await world.headquarters.expecting(
      201,
      world.headquarters.call('POST', '/api/v1/case/station', {
        token,
        body: { Title: 'Known there', ExternalReferenceId2: 'INC-2026-77' },
      }),
    )
    const link = async (body: object, seed: number): Promise<string> => {
      const here = await world.station.expecting(
        201,
        world.station.call('POST', '/api/v1/case/station', { token: maker, body }),
      )
      const made = await completeEvidence(world.station, someBytes(40_000, seed), { Name: `in a case ${seed}` })
      await world.station.settled(made.evidenceId)
      await world.station.meddle((db) => {
        db.prepare(
          "INSERT INTO case_links (case_id, evidence_id, kind, confirmed, rule, linked_on, linked_by) VALUES (?, ?, 'Manual', 1, NULL, '2026-11-20T00:00:00Z', '{}')",
        ).run(Number(here.CaseId), Number(made.evidenceId))
        db.prepare("UPDATE evidence SET concurrency_id = 'changed' WHERE evidence_id = ?").run(Number(made.evidenceId))
      })
      const item = await until('the link', async () => {
        const done = (await itemsOf(world, 'done')).find(({ EvidenceId }) => EvidenceId === made.evidenceId)
        if (done === undefined) return null
        const linked = await world.headquarters.expecting(
          200,
          world.headquarters.call('GET', `/api/v1/evidence/station/${done.RemoteEvidenceId}`, { token }),
        )
        return linked.Relations.length > 0 ? linked : null
      })
      return item.Relations[0].CaseId
    }
    expect(await link({ Title: 'Same call', ExternalReferenceId2: 'INC-2026-77' }, 41)).toBe(there.CaseId)
    const created = await link({ Title: 'New call', ExternalReferenceId1: 'REC-9' }, 42)
    expect(created).not.toBe(there.CaseId)
    const made = await world.headquarters.expecting(
      200,
      world.headquarters.call('GET', `/api/v1/case/station/${created}`, { token }),
    )
    expect(made).toMatchObject({ Title: 'New call', ExternalReferenceId1: 'REC-9' })
  })
})
