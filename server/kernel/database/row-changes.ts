/**
 * Records on the writer's connection which covered rows (row-coverage.ts) a transaction changed, until the ledger takes them into an
 * entry. The table is temporary: it belongs to the connection. A rollback, also to a savepoint, removes the records with the changes.
 */
import { sql } from 'kysely'
import { type Dialect, dialectOf, runCompiled, type Tx } from './kysely.ts'
import { jsonPairs } from './expressions.ts'
import { takeRowChangesInPostgres } from './postgres/row-changes.ts'
import { postgresRowText, POSTGRES_COLUMNS_SQL } from './postgres/row-text.ts'
import { type ColumnInfo, coverageOf, type TableCoverage } from './row-coverage.ts'
import { takeRowChangesInSqlite } from './sqlite/row-changes.ts'
import { COLUMNS_SQL, sqliteRowText } from './sqlite/row-text.ts'

export interface RowChange {
  readonly table: string
  readonly key: string
  /** JSON of the covered columns, as UTF-8 bytes when it is large; null for a deleted row. */
  readonly state: string | Uint8Array | null
}

/** Most rows stated in one entry, which limits its size. */
export const MOST_ROWS_AN_ENTRY = 2000

/** Takes the oldest changes first. `openTx` recognises these statements by their text. */
const TAKE: Readonly<Record<Dialect, string>> = {
  sqlite: takeRowChangesInSqlite(MOST_ROWS_AN_ENTRY),
  postgres: takeRowChangesInPostgres(MOST_ROWS_AN_ENTRY),
}

export const takesRowChanges = (text: string, dialect: Dialect): boolean => text === TAKE[dialect]

/** The rows changed since the last call, each once with its current state; at most MOST_ROWS_AN_ENTRY changes at a time. */
export async function takeRowChanges(tx: Tx): Promise<RowChange[]> {
  const rows = (await runCompiled(tx, TAKE[dialectOf(tx)], [])) as (RowChange & { n: number })[]
  if (rows.length === 0) return []
  rows.sort((a, b) => a.n - b.n)
  const newest = new Map<string, RowChange>()
  for (const { table, key, state } of rows) newest.set(`${table} ${key}`, { table, key, state })
  return [...newest.values()]
}

/**
 * Marks rows of a covered table as changed, from a key on, so that they are stated again.
 * @param except keys of rows to leave out @returns the last key, null at the end
 */
export async function restateRows(
  tx: Tx,
  covered: TableCoverage,
  after: readonly unknown[] | null,
  except: readonly string[] = [],
): Promise<{ last: readonly unknown[] | null; count: number }> {
  const keys = covered.keyColumns.map((name) => `t."${name}"`)
  const only = covered.only('t')
  const from = after === null ? null : sql`(${sql.raw(keys.join(', '))}) > (${sql.join(after)})`
  const where = [only === null ? null : sql.raw(only), from].filter((condition) => condition !== null)
  const end = where.length === 0 ? sql`` : sql`WHERE ${sql.join(where, sql` AND `)}`
  const order = sql.raw(keys.join(', '))
  const selection = sql`FROM ${sql.ref(covered.table)} t ${end} ORDER BY ${order} LIMIT ${sql.lit(MOST_ROWS_AN_ENTRY)}`
  const { rows } = await sql<Record<string, unknown>>`SELECT ${order} ${selection}`.execute(tx)
  await sql`INSERT INTO row_changes ("table", "key", state) SELECT ${sql.lit(covered.table)}, ${sql.raw(covered.key('t'))}, ${sql.raw(covered.state('t'))} ${selection}`.execute(
    tx,
  )
  const { numAffectedRows } =
    await sql`DELETE FROM row_changes WHERE "table" = ${covered.table} AND "key" IN (SELECT value FROM ${jsonPairs(JSON.stringify(except))})`.execute(
      tx,
    )
  const final = rows.at(-1)
  const more = rows.length === MOST_ROWS_AN_ENTRY && final !== undefined
  return {
    last: more ? covered.keyColumns.map((name) => final[name]) : null,
    count: rows.length - Number(numAffectedRows ?? 0n),
  }
}

/** The covered tables of this database. */
export async function coveredTables(tx: Tx): Promise<TableCoverage[]> {
  if (dialectOf(tx) === 'sqlite')
    return coverageOf((await sql.raw<ColumnInfo>(COLUMNS_SQL).execute(tx)).rows, sqliteRowText)
  return coverageOf((await sql.raw<ColumnInfo>(POSTGRES_COLUMNS_SQL).execute(tx)).rows, postgresRowText)
}
