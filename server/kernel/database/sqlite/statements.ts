import type { RawDatabase } from './raw.ts'
import { mayChangeRights, type RightsVersion } from './rights-version.ts'

/** What a statement gave. `rows` of statements that return none is empty. */
export interface StatementResult {
  rows: unknown[]
  changes: number
  lastInsertRowid: number | bigint
}

interface Kept {
  readonly statement: ReturnType<RawDatabase['prepare']>
  readonly changesRights: boolean
}

/** Kysely prepares every statement anew; keeping them gives four times the point reads. */
const KEPT_STATEMENTS = 500

/**
 * Runs SQL on one connection with its statements kept. Not for sharing between connections.
 * @param rights of a connection that writes: told of statements that may change a right, and of the end of their transaction
 */
export function statementRunner(
  db: RawDatabase,
  rights?: RightsVersion,
): (sql: string, parameters: readonly unknown[]) => StatementResult {
  const kept = new Map<string, Kept>()
  const keptOf = (sql: string): Kept => {
    const known = kept.get(sql)
    if (known !== undefined) return known
    const statement = db.prepare(sql)
    const made = { statement, changesRights: !statement.readonly && mayChangeRights(sql) }
    if (kept.size >= KEPT_STATEMENTS) kept.delete(kept.keys().next().value as string)
    kept.set(sql, made)
    return made
  }
  return (sql, parameters) => {
    const { statement, changesRights } = keptOf(sql)
    if (changesRights) rights?.begin()
    try {
      if (statement.reader) return { rows: statement.all(parameters), changes: 0, lastInsertRowid: 0 }
      const { changes, lastInsertRowid } = statement.run(parameters)
      return { rows: [], changes, lastInsertRowid }
    } finally {
      if (rights !== undefined && !db.inTransaction) rights.end()
    }
  }
}
