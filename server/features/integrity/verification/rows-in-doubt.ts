/**
 * Rows that are not what the ledger says, found before the schema is brought up to date. A new schema makes every covered row be stated
 * anew (row-baseline.ts), and a row that somebody changed in the database would then be stated as they left it. What is in doubt is noted
 * in a file first, is never stated anew, and `verify` goes on naming it. The file stays: a start that was cut off after the migration
 * finds it again.
 */
import { newestSchema } from '../../../kernel/database/migrate.ts'
import { noteName, noteOf, openNotes } from '../../../platform/files/notes.ts'
import { askThread } from './verify-ledger.ts'
import type { RowsInDoubt } from './verify.types.ts'
export type { RowsInDoubt } from './verify.types.ts'

const name = (): string => noteName(newestSchema())

/** Before the migrations of a station that was of an earlier schema. Reads the whole ledger, on a thread. @returns how many there are */
export async function noteRowsInDoubt(file: string, folder: string): Promise<number> {
  const answer = await askThread(file, 'rowsInDoubt')
  const { rowsInDoubt: found } = answer as { rowsInDoubt: readonly (readonly [table: string, key: string])[] }
  if (found.length > 0) await (await openNotes(folder)).keep(name(), JSON.stringify(found))
  return found.length
}

/** Those that were noted before the migrations to this schema. */
export async function readRowsInDoubt(folder: string): Promise<RowsInDoubt> {
  const text = await noteOf(folder, name())
  const found = text === null ? [] : (JSON.parse(text) as [table: string, key: string][])
  const byTable = Map.groupBy(found, ([table]) => table)
  return new Map([...byTable].map(([table, rows]) => [table, rows.map(([, key]) => key)]))
}
