import type { StatementResult } from './statements.ts'

/** One SQLite connection, on this or another thread. */
export interface SqlConnection {
  run(sql: string, parameters: readonly unknown[]): Promise<StatementResult>
  close(): Promise<void>
}

/** A failure of SQLite with its code (`SQLITE_CONSTRAINT_UNIQUE`, `SQLITE_IOERR_FSYNC` …). Recognise faults by the code, never by the text. */
export class SqlFailure extends Error {
  override readonly name = 'SqlFailure'
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}
