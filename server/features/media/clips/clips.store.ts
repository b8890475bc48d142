import type { Tx } from '../../../kernel/database/database.ts'

/** The newest jobs of a kind about one thing, oldest of them first. In the transaction that enqueued them: they are the caller's. */
export async function newestJobs(tx: Tx, kind: string, subject: string, count: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('jobs')
    .select('job_id')
    .where('subject', '=', subject)
    .where('kind', '=', kind)
    .orderBy('job_id', 'desc')
    .limit(count)
    .execute()
  return rows.map((row) => String(row.job_id)).reverse()
}
