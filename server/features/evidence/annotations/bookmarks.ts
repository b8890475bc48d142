/** What every change of a bookmark makes, whoever makes it: a version of it and an entry of its evidence. */
import { MOST_BOOKMARKS } from '../../../../shared/evidence/bookmarks.contract.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Versions } from '../../../kernel/versions/versions.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { evidenceObject } from '../../../kernel/evidence/objects.ts'
import { newAuthored } from '../../../kernel/annotations/authored.ts'
import type { EvidenceRow } from '../../../kernel/evidence/records.store.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import { type BookmarkRow, bookmarksOf, insertBookmark, updateBookmark } from './bookmarks.store.ts'
import { ensureStationAuthor } from './station-author.store.ts'

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

interface Recorded {
  readonly ledger: Pick<Ledger, 'append'>
  readonly versions: Pick<Versions, 'add'>
}

/** The row as it stands becomes a version and an entry; what was written stands in the version alone. @returns the row with its id */
export async function bookmarkVersion(
  tx: Tx,
  { ledger, versions }: Recorded,
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

/** A bookmark that the station sets for somebody who marked the place on a camera. */
export interface CameraBookmark {
  readonly resourceId: number
  readonly seconds: number
  readonly title: string
  readonly text: string | null
}

/** Sets as many as the evidence has room for. */
export const createCameraBookmarks =
  ({ ledger, versions, clock }: Recorded & { readonly clock: Clock }) =>
  async (tx: Tx, call: Call, evidence: EvidenceRow, bookmarks: readonly CameraBookmark[]): Promise<void> => {
    const now = isoMillis(clock.now())
    await ensureStationAuthor(tx, evidence.tenant_id, now)
    const already = await bookmarksOf(tx, evidence.evidence_id, { after: null, count: MOST_BOOKMARKS })
    for (const { resourceId, seconds, title, text } of bookmarks.slice(0, MOST_BOOKMARKS - already.length)) {
      const row = {
        evidence_id: evidence.evidence_id,
        resource_id: resourceId,
        start_seconds: exactSeconds(seconds),
        end_seconds: null,
        title,
        text,
        state: null,
        ...newAuthored(call.actor, now),
      }
      const id = await insertBookmark(tx, row)
      await bookmarkVersion(tx, { ledger, versions }, call, evidence, { ...row, bookmark_id: id }, 'bookmark.added')
    }
  }
