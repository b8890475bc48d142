import { sql as list } from './0002-list.ts'

/** People sign in, evidence is looked at: sessions, failed sign-ins, the checks of resources, and what is derived for looking only. */
export const version = 2
export const name = 'window'

export const sql = `
CREATE TABLE sessions (
  session_id INTEGER PRIMARY KEY AUTOINCREMENT,
  token_hash TEXT NOT NULL UNIQUE,
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  source TEXT NOT NULL,
  notice TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  active_at INTEGER NOT NULL,
  locked_at INTEGER,
  ended_at INTEGER
) STRICT;
CREATE INDEX sessions_by_principal ON sessions (principal_id, session_id);

CREATE TABLE sign_in_failures (
  subject TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  locked_until INTEGER
) STRICT;

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

CREATE TABLE resource_views (
  resource_id INTEGER NOT NULL REFERENCES resources (resource_id),
  kind TEXT NOT NULL CHECK (kind IN ('strip', 'waveform')),
  sha256 TEXT NOT NULL REFERENCES blobs (sha256),
  mime_type TEXT NOT NULL,
  layout TEXT NOT NULL,
  derivation TEXT NOT NULL,
  created_utc TEXT NOT NULL,
  PRIMARY KEY (resource_id, kind)
) STRICT;
CREATE INDEX resource_views_by_blob ON resource_views (sha256);
${list}`
