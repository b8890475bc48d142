import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

type Db = Kysely<Tables>

export interface Head {
  readonly seq: number
  readonly hash: Uint8Array
  readonly body: Uint8Array
}

export function headOf(db: Db): Promise<Head | undefined> {
  return db.selectFrom('ledger').select(['seq', 'hash', 'body']).orderBy('seq', 'desc').limit(1).executeTakeFirst()
}

export async function insertEntries(
  tx: Db,
  rows: readonly {
    seq: number
    body: Uint8Array
    hash: Uint8Array
    leaf: Uint8Array
    object_type: string
    object_id: string
  }[],
): Promise<void> {
  await tx.insertInto('ledger').values(rows).execute()
}

/** Newest first. */
export function entriesFor(
  db: Db,
  objectType: string,
  objectId: string,
  page: { before?: number; count: number },
): Promise<{ seq: number; body: Uint8Array; hash: Uint8Array }[]> {
  let query = db
    .selectFrom('ledger')
    .select(['seq', 'body', 'hash'])
    .where('object_type', '=', objectType)
    .where('object_id', '=', objectId)
  if (page.before !== undefined) query = query.where('seq', '<', page.before)
  return query.orderBy('seq', 'desc').limit(page.count).execute()
}
