import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import type { SavedSearchesTable } from '../../kernel/database/tables-search.ts'

export type SavedRow = Selectable<SavedSearchesTable>

/** By name. */
export const savedOf = (from: Tx, principalId: number): Promise<SavedRow[]> =>
  from.selectFrom('saved_searches').selectAll().where('principal_id', '=', principalId).orderBy('name_key').execute()

export const savedById = (from: Tx, principalId: number, id: number): Promise<SavedRow | undefined> =>
  from
    .selectFrom('saved_searches')
    .selectAll()
    .where('principal_id', '=', principalId)
    .where('saved_search_id', '=', id)
    .executeTakeFirst()

export const insertSaved = (tx: Tx, row: Insertable<SavedSearchesTable>): Promise<SavedRow> =>
  tx.insertInto('saved_searches').values(row).returningAll().executeTakeFirstOrThrow()

export const updateSaved = (tx: Tx, id: number, set: Updateable<SavedSearchesTable>): Promise<SavedRow> =>
  tx.updateTable('saved_searches').set(set).where('saved_search_id', '=', id).returningAll().executeTakeFirstOrThrow()

export async function deleteSaved(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('saved_searches').where('saved_search_id', '=', id).execute()
}
