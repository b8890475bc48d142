/**
 * Records rows in the ledger that are not stated there yet: at the first start of a station, and at the first start after its schema or the
 * list of covered columns changed. From then on verification covers them.
 */
import { hash } from 'node:crypto'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import { coveredTables, restateRows } from '../../../kernel/database/row-changes.ts'
import type { TableCoverage } from '../../../kernel/database/row-coverage.ts'
import { newestSchema, onlyAddsSince } from '../../../kernel/database/migrate.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import { storedEntry } from '../../../kernel/ledger/format.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { RowsInDoubt } from './verify.types.ts'
import { entryRows } from '../../../kernel/ledger/ledger.store.ts'

/** `detail` of the entry that ends a recording. */
export interface Recording {
  readonly schema: number
  /** For each covered table, a hash of the covered columns. */
  readonly tables: Readonly<Record<string, string>>
  /** Rows that were left out because they differed from the ledger. */
  readonly inDoubt?: number
}

/** Object of the entries that end a recording, by which they are found. */
const ALL = { type: 'rows', id: 'all', name: '' }
const PART = { type: 'rows', id: 'part', name: '' }

export const coverageHash = ({ definition }: TableCoverage): string => hash('sha256', definition)

/**
 * Does nothing when the newest recording covers these columns, and has this schema or one to which later steps only added. Rows of large
 * tables take several transactions, so that other nodes write between them; a start that is cut off begins again.
 * @param inDoubt rows that must not be stated again @returns whether something was recorded
 */
export async function recordRows(
  db: Database,
  ledger: Pick<Ledger, 'append'>,
  call: Call,
  inDoubt: RowsInDoubt = new Map(),
): Promise<boolean> {
  // The ledger decides, not a note in the database: an attacker who changes rows could remove a note and have the changed rows recorded.
  const newest = await newestRecording(db.read)
  const schema = newestSchema()
  // A node of a newer program recorded them, and its columns and triggers hold (docs/decisions/0029).
  if (newest !== null && newest.schema > schema) return false
  const covered = await coveredTables(db.read)
  const tables = Object.fromEntries(covered.map((table) => [table.table, coverageHash(table)]))
  const isKept = newest !== null && onlyAddsSince(newest.schema)
  const due = covered.filter(({ table }) => !isKept || newest.tables[table] !== tables[table])
  if (due.length === 0 && newest?.schema === schema) return false
  for (const table of due) await recordTable(db, ledger, call, table, inDoubt.get(table.table))
  const leftOut = [...inDoubt.values()].reduce((sum, keys) => sum + keys.length, 0)
  const detail = { schema, tables, ...(leftOut > 0 && { inDoubt: leftOut }) }
  await db.transaction((tx) => ledger.append(tx, call, { action: 'system.rowsRecorded', object: ALL, detail }))
  return true
}

async function recordTable(
  db: Database,
  ledger: Pick<Ledger, 'append'>,
  call: Call,
  table: TableCoverage,
  inDoubt: readonly string[] = [],
): Promise<void> {
  let after: readonly unknown[] | null = null
  do {
    const from = after
    after = await db.transaction(async (tx) => {
      const { last, count } = await restateRows(tx, table, from, inDoubt)
      const detail = { table: table.table, count }
      if (count > 0) await ledger.append(tx, call, { action: 'system.rowsRecorded', object: PART, detail })
      return last
    })
  } while (after !== null)
}

async function newestRecording(from: Tx): Promise<Recording | null> {
  const [row] = await entryRows(from, ALL, { count: 1 })
  return row === undefined ? null : (storedEntry(row.body).detail as unknown as Recording)
}
