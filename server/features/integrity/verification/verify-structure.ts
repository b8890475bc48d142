import { schemaDifferencesRaw } from '../../../kernel/database/sqlite/schema.ts'
import type { RawDatabase } from '../../../kernel/database/sqlite/raw.ts'
import { collectProblems, type Problem, schemaProblem } from './verify.types.ts'

/** SQLite's checks of the file and of references between rows, and a comparison of the schema with the program's. */
export function verifyStructure(db: RawDatabase, fast: boolean): readonly Problem[] {
  const problems = collectProblems()
  for (const difference of schemaDifferencesRaw(db)) problems.add(schemaProblem(difference))
  for (const { table, rowid, parent } of db.pragma('foreign_key_check') as ForeignKey[])
    problems.add({
      kind: 'record',
      what: rowid === null ? `a row of ${table}` : `row ${rowid} of ${table}`,
      message: `It belongs to a row of ${parent} that is not there.`,
    })
  // The quick check does not compare indexes with their tables.
  const [first, ...more] = integrity(db, fast)
  if (first !== undefined)
    problems.add({
      kind: 'database',
      what: 'the database file',
      message: `SQLite finds it damaged: ${first}${more.length === 0 ? '' : `, and ${more.length} findings more`}. Restore the newest snapshot.`,
    })
  return problems.list
}

interface ForeignKey {
  readonly table: string
  readonly rowid: number | null
  readonly parent: string
}

/** SQLite's findings about the pages, one line each; empty when there are none. */
function integrity(db: RawDatabase, fast: boolean): string[] {
  const found = db.pragma(fast ? 'quick_check(100)' : 'integrity_check(100)') as Record<string, string>[]
  return found
    .flatMap((row) => String(Object.values(row)[0]).split('\n'))
    .filter((line) => line !== 'ok' && !line.startsWith('***'))
}
