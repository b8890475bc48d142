import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { CASES, type Person } from '../cases/world.ts'
import { annotationWorld, type AnnotationWorld } from './world.ts'

/** Notes on an evidence and on a case, of one form. */
let world: AnnotationWorld
let editor: Person
let reader: Person
let stranger: Person
let caseId: string
beforeAll(async () => {
  world = await annotationWorld()
  editor = await world.person('editor')
  reader = await world.person('reader')
  stranger = await world.person('stranger')
  await world.allow(editor, 'Edit')
  await world.allow(reader, 'View')
  const AccessPolicies = [
    world.policy(world.maker, 'Manage'),
    world.policy(editor, 'Edit'),
    world.policy(reader, 'View'),
  ]
  caseId = (await world.made({ Title: 'Burglary', AccessPolicies })).CaseId
})
afterAll(() => world?.given.close())

describe.each(['evidence', 'case'] as const)('notes on an %s', (on) => {
  const notes = (): string => (on === 'case' ? `${CASES}/${caseId}/note` : `${world.place}/note`)
  const made = (who: Person, Text = 'Seen at the door'): Promise<Json> =>
    world.given.expecting(201, world.as(who, 'POST', notes(), { Text }))
  /** The case service answers 400, and 403 without a body (decisions 2). */
  const refused = async (who: Person, method: string, place: string, body?: unknown): Promise<unknown[]> => {
    const { status, json } = await world.as(who, method, place, body)
    return [status, json?.ErrorCode ?? '']
  }
  const told = (status: number, code: string): unknown[] =>
    on === 'case' ? (status === 403 ? [403, ''] : [400, code]) : [status, code]

  it('are a thread, newest first, with author, time and number of edits', async () => {
    const one = await made(editor, 'First\nwith a line')
    const two = await made(world.maker, '=not a formula, a note')
    expect(one).toMatchObject({
      Text: 'First\nwith a line',
      Edits: 0,
      Author: { Username: 'editor', PrincipalId: editor.id },
    })
    const { json } = await world.as(reader, 'GET', notes())
    expect(json.Items.slice(0, 2)).toEqual([two, one])
    const page = (await world.as(reader, 'GET', `${notes()}?count=1`)).json
    expect(page.Items).toEqual([two])
    expect((await world.as(reader, 'GET', `${notes()}?count=1&cursor=${page.Cursor}`)).json.Items).toEqual([one])
  })

  it('are changed and deleted by their authors and by who manages; earlier words stay', async () => {
    const one = await made(editor, 'As it was')
    const place = `${notes()}/${one.NoteId}`
    const change = { Text: 'As it is', ConcurrencyId: one.ConcurrencyId }
    expect(await refused(reader, 'PUT', place, change)).toEqual(told(403, 'Forbidden'))
    const ofMaker = await made(world.maker)
    const theirs = { Text: 'mine', ConcurrencyId: ofMaker.ConcurrencyId }
    expect(await refused(editor, 'PUT', `${notes()}/${ofMaker.NoteId}`, theirs)).toEqual(told(403, 'Forbidden'))
    const two = await world.given.expecting(200, world.as(editor, 'PUT', place, change))
    expect(two).toMatchObject({ Text: 'As it is', Edits: 1 })
    expect(await refused(editor, 'PUT', place, change)).toEqual(told(409, 'ConcurrentWritingError'))
    expect((await world.as(world.maker, 'DELETE', place)).json).toEqual(two)
    expect(await refused(editor, 'PUT', place, change)).toEqual(told(404, 'NoteNotFound'))
    const { json } = await world.as(reader, 'GET', `${place}/version`)
    expect(json.map(({ Action, Text, Deleted, Author }: Json) => [Action, Text, Deleted, Author.Username])).toEqual([
      ['note.deleted', 'As it is', true, 'maker'],
      ['note.changed', 'As it is', false, 'editor'],
      ['note.added', 'As it was', false, 'editor'],
    ])
    const listed = (await world.as(reader, 'GET', notes())).json.Items
    expect(listed.map(({ NoteId }: Json) => NoteId)).not.toContain(one.NoteId)
  })

  it('say something, belong to their place and are nobody else’s to see', async () => {
    expect((await world.as(editor, 'POST', notes(), { Text: ' \n' })).json.Details).toEqual([
      { Path: 'Text', Message: 'must not be empty' },
    ])
    expect(await refused(reader, 'POST', notes(), { Text: 'x' })).toEqual(told(403, 'Forbidden'))
    const one = await made(editor)
    const elsewhere = on === 'case' ? `${world.place}/note` : `${CASES}/${caseId}/note`
    const { status, json } = await world.as(world.maker, 'DELETE', `${elsewhere}/${one.NoteId}`)
    expect([status, json.ErrorCode]).toEqual([on === 'case' ? 404 : 400, 'NoteNotFound'])
    expect(await refused(stranger, 'GET', notes())).toEqual(on === 'case' ? [403, ''] : [404, 'EvidenceNotFound'])
    // What was written stands in the versions; the ledger says that it was, by whom and which version it made.
    const entries = world.given.ledger().map((entry) => JSON.stringify(entry))
    expect(entries.filter((entry) => entry.includes('Seen at the door'))).toEqual([])
  })
})

describe('notes on a closed case', () => {
  it('are read and not written', async () => {
    const { CaseId } = await world.made({ Title: 'Done' })
    const place = `${CASES}/${CaseId}/note`
    const one = await world.given.expecting(201, world.send('POST', place, { Text: 'Before' }))
    await world.given.expecting(200, world.send('POST', `${CASES}/${CaseId}/close`))
    const code = async (method: string, at: string, body?: unknown) =>
      (await world.send(method, at, body)).json.ErrorCode
    expect(await code('POST', place, { Text: 'After' })).toBe('CannotUpdateClosedCase')
    expect(await code('DELETE', `${place}/${one.NoteId}`)).toBe('CannotUpdateClosedCase')
    expect((await world.send('GET', place)).json.Items).toEqual([one])
  })
})
