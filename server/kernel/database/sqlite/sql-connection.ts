/** Result of a statement. `rows` is empty for statements that return none. */
export interface StatementResult {
  rows: unknown[]
  changes: number
  lastInsertRowid: number | bigint
}

/** One SQLite connection, on this or another thread. */
export interface SqlConnection {
  run(sql: string, parameters: readonly unknown[]): Promise<StatementResult>
  close(): Promise<void>
}

/**
 * A failure of the database with its code: SQLite's (`SQLITE_CONSTRAINT_UNIQUE`, `SQLITE_IOERR_FSYNC` …), or PostgreSQL's SQLSTATE. Recognise
 * faults by the code, never by the text.
 */
export class SqlFailure extends Error {
  override readonly name = 'SqlFailure'
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** Another transaction has a row that was asked for without waiting. Of PostgreSQL. */
export const isLocked = (error: unknown): boolean => error instanceof SqlFailure && error.code === '55P03'

/** Another transaction was in the way, and the same work may succeed after it: a locked row, a deadlock, a conflict. Of PostgreSQL. */
export const isInTheWay = (error: unknown): boolean =>
  isLocked(error) || (error instanceof SqlFailure && /^40(?:001|P01)$/.test(error.code))

/** Classes of SQLSTATE in which a server ended the session, or could not be reached: connection, shutdown, start. */
export const isAway = (error: unknown): boolean => error instanceof SqlFailure && /^(08|57P0)/.test(error.code)
