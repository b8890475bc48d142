import { type CompiledQuery, sql } from 'kysely'
import type { Tx } from '../database/database.ts'
import { dialectOf, insertInto, statement } from '../database/kysely.ts'
import { insertLedgerRows } from '../database/postgres/ledger-rows.ts'
import type { LedgerTable } from '../database/tables.ts'

export { lockLedgerHead } from '../database/postgres/ledger-rows.ts'

export type EntryRow = Pick<LedgerTable, 'seq' | 'hash' | 'body'>

/** The limit stands in the text: PostgreSQL plans a statement anew each time whose limit is a parameter. */
const selectHead = statement((from) =>
  from.selectFrom('ledger').select(['seq', 'hash', 'body']).orderBy('seq', 'desc').limit(sql.lit(1)),
)

/** The last entry; undefined when there is none. */
export const headRow = async (from: Tx): Promise<EntryRow | undefined> => (await selectHead(from, {}))[0]

/** The newest signed checkpoint; undefined before the first one. */
export const newestCheckpoint = (
  from: Tx,
): Promise<{ readonly size: number; readonly root: Uint8Array; readonly note: string } | undefined> =>
  from.selectFrom('checkpoints').select(['size', 'root', 'note']).orderBy('size', 'desc').limit(1).executeTakeFirst()

/** Few sizes, so that every connection caches few statements. */
const ROWS_AT_ONCE = [100, 10, 1] as const
const inserting = insertInto('ledger')

/** In the order given. */
export async function insertEntries(tx: Tx, rows: readonly LedgerTable[]): Promise<void> {
  if (rows.length > 1 && dialectOf(tx) === 'postgres') return insertLedgerRows(tx, rows)
  let done = 0
  for (const size of ROWS_AT_ONCE) {
    for (; rows.length - done >= size; done += size)
      await inserting(
        tx,
        rows.slice(done, done + size).map((row) => ({ ...row })),
      )
  }
}

/** Newest first. */
export const entryRows = (
  from: Tx,
  object: { type: string; id: string },
  page: { before?: number; count: number },
): Promise<EntryRow[]> =>
  from
    .selectFrom('ledger')
    .select(['seq', 'hash', 'body'])
    .where('object_type', '=', object.type)
    .where('object_id', '=', object.id)
    .where('seq', '<', page.before ?? Number.MAX_SAFE_INTEGER)
    .orderBy('seq', 'desc')
    .limit(page.count)
    .execute()

/** For a long read: leaf hashes of the entries after `after`, in order. */
export const leavesAfter = (
  from: Tx,
  after: number,
  upTo: number,
  count: number,
): CompiledQuery<{ seq: number; leaf: Uint8Array }> =>
  from
    .selectFrom('ledger')
    .select(['seq', 'leaf'])
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .orderBy('seq')
    .limit(count)
    .compile()
