/** Runs groups of units of work on the writer's connection and thread. */
import { crossingError } from '../crossing-error.ts'
import { openTx } from '../open-tx.ts'
import {
  type GroupAnswer,
  LONGEST_GROUP_MS,
  type UnitGroup,
  type UnitList,
  type UnitRequest,
  type UnitResult,
  type UnitsModule,
} from '../units.ts'
import { SqlFailure } from './sql-connection.ts'
import type { RawDatabase } from './raw.ts'
import type { StatementResult } from './statements.ts'

/** The disk failed under a group. Whether it is committed is unknown (docs/guarantees.md D4). */
export class GroupLost extends Error {
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
