import { sql } from 'kysely'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import { dialectOf } from '../../../kernel/database/kysely.ts'
import { storedEntry } from '../../../kernel/ledger/format.ts'
import type { KeptCheckpoint } from './start-check.store.ts'

/** Every checkpoint in the database with the hash of the entry at its size, oldest first. */
export const allKept = (db: Database): Promise<KeptCheckpoint[]> =>
  db.read
    .selectFrom('checkpoints as c')
    .leftJoin('ledger as l', 'l.seq', 'c.size')
    .select(['c.size', 'c.root', 'c.head', 'c.frontier', 'c.note', 'l.hash as entryHash'])
    .orderBy('c.size')
    .execute()

/** Texts of the schema, kept as evidence before a foreign trigger, view or index is removed. */
export const schemaTexts = async (db: Database): Promise<{ type: string; name: string; sql: string | null }[]> =>
  (
    await sql<{
      type: string
      name: string
      sql: string | null
    }>`SELECT type, name, sql FROM main.sqlite_schema`.execute(db.read)
  ).rows

/** The most entries about the ledger that are searched; few others come between two acceptances. */
const MAX_SEARCHED = 200

/** Number of the entry of an interrupted acceptance, after which nothing was signed; null when there is none. */
export async function unfinishedAcceptance({ read }: Database): Promise<number | null> {
  const entries = await read
    .selectFrom('ledger')
    .select(['seq', 'body'])
    .where('object_type', '=', 'ledger')
    .where('object_id', '=', '1')
    .orderBy('seq', 'desc')
    .limit(MAX_SEARCHED)
    .execute()
  const newest = entries.find(({ body }) => storedEntry(body).action === 'ledger.accepted')
  if (newest === undefined) return null
  const signed = await read
    .selectFrom('checkpoints')
    .select('size')
    .where('size', '>=', newest.seq)
    .limit(1)
    .executeTakeFirst()
  return signed === undefined ? newest.seq : null
}

export async function runStatements(tx: Tx, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx)
}

const GUARD = 'checkpoints_no_delete'

/** Deletes checkpoints. The guard of the table is restored before the transaction ends. @throws Error, without a deletion, when the guard is missing */
export async function takeOutCheckpoints(tx: Tx, sizes: readonly number[]): Promise<void> {
  if (sizes.length === 0) return
  if (dialectOf(tx) === 'postgres') return takeOutOnPostgres(tx, sizes)
  const { rows } = await sql<{
    sql: string
  }>`SELECT sql FROM main.sqlite_schema WHERE type = 'trigger' AND name = ${GUARD}`.execute(tx)
  const [guard] = rows
  if (guard === undefined) throw new Error(`The database has no trigger ${GUARD}.`)
  await sql.raw(`DROP TRIGGER ${GUARD}`).execute(tx)
  for (const size of sizes) await tx.deleteFrom('checkpoints').where('size', '=', size).execute()
  await sql.raw(guard.sql).execute(tx)
}

/** Triggers are off in this transaction alone, while nobody else reaches the table. */
async function takeOutOnPostgres(tx: Tx, sizes: readonly number[]): Promise<void> {
  await sql.raw('ALTER TABLE checkpoints DISABLE TRIGGER USER').execute(tx)
  for (const size of sizes) await tx.deleteFrom('checkpoints').where('size', '=', size).execute()
  await sql.raw('ALTER TABLE checkpoints ENABLE TRIGGER USER').execute(tx)
}
