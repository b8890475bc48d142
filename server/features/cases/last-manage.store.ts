/** The last-Manage guard for changes of accounts and groups (decisions 3). */
import { sql } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import { among, withoutIndex } from '../../kernel/database/expressions.ts'

/** The loss that a change is about to cause. The guard runs before the change, so that it can compare both states. */
export type ManageLoss =
  /** A principal that is to be disabled. */
  | { readonly disabled: number }
  /** Members that are about to leave a group. Members that join in the same change are in it already. */
  | { readonly group: number; readonly members: readonly number[] }

export interface CasesLosingManage {
  readonly count: number
  /** The first few by number, with a title only when the viewer can view the case. */
  readonly first: readonly { readonly caseId: string; readonly title: string | null }[]
}

/** How many cases are named. */
const NAMED = 5

/** The accounts that the guard counts. */
const eligible = sql`who.kind IN ('user', 'service') AND who.enabled = 1 AND who.guest = 0`

/**
 * Live cases that have a manager now and would have none after the loss. Call it in the write transaction, before the change, so that no
 * other change of accounts or policies comes between.
 * @param viewer the principal whose right to view decides about titles; null gets no titles
 */
export async function casesLosingManage(
  tx: Tx,
  tenant: string,
  loss: ManageLoss,
  { viewer, nowTicks }: { viewer: number | null; nowTicks: bigint },
): Promise<CasesLosingManage> {
  const gone = 'disabled' in loss ? [loss.disabled] : loss.members
  if (gone.length === 0) return { count: 0, first: [] }
  const ids = among([...gone])
  const holders =
    'disabled' in loss
      ? sql`SELECT CAST(${loss.disabled} AS BIGINT) UNION ALL SELECT group_id FROM memberships WHERE member_id = ${loss.disabled}`
      : sql`SELECT CAST(${loss.group} AS BIGINT)`
  const stays = 'disabled' in loss ? sql`who.principal_id <> ${loss.disabled}` : sql`1 = 1`
  const staysMember =
    'disabled' in loss ? stays : sql`NOT (held.group_id = ${loss.group} AND held.member_id IN (${ids}))`
  const visible = sql`EXISTS (
    SELECT 1 FROM case_policies v WHERE v.case_id = c.case_id AND (v.expires_ticks IS NULL OR v.expires_ticks > ${nowTicks})
    AND (v.principal_id = ${viewer} OR v.principal_id IN (SELECT group_id FROM memberships WHERE member_id = ${viewer})))`
  // Computed once, not for each case: the accounts that count after the loss, and the groups with such a member. Without an index
  // SQLite starts from the few policies of a case, not from all of these.
  const managing = sql`
    SELECT who.principal_id AS id FROM principals who WHERE ${eligible} AND ${stays}
    UNION
    SELECT held.group_id FROM memberships held JOIN principals who ON who.principal_id = held.member_id
    WHERE ${eligible} AND ${staysMember}`
  const { rows } = await sql<{ case_id: number; title: string | null; total: number }>`
    WITH managing AS MATERIALIZED (${managing})
    SELECT c.case_id, CASE WHEN ${visible} THEN c.title END AS title, count(*) OVER () AS total
    FROM cases c
    WHERE c.tenant_id = ${tenant} AND c.lifecycle_state <> 'Deleted'
    AND EXISTS (SELECT 1 FROM principals who WHERE who.principal_id IN (${ids}) AND ${eligible})
    AND c.case_id IN (SELECT case_id FROM case_policies WHERE level = 'Manage' AND principal_id IN (${holders}))
    AND NOT EXISTS (
      SELECT 1 FROM case_policies m
      WHERE m.case_id = c.case_id AND m.level = 'Manage' AND ${withoutIndex('m.principal_id')} IN (SELECT id FROM managing))
    ORDER BY c.case_id LIMIT ${NAMED}`.execute(tx)
  return {
    count: rows[0]?.total ?? 0,
    first: rows.map(({ case_id: id, title }) => ({ caseId: String(id), title })),
  }
}
