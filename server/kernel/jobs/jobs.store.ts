import { type Kysely, type Selectable, sql } from 'kysely'
import type { JobsTable, Tables } from '../database/tables.ts'
import type { JobState, NewJob } from './types.ts'
import { byIndex, databaseNow, listOf, membersOf, toldToNodes } from '../database/expressions.ts'

type Db = Kysely<Tables>
export type JobRow = Selectable<JobsTable>

/** @param node that a bound job belongs to; null on a station */
export async function insertJob(tx: Db, job: NewJob, createdUtc: string, node: string | null): Promise<void> {
  const isBound = job.runsOn === 'the node that queued it'
  await tx
    .insertInto('jobs')
    .values({
      kind: job.kind,
      payload: JSON.stringify(job.payload),
      subject: job.subject ?? '',
      dedup_key: job.key ?? null,
      run_order: job.order ?? 0,
      bound: isBound ? 1 : 0,
      node_id: isBound ? node : null,
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
 * @param here leaves out jobs that are bound to another node, and those whose earlier run this node has not ended yet; null on a station
 */
export async function nextReady(
  db: Db,
  kinds: readonly string[],
  now: number,
  here: { readonly node: string; readonly running: Iterable<number> } | null,
): Promise<JobRow | undefined> {
  const mayRunHere =
    here === null
      ? sql``
      : sql`AND (node_id IS NULL OR node_id = ${here.node}) AND job_id NOT IN ${membersOf(listOf(here.running))}`
  const { rows } = await sql<JobRow>`
    SELECT * FROM jobs ${byIndex('jobs_in_order')}
    WHERE state IN ('queued', 'waiting') AND run_after <= ${now} AND kind IN (${sql.join(kinds)}) ${mayRunHere}
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

/** The node that runs a job, and for how long no other one takes it over. */
export interface Runner {
  readonly node: string
  readonly leaseMs: number
}

const leaseOf = ({ leaseMs }: Runner) => sql<number>`${databaseNow()} + ${leaseMs}`

/** @param runner null on a station, where leases are not needed @returns false when it was cancelled, or another node began it meanwhile */
export async function markRunning(tx: Db, row: JobRow, startedUtc: string, runner: Runner | null): Promise<boolean> {
  const done = await tx
    .updateTable('jobs')
    .set({
      state: 'running',
      attempts: sql`attempts + 1`,
      run_number: sql`run_number + 1`,
      started_utc: startedUtc,
      message: '',
      ...(runner === null ? {} : { node_id: runner.node, lease_until: leaseOf(runner), progress: null }),
    })
    .where('job_id', '=', row.job_id)
    .where('state', 'in', ['queued', 'waiting'])
    // What was read of it holds only while nobody ran it since.
    .where('run_number', '=', row.run_number)
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

export interface JobEnd {
  readonly state: JobState
  readonly message: string
  readonly finishedUtc: string | null
  readonly runAfter?: number
  readonly attempts?: number
}

/** @param run its number: only a job that still runs as this run is changed @returns false when it does not */
export async function markEnded(tx: Db, id: number, end: JobEnd, run?: number): Promise<boolean> {
  let change = tx
    .updateTable('jobs')
    .set({
      state: end.state,
      message: end.message,
      finished_utc: end.finishedUtc,
      cancel_requested: 0,
      ...(end.finishedUtc === null ? FREE : {}),
      ...(end.runAfter === undefined ? {} : { run_after: end.runAfter }),
      ...(end.attempts === undefined ? {} : { attempts: end.attempts }),
    })
    .where('job_id', '=', id)
  if (run !== undefined) change = change.where('state', '=', 'running').where('run_number', '=', run)
  return (await change.executeTakeFirst()).numUpdatedRows === 1n
}

/** Of a job that is queued again: any node may run it, unless it is bound. */
const FREE = { node_id: sql<string | null>`CASE WHEN bound = 1 THEN node_id END` }

/**
 * Queues jobs that a crash left running. Their attempt counts.
 * @param node leaves out what other nodes run; null on a station, where nobody else can run anything @returns their ids
 */
export async function requeueRunning(tx: Db, node: string | null): Promise<number[]> {
  let change = tx
    .updateTable('jobs')
    .set({ state: 'queued', ...FREE })
    .where('state', '=', 'running')
  if (node !== null) change = change.where((e) => e.or([e('node_id', '=', node), e('node_id', 'is', null)]))
  return (await change.returning('job_id').execute()).map((row) => row.job_id)
}

/** Runs whose lease has ended: their node died, or lost the database. Bound jobs wait for their node. */
const isAbandoned = sql<boolean>`state = 'running' AND bound = 0 AND lease_until < ${databaseNow()}`

export async function someAbandoned(db: Db): Promise<boolean> {
  const found = await db.selectFrom('jobs').select('job_id').where(isAbandoned).limit(1).executeTakeFirst()
  return found !== undefined
}

/** Queues jobs whose node let their lease end. Their attempt counts. @returns their ids */
export async function requeueAbandoned(tx: Db): Promise<number[]> {
  const rows = await tx
    .updateTable('jobs')
    .set({ state: 'queued', ...FREE })
    .where(isAbandoned)
    .returning('job_id')
    .execute()
  return rows.map((row) => row.job_id)
}

/** @param runs of this node @returns the ids of those that it still has */
export async function renewLeases(
  tx: Db,
  runs: readonly Pick<JobRow, 'job_id' | 'run_number'>[],
  runner: Runner,
): Promise<Set<number>> {
  if (runs.length === 0) return new Set()
  const rows = await tx
    .updateTable('jobs')
    .set({ lease_until: leaseOf(runner) })
    .where('state', '=', 'running')
    .where((e) => e.or(runs.map((run) => e.and([e('job_id', '=', run.job_id), e('run_number', '=', run.run_number)]))))
    .returning('job_id')
    .execute()
  return new Set(rows.map((row) => row.job_id))
}

/** How far a run is, for the other nodes. Nothing else stands in the statement: it wakes nobody (transactions.ts). */
export async function writeProgress(
  tx: Db,
  run: Pick<JobRow, 'job_id' | 'run_number'>,
  { progress, message }: Pick<JobRow, 'progress' | 'message'>,
): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ progress, message })
    .where('job_id', '=', run.job_id)
    .where('state', '=', 'running')
    .where('run_number', '=', run.run_number)
    .execute()
}

/** With the commit of the transaction all nodes hear the text. */
export async function tellNodes(tx: Db, text: string): Promise<void> {
  await sql`SELECT ${toldToNodes(text)}`.execute(tx)
}

export function jobsWithIds(db: Db, ids: Iterable<number>): Promise<JobRow[]> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('job_id', 'in', membersOf(listOf(ids)))
    .orderBy('job_id')
    .execute()
}

export async function runningJobs(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('jobs').select('job_id').where('state', '=', 'running').execute()
  return rows.map((row) => row.job_id)
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
