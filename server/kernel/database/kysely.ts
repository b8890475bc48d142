import { channel } from 'node:diagnostics_channel'
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely'
import { compilerOf, type Dialect } from './dialect.ts'
import type { SqlConnection } from './sqlite/sql-connection.ts'
import type { Tables } from './tables.ts'

/** Publishes the text of each statement, for measurements. Costs nothing without a subscriber. */
export const statementRan = channel('sallyport:statement')

/**
 * A connection answers statements in order, so they can be sent without waiting for each other. Kysely's own adapter would make each
 * statement wait for the previous one.
 */
class InOrderAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * Kysely over one connection. database.ts manages transactions, so `transaction()` of the returned object is refused: no transaction may
 * bypass the single writer.
 */
export function kyselyOver(connection: SqlConnection, dialect: Dialect = 'sqlite', beganAt?: number): Kysely<Tables> {
  const run: SqlConnection['run'] = (text, parameters) => {
    if (statementRan.hasSubscribers) statementRan.publish(text)
    return connection.run(text, parameters)
  }
  const over: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, changes, lastInsertRowid } = await run(query.sql, query.parameters)
      return { rows: rows as R[], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    },
    streamQuery() {
      throw new Error('Streams of rows go through longRead')
    },
  }
  const refuse = async (): Promise<never> => {
    throw new Error('Transactions are opened by database.transaction only')
  }
  const database = new Kysely<Tables>({
    dialect: {
      createAdapter: () => (dialect === 'sqlite' ? new InOrderAdapter() : new PostgresAdapter()),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => over,
        beginTransaction: refuse,
        commitTransaction: refuse,
        rollbackTransaction: refuse,
        releaseConnection: async () => {},
        destroy: async () => {},
      }),
      createIntrospector: (db) => (dialect === 'sqlite' ? new SqliteIntrospector(db) : new PostgresIntrospector(db)),
      createQueryCompiler: () => compilerOf(dialect),
    },
  })
  made.set(database, { run, dialect, beganAt })
  return database
}

/** What each object that `kyselyOver` made runs on. */
const made = new WeakMap<Tx, Made>()

interface Made {
  readonly run: SqlConnection['run']
  readonly dialect: Dialect
  readonly beganAt: number | undefined
}

function madeOf(tx: Tx): Made {
  const found = made.get(tx)
  if (found === undefined) throw new Error('This object is not a transaction of the database')
  return found
}

export const dialectOf = (tx: Tx): Dialect => madeOf(tx).dialect

/**
 * When the transaction began, by the clock of the database, in milliseconds since 1970: the clock that all nodes share. Undefined on SQLite,
 * where the clock of the station is the only one.
 */
export const databaseTime = (tx: Tx): number | undefined => madeOf(tx).beganAt

/**
 * Runs a compiled statement without Kysely, whose overhead costs as much as a read by key. @throws SqlFailure
 */
export async function runCompiled(tx: Tx, text: string, parameters: readonly unknown[]): Promise<unknown[]> {
  return (await madeOf(tx).run(text, parameters)).rows
}

/** The open transaction, as stores take it. Only SQL may be awaited while it is open. */
export type Tx = Kysely<Tables>
