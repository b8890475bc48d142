/** The processes that share the database. On SQLite there is one, and the table stays empty. Times are those of the database's clock. */
export const version = 13
export const name = 'nodes'
export const sql = `
CREATE TABLE nodes (
  node_id TEXT NOT NULL PRIMARY KEY,
  run_id TEXT NOT NULL,
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  address TEXT NOT NULL,
  blobs TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  stopped_at INTEGER,
  clock_offset INTEGER NOT NULL
) STRICT;
`
