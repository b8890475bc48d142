import { openTestDatabase } from '../../support/rows.ts'
import { type Json, type Reply, sha256Of } from '../../support/given.ts'
import { asChief, caseOf } from '../cases/acts.ts'
import type { Act, Expected, World } from '../documents/acts.ts'
import { clipOf, resourcePath } from '../documents/clip.ts'

/** One good call of each route for those who read evidence: bookmarks, notes, captions, lists as files, notices (promise I1). */
export const ANNOTATION_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  listBookmarks: async (world) => {
    const { place, evidenceId } = await bookmarked(world)
    return read(world, place, ['bookmark.read', 'evidence', evidenceId])
  },
  createBookmark: async (world) => {
    const clip = await clipOf(world)
    return {
      call: () => mark(world, clip),
      status: 201,
      entries: ({ json }) => [
        [
          'bookmark.added',
          'evidence',
          clip.EvidenceId,
          {
            detail: {
              bookmarkId: json.BookmarkId,
              resourceId: clip.ResourceId,
              seconds: 0.25,
              concurrencyId: json.ConcurrencyId,
            },
          },
        ],
      ],
    }
  },
  updateBookmark: async (world) => {
    const { place, evidenceId, made } = await bookmarked(world)
    const body = { StartSeconds: 0.1, EndSeconds: 0.4, Title: 'Range', ConcurrencyId: made.ConcurrencyId }
    return {
      call: () => world.given.call('PUT', `${place}/${made.BookmarkId}`, { body }),
      status: 200,
      entries: ({ json }) => [
        [
          'bookmark.changed',
          'evidence',
          evidenceId,
          {
            detail: {
              bookmarkId: made.BookmarkId,
              resourceId: made.ResourceId,
              seconds: 0.1,
              endSeconds: 0.4,
              concurrencyId: json.ConcurrencyId,
            },
          },
        ],
      ],
    }
  },
  deleteBookmark: async (world) => {
    const { place, evidenceId, made } = await bookmarked(world)
    return {
      call: () => world.given.call('DELETE', `${place}/${made.BookmarkId}`),
      status: 200,
      entries: () => [['bookmark.deleted', 'evidence', evidenceId]],
    }
  },
  listBookmarkVersions: async (world) => {
    const { place, evidenceId, made } = await bookmarked(world)
    const detail = { bookmarkId: made.BookmarkId, returned: 1 }
    return read(world, `${place}/${made.BookmarkId}/version`, ['bookmark.read', 'evidence', evidenceId, { detail }])
  },
  ...noteActs('Evidence', 'evidence', async (world) => {
    const { EvidenceId } = world.evidence
    return { place: `${world.given.documents}/evidence/${EvidenceId}/note`, id: EvidenceId, send: asUploader(world) }
  }),
  ...noteActs('Case', 'case', async (world) => {
    const { CaseId } = await caseOf(world)
    return { place: `/api/v1/case/station/${CaseId}/note`, id: CaseId, send: asChief.bind(null, world), actor: 'chief' }
  }),
  attachCaptions: async (world) => {
    const clip = await clipOf(world)
    const file = await captionFile(world, clip)
    return {
      call: () => attach(world, clip, file),
      status: 201,
      entries: ({ json }) => [
        ['captions.added', 'resource', json.ResourceId, { sha256: json.Sha256, bytes: json.LengthInBytes }],
      ],
    }
  },
  getCaptions: async (world) => {
    const clip = await clipOf(world)
    const made = await world.given.expecting(201, attach(world, clip, await captionFile(world, clip)))
    return {
      call: () => world.given.call('GET', `${resourcePath(world.given, made)}/captions`),
      status: 200,
      entries: () => [
        [
          'captions.read',
          'resource',
          made.ResourceId,
          { sha256: made.Sha256, detail: { evidenceId: clip.EvidenceId } },
        ],
      ],
    }
  },
  detachCaptions: (world) => captionsChanged(world, 'captions.removed'),
  restoreCaptions: (world) => captionsChanged(world, 'captions.restored'),
  exportEvidenceList: ({ given }) =>
    exported(given.call('GET', `${given.documents}/evidence/export?text=audited&format=json`), 'evidence', ''),
  exportCustody: ({ given, photo }) =>
    exported(
      given.call('GET', `${given.documents}/evidence/${photo.evidenceId}/custody/export`),
      'evidence',
      photo.evidenceId,
    ),
  exportEvidenceHistory: async (world) => {
    const { EvidenceId } = await world.given.evidence()
    const place = `${world.given.documents}/evidence/${EvidenceId}/history/export`
    return { ...exported(asChief(world, 'GET', place), 'evidence', EvidenceId), actor: 'chief' }
  },
  exportCaseList: (world) => ({
    ...exported(asChief(world, 'GET', '/api/v1/case/station/export?state=Open'), 'case', ''),
    actor: 'chief',
  }),
  exportCaseHistory: async (world) => {
    const { CaseId } = await caseOf(world)
    return {
      ...exported(asChief(world, 'GET', `/api/v1/case/station/${CaseId}/history/export`), 'case', CaseId),
      actor: 'chief',
    }
  },
  exportSuspiciousActivity: (world) => ({
    ...exported(
      asChief(world, 'GET', '/userservice/api/v1/tenant/station/suspiciousActivity/export?days=1'),
      'tenant',
      'station',
    ),
    actor: 'chief',
  }),
  listNotices: ({ given }) => read({ given }, `${NOTICES}?unseen=true`, ['notice.listed', 'notice', '']),
  getNoticeChoices: ({ given }) => ({
    call: () => given.call('GET', `${NOTICES}/choices`),
    status: 200,
    entries: () => [],
  }),
  chooseNotices: ({ given }) => ({
    call: () => given.call('PUT', `${NOTICES}/choices`, { body: { Items: [{ Kind: 'case.changed', Way: 'system' }] } }),
    status: 200,
    entries: () => [['notice.chosen', 'user', given.principalId, { detail: { ways: { 'case.changed': 'system' } } }]],
  }),
  seeNotices: async (world) => {
    const { given } = world
    const id = await notice(world)
    return {
      call: () => given.call('POST', `${NOTICES}/seen`, { body: { NoticeIds: [id, '999999'] } }),
      status: 200,
      entries: () => [['notice.seen', 'user', given.principalId, { detail: { noticeIds: [id] } }]],
    }
  },
}

const NOTICES = '/userservice/api/v1/tenant/station/notices'

const read = ({ given }: Pick<World, 'given'>, place: string, expected: Expected): Act => ({
  call: () => given.call('GET', place),
  status: 200,
  entries: () => [expected],
})

const asUploader =
  ({ given }: World) =>
  (method: string, place: string, body?: unknown) =>
    given.call(method, place, body === undefined ? {} : { body })

export const mark = ({ given }: Pick<World, 'given'>, clip: Json, more: Json = {}): Promise<Reply> =>
  given.call('POST', `${given.documents}/evidence/${clip.EvidenceId}/bookmark`, {
    body: { ResourceId: clip.ResourceId, StartSeconds: 0.25, Title: 'A car', ...more },
  })

async function bookmarked(world: World): Promise<{ place: string; evidenceId: string; made: Json }> {
  const clip = await clipOf(world)
  const made = await world.given.expecting(201, mark(world, clip))
  const place = `${world.given.documents}/evidence/${clip.EvidenceId}/bookmark`
  return { place, evidenceId: clip.EvidenceId, made }
}

interface Noted {
  readonly place: string
  readonly id: string
  readonly send: (method: string, place: string, body?: unknown) => Promise<Reply>
  readonly actor?: 'chief'
}

function noteActs(on: string, type: string, noted: (world: World) => Promise<Noted>): typeof ANNOTATION_ACTS {
  const act = (
    action: string,
    status: number,
    call: (on: Noted, made: Json) => Promise<Reply>,
    detail?: (made: Json, answer: Json) => Record<string, unknown>,
  ) => {
    return async (world: World): Promise<Act> => {
      const on = await noted(world)
      const made = await world.given.expecting(201, on.send('POST', on.place, { Text: 'Seen' }))
      return {
        call: () => call(on, made),
        status,
        ...(on.actor === undefined ? {} : { actor: on.actor }),
        entries: ({ json }) => [[action, type, on.id, detail === undefined ? {} : { detail: detail(made, json) }]],
      }
    }
  }
  const versioned = (_made: Json, answer: Json) => ({ noteId: answer.NoteId, concurrencyId: answer.ConcurrencyId })
  return {
    [`list${on}Notes`]: act('note.read', 200, ({ send, place }) => send('GET', place)),
    [`create${on}Note`]: act('note.added', 201, ({ send, place }) => send('POST', place, { Text: 'Heard' }), versioned),
    [`update${on}Note`]: act(
      'note.changed',
      200,
      ({ send, place }, { NoteId, ConcurrencyId }) =>
        send('PUT', `${place}/${NoteId}`, { Text: 'Seen twice', ConcurrencyId }),
      versioned,
    ),
    [`delete${on}Note`]: act('note.deleted', 200, ({ send, place }, { NoteId }) =>
      send('DELETE', `${place}/${NoteId}`),
    ),
    [`list${on}NoteVersions`]: act(
      'note.read',
      200,
      ({ send, place }, { NoteId }) => send('GET', `${place}/${NoteId}/version`),
      ({ NoteId }) => ({ noteId: NoteId, returned: 1 }),
    ),
  }
}

export const VTT = 'WEBVTT\n\n00:00:00.100 --> 00:00:00.900\n<v Officer>Stop.\n'

export async function captionFile({ given }: Pick<World, 'given'>, clip: Json, text = VTT): Promise<string> {
  const { resourceId } = await given.completed(Buffer.from(text), { name: 'said.vtt', evidenceId: clip.EvidenceId })
  return resourceId
}

export const attach = ({ given }: Pick<World, 'given'>, clip: Json, file: string, more: Json = {}): Promise<Reply> =>
  given.call('POST', `${resourcePath(given, clip)}/captions`, {
    body: { FileResourceId: file, Language: 'en', ...more },
  })

/** Captions are taken away, and given back where that is the act. */
async function captionsChanged(world: World, action: 'captions.removed' | 'captions.restored'): Promise<Act> {
  const clip = await clipOf(world)
  const made = await world.given.expecting(201, attach(world, clip, await captionFile(world, clip)))
  const place = `${resourcePath(world.given, made)}/captions`
  const takeAway = () => world.given.call('DELETE', place)
  if (action === 'captions.restored') await world.given.expecting(200, takeAway())
  return {
    call: action === 'captions.removed' ? takeAway : () => world.given.call('POST', `${place}/restore`),
    status: 200,
    entries: () => [
      [
        action,
        'resource',
        made.ResourceId,
        {
          sha256: made.Sha256,
          detail: { evidenceId: clip.EvidenceId, parent: clip.ResourceId, language: 'en' },
        },
      ],
    ],
  }
}

/** It began, and it ended with all that was sent. */
function exported(reply: Promise<Reply>, type: string, id: string): Act {
  return {
    call: () => reply,
    status: 200,
    entries: ({ bytes }) => [
      ['list.exportStarted', type, id],
      ['list.exported', type, id, { sha256: sha256Of(bytes as Uint8Array), bytes: (bytes as Uint8Array).length }],
    ],
  }
}

/** As sharing makes one for a person. */
async function notice({ given }: World): Promise<string> {
  const db = await openTestDatabase({ file: given.file })
  const row = await db.transaction((tx) =>
    tx
      .insertInto('notices')
      .values({
        tenant_id: 'station',
        principal_id: Number(given.principalId),
        kind: 'case.shared',
        message: 'Please look',
        object_type: 'case',
        object_id: '1',
        created_utc: new Date().toISOString(),
        created_by: JSON.stringify({ PrincipalId: '1', KId: 'x', Name: 'x', Username: 'x', PrincipalType: 'user' }),
        seen_utc: null,
      })
      .returning('notice_id')
      .executeTakeFirstOrThrow(),
  )
  await db.close()
  return String(row.notice_id)
}
