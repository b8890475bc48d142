import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import type { SavedSearchesTable } from '../../kernel/database/tables-search.ts'

export type SavedRow = Selectable<SavedSearchesTable> & { readonly subscribed: number }

const subscribed = sql<number>`CASE WHEN EXISTS (SELECT 1 FROM search_subscriptions s
  WHERE s.saved_search_id = saved_searches.saved_search_id) THEN 1 ELSE 0 END`.as('subscribed')

/** By name. */
export const savedOf = (from: Tx, principalId: number): Promise<SavedRow[]> =>
  from
    .selectFrom('saved_searches')
    .selectAll()
    .select(subscribed)
    .where('principal_id', '=', principalId)
    .orderBy('name_key')
    .execute()

export const savedById = (from: Tx, principalId: number, id: number): Promise<SavedRow | undefined> =>
  from
    .selectFrom('saved_searches')
    .selectAll()
    .select(subscribed)
    .where('principal_id', '=', principalId)
    .where('saved_search_id', '=', id)
    .executeTakeFirst()

export async function insertSaved(tx: Tx, row: Insertable<SavedSearchesTable>): Promise<SavedRow> {
  const made = await tx.insertInto('saved_searches').values(row).returningAll().executeTakeFirstOrThrow()
  return { ...made, subscribed: 0 }
}

export async function updateSaved(tx: Tx, id: number, set: Updateable<SavedSearchesTable>): Promise<void> {
  await tx.updateTable('saved_searches').set(set).where('saved_search_id', '=', id).execute()
}

export async function deleteSaved(tx: Tx, id: number): Promise<void> {
  await unsubscribe(tx, id)
  await tx.deleteFrom('saved_searches').where('saved_search_id', '=', id).execute()
}

export async function subscribe(tx: Tx, id: number): Promise<void> {
  await tx
    .insertInto('search_subscriptions')
    .values({ saved_search_id: id, known: null, looked_utc: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function unsubscribe(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('search_subscriptions').where('saved_search_id', '=', id).execute()
}

/** What was found before says nothing about another question. */
export async function forgetKnown(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('search_subscriptions').set({ known: null }).where('saved_search_id', '=', id).execute()
}

export interface SubscriptionRow {
  readonly saved_search_id: number
  readonly tenant_id: string
  readonly principal_id: number
  readonly question: string
  readonly known: string | null
  readonly owner_name: string
  readonly owner_k_id: string
}

/** Those of people who can sign in, the ones that were looked at longest ago first. */
export const subscriptions = (from: Tx, most: number): Promise<SubscriptionRow[]> =>
  from
    .selectFrom('search_subscriptions as s')
    .innerJoin('saved_searches as f', 'f.saved_search_id', 's.saved_search_id')
    .innerJoin('principals as p', 'p.principal_id', 'f.principal_id')
    .select(['s.saved_search_id', 'f.tenant_id', 'f.principal_id', 'f.question', 's.known'])
    .select(['p.name as owner_name', 'p.k_id as owner_k_id'])
    .where('p.kind', '=', 'user')
    .where('p.enabled', '=', 1)
    .orderBy(sql`coalesce(s.looked_utc, '')`)
    .orderBy('s.saved_search_id')
    .limit(most)
    .execute()

export async function noteLooked(tx: Tx, id: number, known: string, nowUtc: string): Promise<void> {
  await tx
    .updateTable('search_subscriptions')
    .set({ known, looked_utc: nowUtc })
    .where('saved_search_id', '=', id)
    .execute()
}
