/** Runs statements, and groups of units of work, on a connection of this thread. */
import { crossingError } from '../crossing-error.ts'
import { mayChangeRights, type RightsVersion } from '../rights-version.ts'
import { openTx } from '../transactions.ts'
import {
  type GroupAnswer,
  LONGEST_GROUP_MS,
  type UnitGroup,
  type UnitList,
  type UnitRequest,
  type UnitResult,
  type UnitsModule,
} from '../units.ts'
import type { RawDatabase } from './raw.ts'
import { SqlFailure, type StatementResult } from './sql-connection.ts'

interface CachedStatement {
  readonly statement: ReturnType<RawDatabase['prepare']>
  readonly changesRights: boolean
}

/** Kysely prepares every statement again. Caching them makes reads by key four times as fast. */
const MOST_CACHED_STATEMENTS = 500

/**
 * Runs SQL on one connection with a cache of prepared statements. Not to be shared between connections.
 * @param rights for a writing connection: its `begin` and `end` are called around statements that may change a right
 */
export function statementRunner(
  db: RawDatabase,
  rights?: RightsVersion,
): (sql: string, parameters: readonly unknown[]) => StatementResult {
  const cache = new Map<string, CachedStatement>()
  const preparedOf = (sql: string): CachedStatement => {
    const known = cache.get(sql)
    if (known !== undefined) return known
    const statement = db.prepare(sql)
    const prepared = { statement, changesRights: !statement.readonly && mayChangeRights(sql) }
    if (cache.size >= MOST_CACHED_STATEMENTS) cache.delete(cache.keys().next().value as string)
    cache.set(sql, prepared)
    return prepared
  }
  return (sql, parameters) => {
    const { statement, changesRights } = preparedOf(sql)
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

/** The disk failed under a group. Whether it is committed is unknown (docs/guarantees.md D4). */
class GroupLost extends Error {
  override readonly name = 'GroupLost'
}

type Run = (sql: string, parameters: readonly unknown[]) => StatementResult

/**
 * Each unit runs in its own savepoint, and a failed unit is rolled back alone. All answers wait for the commit, including refusals, which
 * may depend on rows of earlier units.
 * @param run runs a statement on `db`
 * @returns a function that runs one group; the next group must not begin before it has ended. It throws GroupLost.
 */
export function createUnitRunner(
  db: RawDatabase,
  run: Run,
  { createUnits }: UnitsModule,
): (group: UnitGroup) => Promise<GroupAnswer> {
  let now = 0
  const units = createUnits({ now: () => now, monotonic: () => performance.now() })
  return async ({ units: requests, trace }) => {
    const statements: string[] = []
    const connection = {
      run: async (sql: string, parameters: readonly unknown[]): Promise<StatementResult> => {
        if (trace) statements.push(sql)
        return runOrFail(run, sql, parameters)
      },
    }
    run('BEGIN IMMEDIATE', [])
    const results: UnitResult[] = []
    let wroteRows = false
    try {
      const since = performance.now()
      for (const request of requests) {
        if (results.length > 0 && performance.now() - since > LONGEST_GROUP_MS) break
        now = request.now
        const { result, wrote } = await runUnit(run, connection, units, request)
        results.push(result)
        wroteRows ||= wrote
        // SQLite ended the transaction itself. It is unknown whether this unit and the earlier ones are committed.
        if (!db.inTransaction) throw lost(results.at(-1))
      }
      run('COMMIT', [])
    } catch (error) {
      if (db.inTransaction) run('ROLLBACK', [])
      throw error instanceof GroupLost ? error : new GroupLost((error as Error).message, { cause: error })
    }
    return { results, statements, wroteRows }
  }
}

async function runUnit(
  run: Run,
  connection: Parameters<typeof openTx>[0],
  { bodies, beforeEnd }: UnitList,
  { name, input }: UnitRequest,
): Promise<{ readonly result: UnitResult; readonly wrote: boolean }> {
  run('SAVEPOINT unit', [])
  const { tx, end, changed, wroteRows } = openTx(connection)
  try {
    const body = bodies.get(name)
    if (body === undefined) throw new Error(`There is no unit of work ${name}`)
    const output = await body(tx, input as never)
    if (changed()) await beforeEnd(tx)
    end()
    run('RELEASE unit', [])
    return { result: { output }, wrote: wroteRows() }
  } catch (error) {
    end()
    runIfOpen(run, 'ROLLBACK TO unit')
    runIfOpen(run, 'RELEASE unit')
    return { result: { error: crossingError(error) }, wrote: false }
  }
}

/** After some disk failures SQLite has ended the transaction already, which the caller detects. */
function runIfOpen(run: Run, sql: string): void {
  try {
    run(sql, [])
  } catch (error) {
    if (!/no such savepoint|no transaction is active/.test((error as Error).message)) throw error
  }
}

function runOrFail(run: Run, sql: string, parameters: readonly unknown[]): StatementResult {
  try {
    return run(sql, parameters)
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    throw new SqlFailure(message, code ?? 'UNKNOWN')
  }
}

const lost = (last: UnitResult | undefined): GroupLost =>
  new GroupLost(
    last !== undefined && 'error' in last ? last.error.message : 'SQLite ended the transaction of a group of units',
  )
