import { levelBesideSharing } from '../../kernel/access/guests.ts'
import * as marks from '../../../shared/evidence/bookmarks.contract.ts'
import * as noting from '../../../shared/evidence/notes.contract.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Notes, Reach } from '../../kernel/annotations/notes.ts'
import { evidenceObject } from '../../kernel/evidence/records.ts'
import type { EvidenceRow } from '../../kernel/evidence/records.store.ts'
import { type BoundRoute, type HttpCall, json } from '../../http/handlers.ts'
import type { Bookmarks } from './bookmarks.service.ts'
import type { ReachEvidence, ReachRows } from '../../kernel/evidence/reach.ts'

interface Deps {
  readonly db: Pick<Database, 'read'>
  readonly reachRows: ReachRows
  readonly bookmarks: Bookmarks
  readonly notes: Notes
  readonly reach: ReachEvidence
}

/** What people write beside an evidence while they read it. */
export function readingRoutes(deps: Deps): BoundRoute[] {
  return [...bookmarkRoutes(deps), ...noteRoutes(deps)]
}

function bookmarkRoutes({ db, reachRows, bookmarks, reach }: Deps): BoundRoute[] {
  return [
    json(marks.listBookmarks, async ({ params, query, call }) => {
      const { evidence } = await reachRows(call, 'View', {
        tenant: call.tenant,
        evidenceId: params.evidenceId,
      })
      const out = await bookmarks.list(evidence, query)
      call.describeRead({ id: params.evidenceId, name: evidence.name, detail: { returned: out.Items.length } })
      return out
    }),
    json(
      marks.createBookmark,
      async ({ params, body, call }) => bookmarks.create(call, call.tenant, params.evidenceId, body),
      { judge: ({ params, call }) => reach(db.read, call, call.tenant, params.evidenceId, 'Edit') },
    ),
    json(marks.updateBookmark, async ({ params, body, call }) =>
      bookmarks.update(call, call.tenant, params.evidenceId, params.bookmarkId, body),
    ),
    json(marks.deleteBookmark, async ({ params, query, call }) => {
      const { evidenceId, bookmarkId } = params
      return bookmarks.remove(call, call.tenant, evidenceId, bookmarkId, query.concurrencyId ?? null)
    }),
    json(marks.listBookmarkVersions, async ({ params, call }) => {
      const { evidence } = await reachRows(call, 'View', {
        tenant: call.tenant,
        evidenceId: params.evidenceId,
      })
      const out = await bookmarks.versions(evidence, params.bookmarkId)
      const detail = { bookmarkId: params.bookmarkId, returned: out.length }
      call.describeRead({ id: params.evidenceId, name: evidence.name, detail })
      return out
    }),
  ]
}

const onEvidence = ({ evidence_id: id }: EvidenceRow) => ({ column: 'evidence_id', id }) as const

function noteRoutes({ db, reachRows, notes, reach }: Deps): BoundRoute[] {
  const writing =
    (call: HttpCall, { evidenceId }: { tenantName: string; evidenceId: string }): Reach =>
    async (tx) => {
      const { evidence, held } = await reach(tx, call, call.tenant, evidenceId, 'Edit')
      const object = evidenceObject(evidence)
      const manages = includes(await levelBesideSharing(tx, call.principal, held), 'Manage')
      return { on: onEvidence(evidence), object, manages, reason: 'PrincipalCannotManageEvidence' }
    }
  return [
    json(noting.listEvidenceNotes, async ({ params, query, call }) => {
      const { evidence } = await reachRows(call, 'View', {
        tenant: call.tenant,
        evidenceId: params.evidenceId,
      })
      const out = await notes.list(onEvidence(evidence), query)
      call.describeRead({ id: params.evidenceId, name: evidence.name, detail: { returned: out.Items.length } })
      return out
    }),
    json(
      noting.createEvidenceNote,
      async ({ params, body, call }) => notes.add(call, writing(call, params), body.Text),
      { judge: ({ params, call }) => writing(call, params)(db.read) },
    ),
    json(noting.updateEvidenceNote, async ({ params, body, call }) =>
      notes.change(call, writing(call, params), params.noteId, body),
    ),
    json(noting.deleteEvidenceNote, async ({ params, query, call }) =>
      notes.remove(call, writing(call, params), params.noteId, query.concurrencyId ?? null),
    ),
    json(noting.listEvidenceNoteVersions, async ({ params, call }) => {
      const { evidence } = await reachRows(call, 'View', {
        tenant: call.tenant,
        evidenceId: params.evidenceId,
      })
      const out = await notes.versions(onEvidence(evidence), params.noteId)
      const detail = { noteId: params.noteId, returned: out.length }
      call.describeRead({ id: params.evidenceId, name: evidence.name, detail })
      return out
    }),
  ]
}
