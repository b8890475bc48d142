/** Which node runs the tasks that one node runs, and when each of them ran. Times are by the database's clock. */
import { sql } from 'kysely'
import type { Tx } from './database/database.ts'
import { databaseNow } from './database/expressions.ts'

const LEASE = 'tasks'

/** Takes the lease when nobody has it, or renews it. @returns whether this node has it now */
export async function takeLease(tx: Tx, node: string, leaseMs: number): Promise<boolean> {
  const until = sql<number>`${databaseNow()} + ${leaseMs}`
  const done = await tx
    .insertInto('task_lease')
    .values({ lease: LEASE, node_id: node, lease_until: until })
    .onConflict((conflict) =>
      conflict
        .column('lease')
        .doUpdateSet({ node_id: node, lease_until: until })
        .where((e) => e.or([e('task_lease.node_id', '=', node), e('task_lease.lease_until', '<', databaseNow())])),
    )
    .executeTakeFirst()
  return done.numInsertedOrUpdatedRows === 1n
}

/** Whether another node has the lease. */
export async function isTaken(from: Tx, node: string): Promise<boolean> {
  const found = await from
    .selectFrom('task_lease')
    .select('node_id')
    .where('lease', '=', LEASE)
    .where('node_id', '<>', node)
    .where('lease_until', '>=', databaseNow())
    .executeTakeFirst()
  return found !== undefined
}

export async function releaseLease(tx: Tx, node: string): Promise<void> {
  await tx.deleteFrom('task_lease').where('lease', '=', LEASE).where('node_id', '=', node).execute()
}

/** Whether a task ran on any node within these milliseconds. */
export async function ranSince(from: Tx, task: string, millis: number): Promise<boolean> {
  const found = await from
    .selectFrom('task_runs')
    .select('task')
    .where('task', '=', task)
    .where('ran_at', '>', sql<number>`${databaseNow()} - ${millis}`)
    .executeTakeFirst()
  return found !== undefined
}

/** Notes that a task runs now. @returns false when the node does not have the lease any more */
export async function noteRun(tx: Tx, task: string, node: string): Promise<boolean> {
  if (!(await hasLease(tx, node))) return false
  const ran = { node_id: node, ran_at: databaseNow() }
  await tx
    .insertInto('task_runs')
    .values({ task, ...ran })
    .onConflict((conflict) => conflict.column('task').doUpdateSet(ran))
    .execute()
  return true
}

/** Locks the row, so that nobody takes the lease before the transaction ends. */
async function hasLease(tx: Tx, node: string): Promise<boolean> {
  const done = await tx
    .updateTable('task_lease')
    .set({ node_id: node })
    .where('lease', '=', LEASE)
    .where('node_id', '=', node)
    .where('lease_until', '>=', databaseNow())
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}
