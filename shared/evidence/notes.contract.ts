import { z } from 'zod'
import { authored, DeletionQuery, version } from './bookmarks.contract.ts'
import { PersonName } from '../kernel/people.contract.ts'
import { Count, Cursor, IdParam, page, TenantNameParams, TenantParams, text } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** Notes on an evidence and on a case: extensions of the document service and of the case service, of one form. */

const onEvidence = (path: string) => ({
  path: `/documentstore/api/v1/tenant/:tenantName/evidence/:evidenceId/note${path}`,
  aliases: [`/api/v1/tenant/:tenantName/evidence/:evidenceId/note${path}`] as const,
})
const onCase = (path: string) => ({ path: `/api/v1/case/:tenantId/:caseId/note${path}` })
const EvidencePath = TenantNameParams.extend({ evidenceId: IdParam })
const CasePath = TenantParams.extend({ caseId: IdParam })
const NoteOnEvidence = EvidencePath.extend({ noteId: IdParam })
const NoteOnCase = CasePath.extend({ noteId: IdParam })
const level = (of: 'View' | 'Edit', on: 'evidence' | 'case') => ({ kind: 'level', level: of, on }) as const

export const NoteModel = z.object({ NoteId: z.string(), Text: z.string(), ...authored }).meta({ id: 'Note' })
export const WrittenNote = NoteModel.extend({
  NotTold: z.array(z.string()).optional().meta({
    description:
      'User names that the note names with @ and who were not told, since they cannot view what it is on; left out where there is nobody. Everybody else whom it names anew gets a notice.',
  }),
}).meta({ id: 'WrittenNote' })
export const NoteVersion = version({ Text: z.string() }).meta({ id: 'NoteVersion' })

export const LONGEST_NOTE = 65_536
const Text = text(LONGEST_NOTE).refine((note) => note.trim() !== '', 'must not be empty')
export const CreateNoteModel = z.object({ Text }).meta({ id: 'CreateNoteModel' })
export const UpdateNoteModel = z
  .object({ Text, ConcurrencyId: z.string().min(1).max(256) })
  .meta({ id: 'UpdateNoteModel' })

const ListQuery = z.object({ cursor: Cursor, count: Count(100) })
const NotePage = page(NoteModel)
  .extend({
    People: z.array(PersonName).meta({ description: 'What those who wrote and changed these notes are called today.' }),
  })
  .meta({ id: 'NotePage' })
const Versions = z.array(NoteVersion)

const ITS_AUTHORS = 'Needs Edit, and to have written it, or Manage.'
const EVIDENCE = ['EvidenceNotFound', 'TenantNotFound'] as const
const CASE = ['CaseNotFound', 'CaseDeleted', 'TenantNotFound'] as const
const read = (objectType: 'evidence' | 'case') =>
  ({ by: 'read', action: 'note.read', objectType, objectParam: `${objectType}Id` }) as const
const WRITTEN = {
  list: { method: 'GET', origin: 'extension' },
  create: {
    method: 'POST',
    origin: 'extension',
    audit: { by: 'own', actions: ['note.added'] },
    body: CreateNoteModel,
    responses: { 201: WrittenNote },
    idempotent: true,
  },
  update: {
    method: 'PUT',
    origin: 'extension',
    description: `${ITS_AUTHORS} What it said before stays as a version.`,
    audit: { by: 'own', actions: ['note.changed'] },
    body: UpdateNoteModel,
    responses: { 200: WrittenNote },
  },
  remove: {
    method: 'DELETE',
    origin: 'extension',
    description: `${ITS_AUTHORS} Answers the note as it was.`,
    audit: { by: 'own', actions: ['note.deleted'] },
    query: DeletionQuery,
    responses: { 200: NoteModel },
  },
} as const

export const listEvidenceNotes = route({
  ...WRITTEN.list,
  id: 'listEvidenceNotes',
  interface: 'document',
  ...onEvidence(''),
  summary: 'List the notes on an evidence, newest first',
  permission: level('View', 'evidence'),
  audit: read('evidence'),
  params: EvidencePath,
  query: ListQuery,
  responses: { 200: NotePage },
  errors: ['InvalidModel', ...EVIDENCE],
})

export const createEvidenceNote = route({
  ...WRITTEN.create,
  id: 'createEvidenceNote',
  interface: 'document',
  ...onEvidence(''),
  summary: 'Write a note on an evidence',
  permission: level('Edit', 'evidence'),
  params: EvidencePath,
  errors: ['InvalidModel', ...EVIDENCE, 'ReadOnly'],
})

export const updateEvidenceNote = route({
  ...WRITTEN.update,
  id: 'updateEvidenceNote',
  interface: 'document',
  ...onEvidence('/:noteId'),
  summary: 'Change a note on an evidence',
  permission: level('Edit', 'evidence'),
  params: NoteOnEvidence,
  errors: ['InvalidModel', ...EVIDENCE, 'NoteNotFound', 'ConcurrentWritingError', 'Forbidden', 'ReadOnly'],
})

export const deleteEvidenceNote = route({
  ...WRITTEN.remove,
  id: 'deleteEvidenceNote',
  interface: 'document',
  ...onEvidence('/:noteId'),
  summary: 'Delete a note on an evidence; its versions stay',
  permission: level('Edit', 'evidence'),
  params: NoteOnEvidence,
  errors: ['InvalidModel', ...EVIDENCE, 'NoteNotFound', 'ConcurrentWritingError', 'Forbidden', 'ReadOnly'],
})

export const listEvidenceNoteVersions = route({
  ...WRITTEN.list,
  id: 'listEvidenceNoteVersions',
  interface: 'document',
  ...onEvidence('/:noteId/version'),
  summary: 'The last hundred versions of a note on an evidence, newest first; of a deleted one too',
  permission: level('View', 'evidence'),
  audit: read('evidence'),
  params: NoteOnEvidence,
  responses: { 200: Versions },
  errors: [...EVIDENCE, 'NoteNotFound'],
})

export const listCaseNotes = route({
  ...WRITTEN.list,
  id: 'listCaseNotes',
  interface: 'case',
  ...onCase(''),
  summary: 'List the notes on a case, newest first',
  permission: level('View', 'case'),
  audit: read('case'),
  params: CasePath,
  query: ListQuery,
  responses: { 200: NotePage },
  errors: ['InvalidModel', ...CASE],
})

export const createCaseNote = route({
  ...WRITTEN.create,
  id: 'createCaseNote',
  interface: 'case',
  ...onCase(''),
  summary: 'Write a note on a case',
  permission: level('Edit', 'case'),
  params: CasePath,
  errors: ['InvalidModel', ...CASE, 'CannotUpdateClosedCase', 'ReadOnly'],
})

const CHANGED = [
  'InvalidModel',
  ...CASE,
  'CannotUpdateClosedCase',
  'NoteNotFound',
  'ConcurrentWritingError',
  'ReadOnly',
] as const

export const updateCaseNote = route({
  ...WRITTEN.update,
  id: 'updateCaseNote',
  interface: 'case',
  ...onCase('/:noteId'),
  summary: 'Change a note on a case',
  permission: level('Edit', 'case'),
  params: NoteOnCase,
  errors: CHANGED,
})

export const deleteCaseNote = route({
  ...WRITTEN.remove,
  id: 'deleteCaseNote',
  interface: 'case',
  ...onCase('/:noteId'),
  summary: 'Delete a note on a case; its versions stay',
  permission: level('Edit', 'case'),
  params: NoteOnCase,
  errors: CHANGED,
})

export const listCaseNoteVersions = route({
  ...WRITTEN.list,
  id: 'listCaseNoteVersions',
  interface: 'case',
  ...onCase('/:noteId/version'),
  summary: 'The last hundred versions of a note on a case, newest first; of a deleted one too',
  permission: level('View', 'case'),
  audit: read('case'),
  params: NoteOnCase,
  responses: { 200: Versions },
  errors: [...CASE, 'NoteNotFound'],
})
