import { type CompiledQuery, type Selectable, sql } from 'kysely'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import type { FixityRunsTable } from '../../../kernel/database/tables-integrity.ts'
import type { BlobCheckRow } from '../../../kernel/evidence/checks.store.ts'
import { setStationValue, stationValue } from '../../../kernel/database/station-values.ts'

export type RunRow = Selectable<FixityRunsTable>

/** Longest overdue first. */
export const dueBlobs = (from: Tx, now: number, count: number): Promise<BlobCheckRow[]> =>
  from
    .selectFrom('blob_checks')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('sha256')
    .limit(count)
    .execute()

/** Blobs last read before this time, oldest first. */
export const readBefore = (from: Tx, at: number, count: number): Promise<BlobCheckRow[]> =>
  from
    .selectFrom('blob_checks')
    .selectAll()
    .where('checked_at', '<', at)
    .orderBy('checked_at')
    .orderBy('sha256')
    .limit(count)
    .execute()

/** The next blobs to read, with their times. */
export const nextBlobs = (from: Tx, count: number): Promise<BlobCheckRow[]> =>
  from.selectFrom('blob_checks').selectAll().orderBy('due_at').orderBy('sha256').limit(count).execute()

/** Blobs that were read most recently, without those that were only read back at import. */
export const lastRead = (from: Tx, count: number) =>
  from
    .selectFrom('blob_checks')
    .selectAll()
    // As the index has it: a value that is bound chooses no partial index.
    .where(sql<boolean>`times > 0`)
    .orderBy('checked_at', 'desc')
    .orderBy('sha256', 'desc')
    .limit(count)

/** Hashes of blobs that were intact when last read: those after `after`, and from the beginning when these are too few. */
export async function goodBlobs(from: Tx, after: string, count: number): Promise<string[]> {
  const some = (after: string) =>
    from
      .selectFrom('blob_checks')
      .select('sha256')
      .where('result', '=', 'matches')
      .where('sha256', '>', after)
      .orderBy('sha256')
      .limit(count)
      .execute()
  const following = await some(after)
  const all = following.length < count ? [...following, ...(await some(''))] : following
  return [...new Set(all.map((row) => row.sha256))].slice(0, count)
}

export interface Read {
  readonly sha256: string
  readonly at: number
  readonly dueAt: number
  readonly result: BlobCheckRow['result']
  readonly readBack: BlobCheckRow['read_back']
}

/** @returns false when the blob has no row any more: it was destroyed while it was read. */
export async function rememberRead(tx: Tx, read: Read): Promise<boolean> {
  const done = await tx
    .updateTable('blob_checks')
    .set({
      checked_at: read.at,
      due_at: read.dueAt,
      result: read.result,
      read_back: read.readBack,
      times: sql`times + 1`,
    })
    .where('sha256', '=', read.sha256)
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

export interface CoverageRow {
  readonly blobs: number
  readonly bytes: number
  /** Blobs that are not overdue. */
  readonly blobs_in_time: number
  readonly bytes_in_time: number
  /** Blobs that were changed or missing when last read. */
  readonly bad: number
  /** Time of the oldest last reading; null without blobs. */
  readonly oldest_at: number | null
}

/** For a long read: it looks at every row. */
export const coverage = (db: Database['read'], now: number): CompiledQuery<CoverageRow> =>
  sql<CoverageRow>`
    SELECT count(*) AS blobs, coalesce(sum(length), 0) AS bytes,
      coalesce(sum(CASE WHEN due_at > ${now} THEN 1 ELSE 0 END), 0) AS blobs_in_time,
      coalesce(sum(CASE WHEN result <> 'matches' THEN 1 ELSE 0 END), 0) AS bad,
      coalesce(sum(CASE WHEN due_at > ${now} THEN length END), 0) AS bytes_in_time,
      min(checked_at) AS oldest_at
    FROM blob_checks`.compile(db)

/** Number and size of blobs for a run that begins now. */
export async function readableBlobs(from: Tx, before: number): Promise<{ blobs: number; bytes: number }> {
  return from
    .selectFrom('blob_checks')
    .select((e) => [e.fn.countAll<number>().as('blobs'), e.fn.coalesce(e.fn.sum<number>('length'), sql`0`).as('bytes')])
    .where('checked_at', '<', before)
    .executeTakeFirstOrThrow() as Promise<{ blobs: number; bytes: number }>
}

export const openRun = (from: Tx): Promise<RunRow | undefined> =>
  from.selectFrom('fixity_runs').selectAll().where('state', '=', 'running').executeTakeFirst()

export const lastRuns = (from: Tx, count: number): Promise<RunRow[]> =>
  from.selectFrom('fixity_runs').selectAll().orderBy('run_id', 'desc').limit(count).execute()

export async function insertRun(
  tx: Tx,
  row: { started_at: number; started_by: string; total_blobs: number; total_bytes: number },
): Promise<RunRow> {
  return tx
    .insertInto('fixity_runs')
    .values({ ...row, state: 'running', ended_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function addToRun(
  tx: Tx,
  id: number,
  read: { blobs: number; bytes: number; problems: number },
): Promise<void> {
  await tx
    .updateTable('fixity_runs')
    .set({
      blobs: sql`blobs + ${read.blobs}`,
      bytes: sql`bytes + ${read.bytes}`,
      problems: sql`problems + ${read.problems}`,
    })
    .where('run_id', '=', id)
    .where('state', '=', 'running')
    .execute()
}

/** @returns null when it had ended already. */
export async function endRun(
  tx: Tx,
  id: number,
  end: { state: 'done' | 'cancelled'; at: number },
): Promise<RunRow | null> {
  const row = await tx
    .updateTable('fixity_runs')
    .set({ state: end.state, ended_at: end.at })
    .where('run_id', '=', id)
    .where('state', '=', 'running')
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Resources whose bytes these are. */
export const resourcesOfBlob = (
  from: Tx,
  sha256: string,
): Promise<{ resource_id: number; evidence_id: number; name: string; last: string | null }[]> =>
  from
    .selectFrom('resources as r')
    .select((e) => [
      'r.resource_id',
      'r.evidence_id',
      'r.name',
      e
        .selectFrom('fixity_checks as c')
        .select('c.result')
        .whereRef('c.resource_id', '=', 'r.resource_id')
        .orderBy('c.check_id', 'desc')
        .limit(1)
        .as('last'),
    ])
    .where('r.sha256', '=', sha256)
    .execute()

const WALKED = 'last-walk'

/** When the names of blobs were last compared with the rows; initially the creation of the station; null before that. */
export async function lastWalk(from: Tx): Promise<number | null> {
  const walked = await stationValue(from, WALKED)
  if (walked !== null) return Number(walked)
  const first = await from
    .selectFrom('tenants')
    .select('created_utc')
    .orderBy('created_utc')
    .limit(1)
    .executeTakeFirst()
  return first === undefined ? null : Date.parse(first.created_utc)
}

export async function rememberWalk(tx: Tx, at: number): Promise<void> {
  await setStationValue(tx, WALKED, String(at))
}
