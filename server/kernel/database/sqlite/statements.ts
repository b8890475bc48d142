import type { RawDatabase } from './raw.ts'

/** What a statement gave. `rows` of statements that return none is empty. */
export interface StatementResult {
  rows: unknown[]
  changes: number
  lastInsertRowid: number | bigint
}

type Prepared = ReturnType<RawDatabase['prepare']>

/** Kysely prepares every statement anew; keeping them gives four times the point reads. */
const KEPT_STATEMENTS = 500

/** Runs SQL on one connection with its statements kept. Not for sharing between connections. */
export function statementRunner(db: RawDatabase): (sql: string, parameters: readonly unknown[]) => StatementResult {
  const kept = new Map<string, Prepared>()
  return (sql, parameters) => {
    let statement = kept.get(sql)
    if (statement === undefined) {
      statement = db.prepare(sql)
      if (kept.size >= KEPT_STATEMENTS) kept.delete(kept.keys().next().value as string)
      kept.set(sql, statement)
    }
    if (statement.reader) return { rows: statement.all(parameters), changes: 0, lastInsertRowid: 0 }
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { rows: [], changes, lastInsertRowid }
  }
}
