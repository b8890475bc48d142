import { type Kysely, sql } from 'kysely'
import { databaseNow } from '../database/expressions.ts'
import type { Tables } from '../database/tables.ts'

type Db = Kysely<Tables>

export interface RemovalRow {
  /** How often its bytes were removed, or began to be. */
  readonly times: number
  /** A request of the last removal may still take effect. */
  readonly isPending: boolean
}

/** The removals of a blob's bytes so far. @param endsAfter milliseconds after which one that nobody ended is over, by the database's clock */
export async function removalOf(db: Db, sha256: string, endsAfter: number): Promise<RemovalRow> {
  const row = await db
    .selectFrom('blob_removals')
    .select(['times', 'pending'])
    .select(sql<number>`abs(${databaseNow()} - begun_at)`.as('age'))
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  if (row === undefined) return { times: 0, isPending: false }
  return { times: row.times, isPending: row.pending === 1 && Number(row.age) < endsAfter }
}

/** @param times the number of this removal */
export async function beginRemoval(tx: Db, sha256: string, times: number): Promise<void> {
  const begun = { times, pending: 1, begun_at: databaseNow() }
  await tx
    .insertInto('blob_removals')
    .values({ sha256, ...begun })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet(begun))
    .execute()
}

/** Ends the removal of this number, and no later one. */
export async function endRemoval(tx: Db, sha256: string, times: number): Promise<void> {
  await tx
    .updateTable('blob_removals')
    .set({ pending: 0 })
    .where('sha256', '=', sha256)
    .where('times', '=', times)
    .execute()
}
