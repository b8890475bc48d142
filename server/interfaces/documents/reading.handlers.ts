import * as marks from '../../../shared/contract/bookmarks.ts'
import * as noting from '../../../shared/contract/notes.ts'
import type { Notes, Reach } from '../../evidence/reading/notes.ts'
import { evidenceObject } from '../../evidence/records/records.ts'
import type { EvidenceRow } from '../../evidence/records/records.repository.ts'
import { type BoundRoute, type HttpCall, json } from '../handlers.ts'
import type { Bookmarks } from './bookmarks.service.ts'
import type { DocumentsService } from './documents.service.ts'
import type { Reached } from './reading.access.ts'

interface Deps {
  readonly documents: Pick<DocumentsService, 'rows'>
  readonly bookmarks: Bookmarks
  readonly notes: Notes
  readonly reach: Reached
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

/** What people write beside an evidence while they read it. */
export function readingRoutes(deps: Deps): BoundRoute[] {
  return [...bookmarkRoutes(deps), ...noteRoutes(deps)]
}

function bookmarkRoutes({ documents, bookmarks, tenant }: Deps): BoundRoute[] {
  return [
    json(marks.listBookmarks, async ({ params, query, call }) => {
      const { evidence } = await documents.rows(tenant(params.tenantName), params.evidenceId)
      const out = await bookmarks.list(evidence, query)
      call.seen({ id: params.evidenceId, name: evidence.name, detail: { returned: out.Items.length } })
      return out
    }),
    json(marks.createBookmark, async ({ params, body, call }) =>
      bookmarks.create(call, tenant(params.tenantName), params.evidenceId, body),
    ),
    json(marks.updateBookmark, async ({ params, body, call }) =>
      bookmarks.update(call, tenant(params.tenantName), params.evidenceId, params.bookmarkId, body),
    ),
    json(marks.deleteBookmark, async ({ params, query, call }) => {
      const { tenantName, evidenceId, bookmarkId } = params
      return bookmarks.remove(call, tenant(tenantName), evidenceId, bookmarkId, query.concurrencyId ?? null)
    }),
    json(marks.listBookmarkVersions, async ({ params, call }) => {
      const { evidence } = await documents.rows(tenant(params.tenantName), params.evidenceId)
      const out = await bookmarks.versions(evidence, params.bookmarkId)
      const detail = { bookmarkId: params.bookmarkId, returned: out.length }
      call.seen({ id: params.evidenceId, name: evidence.name, detail })
      return out
    }),
  ]
}

const onEvidence = ({ evidence_id: id }: EvidenceRow) => ({ column: 'evidence_id', id }) as const

function noteRoutes({ documents, notes, reach, tenant }: Deps): BoundRoute[] {
  const writing =
    (call: HttpCall, { tenantName, evidenceId }: { tenantName: string; evidenceId: string }): Reach =>
    async (tx) => {
      const { evidence, manages } = await reach(tx, call, tenant(tenantName), evidenceId)
      const object = evidenceObject(evidence)
      return { on: onEvidence(evidence), object, manages, reason: 'PrincipalCannotManageEvidence' }
    }
  return [
    json(noting.listEvidenceNotes, async ({ params, query, call }) => {
      const { evidence } = await documents.rows(tenant(params.tenantName), params.evidenceId)
      const out = await notes.list(onEvidence(evidence), query)
      call.seen({ id: params.evidenceId, name: evidence.name, detail: { returned: out.Items.length } })
      return out
    }),
    json(noting.createEvidenceNote, async ({ params, body, call }) =>
      notes.add(call, writing(call, params), body.Text),
    ),
    json(noting.updateEvidenceNote, async ({ params, body, call }) =>
      notes.change(call, writing(call, params), params.noteId, body),
    ),
    json(noting.deleteEvidenceNote, async ({ params, query, call }) =>
      notes.remove(call, writing(call, params), params.noteId, query.concurrencyId ?? null),
    ),
    json(noting.listEvidenceNoteVersions, async ({ params, call }) => {
      const { evidence } = await documents.rows(tenant(params.tenantName), params.evidenceId)
      const out = await notes.versions(onEvidence(evidence), params.noteId)
      const detail = { noteId: params.noteId, returned: out.length }
      call.seen({ id: params.evidenceId, name: evidence.name, detail })
      return out
    }),
  ]
}
