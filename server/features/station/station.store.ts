import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { Tables } from '../../kernel/database/tables.ts'
import { seesEverything, viewable, type Viewer } from '../../kernel/access/viewable.store.ts'
import { byIndex, entryMemberIfJson } from '../../kernel/database/expressions.ts'

type Db = Kysely<Tables>

/** Jobs by state, those that ended well or were stopped left out. For a long read. */
export const jobCounts = (db: Db): CompiledQuery<{ state: string; count: number }> =>
  sql<{ state: string; count: number }>`
    SELECT state, count(*) AS count FROM jobs WHERE state IN ('running', 'queued', 'waiting', 'failed') GROUP BY state`.compile(
    db,
  )

/** Without what lies in the recycle bin. For a long read. */
export const evidenceCount = (db: Db, tenant: string): CompiledQuery<{ count: number }> =>
  sql<{ count: number }>`
    SELECT (SELECT count(*) FROM evidence_list WHERE tenant_id = ${tenant})
      - (SELECT count(*) FROM evidence ${byIndex('evidence_deleted')} WHERE lifecycle_state = 'Deleted' AND tenant_id = ${tenant}) AS count`.compile(
    db,
  )

/** Of what somebody can view, without what lies in the recycle bin; counted to one more than `most`. For a long read. */
export const viewableCount = (db: Db, tenant: string, viewer: Viewer, most: number): CompiledQuery<{ count: number }> =>
  sql<{ count: number }>`
    SELECT count(*) AS count FROM (SELECT 1 FROM evidence_list e WHERE e.tenant_id = ${tenant}
      AND ${viewable('e.evidence_id', viewer, 'all')}
      AND e.evidence_id NOT IN (SELECT evidence_id FROM evidence ${byIndex('evidence_deleted')}
        WHERE lifecycle_state = 'Deleted' AND tenant_id = ${tenant}) LIMIT ${most + 1}) counted`.compile(db)

/** Whether the caller sees all evidence. For a long read. */
export const seesAll = (db: Db, viewer: Viewer): CompiledQuery<{ whole: number }> =>
  sql<{ whole: number }>`SELECT ${seesEverything(viewer)} AS whole`.compile(db)

/** Subjects of jobs that have not ended well, by state; at most so many. */
export async function unsettledJobs(db: Db, most: number): Promise<{ state: string; subject: string }[]> {
  return db
    .selectFrom('jobs')
    .select(['state', 'subject'])
    .where('state', 'in', ['running', 'queued', 'waiting', 'failed'])
    .limit(most)
    .execute()
}

export interface TailEntry {
  readonly seq: number
  readonly type: string
  readonly id: string
  readonly action: string | null
  /** ISO 8601, as the entry has it. */
  readonly time: string | null
}

/** Entries after `seq`, oldest first. */
export async function ledgerTail(db: Db, seq: number, count: number): Promise<TailEntry[]> {
  const { rows } = await sql<TailEntry>`
    SELECT seq, object_type AS type, object_id AS id,
      ${entryMemberIfJson('body', 'action')} AS action,
      ${entryMemberIfJson('body', 'timeUtc')} AS time
    FROM ledger WHERE seq > ${seq} ORDER BY seq LIMIT ${count}`.execute(db)
  return rows
}

export async function lastSeq(db: Db): Promise<number> {
  const row = await db.selectFrom('ledger').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return row?.seq ?? 0
}

/** Of these resources, each evidence once. */
export async function evidenceOfResources(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('resources')
    .select('evidence_id')
    .distinct()
    .where('resource_id', 'in', ids)
    .execute()
  return rows.map((row) => row.evidence_id)
}

export async function lastNotice(db: Db): Promise<number> {
  const row = await db
    .selectFrom('notices')
    .select('notice_id')
    .orderBy('notice_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.notice_id ?? 0
}

/** Whom notices after `noticeId` are for, each with the id of the last one. */
export async function noticesSince(db: Db, noticeId: number): Promise<{ principalId: number; last: number }[]> {
  const rows = await db
    .selectFrom('notices')
    .select((e) => ['principal_id', e.fn.max('notice_id').as('last')])
    .where('notice_id', '>', noticeId)
    .groupBy('principal_id')
    .execute()
  return rows.map((row) => ({ principalId: row.principal_id, last: Number(row.last) }))
}

/** How many they have not seen, and which is the newest that they have. */
export async function noticesNow(db: Db, principalId: number): Promise<{ unseen: number; newest: number | null }> {
  const theirs = db.selectFrom('notices').where('principal_id', '=', principalId)
  const { unseen } = await theirs
    .select((e) => e.fn.countAll<number>().as('unseen'))
    .where('seen_utc', 'is', null)
    .executeTakeFirstOrThrow()
  const last = await theirs.select('notice_id').orderBy('notice_id', 'desc').limit(1).executeTakeFirst()
  return { unseen: Number(unseen), newest: last?.notice_id ?? null }
}
