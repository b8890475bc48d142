import { kyselyOver, type Tx } from './kysely.ts'
import { MOST_ROWS_AN_ENTRY, TAKE_ROW_CHANGES } from './row-changes.ts'
import type { SqlConnection } from './sqlite/sql-connection.ts'

export interface OpenTx {
  readonly tx: Tx
  end(): void
  /** Whether rows may have been changed since they were last taken into the ledger. */
  changed(): boolean
  /** Whether rows may have been changed at all; the ledger's own entries do not count. */
  wroteRows(): boolean
}

/** Reads, and the ledger's own entries. */
const CHANGES_NO_RECORD = /^\s*(select|insert into "ledger" )/i

/**
 * A transaction's own way to the writer, which closes when its work has ended. Without that a statement nobody waited for would run
 * after ROLLBACK, outside every transaction, and stay.
 */
export function openTx(writer: Pick<SqlConnection, 'run'>): OpenTx {
  let ended = false
  let changed = false
  let wroteRows = false
  const tx = kyselyOver({
    run: async (sql, parameters) => {
      if (ended) throw new Error('This transaction has ended')
      const taken = sql === TAKE_ROW_CHANGES
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
  })
  return {
    tx,
    end: () => {
      ended = true
    },
    changed: () => changed,
    wroteRows: () => wroteRows,
  }
}
