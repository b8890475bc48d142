import type { Insertable } from 'kysely'
import type { NoticeKind, NoticeWay } from '../../../shared/notifications/rules.ts'
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { statement } from '../../kernel/database/kysely.ts'
import type { NoticesTable } from '../../kernel/database/tables-notices.ts'

/** These people, and those in the groups among these, each once. */
export async function peopleAmong(from: Tx, principalIds: readonly number[]): Promise<number[]> {
  if (principalIds.length === 0) return []
  const rows = await from
    .selectFrom('principals')
    .select('principal_id')
    .where('kind', '=', 'user')
    .where((e) =>
      e.or([
        e('principal_id', 'in', principalIds),
        e('principal_id', 'in', e.selectFrom('memberships').select('member_id').where('group_id', 'in', principalIds)),
      ]),
    )
    .execute()
  return rows.map((row) => row.principal_id)
}

/** Who may sign in and is of this tenant's own: guests hold neither policies nor offices (decisions 3). */
const ownPeople = (from: Tx, tenant: string) =>
  from
    .selectFrom('principals as p')
    .select('p.principal_id')
    .where('p.tenant_id', '=', tenant)
    .where('p.kind', '=', 'user')
    .where('p.enabled', '=', 1)
    .where('p.guest', '=', 0)

export async function peopleInPolicy(from: Tx, tenant: string, policy: SecurityPolicy): Promise<number[]> {
  const members = from.selectFrom('policy_members').select('principal_id').where('policy', '=', policy)
  const rows = await ownPeople(from, tenant)
    .where((e) =>
      e.or([
        e('p.principal_id', 'in', members),
        e('p.principal_id', 'in', e.selectFrom('memberships').select('member_id').where('group_id', 'in', members)),
      ]),
    )
    .execute()
  return rows.map((row) => row.principal_id)
}

export async function administrators(from: Tx, tenant: string): Promise<number[]> {
  const group = from.selectFrom('principals').select('principal_id').where('built_in', '=', 1)
  const rows = await ownPeople(from, tenant)
    .where('p.principal_id', 'in', from.selectFrom('memberships').select('member_id').where('group_id', 'in', group))
    .execute()
  return rows.map((row) => row.principal_id)
}

const selectFollowers = statement((from, given: { id: number }) =>
  from
    .selectFrom('case_followers as f')
    .innerJoin('principals as p', 'p.principal_id', 'f.principal_id')
    .select('f.principal_id')
    .where('f.case_id', '=', given.id)
    .where('p.kind', '=', 'user')
    .where('p.enabled', '=', 1),
)

/** Who can sign in and follows the case; whether they may still view it is another question. */
export const followersOf = async (from: Tx, caseId: number): Promise<number[]> =>
  (await selectFollowers(from, { id: caseId })).map((row) => row.principal_id)

/** As people call somebody; null where nobody said how. */
export async function fullNameOf(from: Tx, principalId: number): Promise<string | null> {
  const row = await from
    .selectFrom('principals')
    .select(['first_name', 'last_name'])
    .where('principal_id', '=', principalId)
    .executeTakeFirst()
  return `${row?.first_name ?? ''} ${row?.last_name ?? ''}`.trim() || null
}

export async function tenantOfCase(from: Tx, caseId: number): Promise<string> {
  const row = await from.selectFrom('cases').select('tenant_id').where('case_id', '=', caseId).executeTakeFirstOrThrow()
  return row.tenant_id
}

/** Null where a session was never known, or does not know its camera yet. */
export async function cameraOf(
  from: Tx,
  sessionId: number,
): Promise<{ readonly tenant: string; readonly deviceId: string | null } | null> {
  const row = await from
    .selectFrom('dock_sessions')
    .select(['tenant_id', 'device_id'])
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return row === undefined ? null : { tenant: row.tenant_id, deviceId: row.device_id }
}

/** The integration that sent it. */
export async function senderOf(
  from: Tx,
  deliveryId: number,
): Promise<{ readonly tenant: string; readonly principalId: number } | null> {
  const row = await from
    .selectFrom('cad_deliveries')
    .select(['tenant_id', 'principal_id'])
    .where('delivery_id', '=', deliveryId)
    .executeTakeFirst()
  return row === undefined ? null : { tenant: row.tenant_id, principalId: row.principal_id }
}

export async function tenantOfPrincipal(from: Tx, principalId: number): Promise<string | null> {
  const row = await from
    .selectFrom('principals')
    .select('tenant_id')
    .where('principal_id', '=', principalId)
    .executeTakeFirst()
  return row?.tenant_id ?? null
}

export async function tenants(from: Tx): Promise<string[]> {
  const rows = await from.selectFrom('tenants').select('tenant_id').execute()
  return rows.map((row) => row.tenant_id)
}

/** Of those who chose one for this kind. */
export async function waysOf(
  from: Tx,
  principalIds: readonly number[],
  kind: NoticeKind,
): Promise<Map<number, NoticeWay>> {
  const rows = await from
    .selectFrom('notice_choices')
    .select(['principal_id', 'way'])
    .where('kind', '=', kind)
    .where('principal_id', 'in', principalIds)
    .execute()
  return new Map(rows.map((row) => [row.principal_id, row.way]))
}

export async function waysOfPerson(from: Tx, principalId: number): Promise<Map<NoticeKind, NoticeWay>> {
  const rows = await from
    .selectFrom('notice_choices')
    .select(['kind', 'way'])
    .where('principal_id', '=', principalId)
    .execute()
  return new Map(rows.map((row) => [row.kind, row.way]))
}

export async function putWay(tx: Tx, principalId: number, kind: NoticeKind, way: NoticeWay): Promise<void> {
  await tx
    .insertInto('notice_choices')
    .values({ principal_id: principalId, kind, way })
    .onConflict((on) => on.columns(['principal_id', 'kind']).doUpdateSet({ way }))
    .execute()
}

export interface Open {
  readonly notice_id: number
  readonly principal_id: number
  readonly first_utc: string
  readonly count: number
}

/** Of each of these people the notice about this that began at `sinceUtc` or later. */
export async function openNotices(
  from: Tx,
  principalIds: readonly number[],
  about: { readonly kind: NoticeKind; readonly type: string; readonly id: string; readonly sinceUtc: string },
): Promise<Map<number, Open>> {
  const rows = await from
    .selectFrom('notices')
    .select(['notice_id', 'principal_id', 'count'])
    .select((e) => e.fn.coalesce('first_utc', 'created_utc').as('first_utc'))
    .where('object_id', '=', about.id)
    .where('kind', '=', about.kind)
    .where('principal_id', 'in', principalIds)
    .where('object_type', '=', about.type)
    .where((e) => e(e.fn.coalesce('first_utc', 'created_utc'), '>', about.sinceUtc))
    .orderBy('notice_id')
    .execute()
  return new Map(rows.map((row) => [row.principal_id, row]))
}

export async function countOn(tx: Tx, noticeIds: readonly number[]): Promise<void> {
  if (noticeIds.length === 0) return
  await tx
    .updateTable('notices')
    .set((e) => ({ count: e('count', '+', 1) }))
    .where('notice_id', 'in', noticeIds)
    .execute()
}

/** Replaces a row by a new one, so that it is first again and listeners receive it. */
export async function replaceNotices(
  tx: Tx,
  gone: readonly number[],
  rows: readonly Insertable<NoticesTable>[],
): Promise<void> {
  if (gone.length > 0) await tx.deleteFrom('notices').where('notice_id', 'in', gone).execute()
  if (rows.length > 0) await tx.insertInto('notices').values(rows).execute()
}

/** At most so many at once. @returns how many there were */
export async function forgetSeen(tx: Tx, beforeUtc: string, most: number): Promise<number> {
  const old = tx
    .selectFrom('notices')
    .select('notice_id')
    .where('seen_utc', 'is not', null)
    .where('seen_utc', '<', beforeUtc)
    .limit(most)
  const gone = await tx.deleteFrom('notices').where('notice_id', 'in', old).returning('notice_id').execute()
  return gone.length
}
