import { type Kysely, type Selectable, sql } from 'kysely'
import type { JobsTable, Tables } from '../database/tables.ts'
import type { JobState, NewJob } from './types.ts'
import { byIndex } from '../database/expressions.ts'

type Db = Kysely<Tables>
export type JobRow = Selectable<JobsTable>

export async function insertJob(tx: Db, job: NewJob, createdUtc: string): Promise<void> {
  await tx
    .insertInto('jobs')
    .values({
      kind: job.kind,
      payload: JSON.stringify(job.payload),
      subject: job.subject ?? '',
      dedup_key: job.key ?? null,
      run_order: job.order ?? 0,
      state: 'queued',
      created_utc: createdUtc,
      started_utc: null,
      finished_utc: null,
      progress: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * The next job of the given kinds that may run now. The index is named, since SQLite without statistics would sort all open jobs.
 */
export async function nextReady(db: Db, kinds: readonly string[], now: number): Promise<JobRow | undefined> {
  const { rows } = await sql<JobRow>`
    SELECT * FROM jobs ${byIndex('jobs_in_order')}
    WHERE state IN ('queued', 'waiting') AND run_after <= ${now} AND kind IN (${sql.join(kinds)})
    ORDER BY run_order, job_id LIMIT 1`.execute(db)
  return rows[0]
}

/** The earliest `run_after` later than `since` (both Unix milliseconds); null when there is none. */
export async function nextDue(db: Db, since: number): Promise<number | null> {
  const row = await db
    .selectFrom('jobs')
    .select((e) => e.fn.min('run_after').as('due'))
    .where('state', 'in', ['queued', 'waiting'])
    .where('run_after', '>', since)
    .executeTakeFirst()
  return row?.due ?? null
}

/** @returns false when the job was cancelled meanwhile */
export async function markRunning(tx: Db, id: number, startedUtc: string): Promise<boolean> {
  const done = await tx
    .updateTable('jobs')
    .set({ state: 'running', attempts: sql`attempts + 1`, started_utc: startedUtc, message: '' })
    .where('job_id', '=', id)
    .where('state', 'in', ['queued', 'waiting'])
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

export async function markEnded(
  tx: Db,
  id: number,
  end: { state: JobState; message: string; finishedUtc: string | null; runAfter?: number; attempts?: number },
): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({
      state: end.state,
      message: end.message,
      finished_utc: end.finishedUtc,
      cancel_requested: 0,
      ...(end.runAfter === undefined ? {} : { run_after: end.runAfter }),
      ...(end.attempts === undefined ? {} : { attempts: end.attempts }),
    })
    .where('job_id', '=', id)
    .execute()
}

/** Queues jobs that a crash left running. Their attempt counts. @returns their number */
export async function requeueRunning(tx: Db): Promise<number> {
  const done = await tx.updateTable('jobs').set({ state: 'queued' }).where('state', '=', 'running').executeTakeFirst()
  return Number(done.numUpdatedRows)
}

/** Lets waiting jobs run at once, since the tool or file that they need may be there now. */
export async function wakeWaiting(tx: Db): Promise<number> {
  const done = await tx.updateTable('jobs').set({ run_after: 0 }).where('state', '=', 'waiting').executeTakeFirst()
  return Number(done.numUpdatedRows)
}

export function findJob(db: Db, id: number): Promise<JobRow | undefined> {
  return db.selectFrom('jobs').selectAll().where('job_id', '=', id).executeTakeFirst()
}

export function jobsOf(db: Db, subjects: readonly string[]): Promise<JobRow[]> {
  return db.selectFrom('jobs').selectAll().where('subject', 'in', subjects).orderBy('job_id').execute()
}

export function listJobs(
  db: Db,
  filter: { states?: readonly string[]; before?: number; count: number },
): Promise<JobRow[]> {
  let query = db.selectFrom('jobs').selectAll().orderBy('job_id', 'desc').limit(filter.count)
  if (filter.states !== undefined) query = query.where('state', 'in', filter.states)
  if (filter.before !== undefined) query = query.where('job_id', '<', filter.before)
  return query.execute()
}

export async function kindsWaiting(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('jobs')
    .select('kind')
    .distinct()
    .where('state', 'in', ['queued', 'waiting', 'running'])
    .execute()
  return rows.map((row) => row.kind)
}

/** Number of queued and running jobs. */
export async function countBusy(db: Db): Promise<number> {
  const row = await db
    .selectFrom('jobs')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow()
  return row.n
}

/** Whether a job with this key has not ended yet. */
export async function keyIsTaken(db: Db, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('job_id')
    .where('dedup_key', '=', key)
    .where('state', 'in', ['queued', 'running', 'waiting'])
    .executeTakeFirst()
  return row !== undefined
}
