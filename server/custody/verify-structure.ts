import { schemaDifferencesRaw } from '../db/schema.ts'
import type { RawDatabase } from '../db/raw.ts'
import { collectProblems, type Problem } from './verify.types.ts'

/** SQLite's own checks of the file, of references between rows, and the schema against the one that the program made. */
export function verifyStructure(db: RawDatabase, fast: boolean): readonly Problem[] {
  const problems = collectProblems()
  for (const { type, name, message } of schemaDifferencesRaw(db))
    problems.add({ kind: 'schema', what: `${type} ${name}`, message })
  for (const { table, rowid, parent } of db.pragma('foreign_key_check') as ForeignKey[])
    problems.add({
      kind: 'record',
      what: rowid === null ? `a row of ${table}` : `row ${rowid} of ${table}`,
      message: `It belongs to a row of ${parent} that is not there.`,
    })
  // The quick one leaves out whether indexes agree with their tables.
  for (const { said } of integrity(db, fast))
    problems.add({ kind: 'database', what: 'the database file', message: `SQLite finds it damaged: ${said}.` })
  return problems.list
}

interface ForeignKey {
  readonly table: string
  readonly rowid: number | null
  readonly parent: string
}

function integrity(db: RawDatabase, fast: boolean): { said: string }[] {
  const found = db.pragma(fast ? 'quick_check(100)' : 'integrity_check(100)') as Record<string, string>[]
  return found.map((row) => ({ said: Object.values(row)[0] as string })).filter(({ said }) => said !== 'ok')
}
