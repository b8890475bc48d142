import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import type { Person } from '../cases/world.ts'
import { annotationWorld, type AnnotationWorld } from './world.ts'

/** Bookmarks on a recording: places, authors, versions, and who may what. */
let world: AnnotationWorld
let editor: Person
let reader: Person
let marks: string
beforeAll(async () => {
  world = await annotationWorld()
  editor = await world.person('editor')
  reader = await world.person('reader')
  await world.allow(editor, 'Edit')
  await world.allow(reader, 'View')
  marks = `${world.place}/bookmark`
})
afterAll(() => world?.given.close())

const point = (more: Json = {}) => ({
  ResourceId: world.clip.ResourceId,
  StartSeconds: 0.5,
  Title: 'A red car',
  ...more,
})
const made = (who: Person, more: Json = {}): Promise<Json> =>
  world.given.expecting(201, world.as(who, 'POST', marks, point(more)))
const refused = async (who: Person, method: string, place: string, body?: unknown): Promise<unknown[]> => {
  const { status, json } = await world.as(who, method, place, body)
  return [status, json?.ErrorCode, ...(json?.Details ?? []).map(({ Path }: Json) => Path)]
}

describe('bookmarks', () => {
  it('a point and a range are kept with author and time, and listed by their places', async () => {
    const range = await made(editor, {
      StartSeconds: 0.2000004,
      EndSeconds: 1.25,
      Title: 'Both',
      Text: 'See\nhands',
      State: 'attention',
    })
    const one = await made(editor)
    expect(one).toEqual({
      BookmarkId: expect.stringMatching(/^\d+$/),
      EvidenceId: world.clip.EvidenceId,
      ResourceId: world.clip.ResourceId,
      StartSeconds: 0.5,
      EndSeconds: null,
      Title: 'A red car',
      Text: null,
      State: null,
      Author: { KId: editor.kId, Username: 'editor', PrincipalId: editor.id, PrincipalType: 'service' },
      ModifiedBy: { KId: editor.kId, Username: 'editor', PrincipalId: editor.id, PrincipalType: 'service' },
      CreatedUtc: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      ModifiedUtc: one.CreatedUtc,
      Edits: 0,
      ConcurrencyId: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    expect(range).toMatchObject({ StartSeconds: 0.2, EndSeconds: 1.25, Text: 'See\nhands', State: 'attention' })
    const { json } = await world.as(reader, 'GET', marks)
    expect(json).toEqual({ Items: [range, one], Cursor: null })
    const first = (await world.as(reader, 'GET', `${marks}?count=1`)).json
    expect(first.Items).toEqual([range])
    expect((await world.as(reader, 'GET', `${marks}?count=1&cursor=${first.Cursor}`)).json).toEqual({
      Items: [one],
      Cursor: null,
    })
    expect(await refused(reader, 'GET', `${marks}?cursor=WyJ4Il0`)).toEqual([400, 'InvalidModel', 'cursor'])
  })

  it('of a converted copy it stands on the original', async () => {
    const media = (await world.as(reader, 'GET', `${world.place}/resource/${world.clip.ResourceId}/media`)).json
    expect(media.PlayableResourceId).not.toBe(world.clip.ResourceId)
    const one = await made(editor, { ResourceId: media.PlayableResourceId })
    expect(one.ResourceId).toBe(world.clip.ResourceId)
  })

  it('who only looks marks nothing; others who may write leave what somebody wrote, Manage does not', async () => {
    const one = await made(editor)
    const place = `${marks}/${one.BookmarkId}`
    const change = { StartSeconds: 0.5, Title: 'Changed', ConcurrencyId: one.ConcurrencyId }
    const second = await world.person('second editor')
    await world.allow(second, 'Edit')
    expect(await refused(reader, 'POST', marks, point())).toEqual([403, 'Forbidden'])
    expect(await refused(reader, 'PUT', place, change)).toEqual([403, 'Forbidden'])
    expect(await refused(second, 'PUT', place, change)).toEqual([403, 'Forbidden'])
    expect(await refused(second, 'DELETE', place)).toEqual([403, 'Forbidden'])
    const denied = world.given
      .ledger()
      .filter(({ action, actor }) => action === 'access.denied' && actor.id === second.id)
    expect(denied.map(({ reason }) => reason)).toEqual([
      'PrincipalCannotManageEvidence',
      'PrincipalCannotManageEvidence',
    ])
    expect(await refused(world.other, 'GET', marks)).toEqual([404, 'EvidenceNotFound'])
    const after = await world.given.expecting(200, world.as(world.maker, 'PUT', place, change))
    expect(after).toMatchObject({
      Title: 'Changed',
      Edits: 1,
      Author: { Username: 'editor' },
      ModifiedBy: { Username: 'maker' },
    })
  })

  it('the concurrency id is that of what was read; versions stay, also of what was deleted', async () => {
    const one = await made(editor, { Text: 'first', State: 'ok' })
    const place = `${marks}/${one.BookmarkId}`
    const two = await world.given.expecting(
      200,
      world.as(editor, 'PUT', place, { StartSeconds: 0.7, Title: 'Two', ConcurrencyId: one.ConcurrencyId }),
    )
    expect(two).toMatchObject({ StartSeconds: 0.7, Text: null, State: null })
    const stale = { StartSeconds: 0.8, Title: 'Three', ConcurrencyId: one.ConcurrencyId }
    expect(await refused(editor, 'PUT', place, stale)).toEqual([409, 'ConcurrentWritingError', 'ConcurrencyId'])
    expect(await refused(editor, 'DELETE', `${place}?concurrencyId=${one.ConcurrencyId}`)).toEqual([
      409,
      'ConcurrentWritingError',
      'ConcurrencyId',
    ])
    expect((await world.as(editor, 'DELETE', `${place}?concurrencyId=${two.ConcurrencyId}`)).json).toEqual(two)
    expect(await refused(editor, 'DELETE', place)).toEqual([404, 'BookmarkNotFound'])
    expect(await refused(editor, 'PUT', place, stale)).toEqual([404, 'BookmarkNotFound'])
    const { json: listed } = await world.as(reader, 'GET', marks)
    expect(listed.Items.map(({ BookmarkId }: Json) => BookmarkId)).not.toContain(one.BookmarkId)
    const { json: versions } = await world.as(reader, 'GET', `${place}/version`)
    expect(
      versions.map(({ Action, Title, Text, State, Deleted, Author }: Json) => [
        Action,
        Title,
        Text,
        State,
        Deleted,
        Author.Username,
      ]),
    ).toEqual([
      ['bookmark.deleted', 'Two', null, null, true, 'editor'],
      ['bookmark.changed', 'Two', null, null, false, 'editor'],
      ['bookmark.added', 'A red car', 'first', 'ok', false, 'editor'],
    ])
    expect(versions.at(-1).ConcurrencyId).toBe(one.ConcurrencyId)
    const { json: custody } = await world.as(reader, 'GET', `${world.place}/custody?kind=changes&count=3`)
    expect(custody.Entries.map(({ Action }: Json) => Action)).toEqual([
      'bookmark.deleted',
      'bookmark.changed',
      'bookmark.added',
    ])
  })

  it('what cannot be a place is refused, member by member', async () => {
    const bad = (more: Json) => refused(editor, 'POST', marks, point(more))
    expect(await bad({ StartSeconds: -1 })).toEqual([400, 'InvalidModel', 'StartSeconds'])
    expect(await bad({ EndSeconds: 0.5 })).toEqual([400, 'InvalidModel', 'EndSeconds'])
    expect(await bad({ StartSeconds: 99, EndSeconds: 100 })).toEqual([
      400,
      'InvalidModel',
      'StartSeconds',
      'EndSeconds',
    ])
    expect(await bad({ Title: ' x' })).toEqual([400, 'InvalidModel', 'Title'])
    expect(await bad({ Title: '' })).toEqual([400, 'InvalidModel', 'Title'])
    expect(await bad({ Text: '\u0000' })).toEqual([400, 'InvalidModel', 'Text'])
    expect(await bad({ State: '#ff0000' })).toEqual([400, 'InvalidModel', 'State'])
    expect(await bad({ ResourceId: '999999' })).toEqual([404, 'ResourceNotFound'])
    const { resourceId } = await world.given.completed(Buffer.from('words'), { evidenceId: world.clip.EvidenceId })
    expect(await bad({ ResourceId: resourceId })).toEqual([409, 'NotARecording'])
    expect(await refused(editor, 'GET', `${marks}/9007199254740993/version`)).toEqual([404, 'BookmarkNotFound'])
  })

  it('the same key makes one', async () => {
    const twice = { key: `once-${Math.random()}` }
    const [one, two] = [
      await world.as(editor, 'POST', marks, point(), twice),
      await world.as(editor, 'POST', marks, point(), twice),
    ]
    expect([one.status, two.status, two.json]).toEqual([201, 201, one.json])
  })
})
