/** Records the changed rows of a transaction on a PostgreSQL connection (../row-changes.ts). The triggers belong to the schema. */
import type { TableCoverage } from '../row-coverage.ts'

export const takeRowChangesInPostgres = (most: number): string =>
  `DELETE FROM row_changes WHERE n < (SELECT min(n) FROM row_changes) + ${most} RETURNING n, "table", "key", state`

/** Once on each connection that writes: the triggers of all others fail, so that no change goes unrecorded. */
export const ROW_CHANGES_TABLE =
  'CREATE TEMP TABLE row_changes (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "table" text NOT NULL, "key" text NOT NULL, state text)'

export interface RowTrigger {
  /** Its function. */
  readonly name: string
  /** The source of the function, as the server keeps it. Another list of covered columns makes another one. */
  readonly source: string
  /** Makes both. */
  readonly sql: string
}

/** The function and the trigger of a covered table. Triggers run in the order of their names: a row comes before the rows that follow from it. */
export function rowChangeTrigger(covered: TableCoverage): RowTrigger {
  const { table, columns } = covered
  const states = (alias: string, state: string): string => {
    const condition = covered.only(alias)
    const end = condition === null ? '' : ` WHERE ${condition}`
    return `INSERT INTO row_changes ("table", "key", state) SELECT '${table}', ${covered.key(alias)}, ${state}${end};`
  }
  const keyOf = (row: string): string => `(${covered.keyColumns.map((column) => `${row}."${column}"`).join(', ')})`
  const moved = `${keyOf('OLD')} IS DISTINCT FROM ${keyOf('NEW')}`
  const name = `rows_of_${table}`
  const source = ` BEGIN
  IF TG_OP = 'INSERT' THEN ${states('NEW', covered.state('NEW'))}
  ELSIF TG_OP = 'UPDATE' THEN
    IF ${moved} THEN ${states('OLD', 'NULL')} END IF;
    ${states('NEW', covered.state('NEW'))}
  ELSE ${states('OLD', 'NULL')} END IF;
  RETURN NULL; END `
  const sql = `
CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$${source}$$;
DROP TRIGGER IF EXISTS "1_${name}" ON "${table}";
CREATE TRIGGER "1_${name}" AFTER INSERT OR DELETE OR UPDATE OF ${columns.map((name) => `"${name}"`).join(', ')} ON "${table}"
  FOR EACH ROW EXECUTE FUNCTION ${name}();`
  return { name, source, sql }
}
