/** What is hashed of a row, in PostgreSQL's SQL (../row-coverage.ts): byte for byte what SQLite's `json_object` writes. */
import type { RowText } from '../row-text.ts'

/**
 * Every column of every table, for `coverageOf`. From the catalogue itself: the views of information_schema take seconds for the same, and a
 * node asks this several times at each start.
 */
export const POSTGRES_COLUMNS_SQL = `SELECT t.relname AS "table", a.attname AS name, format_type(a.atttypid, NULL) AS type,
    coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0) AS pk
  FROM pg_class t
  JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_index i ON i.indrelid = t.oid AND i.indisprimary
  WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p') ORDER BY t.relname, a.attnum`

const list = (columns: readonly string[]): string => columns.map((column) => `row_value(${column})`).join(` || ',' || `)

export const postgresRowText: RowText = {
  key: (keys) => (keys.length === 1 ? `CAST(${keys[0] as string} AS TEXT)` : `('[' || ${list(keys)} || ']')`),
  state: (columns) =>
    `('{' || ${columns.map(({ name, column }) => `'"${name}":' || row_value(${column})`).join(` || ',' || `)} || '}')`,
}

/**
 * The values of a row as SQLite writes them into JSON. A number with a point keeps one.
 *
 * The server puts such a body in place of its call, once a session. It does so only where the function promises no more than what its body
 * uses: `to_json` is STABLE. Otherwise each call of each column is planned anew, which took most of the time of a change.
 */
export const ROW_VALUE_FUNCTIONS = `
CREATE FUNCTION row_value(given bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT coalesce(given::text, 'null') $$;
CREATE FUNCTION row_value(given text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT coalesce(to_json(given)::text, 'null') $$;
CREATE FUNCTION row_value(given bytea) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT coalesce('"' || upper(encode(given, 'hex')) || '"', 'null') $$;
CREATE FUNCTION row_value(given double precision) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN given IS NULL THEN 'null' WHEN given::text ~ '[.e]' THEN given::text ELSE given::text || '.0' END $$;
`
