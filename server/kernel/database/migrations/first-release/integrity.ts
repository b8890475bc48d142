/**
 * Checks of stored bytes, alarms, checkpoints kept elsewhere, and backups. Times named `…_at` are milliseconds since 1970.
 * `blob_checks` has the times of the last and the next check of each blob. The first check is a day after the intake (promise I5).
 */
const DAY_MS = 86_400_000

export const tables = `
CREATE TABLE fixity_checks (
  check_id INTEGER PRIMARY KEY AUTOINCREMENT,
  resource_id INTEGER NOT NULL REFERENCES resources (resource_id),
  expected_sha256 TEXT NOT NULL,
  found_sha256 TEXT,
  result TEXT NOT NULL CHECK (result IN ('matches', 'changed', 'missing')),
  read_back TEXT CHECK (read_back IN ('direct', 'cache')),
  checked_utc TEXT NOT NULL,
  checked_by TEXT NOT NULL
) STRICT;
CREATE INDEX fixity_checks_by_resource ON fixity_checks (resource_id, check_id);

CREATE TABLE blob_checks (
  sha256 TEXT PRIMARY KEY REFERENCES blobs (sha256) ON DELETE CASCADE,
  length INTEGER NOT NULL,
  checked_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  times INTEGER NOT NULL DEFAULT 0,
  result TEXT NOT NULL DEFAULT 'matches' CHECK (result IN ('matches', 'changed', 'missing')),
  read_back TEXT CHECK (read_back IN ('direct', 'cache'))
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_checks_due ON blob_checks (due_at, sha256);
CREATE INDEX blob_checks_oldest ON blob_checks (checked_at, sha256);

CREATE TABLE fixity_runs (
  run_id INTEGER PRIMARY KEY AUTOINCREMENT,
  state TEXT NOT NULL CHECK (state IN ('running', 'done', 'cancelled')),
  started_at INTEGER NOT NULL,
  started_by TEXT NOT NULL,
  ended_at INTEGER,
  total_blobs INTEGER NOT NULL,
  total_bytes INTEGER NOT NULL,
  blobs INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  problems INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX fixity_runs_one ON fixity_runs (state) WHERE state = 'running';

CREATE TABLE "alarms" (
  alarm_id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('changed', 'missing', 'untracked', 'ledger', 'checkpoint', 'backup', 'source')),
  subject TEXT NOT NULL,
  message TEXT NOT NULL,
  detail TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  acknowledged_at INTEGER,
  acknowledged_by TEXT,
  reason TEXT
) STRICT;
CREATE UNIQUE INDEX alarms_open ON alarms (kind, subject) WHERE acknowledged_at IS NULL;
CREATE INDEX alarms_of ON alarms (kind, subject, alarm_id);

CREATE TABLE checkpoint_targets (
  target_id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('folder', 'station')),
  address TEXT NOT NULL,
  sealed TEXT,
  created_utc TEXT NOT NULL,
  created_by TEXT NOT NULL,
  removed_utc TEXT,
  size INTEGER NOT NULL DEFAULT 0,
  copied_at INTEGER,
  next_at INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  problem TEXT,
  refused INTEGER NOT NULL DEFAULT 0 CHECK (refused IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX checkpoint_targets_one ON checkpoint_targets (kind, address) WHERE removed_utc IS NULL;

CREATE TABLE received_checkpoints (
  origin TEXT PRIMARY KEY,
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  public_key TEXT NOT NULL,
  size INTEGER NOT NULL,
  root BLOB NOT NULL,
  note TEXT NOT NULL,
  first_utc TEXT NOT NULL,
  received_utc TEXT NOT NULL,
  refused_utc TEXT
) STRICT;

CREATE TABLE backup_targets (
  target_id INTEGER PRIMARY KEY AUTOINCREMENT,
  folder TEXT NOT NULL,
  every_hours INTEGER NOT NULL,
  created_utc TEXT NOT NULL,
  created_by TEXT NOT NULL,
  removed_utc TEXT,
  next_at INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX backup_targets_one ON backup_targets (folder) WHERE removed_utc IS NULL;

CREATE TABLE backups (
  backup_id INTEGER PRIMARY KEY AUTOINCREMENT,
  folder TEXT NOT NULL,
  snapshot TEXT,
  state TEXT NOT NULL CHECK (state IN ('made', 'failed')),
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  made_by TEXT NOT NULL,
  entries INTEGER NOT NULL,
  blobs INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  new_blobs INTEGER NOT NULL,
  new_bytes INTEGER NOT NULL,
  problem TEXT
) STRICT;
CREATE INDEX backups_of_folder ON backups (folder, backup_id);

CREATE TABLE backup_drills (
  drill_id INTEGER PRIMARY KEY AUTOINCREMENT,
  folder TEXT NOT NULL,
  snapshot TEXT NOT NULL,
  result TEXT NOT NULL CHECK (result IN ('restored', 'broken')),
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  made_by TEXT NOT NULL,
  entries INTEGER NOT NULL,
  blobs INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  problems TEXT NOT NULL
) STRICT;
`

export const triggers = `
CREATE TRIGGER blob_checks_begin AFTER INSERT ON blobs BEGIN INSERT INTO blob_checks (sha256, length, checked_at, due_at, read_back) VALUES (NEW.sha256, NEW.length, coalesce(CAST(unixepoch(NEW.created_utc, 'subsec') * 1000 AS INTEGER), 0), coalesce(CAST(unixepoch(NEW.created_utc, 'subsec') * 1000 AS INTEGER), 0) + ${DAY_MS}, NEW.read_back); END;
`
