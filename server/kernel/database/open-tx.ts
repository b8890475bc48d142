import type { Dialect } from './dialect.ts'
import { kyselyOver, type Tx } from './kysely.ts'
import { MOST_ROWS_AN_ENTRY, takesRowChanges } from './row-changes.ts'
import type { SqlConnection } from './sqlite/sql-connection.ts'

export interface OpenTx {
  readonly tx: Tx
  end(): void
  /** Whether rows may have changed since the ledger last took changes. */
  changed(): boolean
  /** Whether rows may have been changed at all; the ledger's own entries do not count. */
  wroteRows(): boolean
}

/** Statements that change no covered rows: reads, and inserts of ledger entries. */
const CHANGES_NO_RECORD = /^\s*(select|insert into "ledger" )/i

/**
 * Access to the writer for one transaction, which is closed at its end. Otherwise a statement that was not awaited would run after ROLLBACK,
 * outside every transaction, and its change would stay.
 * @param beganAt by the clock of the database, where it has one of its own
 */
export function openTx(writer: Pick<SqlConnection, 'run'>, dialect: Dialect = 'sqlite', beganAt?: number): OpenTx {
  let ended = false
  let changed = false
  let wroteRows = false
  const tx = kyselyOver(
    {
      run: async (sql, parameters) => {
        if (ended) throw new Error('This transaction has ended')
        const taken = takesRowChanges(sql, dialect)
        if (taken) changed = false
        else if (!changed && !CHANGES_NO_RECORD.test(sql)) {
          changed = true
          wroteRows = true
        }
        const result = await writer.run(sql, parameters)
        if (taken && result.rows.length === MOST_ROWS_AN_ENTRY) changed = true
        return result
      },
      close: () => Promise.reject(new Error('A transaction does not close the database')),
    },
    dialect,
    beganAt,
  )
  return {
    tx,
    end: () => {
      ended = true
    },
    changed: () => changed,
    wroteRows: () => wroteRows,
  }
}
