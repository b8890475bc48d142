import { z } from 'zod'
import {
  Count,
  Cursor,
  IdMember,
  IdParam,
  page,
  TenantNameParams as Tenant,
  text,
  trimmedLine,
} from '../kernel/fields.ts'
import { PrincipalModel } from './records.contract.ts'
import { route } from '../kernel/route.ts'

/** Places in a recording that somebody marked: extensions of the document service. */

const both = (path: string) => ({
  path: `/documentstore/api/v1/tenant/:tenantName/evidence/:evidenceId/bookmark${path}`,
  aliases: [`/api/v1/tenant/:tenantName/evidence/:evidenceId/bookmark${path}`] as const,
})
const EvidencePath = Tenant.extend({ evidenceId: IdParam })
const BookmarkPath = EvidencePath.extend({ bookmarkId: IdParam })
const view = { kind: 'level', level: 'View', on: 'evidence' } as const
const edit = { kind: 'level', level: 'Edit', on: 'evidence' } as const

/** So many on one evidence that are not deleted. */
export const MOST_BOOKMARKS = 1_000

/** What a bookmark can say about its place: a state, or nothing. There are no free colours. */
export const BOOKMARK_STATES = ['ok', 'waiting', 'attention', 'danger'] as const

/** Who wrote something, when, and when it was last changed. */
export const authored = {
  Author: PrincipalModel,
  CreatedUtc: z.string(),
  ModifiedUtc: z.string(),
  ModifiedBy: PrincipalModel,
  Edits: z.int().meta({ description: 'How often it was changed since it was written.' }),
  ConcurrencyId: z.string(),
}

export const BookmarkModel = z
  .object({
    BookmarkId: z.string(),
    EvidenceId: z.string(),
    ResourceId: z.string().meta({ description: 'The original on whose time line it stands.' }),
    StartSeconds: z.number(),
    EndSeconds: z.number().nullable().meta({ description: 'null: a point.' }),
    Title: z.string(),
    Text: z.string().nullable(),
    State: z.enum(BOOKMARK_STATES).nullable(),
    ...authored,
  })
  .meta({ id: 'Bookmark' })

/** One version of something that somebody wrote, as it was. */
export const version = <T extends z.ZodRawShape>(members: T) =>
  z.object({
    ...members,
    ConcurrencyId: z.string(),
    Action: z.string(),
    Author: PrincipalModel.meta({ description: 'Who made this version.' }),
    DateUtc: z.string(),
    Deleted: z.boolean(),
  })

export const BookmarkVersion = version({
  StartSeconds: z.number(),
  EndSeconds: z.number().nullable(),
  Title: z.string(),
  Text: z.string().nullable(),
  State: z.enum(BOOKMARK_STATES).nullable(),
}).meta({ id: 'BookmarkVersion' })

/** On the time line of what is played; ten million seconds are more than any recording has. */
const Seconds = z.number().min(0).max(10_000_000)
export const LONGEST_TITLE = 256
export const LONGEST_TEXT = 4096
const place = {
  StartSeconds: Seconds,
  EndSeconds: Seconds.nullish().meta({ description: 'After StartSeconds; absent or null for a point.' }),
  Title: trimmedLine(LONGEST_TITLE),
  Text: text(LONGEST_TEXT).nullish(),
  State: z.enum(BOOKMARK_STATES).nullish(),
}
const inOrder = (given: { StartSeconds: number; EndSeconds?: number | null | undefined }): boolean =>
  given.EndSeconds === undefined || given.EndSeconds === null || given.EndSeconds > given.StartSeconds
const AFTER = { path: ['EndSeconds'], message: 'must be after StartSeconds' }

export const CreateBookmarkModel = z
  .object({ ResourceId: IdMember, ...place })
  .refine(inOrder, AFTER)
  .meta({ id: 'CreateBookmarkModel' })
export const UpdateBookmarkModel = z
  .object({ ...place, ConcurrencyId: z.string().min(1).max(256) })
  .refine(inOrder, AFTER)
  .meta({ id: 'UpdateBookmarkModel' })

const ITS_AUTHORS = 'Needs Edit, and to have written it, or Manage.'
const missing = ['EvidenceNotFound', 'BookmarkNotFound', 'TenantNotFound'] as const

export const listBookmarks = route({
  id: 'listBookmarks',
  interface: 'document',
  method: 'GET',
  ...both(''),
  origin: 'extension',
  summary: 'List the bookmarks of an evidence in the order of their places',
  permission: view,
  audit: { by: 'read', action: 'bookmark.read', objectType: 'evidence', objectParam: 'evidenceId' },
  params: EvidencePath,
  query: z.object({ cursor: Cursor, count: Count(1000) }),
  responses: { 200: page(BookmarkModel).meta({ id: 'BookmarkPage' }) },
  errors: ['InvalidModel', 'EvidenceNotFound', 'TenantNotFound'],
})

export const createBookmark = route({
  id: 'createBookmark',
  interface: 'document',
  method: 'POST',
  ...both(''),
  origin: 'extension',
  summary: 'Mark a point or a range of a recording',
  description: `Places are seconds on the time line of what is played of the original. At most ${MOST_BOOKMARKS} on one evidence.`,
  permission: edit,
  audit: { by: 'own', actions: ['bookmark.added'] },
  params: EvidencePath,
  body: CreateBookmarkModel,
  responses: { 201: BookmarkModel },
  errors: [
    'InvalidModel',
    'EvidenceNotFound',
    'ResourceNotFound',
    'NotARecording',
    'TooManyBookmarks',
    'TenantNotFound',
    'ReadOnly',
  ],
  idempotent: true,
})

export const updateBookmark = route({
  id: 'updateBookmark',
  interface: 'document',
  method: 'PUT',
  ...both('/:bookmarkId'),
  origin: 'extension',
  summary: 'Replace a bookmark',
  description: `${ITS_AUTHORS} An absent Text, State or EndSeconds is none from then on. What it was stays as a version.`,
  permission: edit,
  audit: { by: 'own', actions: ['bookmark.changed'] },
  params: BookmarkPath,
  body: UpdateBookmarkModel,
  responses: { 200: BookmarkModel },
  errors: ['InvalidModel', ...missing, 'ConcurrentWritingError', 'Forbidden', 'ReadOnly'],
})

/** Of a deletion: what was read last. */
export const DeletionQuery = z.object({
  concurrencyId: z.string().max(256).optional().meta({ description: 'Where it is sent it must be the current one.' }),
})

export const deleteBookmark = route({
  id: 'deleteBookmark',
  interface: 'document',
  method: 'DELETE',
  ...both('/:bookmarkId'),
  origin: 'extension',
  summary: 'Delete a bookmark; its versions stay',
  description: `${ITS_AUTHORS} Answers the bookmark as it was.`,
  permission: edit,
  audit: { by: 'own', actions: ['bookmark.deleted'] },
  params: BookmarkPath,
  query: DeletionQuery,
  responses: { 200: BookmarkModel },
  errors: ['InvalidModel', ...missing, 'ConcurrentWritingError', 'Forbidden', 'ReadOnly'],
})

export const listBookmarkVersions = route({
  id: 'listBookmarkVersions',
  interface: 'document',
  method: 'GET',
  ...both('/:bookmarkId/version'),
  origin: 'extension',
  summary: 'The last hundred versions of a bookmark, newest first; of a deleted one too',
  permission: view,
  audit: { by: 'read', action: 'bookmark.read', objectType: 'evidence', objectParam: 'evidenceId' },
  params: BookmarkPath,
  responses: { 200: z.array(BookmarkVersion) },
  errors: [...missing],
})
