import { levelBesideSharing } from '../../kernel/access/guests.ts'
import type { z } from 'zod'
import {
  type BookmarkModel,
  type BookmarkVersion,
  type CreateBookmarkModel,
  MOST_BOOKMARKS,
  type UpdateBookmarkModel,
} from '../../../shared/evidence/bookmarks.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Versions } from '../../kernel/versions/versions.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { authoredModel, changedBy, newAuthored, refuseChange, versionsOf } from '../../kernel/annotations/authored.ts'
import { type EvidenceRow, type ResourceRow, resourcesOf } from '../../kernel/evidence/records.store.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import {
  type BookmarkRow,
  bookmarkById,
  bookmarksOf,
  countBookmarks,
  insertBookmark,
  updateBookmark,
} from './annotations/bookmarks.store.ts'
import { bookmarkState, bookmarkVersion, exactSeconds } from './annotations/bookmarks.ts'
import { factsOf, originalOf, playedOf } from '../../kernel/evidence/played.ts'
import type { ReachEvidence } from '../../kernel/evidence/reach.ts'

export type BookmarkOut = z.input<typeof BookmarkModel>
type Created = z.output<typeof CreateBookmarkModel>
type Updated = z.output<typeof UpdateBookmarkModel>

/** Places in recordings. Every change makes a version and an entry of the evidence, and is judged inside its own transaction. */
export interface Bookmarks {
  /** By place. @throws Fault InvalidModel for a cursor that is none */
  list(evidence: EvidenceRow, page: { cursor?: string | undefined; count: number }): Promise<BookmarkPage>
  /** @throws Fault EvidenceNotFound, ResourceNotFound, NotARecording, TooManyBookmarks, InvalidModel (beyond the end) */
  create(call: HttpCall, tenant: string, evidenceId: string, given: Created): Promise<BookmarkOut>
  /** @throws Fault EvidenceNotFound, BookmarkNotFound, Forbidden, ConcurrentWritingError, InvalidModel */
  update(call: HttpCall, tenant: string, evidenceId: string, id: string, given: Updated): Promise<BookmarkOut>
  /** @returns it as it was. @throws Fault EvidenceNotFound, BookmarkNotFound, Forbidden, ConcurrentWritingError */
  remove(
    call: HttpCall,
    tenant: string,
    evidenceId: string,
    id: string,
    concurrencyId: string | null,
  ): Promise<BookmarkOut>
  /** Of a deleted one too. @throws Fault BookmarkNotFound */
  versions(evidence: EvidenceRow, id: string): Promise<z.input<typeof BookmarkVersion>[]>
}

export interface BookmarkPage {
  readonly Items: BookmarkOut[]
  readonly Cursor: string | null
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly versions: Versions
  readonly clock: Clock
  readonly reach: ReachEvidence
}

const REASON = 'PrincipalCannotManageEvidence'

export function createBookmarks({ db, ledger, versions, clock, reach }: Deps): Bookmarks {
  const found = async (from: Tx, evidenceId: number, id: string): Promise<BookmarkRow> => {
    const row = await bookmarkById(from, evidenceId, Number(id))
    // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
    if (row === undefined || String(row.bookmark_id) !== id)
      throw fault('BookmarkNotFound', `Evidence ${evidenceId} has no bookmark ${id}.`)
    return row
  }
  const there = async (from: Tx, evidenceId: number, id: string): Promise<BookmarkRow> => {
    const row = await found(from, evidenceId, id)
    if (row.deleted_utc !== null) throw fault('BookmarkNotFound', `Bookmark ${id} was deleted.`)
    return row
  }
  const versioned = async (
    tx: Tx,
    call: HttpCall,
    evidence: EvidenceRow,
    id: number,
    action: 'bookmark.added' | 'bookmark.changed' | 'bookmark.deleted',
  ): Promise<BookmarkOut> => {
    const row = await found(tx, evidence.evidence_id, String(id))
    return bookmarkModel(await bookmarkVersion(tx, { ledger, versions }, call, evidence, row, action))
  }

  return {
    list: async (evidence, { cursor, count }) => {
      const after = cursor === undefined ? null : readCursor(cursor)
      const rows = await bookmarksOf(db.read, evidence.evidence_id, { after, count: count + 1 })
      const shown = rows.slice(0, count)
      const last = rows.length > count ? shown.at(-1) : undefined
      return { Items: shown.map(bookmarkModel), Cursor: last === undefined ? null : writeCursor(last) }
    },

    create: (call, tenant, evidenceId, given) =>
      db.transaction(async (tx) => {
        const { evidence } = await reach(tx, call, tenant, evidenceId, 'Edit')
        const resources = await resourcesOf(tx, evidence.evidence_id)
        const asked = resources.find((row) => String(row.resource_id) === given.ResourceId)
        if (asked === undefined)
          throw fault('ResourceNotFound', `Evidence ${evidenceId} has no resource ${given.ResourceId}.`)
        const original = originalOf(asked, resources)
        refuseBeyond(given, lengthOf(original, resources))
        if ((await countBookmarks(tx, evidence.evidence_id)) >= MOST_BOOKMARKS)
          throw fault('TooManyBookmarks', `This evidence has ${MOST_BOOKMARKS} bookmarks. Delete one first.`)
        const id = await insertBookmark(tx, {
          evidence_id: evidence.evidence_id,
          resource_id: original.resource_id,
          ...columnsOf(given),
          ...newAuthored(call.actor, isoMillis(clock.now())),
        })
        return call.rememberAnswer(tx, await versioned(tx, call, evidence, id, 'bookmark.added'))
      }),

    update: (call, tenant, evidenceId, id, given) =>
      db.transaction(async (tx) => {
        const { evidence, held } = await reach(tx, call, tenant, evidenceId, 'Edit')
        const row = await there(tx, evidence.evidence_id, id)
        refuseChange(row, {
          actor: call.actor,
          manages: includes(await levelBesideSharing(tx, call.principal, held), 'Manage'),
          concurrencyId: given.ConcurrencyId,
          reason: REASON,
        })
        const resources = await resourcesOf(tx, evidence.evidence_id)
        const original = resources.find((one) => one.resource_id === row.resource_id) as ResourceRow
        refuseBeyond(given, lengthOf(original, resources))
        await updateBookmark(tx, row.bookmark_id, {
          ...columnsOf(given),
          ...changedBy(row, call.actor, isoMillis(clock.now())),
        })
        return versioned(tx, call, evidence, row.bookmark_id, 'bookmark.changed')
      }),

    remove: (call, tenant, evidenceId, id, concurrencyId) =>
      db.transaction(async (tx) => {
        const { evidence, held } = await reach(tx, call, tenant, evidenceId, 'Edit')
        const row = await there(tx, evidence.evidence_id, id)
        const manages = includes(await levelBesideSharing(tx, call.principal, held), 'Manage')
        refuseChange(row, { actor: call.actor, manages, concurrencyId, reason: REASON })
        const now = isoMillis(clock.now())
        await updateBookmark(tx, row.bookmark_id, { deleted_utc: now, modified_utc: now })
        await versioned(tx, call, evidence, row.bookmark_id, 'bookmark.deleted')
        return bookmarkModel(row)
      }),

    versions: async (evidence, id) => {
      const row = await found(db.read, evidence.evidence_id, id)
      return versionsOf(versions, 'bookmark', row.bookmark_id, (state) => {
        const { StartSeconds, EndSeconds, Title, Text, State } = state as ReturnType<typeof bookmarkState>
        return { StartSeconds, EndSeconds, Title, Text, State }
      })
    },
  }
}

/** @throws Fault NotARecording where nothing of it has a length in time */
function lengthOf(original: ResourceRow, resources: readonly ResourceRow[]): number {
  const played = playedOf(original, resources)
  const length =
    (played === undefined ? undefined : factsOf(played).DurationSeconds) ?? factsOf(original).DurationSeconds
  if (length === undefined)
    throw fault('NotARecording', `Resource ${original.resource_id} is no recording, so it has no places to mark.`)
  return length
}

/** Players round; the last frame may begin a little behind the length that was measured. */
const TOLERANCE = 0.5

function refuseBeyond(
  { StartSeconds, EndSeconds }: Pick<Created, 'StartSeconds' | 'EndSeconds'>,
  length: number,
): void {
  const beyond = (seconds: number | null | undefined): boolean => (seconds ?? 0) > length + TOLERANCE
  const problems = [
    ...(beyond(StartSeconds) ? ['StartSeconds'] : []),
    ...(beyond(EndSeconds) ? ['EndSeconds'] : []),
  ].map((Path) => ({ Path, Message: `must not be beyond ${length}` }))
  if (problems.length > 0) throw fault('InvalidModel', `The recording ends at ${length} seconds.`, problems)
}

const columnsOf = (given: Omit<Created, 'ResourceId'>) => ({
  start_seconds: exactSeconds(given.StartSeconds),
  end_seconds: given.EndSeconds === null || given.EndSeconds === undefined ? null : exactSeconds(given.EndSeconds),
  title: given.Title,
  text: given.Text ?? null,
  state: given.State ?? null,
})

const bookmarkModel = (row: BookmarkRow): BookmarkOut => ({
  BookmarkId: String(row.bookmark_id),
  EvidenceId: String(row.evidence_id),
  ResourceId: String(row.resource_id),
  StartSeconds: row.start_seconds,
  EndSeconds: row.end_seconds,
  Title: row.title,
  Text: row.text,
  State: row.state,
  ...authoredModel(row),
})

const writeCursor = (row: BookmarkRow): string =>
  Buffer.from(JSON.stringify(['bookmark', row.start_seconds, row.bookmark_id])).toString('base64url')

function readCursor(cursor: string): { seconds: number; id: number } {
  const match = /^\["bookmark",(\d{1,8}(?:\.\d{1,6})?),(\d{1,15})\]$/.exec(
    Buffer.from(cursor, 'base64url').toString('utf8'),
  )
  if (match === null)
    throw fault('InvalidModel', 'The cursor is not one that this list gave.', [
      { Path: 'cursor', Message: 'is not one that this list gave' },
    ])
  return { seconds: Number(match[1]), id: Number(match[2]) }
}
