import { channel } from 'node:diagnostics_channel'
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { SqlConnection } from './sqlite/sql-connection.ts'
import type { Tables } from './tables.ts'

/** Told the text of each statement, for measurements. Costs nothing while nobody listens. */
export const statementRan = channel('sallyport:statement')

/**
 * A connection answers in the order in which it was asked, so nobody needs to wait with a statement for another one's answer; Kysely would
 * make every statement wait for the one before.
 */
class InOrderAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * Kysely over one connection. Transactions are not Kysely's business here (database.ts owns them): `transaction()` on the
 * returned object is refused, so that nobody opens one beside the single writer.
 */
export function kyselyOver(connection: SqlConnection): Kysely<Tables> {
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
      createAdapter: () => new InOrderAdapter(),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => over,
        beginTransaction: refuse,
        commitTransaction: refuse,
        rollbackTransaction: refuse,
        releaseConnection: async () => {},
        destroy: async () => {},
      }),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  runs.set(database, run)
  return database
}

/** By what `kyselyOver` made. */
const runs = new WeakMap<Tx, SqlConnection['run']>()

/**
 * Runs a compiled statement past Kysely, whose way to the connection costs as much as a read by key. @throws SqlFailure
 */
export async function runCompiled(tx: Tx, text: string, parameters: readonly unknown[]): Promise<unknown[]> {
  const run = runs.get(tx)
  if (run === undefined) throw new Error('This is no transaction of the database')
  return (await run(text, parameters)).rows
}

/** The open transaction, as repositories take it. Only SQL may be awaited while holding one. */
export type Tx = Kysely<Tables>
