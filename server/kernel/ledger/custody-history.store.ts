import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Tx } from '../database/database.ts'
import type { CheckpointsTable } from '../database/tables.ts'
import { entryMemberIfJson } from '../database/expressions.ts'

/**
 * Seqs of the entries about an evidence, its resources and their jobs. Each part uses the index by object. Lists in place of joins: with an order and a
 * limit around them SQLite turned the joins round, and read every entry about any resource for each page.
 */
const about = (evidenceId: number): RawBuilder<unknown> => sql`
  SELECT seq FROM ledger WHERE object_type = 'evidence' AND object_id = ${String(evidenceId)}
  UNION ALL
  SELECT seq FROM ledger WHERE object_type = 'resource'
    AND object_id IN (SELECT CAST(resource_id AS TEXT) FROM resources WHERE evidence_id = ${evidenceId})
  UNION ALL
  SELECT seq FROM ledger WHERE object_type = 'job' AND object_id IN (
    SELECT CAST(j.job_id AS TEXT) FROM resources r JOIN jobs j ON j.subject = 'resource:' || r.resource_id WHERE r.evidence_id = ${evidenceId})`

/** Empty for a body that is not JSON any more, so that a damaged entry can still be shown. */
const ACTION = sql`coalesce(${entryMemberIfJson('l.body', 'action')}, '')`

export interface CustodyRow {
  readonly seq: number
  readonly body: Uint8Array
  readonly hash: Uint8Array
  /** Hash of the previous entry; null when that one is missing. */
  readonly previous: Uint8Array | null
}

/** Whether it was done as it was asked for; a damaged entry was not. */
const OK = sql`coalesce(${entryMemberIfJson('l.body', 'outcome')}, '') = 'ok'`

/** Which entries: all of them, those with or without the actions, or all but those with one of the actions that were done. */
export interface CustodyFilter {
  readonly actions: readonly string[]
  readonly which: 'all' | 'with' | 'without' | 'withoutDone'
}

function condition({ actions, which }: CustodyFilter): RawBuilder<unknown> {
  if (which === 'all') return sql``
  const named = sql`${ACTION} IN (${sql.join([...actions])})`
  if (which === 'with') return sql`AND ${named}`
  return which === 'without' ? sql`AND NOT ${named}` : sql`AND NOT (${named} AND ${OK})`
}

/** Newest first. For a long read. */
export const custodyRows = (
  db: Tx,
  evidenceId: number,
  page: CustodyFilter & { before: number; count: number },
): CompiledQuery<CustodyRow> => {
  return sql<CustodyRow>`
    SELECT l.seq, l.body, l.hash, (SELECT p.hash FROM ledger p WHERE p.seq = l.seq - 1) AS previous
    FROM (${about(evidenceId)}) found JOIN ledger l ON l.seq = found.seq
    WHERE l.seq < ${page.before} ${condition(page)} ORDER BY l.seq DESC LIMIT ${page.count}`.compile(db)
}

/** Numbers of all of them up to one. For a long read. */
export const custodySeqs = (db: Tx, evidenceId: number, last: number): CompiledQuery<{ seq: number }> =>
  sql<{ seq: number }>`SELECT seq FROM (${about(evidenceId)}) found WHERE seq <= ${last}`.compile(db)

/** For a long read. */
export const custodyCounts = (
  db: Tx,
  evidenceId: number,
): CompiledQuery<{ action: string; outcome: string; count: number }> =>
  sql<{ action: string; outcome: string; count: number }>`
    SELECT ${ACTION} AS action, CASE WHEN ${OK} THEN 'ok' ELSE 'other' END AS outcome, count(*) AS count
    FROM (${about(evidenceId)}) found JOIN ledger l ON l.seq = found.seq GROUP BY 1, 2`.compile(db)

/** The first entry about the evidence, and the number of entries from `from` to `to`. For a long read. */
export const custodyExtent = (
  db: Tx,
  evidenceId: number,
  { from, to }: { from: number; to: number },
): CompiledQuery<{ first: number | null; count: number }> =>
  sql<{ first: number | null; count: number }>`
    SELECT min(seq) AS first, count(*) FILTER (WHERE seq BETWEEN ${from} AND ${to}) AS count FROM (${about(evidenceId)}) found`.compile(
    db,
  )

/** The last checkpoint over at most `size` entries. */
export const checkpointUpTo = (db: Tx, size: number): Promise<CheckpointsTable | undefined> =>
  db.selectFrom('checkpoints').selectAll().where('size', '<=', size).orderBy('size', 'desc').limit(1).executeTakeFirst()

/** The first checkpoint over at least `size` entries. */
export const checkpointFrom = (db: Tx, size: number): Promise<CheckpointsTable | undefined> =>
  db.selectFrom('checkpoints').selectAll().where('size', '>=', size).orderBy('size').limit(1).executeTakeFirst()
