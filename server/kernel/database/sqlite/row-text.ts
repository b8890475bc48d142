/** What is hashed of a row, in SQLite's SQL (../row-coverage.ts). */
import type { RowText } from '../row-text.ts'

/** Every column of every table, for `coverageOf`. */
export const COLUMNS_SQL =
  "SELECT t.name AS \"table\", c.name, c.type, c.pk FROM pragma_table_list t, pragma_table_info(t.name) c WHERE t.schema = 'main' AND t.type = 'table' ORDER BY t.name, c.cid"

// JSON has no type for bytes.
const valueOf = (type: string, column: string): string =>
  type === 'BLOB' ? `iif(${column} IS NULL, NULL, hex(${column}))` : column

export const sqliteRowText: RowText = {
  key: (keys) => (keys.length === 1 ? `CAST(${keys[0] as string} AS TEXT)` : `json_array(${keys.join(', ')})`),
  state: (columns) =>
    `json_object(${columns.map(({ name, type, column }) => `'${name}', ${valueOf(type, column)}`).join(', ')})`,
}
