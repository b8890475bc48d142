/** What every change of a bookmark makes, whoever makes it: a version of it and an entry of its evidence. */
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Versions } from '../../../kernel/versions/versions.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { evidenceObject } from '../../../kernel/evidence/objects.ts'
import { type BookmarkRow, updateBookmark } from './bookmarks.store.ts'

export const bookmarkState = (row: BookmarkRow) => ({
  EvidenceId: String(row.evidence_id),
  ResourceId: String(row.resource_id),
  StartSeconds: row.start_seconds,
  EndSeconds: row.end_seconds,
  Title: row.title,
  Text: row.text,
  State: row.state,
  Deleted: row.deleted_utc !== null,
})

/** To the microsecond: it still names the frame it was taken from, whatever the frame rate. */
export const exactSeconds = (seconds: number): number => Math.round(seconds * 1e6) / 1e6

/** The row as it stands becomes a version and an entry; what was written stands in the version alone. @returns the row with its id */
export async function bookmarkVersion(
  tx: Tx,
  { ledger, versions }: { readonly ledger: Pick<Ledger, 'append'>; readonly versions: Pick<Versions, 'add'> },
  call: Call,
  evidence: { readonly evidence_id: number; readonly name: string },
  row: BookmarkRow,
  action: 'bookmark.added' | 'bookmark.changed' | 'bookmark.deleted',
): Promise<BookmarkRow> {
  const concurrencyId = await versions.add(tx, {
    entity: 'bookmark',
    entityId: row.bookmark_id,
    state: bookmarkState(row),
    action,
    author: call.actor,
    dateUtc: row.modified_utc,
  })
  await updateBookmark(tx, row.bookmark_id, { concurrency_id: concurrencyId })
  await ledger.append(tx, call, {
    action,
    object: evidenceObject(evidence),
    detail: {
      bookmarkId: String(row.bookmark_id),
      resourceId: String(row.resource_id),
      seconds: row.start_seconds,
      ...(row.end_seconds === null ? {} : { endSeconds: row.end_seconds }),
      concurrencyId,
    },
  })
  return { ...row, concurrency_id: concurrencyId }
}
