/**
 * Records on the writer's connection which covered rows (row-coverage.ts) a transaction changed, until the ledger takes them into an
 * entry. Table and triggers are temporary: they belong to the connection and are not part of the file. A rollback, also to a savepoint,
 * removes the records with the changes.
 */
import { sql } from 'kysely'
import type { SqlConnection } from './sqlite/sql-connection.ts'
import { runCompiled, type Tx } from './kysely.ts'
import { COLUMNS_SQL, type ColumnInfo, coverageOf, type TableCoverage } from './row-coverage.ts'

export interface RowChange {
  readonly table: string
  readonly key: string
  /** JSON of the covered columns, as UTF-8 bytes when it is large; null for a deleted row. */
  readonly state: string | Uint8Array | null
}

/** Most rows stated in one entry, which limits its size. */
export const MOST_ROWS_AN_ENTRY = 2000

/** Bytes. Larger states are read as BLOB, since they are only hashed and decoding megabytes of text would hold the writer. */
const LARGE = 65_536

/** Takes the oldest changes first. open-tx.ts recognises this statement by its text. */
export const TAKE_ROW_CHANGES = `DELETE FROM row_changes WHERE n < (SELECT min(n) FROM row_changes) + ${MOST_ROWS_AN_ENTRY} RETURNING n, "table", "key", CASE WHEN octet_length(state) > ${LARGE} THEN CAST(state AS BLOB) ELSE state END AS state`

/** Creates the temporary table and triggers; called once on the writer, after the migrations. */
export async function watchRows(writer: SqlConnection): Promise<void> {
  const { rows } = await writer.run(COLUMNS_SQL, [])
  await writer.run(
    'CREATE TEMP TABLE row_changes (n INTEGER PRIMARY KEY, "table" TEXT NOT NULL, "key" TEXT NOT NULL, state TEXT)',
    [],
  )
  await Promise.all(
    coverageOf(rows as ColumnInfo[])
      .flatMap(triggersOf)
      .map((trigger) => writer.run(trigger, [])),
  )
}

function triggersOf(covered: TableCoverage): string[] {
  const { table, columns } = covered
  const insert = 'INSERT INTO row_changes ("table", "key", state)'
  const states = (alias: string, state: string, where: readonly (string | null)[] = []): string => {
    const conditions = [covered.only(alias), ...where].filter((condition) => condition !== null)
    const end = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
    return `${insert} SELECT '${table}', ${covered.key(alias)}, ${state}${end};`
  }
  const moved = `${covered.key('OLD')} IS NOT ${covered.key('NEW')}`
  const after = columns.map((name) => `"${name}"`).join(', ')
  return [
    `CREATE TEMP TRIGGER row_added_${table} AFTER INSERT ON main."${table}" BEGIN ${states('NEW', covered.state('NEW'))} END`,
    `CREATE TEMP TRIGGER row_changed_${table} AFTER UPDATE OF ${after} ON main."${table}" BEGIN ${states('OLD', 'NULL', [moved])} ${states('NEW', covered.state('NEW'))} END`,
    `CREATE TEMP TRIGGER row_deleted_${table} AFTER DELETE ON main."${table}" BEGIN ${states('OLD', 'NULL')} END`,
  ]
}

/** The rows changed since the last call, each once with its current state; at most MOST_ROWS_AN_ENTRY changes at a time. */
export async function takeRowChanges(tx: Tx): Promise<RowChange[]> {
  const rows = (await runCompiled(tx, TAKE_ROW_CHANGES, [])) as (RowChange & { n: number })[]
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
  const selection = sql`FROM ${sql.raw(`main."${covered.table}"`)} t ${end} ORDER BY ${order} LIMIT ${sql.lit(MOST_ROWS_AN_ENTRY)}`
  const { rows } = await sql<Record<string, unknown>>`SELECT ${order} ${selection}`.execute(tx)
  await sql`INSERT INTO row_changes ("table", "key", state) SELECT ${sql.lit(covered.table)}, ${sql.raw(covered.key('t'))}, ${sql.raw(covered.state('t'))} ${selection}`.execute(
    tx,
  )
  const { numAffectedRows } =
    await sql`DELETE FROM row_changes WHERE "table" = ${covered.table} AND "key" IN (SELECT value FROM json_each(${JSON.stringify(except)}))`.execute(
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
  return coverageOf((await sql.raw<ColumnInfo>(COLUMNS_SQL).execute(tx)).rows)
}
