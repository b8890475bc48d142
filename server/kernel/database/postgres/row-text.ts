/** What is hashed of a row, in PostgreSQL's SQL (../row-coverage.ts): byte for byte what SQLite's `json_object` writes. */
import type { RowText } from '../row-text.ts'

/** Every column of every table, for `coverageOf`. */
export const POSTGRES_COLUMNS_SQL = `SELECT c.table_name AS "table", c.column_name AS name, c.data_type AS type, coalesce(k.ordinal_position, 0) AS pk
  FROM information_schema.columns c
  JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE'
  LEFT JOIN information_schema.table_constraints p
    ON p.table_schema = c.table_schema AND p.table_name = c.table_name AND p.constraint_type = 'PRIMARY KEY'
  LEFT JOIN information_schema.key_column_usage k
    ON k.constraint_schema = p.constraint_schema AND k.constraint_name = p.constraint_name AND k.table_name = c.table_name AND k.column_name = c.column_name
  WHERE c.table_schema = current_schema() ORDER BY c.table_name, c.ordinal_position`

const list = (columns: readonly string[]): string => columns.map((column) => `row_value(${column})`).join(` || ',' || `)

export const postgresRowText: RowText = {
  key: (keys) => (keys.length === 1 ? `CAST(${keys[0] as string} AS TEXT)` : `('[' || ${list(keys)} || ']')`),
  state: (columns) =>
    `('{' || ${columns.map(({ name, column }) => `'"${name}":' || row_value(${column})`).join(` || ',' || `)} || '}')`,
}

/** The values of a row as SQLite writes them into JSON. A number with a point keeps one. */
export const ROW_VALUE_FUNCTIONS = `
CREATE FUNCTION row_value(given bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT coalesce(given::text, 'null') $$;
CREATE FUNCTION row_value(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT coalesce(to_json(given)::text, 'null') $$;
CREATE FUNCTION row_value(given bytea) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT coalesce('"' || upper(encode(given, 'hex')) || '"', 'null') $$;
CREATE FUNCTION row_value(given double precision) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN given IS NULL THEN 'null' WHEN given::text ~ '[.e]' THEN given::text ELSE given::text || '.0' END $$;
`
