/** After rows came with numbers of their own: the next row gets one behind them. SQLite does so by itself. */
export const CONTINUE_NUMBERS = (table: string, column: string): string =>
  `SELECT setval(pg_get_serial_sequence('"${table}"', '${column}'), greatest(max("${column}"), 1), max("${column}") IS NOT NULL) FROM "${table}"`

/** Tables whose rows are numbered, with the column. */
export const NUMBERED = `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
  WHERE table_schema = current_schema() AND is_identity = 'YES'`
