import { type Insertable, type Selectable, sql } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import { entryMemberIfJson, listOf, membersOf } from '../../kernel/database/expressions.ts'
import type { ShareLinkItemsTable, ShareLinksTable } from '../../kernel/database/tables-share-links.ts'

export type LinkRow = Selectable<ShareLinksTable>
export type ItemRow = Selectable<ShareLinkItemsTable>

export async function insertLink(tx: Tx, row: Insertable<ShareLinksTable>): Promise<number> {
  const { link_id: id } = await tx.insertInto('share_links').values(row).returning('link_id').executeTakeFirstOrThrow()
  return id
}

export async function insertItems(tx: Tx, items: readonly ItemRow[]): Promise<void> {
  await tx
    .insertInto('share_link_items')
    .values([...items])
    .execute()
}

export const linkById = (from: Tx, id: number): Promise<LinkRow | undefined> =>
  from.selectFrom('share_links').selectAll().where('link_id', '=', id).executeTakeFirst()

export const linkByToken = (from: Tx, hash: string): Promise<LinkRow | undefined> =>
  from.selectFrom('share_links').selectAll().where('token_sha256', '=', hash).executeTakeFirst()

export const linksOfMaker = (from: Tx, tenant: string, maker: number, count: number): Promise<LinkRow[]> =>
  from
    .selectFrom('share_links')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('made_by', '=', maker)
    .orderBy('link_id', 'desc')
    .limit(count)
    .execute()

export const linksOfEvidence = (from: Tx, evidenceId: number, count: number): Promise<LinkRow[]> =>
  from
    .selectFrom('share_links')
    .selectAll()
    .where('link_id', 'in', (e) =>
      e.selectFrom('share_link_items').select('link_id').where('evidence_id', '=', evidenceId),
    )
    .orderBy('link_id', 'desc')
    .limit(count)
    .execute()

export const itemsOf = (from: Tx, linkIds: Iterable<number>): Promise<ItemRow[]> =>
  from
    .selectFrom('share_link_items')
    .selectAll()
    .where('link_id', 'in', membersOf(listOf(linkIds)))
    .orderBy('link_id')
    .orderBy('item')
    .execute()

export async function setLink(
  tx: Tx,
  id: number,
  set: Partial<
    Pick<LinkRow, 'code_hash' | 'wrong_codes' | 'locked_utc' | 'recalled_utc' | 'recalled_by' | 'recall_reason'>
  >,
): Promise<void> {
  await tx.updateTable('share_links').set(set).where('link_id', '=', id).execute()
}

/** Links whose copies may still be needed. */
export const openLinks = async (from: Tx, nowUtc: string): Promise<Set<number>> => {
  const rows = await from
    .selectFrom('share_links')
    .select('link_id')
    .where('expires_utc', '>', nowUtc)
    .where('locked_utc', 'is', null)
    .where('recalled_utc', 'is', null)
    .execute()
  return new Set(rows.map((row) => row.link_id))
}

/** The account of a link's maker as it is now. */
export const makerOf = (from: Tx, id: number) =>
  from
    .selectFrom('principals')
    .select(['principal_id', 'kind', 'name', 'k_id', 'enabled', 'guest'])
    .where('principal_id', '=', id)
    .executeTakeFirst()

export async function insertSession(
  tx: Tx,
  row: { readonly token_sha256: string; readonly link_id: number; readonly ends_at: number },
): Promise<void> {
  await tx.insertInto('share_link_sessions').values(row).execute()
}

export const sessionByToken = (from: Tx, hash: string) =>
  from.selectFrom('share_link_sessions').selectAll().where('token_sha256', '=', hash).executeTakeFirst()

/** Of a link, or those that ended before. A thousand at a time. */
const sessionsWhere = (from: Tx, which: { readonly link: number } | { readonly endedBefore: number }) => {
  const all = from.selectFrom('share_link_sessions').select('token_sha256').limit(1000)
  return 'link' in which ? all.where('link_id', '=', which.link) : all.where('ends_at', '<', which.endedBefore)
}

export async function sessionTokens(from: Tx, which: Parameters<typeof sessionsWhere>[1]): Promise<string[]> {
  return (await sessionsWhere(from, which).execute()).map((row) => row.token_sha256)
}

export async function endSessions(tx: Tx, tokens: readonly string[]): Promise<void> {
  if (tokens.length === 0) return
  await tx.deleteFrom('share_link_views').where('token_sha256', 'in', tokens).execute()
  await tx.deleteFrom('share_link_sessions').where('token_sha256', 'in', tokens).execute()
}

export const isViewed = async (from: Tx, token: string, item: number): Promise<boolean> =>
  (await from
    .selectFrom('share_link_views')
    .select('item')
    .where('token_sha256', '=', token)
    .where('item', '=', item)
    .executeTakeFirst()) !== undefined

export async function insertView(tx: Tx, token: string, item: number): Promise<void> {
  await tx.insertInto('share_link_views').values({ token_sha256: token, item }).execute()
}

export interface OpeningsRow {
  readonly link: string
  readonly count: number
  readonly last: string | null
}

/** How often links were opened, and when last: from their entries. */
export async function openingsOf(from: Tx, linkIds: readonly number[]): Promise<Map<number, OpeningsRow>> {
  if (linkIds.length === 0) return new Map()
  const rows = await from
    .selectFrom('ledger')
    .select(['object_id as link'])
    .select((is) => is.fn.countAll<number>().as('count'))
    .select(sql<string | null>`max(${entryMemberIfJson('body', 'timeUtc')})`.as('last'))
    .where('object_type', '=', 'shareLink')
    .where('object_id', 'in', linkIds.map(String))
    .where(sql<boolean>`${entryMemberIfJson('body', 'action')} = 'shareLink.opened'`)
    .groupBy('object_id')
    .execute()
  return new Map(rows.map((row) => [Number(row.link), { ...row, count: Number(row.count) }]))
}

const LOGGED = ['resource.linkViewed', 'resource.linkDownloaded'] as const
/** Of the station's own people: no opening. */
const NOT_LOGGED = ['shareLink.read', 'shareLink.listed', 'shareLink.previewed'] as const

/** Entries about a link and about what was looked at by it, the newest first. */
export const logOf = (from: Tx, linkId: number, resourceIds: readonly number[], count: number) =>
  from
    .selectFrom('ledger')
    .select(['seq', 'body'])
    .where((e) =>
      e.or([
        e.and([
          e('object_type', '=', 'shareLink'),
          e('object_id', '=', String(linkId)),
          sql<boolean>`${entryMemberIfJson('body', 'action')} NOT IN (${sql.join([...NOT_LOGGED])})`,
        ]),
        e.and([
          e('object_type', '=', 'resource'),
          e('object_id', 'in', resourceIds.map(String)),
          sql<boolean>`${entryMemberIfJson('body', 'action')} IN (${sql.join([...LOGGED])})`,
        ]),
      ]),
    )
    .orderBy('seq', 'desc')
    .limit(count)
    .execute()
