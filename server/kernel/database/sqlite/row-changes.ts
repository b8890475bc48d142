/** Records the changed rows of a transaction on an SQLite connection (../row-changes.ts). Table and triggers are not part of the file. */
import { type ColumnInfo, coverageOf, type TableCoverage } from '../row-coverage.ts'
import { COLUMNS_SQL } from './row-text.ts'
import type { SqlConnection } from './sql-connection.ts'

/** Bytes. Larger states are read as BLOB, since they are only hashed and decoding megabytes of text would hold the writer. */
const LARGE = 65_536

export const takeRowChangesInSqlite = (most: number): string =>
  `DELETE FROM row_changes WHERE n < (SELECT min(n) FROM row_changes) + ${most} RETURNING n, "table", "key", CASE WHEN octet_length(state) > ${LARGE} THEN CAST(state AS BLOB) ELSE state END AS state`

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
