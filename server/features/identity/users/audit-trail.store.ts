/** Ledger entries by actor and refusals (migrations/first-release/ledger.ts). For long reads. */
import { type CompiledQuery, sql } from 'kysely'
import type { Tx } from '../../../kernel/database/database.ts'
import { entryMemberIfJson, ledgerActor, ledgerRefused } from '../../../kernel/database/expressions.ts'

export interface TrailRow {
  readonly seq: number
  readonly body: Uint8Array
}

/** Exactly the expressions of the indexes; SQLite does not use the indexes for others. */
const ACTOR = ledgerActor()
const REFUSED = ledgerRefused()

/** A member of the body; null when the body is not valid JSON any more. */
const member = (path: string) => entryMemberIfJson('body', path)

/** Entries about a principal and entries by it, newest first. */
export const trailOf = (
  db: Tx,
  who: { readonly kind: string; readonly id: number },
  { before, count }: { before: number; count: number },
): CompiledQuery<TrailRow> =>
  sql<TrailRow>`
    SELECT seq, body FROM ledger WHERE seq IN (
      SELECT seq FROM (SELECT seq FROM ledger WHERE object_type = ${who.kind} AND object_id = ${String(who.id)} AND seq < ${before}
        ORDER BY seq DESC LIMIT ${count}) about
      UNION
      SELECT seq FROM (SELECT seq FROM ledger WHERE ${ACTOR} = ${who.id} AND seq < ${before}
        AND ${member('actor.kind')} = ${who.kind} AND ${member('actor.id')} = ${String(who.id)} ORDER BY seq DESC LIMIT ${count}) by_it
    ) ORDER BY seq DESC LIMIT ${count}`.compile(db)

/** Refusals of these actions since a time, newest first. */
export const refusals = (
  db: Tx,
  { since, actions }: { since: string; actions: readonly string[] },
  { before, count }: { before: number; count: number },
): CompiledQuery<TrailRow> =>
  sql<TrailRow>`
    SELECT seq, body FROM ledger WHERE ${REFUSED} AND seq < ${before} AND ${member('timeUtc')} >= ${since}
    AND ${member('action')} IN (${sql.join([...actions])})
    ORDER BY seq DESC LIMIT ${count}`.compile(db)

export interface RefusalCount {
  readonly action: string
  /** Including the counts of entries that stand for many refusals. */
  readonly times: number
}

/** Counts the refusals since a time, by action. */
export const refusalCounts = (
  db: Tx,
  { since, actions }: { since: string; actions: readonly string[] },
): CompiledQuery<RefusalCount> =>
  sql<RefusalCount>`
    SELECT ${member('action')} AS action, sum(coalesce(CAST(${member('detail.count')} AS BIGINT), 1)) AS times FROM ledger
    WHERE ${REFUSED} AND ${member('timeUtc')} >= ${since} AND ${member('action')} IN (${sql.join([...actions])})
    GROUP BY 1`.compile(db)
