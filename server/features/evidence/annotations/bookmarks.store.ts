import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Tx } from '../../../kernel/database/database.ts'
import type { BookmarksTable } from '../../../kernel/database/tables-annotations.ts'

export type BookmarkRow = Selectable<BookmarksTable>

/** By place; deleted ones are left out. */
export function bookmarksOf(
  from: Tx,
  evidenceId: number,
  page: { after: { seconds: number; id: number } | null; count: number },
): Promise<BookmarkRow[]> {
  const { after, count } = page
  const all = from
    .selectFrom('bookmarks')
    .selectAll()
    .where('evidence_id', '=', evidenceId)
    .where('deleted_utc', 'is', null)
    .orderBy('start_seconds')
    .orderBy('bookmark_id')
    .limit(count)
  if (after === null) return all.execute()
  return all
    .where((e) =>
      e.or([
        e('start_seconds', '>', after.seconds),
        e.and([e('start_seconds', '=', after.seconds), e('bookmark_id', '>', after.id)]),
      ]),
    )
    .execute()
}

export async function countBookmarks(from: Tx, evidenceId: number): Promise<number> {
  const { count } = await from
    .selectFrom('bookmarks')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('evidence_id', '=', evidenceId)
    .where('deleted_utc', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deleted ones too. */
export const bookmarkById = (from: Tx, evidenceId: number, id: number): Promise<BookmarkRow | undefined> =>
  from
    .selectFrom('bookmarks')
    .selectAll()
    .where('bookmark_id', '=', id)
    .where('evidence_id', '=', evidenceId)
    .executeTakeFirst()

export async function insertBookmark(tx: Tx, row: Insertable<BookmarksTable>): Promise<number> {
  const { bookmark_id: id } = await tx
    .insertInto('bookmarks')
    .values(row)
    .returning('bookmark_id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateBookmark(tx: Tx, id: number, set: Updateable<BookmarksTable>): Promise<void> {
  await tx.updateTable('bookmarks').set(set).where('bookmark_id', '=', id).execute()
}
