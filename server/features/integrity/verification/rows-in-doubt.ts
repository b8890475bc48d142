/**
 * Finds rows that differ from the ledger before a migration of the schema. A new schema makes every covered row be stated again
 * (row-baseline.ts), and that would confirm a row that was changed in the database. Rows in doubt are first noted in a file, are never
 * stated again, and `verify` keeps reporting them. The file stays, so that a start after an interrupted one finds it again.
 */
import { newestSchema } from '../../../kernel/database/migrate.ts'
import { noteName, noteOf, openNotes } from '../../../platform/files/notes.ts'
import { askThread } from './verify-ledger.ts'
import type { RowsInDoubt } from './verify.types.ts'
export type { RowsInDoubt } from './verify.types.ts'

const name = (): string => noteName(newestSchema())

/** Call it before the migrations of an older schema. Reads the whole ledger, on a thread. @returns how many rows are in doubt */
export async function noteRowsInDoubt(file: string, folder: string): Promise<number> {
  const answer = await askThread(file, 'rowsInDoubt')
  const { rowsInDoubt: found } = answer as { rowsInDoubt: readonly (readonly [table: string, key: string])[] }
  if (found.length > 0) await (await openNotes(folder)).keep(name(), JSON.stringify(found))
  return found.length
}

/** The rows that were noted before the migrations to this schema. */
export async function readRowsInDoubt(folder: string): Promise<RowsInDoubt> {
  const text = await noteOf(folder, name())
  const found = text === null ? [] : (JSON.parse(text) as [table: string, key: string][])
  const byTable = Map.groupBy(found, ([table]) => table)
  return new Map([...byTable].map(([table, rows]) => [table, rows.map(([, key]) => key)]))
}
