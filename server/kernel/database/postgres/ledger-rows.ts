/** The end of the ledger, and entries of a group in one statement of one text: while they are written all other nodes wait for the lock. */
import { runCompiled, type Tx } from '../kysely.ts'
import type { LedgerTable } from '../tables.ts'

/** `openTx` recognises it by its beginning. */
const INSERT = `INSERT INTO "ledger" (seq, body, hash, leaf, object_type, object_id)
  SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bytea[], $5::text[], $6::text[])`
const COLUMNS = ['seq', 'body', 'hash', 'leaf', 'object_type', 'object_id'] as const

/** The row that whoever chains at the end of a group locks: one group of all nodes at a time, until its commit. */
const LOCK_HEAD = 'SELECT 1 FROM changes FOR UPDATE'
/** A statement of its own: what it sees, and its time, are from after the wait for the lock. */
const READ_HEAD = `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS time, l.seq, l.hash, l.body
  FROM (SELECT 1) AS one LEFT JOIN (SELECT seq, hash, body FROM ledger ORDER BY seq DESC LIMIT 1) AS l ON true`

export interface LockedHead {
  /** By the clock of the database: milliseconds since 1970. */
  readonly time: number
  /** The last entry; undefined when there is none. */
  readonly head: Pick<LedgerTable, 'seq' | 'hash' | 'body'> | undefined
}

/** The end of the ledger, which nobody continues before this transaction ends. */
export async function lockLedgerHead(tx: Tx): Promise<LockedHead> {
  const [, rows] = await Promise.all([runCompiled(tx, LOCK_HEAD, []), runCompiled(tx, READ_HEAD, [])])
  const [{ time, ...row }] = rows as [{ time: number } & LedgerTable]
  return { time, head: row.seq === null ? undefined : row }
}

export async function insertLedgerRows(tx: Tx, rows: readonly LedgerTable[]): Promise<void> {
  await runCompiled(
    tx,
    INSERT,
    COLUMNS.map((column) => rows.map((row) => row[column])),
  )
}
