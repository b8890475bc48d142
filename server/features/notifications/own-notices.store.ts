import type { Selectable } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import type { NoticesTable } from '../../kernel/database/tables-notices.ts'

export type NoticeRow = Selectable<NoticesTable>

/** Newest first. */
export function noticesOf(
  from: Tx,
  tenant: string,
  principalId: number,
  page: { unseen: boolean; before: number; count: number },
): Promise<NoticeRow[]> {
  const all = from
    .selectFrom('notices')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('principal_id', '=', principalId)
    .where('notice_id', '<', page.before)
    .orderBy('notice_id', 'desc')
    .limit(page.count)
  return (page.unseen ? all.where('seen_utc', 'is', null) : all).execute()
}

export async function countUnseen(from: Tx, tenant: string, principalId: number): Promise<number> {
  const { count } = await from
    .selectFrom('notices')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenant)
    .where('principal_id', '=', principalId)
    .where('seen_utc', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** @returns the ids of those that were this principal's and not seen yet */
export async function markSeen(
  tx: Tx,
  tenant: string,
  principalId: number,
  which: { readonly ids: readonly number[] } | { readonly upTo: number },
  nowUtc: string,
): Promise<number[]> {
  const unseen = tx
    .updateTable('notices')
    .set({ seen_utc: nowUtc })
    .where('tenant_id', '=', tenant)
    .where('principal_id', '=', principalId)
    .where('seen_utc', 'is', null)
  const rows = await ('ids' in which
    ? unseen.where('notice_id', 'in', which.ids)
    : unseen.where('notice_id', '<=', which.upTo)
  )
    .returning('notice_id')
    .execute()
  return rows.map((row) => row.notice_id)
}

/** Number and recipient of links that the person made. */
export async function namesOfOwnLinks(from: Tx, maker: number, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await from
    .selectFrom('share_links')
    .select(['link_id', 'recipient_name'])
    .where('made_by', '=', maker)
    .where('link_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.link_id, `${row.link_id} · ${row.recipient_name}`]))
}

/** What these cases are called; deleted ones are left out. */
export async function titlesOfCases(from: Tx, tenant: string, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await from
    .selectFrom('cases')
    .select(['case_id', 'title'])
    .where('tenant_id', '=', tenant)
    .where('case_id', 'in', ids)
    .where('lifecycle_state', '<>', 'Deleted')
    .execute()
  return new Map(rows.map((row) => [row.case_id, row.title]))
}

/** What these evidences are called; deleted ones are left out. */
export async function namesOfEvidence(from: Tx, tenant: string, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await from
    .selectFrom('evidence')
    .select(['evidence_id', 'name'])
    .where('tenant_id', '=', tenant)
    .where('evidence_id', 'in', ids)
    .where('lifecycle_state', 'not in', ['Deleted', 'Destroyed'])
    .execute()
  return new Map(rows.map((row) => [row.evidence_id, row.name]))
}

/** What these saved searches are called, where they are the person's own. */
export async function namesOfSavedSearches(
  from: Tx,
  principalId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const rows = await from
    .selectFrom('saved_searches')
    .select(['saved_search_id', 'name'])
    .where('principal_id', '=', principalId)
    .where('saved_search_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.saved_search_id, row.name]))
}

/** What cameras call themselves, else where they stand, by the session of the dock. */
export async function namesOfSessions(from: Tx, tenant: string, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await from
    .selectFrom('dock_sessions as s')
    .leftJoin('devices as d', 'd.device_id', 's.device_id')
    .select(['s.session_id', 's.bay', 'd.serial_number', 'd.common_name'])
    .where('s.tenant_id', '=', tenant)
    .where('s.session_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.session_id, row.common_name || row.serial_number || row.bay]))
}

export async function namesOfPrincipals(
  from: Tx,
  tenant: string,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await from
    .selectFrom('principals')
    .select(['principal_id', 'name'])
    .where('tenant_id', '=', tenant)
    .where('principal_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.principal_id, row.name]))
}
