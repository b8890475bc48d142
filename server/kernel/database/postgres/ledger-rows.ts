/** Entries of a group in one statement of one text: while they are written all other nodes wait for the lock. */
import { runCompiled, type Tx } from '../kysely.ts'
import type { LedgerTable } from '../tables.ts'

/** `openTx` recognises it by its beginning. */
const INSERT = `INSERT INTO "ledger" (seq, body, hash, leaf, object_type, object_id)
  SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bytea[], $5::text[], $6::text[])`
const COLUMNS = ['seq', 'body', 'hash', 'leaf', 'object_type', 'object_id'] as const

export async function insertLedgerRows(tx: Tx, rows: readonly LedgerTable[]): Promise<void> {
  await runCompiled(
    tx,
    INSERT,
    COLUMNS.map((column) => rows.map((row) => row[column])),
  )
}
