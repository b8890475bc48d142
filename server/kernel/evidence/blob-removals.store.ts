import type { Kysely } from 'kysely'
import type { Tables } from '../database/tables.ts'

type Db = Kysely<Tables>

export interface RemovalRow {
  readonly times: number
  readonly pending: number
  readonly begun_at: number
}

/** The removals of a blob's bytes so far; undefined: none. */
export const removalOf = (db: Db, sha256: string): Promise<RemovalRow | undefined> =>
  db
    .selectFrom('blob_removals')
    .select(['times', 'pending', 'begun_at'])
    .where('sha256', '=', sha256)
    .executeTakeFirst()

export async function beginRemoval(tx: Db, sha256: string, times: number, now: number): Promise<void> {
  await tx
    .insertInto('blob_removals')
    .values({ sha256, times, pending: 1, begun_at: now })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ times, pending: 1, begun_at: now }))
    .execute()
}

export async function endRemoval(tx: Db, sha256: string): Promise<void> {
  await tx.updateTable('blob_removals').set({ pending: 0 }).where('sha256', '=', sha256).execute()
}
