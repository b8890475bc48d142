/**
 * Jobs, tasks and dock sessions of several nodes on one database (docs/decisions/0024). `node_id` is null on a station, which has one node.
 * `lease_until` and `ran_at` are milliseconds since 1970 by the database's clock. `task_lease` has one row at most.
 */
export const version = 14
export const name = 'jobs of nodes'
export const sql = `
ALTER TABLE jobs ADD COLUMN node_id TEXT;
ALTER TABLE jobs ADD COLUMN bound INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN lease_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN run_number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE dock_sessions ADD COLUMN node_id TEXT;
ALTER TABLE checkpoint_targets ADD COLUMN node_id TEXT;

CREATE TABLE task_lease (
  lease TEXT PRIMARY KEY,
  node_id TEXT NOT NULL,
  lease_until INTEGER NOT NULL
) STRICT;

CREATE TABLE task_runs (
  task TEXT PRIMARY KEY,
  node_id TEXT NOT NULL,
  ran_at INTEGER NOT NULL
) STRICT;
`
