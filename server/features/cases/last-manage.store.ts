/** The last-Manage guard where people and groups change, not cases (decisions 3). */
import { sql } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'

/** What is about to be taken away. Before it is, so that what is there now can be compared with what would be left. */
export type ManageLoss =
  /** A principal that is to be disabled. */
  | { readonly disabled: number }
  /** Members that are to go out of a group; whoever comes into it instead is in it already. */
  | { readonly group: number; readonly members: readonly number[] }

export interface CasesLosingManage {
  readonly count: number
  /** The first few by number; the title only of those that the viewer can view. */
  readonly first: readonly { readonly caseId: string; readonly title: string | null }[]
}

/** Enough to know what it is about. */
const NAMED = 5

/** Whom the guard counts. */
const counts = sql`who.kind IN ('user', 'service') AND who.enabled = 1 AND who.guest = 0`

/**
 * The cases, deleted ones apart, that somebody counted manages now and nobody would after the loss. In the one writing transaction,
 * before the change: then neither another disabling nor a change of policies slips in between.
 * @param viewer principal whose right to view decides about titles; null sees none.
 */
export async function casesLosingManage(
  tx: Tx,
  tenant: string,
  loss: ManageLoss,
  { viewer, nowTicks }: { viewer: number | null; nowTicks: bigint },
): Promise<CasesLosingManage> {
  const gone = 'disabled' in loss ? [loss.disabled] : loss.members
  if (gone.length === 0) return { count: 0, first: [] }
  const ids = sql.join([...gone])
  const holders =
    'disabled' in loss
      ? sql`SELECT ${loss.disabled} UNION ALL SELECT group_id FROM memberships WHERE member_id = ${loss.disabled}`
      : sql`SELECT ${loss.group}`
  const stays = 'disabled' in loss ? sql`who.principal_id <> ${loss.disabled}` : sql`1 = 1`
  const staysMember =
    'disabled' in loss ? stays : sql`NOT (held.group_id = ${loss.group} AND held.member_id IN (${ids}))`
  const visible = sql`EXISTS (
    SELECT 1 FROM case_policies v WHERE v.case_id = c.case_id AND (v.expires_ticks IS NULL OR v.expires_ticks > ${nowTicks})
    AND (v.principal_id = ${viewer} OR v.principal_id IN (SELECT group_id FROM memberships WHERE member_id = ${viewer})))`
  // Worked out once, not for each case: who counts afterwards, and the groups that hold somebody who does. The plus below keeps a
  // case's few policies from being looked for by all of these.
  const managing = sql`
    SELECT who.principal_id AS id FROM principals who WHERE ${counts} AND ${stays}
    UNION
    SELECT held.group_id FROM memberships held JOIN principals who ON who.principal_id = held.member_id
    WHERE ${counts} AND ${staysMember}`
  const { rows } = await sql<{ case_id: number; title: string | null; total: number }>`
    WITH managing AS MATERIALIZED (${managing})
    SELECT c.case_id, CASE WHEN ${visible} THEN c.title END AS title, count(*) OVER () AS total
    FROM cases c
    WHERE c.tenant_id = ${tenant} AND c.lifecycle_state <> 'Deleted'
    AND EXISTS (SELECT 1 FROM principals who WHERE who.principal_id IN (${ids}) AND ${counts})
    AND c.case_id IN (SELECT case_id FROM case_policies WHERE level = 'Manage' AND principal_id IN (${holders}))
    AND NOT EXISTS (
      SELECT 1 FROM case_policies m
      WHERE m.case_id = c.case_id AND m.level = 'Manage' AND +m.principal_id IN (SELECT id FROM managing))
    ORDER BY c.case_id LIMIT ${NAMED}`.execute(tx)
  return {
    count: rows[0]?.total ?? 0,
    first: rows.map(({ case_id: id, title }) => ({ caseId: String(id), title })),
  }
}
