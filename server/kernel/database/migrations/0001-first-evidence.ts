/**
 * The first schema: people, ledger, jobs, evidence and its bytes.
 * SQL stays within what PostgreSQL also understands where that costs nothing; the triggers are SQLite's own.
 * Times are ISO text as received plus an integer of 100 ns ticks since 1970, which is what is compared (decisions 1).
 */
export const version = 1
export const name = 'first-evidence'

export const sql = `
CREATE TABLE tenants (
  tenant_id TEXT PRIMARY KEY,
  name_key TEXT NOT NULL UNIQUE,
  created_utc TEXT NOT NULL
) STRICT;

CREATE TABLE principals (
  principal_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  kind TEXT NOT NULL CHECK (kind IN ('user', 'group', 'service')),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  k_id TEXT NOT NULL,
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  badge TEXT NOT NULL DEFAULT '',
  email TEXT NOT NULL DEFAULT '',
  guest INTEGER NOT NULL DEFAULT 0,
  built_in INTEGER NOT NULL DEFAULT 0,
  enabled INTEGER NOT NULL DEFAULT 1,
  password_hash TEXT,
  base_url TEXT,
  created_utc TEXT NOT NULL,
  created_by TEXT NOT NULL,
  UNIQUE (tenant_id, kind, name_key)
) STRICT;

CREATE TABLE memberships (
  group_id INTEGER NOT NULL REFERENCES principals (principal_id),
  member_id INTEGER NOT NULL REFERENCES principals (principal_id),
  PRIMARY KEY (group_id, member_id)
) STRICT;

CREATE TABLE policy_members (
  policy TEXT NOT NULL,
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  level TEXT,
  PRIMARY KEY (policy, principal_id)
) STRICT;

CREATE TABLE service_keys (
  service_key_id INTEGER PRIMARY KEY AUTOINCREMENT,
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  thumbprint TEXT NOT NULL,
  jwk TEXT NOT NULL,
  not_before_utc TEXT,
  expires_utc TEXT,
  created_utc TEXT NOT NULL,
  revoked_utc TEXT
) STRICT;

CREATE TABLE api_keys (
  api_key_id INTEGER PRIMARY KEY AUTOINCREMENT,
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  key_hash TEXT NOT NULL UNIQUE,
  created_utc TEXT NOT NULL,
  revoked_utc TEXT
) STRICT;

CREATE TABLE used_assertions (
  client_id TEXT NOT NULL,
  assertion_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (client_id, assertion_id)
) STRICT;
CREATE INDEX used_assertions_by_expiry ON used_assertions (expires_at);

CREATE TABLE ledger (
  seq INTEGER PRIMARY KEY,
  body BLOB NOT NULL,
  hash BLOB NOT NULL,
  leaf BLOB NOT NULL,
  object_type TEXT NOT NULL,
  object_id TEXT NOT NULL
) STRICT;
CREATE INDEX ledger_object ON ledger (object_type, object_id, seq);
CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TABLE checkpoints (
  size INTEGER PRIMARY KEY,
  root BLOB NOT NULL,
  head BLOB NOT NULL,
  frontier BLOB NOT NULL,
  note TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_utc TEXT NOT NULL
) STRICT;
CREATE TRIGGER checkpoints_no_update BEFORE UPDATE ON checkpoints BEGIN SELECT RAISE(ABORT, 'checkpoints are append-only'); END;
CREATE TRIGGER checkpoints_no_delete BEFORE DELETE ON checkpoints BEGIN SELECT RAISE(ABORT, 'checkpoints are append-only'); END;

CREATE TABLE versions (
  entity TEXT NOT NULL,
  entity_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  concurrency_id TEXT NOT NULL,
  parent_id TEXT NOT NULL,
  state TEXT NOT NULL,
  action TEXT NOT NULL,
  author TEXT NOT NULL,
  date_utc TEXT NOT NULL,
  PRIMARY KEY (entity, entity_id, number),
  UNIQUE (entity, entity_id, concurrency_id)
) STRICT;

CREATE TABLE blobs (
  sha256 TEXT PRIMARY KEY,
  length INTEGER NOT NULL,
  read_back TEXT NOT NULL CHECK (read_back IN ('direct', 'cache')),
  created_utc TEXT NOT NULL
) STRICT;

CREATE TABLE evidence (
  evidence_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  name TEXT NOT NULL,
  description TEXT,
  category_id TEXT,
  source_id TEXT,
  start_utc TEXT,
  start_ticks INTEGER,
  end_utc TEXT,
  end_ticks INTEGER,
  location_text TEXT,
  location_wkt TEXT,
  device TEXT,
  device_identity TEXT,
  custom_fields TEXT NOT NULL DEFAULT '{}',
  state TEXT NOT NULL DEFAULT 'None',
  lifecycle_state TEXT NOT NULL DEFAULT 'None',
  association_state TEXT NOT NULL DEFAULT 'None',
  thumbnail_resource_id INTEGER,
  created_utc TEXT NOT NULL,
  created_ticks INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  deleted_utc TEXT,
  deleted_by TEXT,
  concurrency_id TEXT NOT NULL
) STRICT;
CREATE INDEX evidence_by_creation ON evidence (tenant_id, created_ticks, evidence_id);
CREATE INDEX evidence_by_start ON evidence (tenant_id, start_ticks, evidence_id);

CREATE TABLE evidence_tags (
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  position INTEGER NOT NULL,
  tag TEXT NOT NULL,
  tag_key TEXT NOT NULL,
  PRIMARY KEY (evidence_id, position)
) STRICT;
CREATE INDEX evidence_tags_by_key ON evidence_tags (tag_key, evidence_id);

CREATE TABLE evidence_policies (
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  level TEXT NOT NULL,
  expires_utc TEXT,
  expires_ticks INTEGER,
  PRIMARY KEY (evidence_id, principal_id)
) STRICT;

CREATE TABLE resources (
  resource_id INTEGER PRIMARY KEY AUTOINCREMENT,
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  name TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  sniffed_type TEXT,
  role TEXT NOT NULL CHECK (role IN ('original', 'playable', 'metadata', 'poster', 'preview')),
  start_utc TEXT,
  start_ticks INTEGER,
  end_utc TEXT,
  end_ticks INTEGER,
  time_offset TEXT,
  state TEXT NOT NULL DEFAULT 'None',
  parent_id INTEGER REFERENCES resources (resource_id),
  expected_sha256 TEXT,
  expected_length INTEGER,
  sha256 TEXT REFERENCES blobs (sha256),
  length INTEGER,
  derivation TEXT,
  media TEXT,
  thumbnail_sha256 TEXT REFERENCES blobs (sha256),
  thumbnail_derivation TEXT,
  uploaded_utc TEXT,
  uploaded_by TEXT NOT NULL,
  certificate_thumbprint TEXT,
  created_utc TEXT NOT NULL,
  concurrency_id TEXT NOT NULL
) STRICT;
CREATE INDEX resources_by_evidence ON resources (evidence_id, resource_id);
CREATE INDEX resources_by_blob ON resources (sha256);
CREATE INDEX resources_by_thumbnail ON resources (thumbnail_sha256);
CREATE INDEX resources_open ON resources (state) WHERE state = 'None';

CREATE TABLE ingested_files (
  source_key TEXT PRIMARY KEY,
  resource_id INTEGER NOT NULL REFERENCES resources (resource_id),
  path TEXT NOT NULL,
  length INTEGER NOT NULL,
  modified_ns TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  ingested_utc TEXT NOT NULL
) STRICT;

CREATE TABLE uploads (
  resource_id INTEGER PRIMARY KEY REFERENCES resources (resource_id),
  committed_length INTEGER,
  committed_md5 TEXT,
  committed_etag TEXT,
  committed_at INTEGER,
  properties TEXT NOT NULL DEFAULT '{}',
  metadata TEXT NOT NULL DEFAULT '[]',
  uncommitted INTEGER NOT NULL DEFAULT 0,
  block_id_bytes INTEGER,
  last_block_utc TEXT,
  last_block_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE upload_blocks (
  resource_id INTEGER NOT NULL REFERENCES uploads (resource_id),
  committed INTEGER NOT NULL,
  position INTEGER NOT NULL,
  block_id TEXT NOT NULL,
  file TEXT NOT NULL,
  file_offset INTEGER NOT NULL,
  stride INTEGER,
  length INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  crc32 INTEGER NOT NULL,
  PRIMARY KEY (resource_id, committed, position, block_id)
) STRICT;
CREATE INDEX upload_blocks_by_id ON upload_blocks (resource_id, block_id, committed);
CREATE INDEX upload_blocks_by_place ON upload_blocks (resource_id, file, file_offset);

CREATE TABLE quarantine (
  quarantine_id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL,
  reason TEXT NOT NULL,
  sha256 TEXT,
  length INTEGER,
  resource_id INTEGER,
  created_utc TEXT NOT NULL
) STRICT;

CREATE TABLE jobs (
  job_id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  subject TEXT NOT NULL DEFAULT '',
  dedup_key TEXT,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'waiting', 'done', 'failed', 'cancelled')),
  attempts INTEGER NOT NULL DEFAULT 0,
  progress REAL,
  message TEXT NOT NULL DEFAULT '',
  cancel_requested INTEGER NOT NULL DEFAULT 0,
  run_after INTEGER NOT NULL DEFAULT 0,
  created_utc TEXT NOT NULL,
  started_utc TEXT,
  finished_utc TEXT
) STRICT;
CREATE INDEX jobs_ready ON jobs (state, run_after, job_id);
CREATE INDEX jobs_by_subject ON jobs (subject, job_id);
CREATE UNIQUE INDEX jobs_once ON jobs (dedup_key) WHERE dedup_key IS NOT NULL AND state IN ('queued', 'running', 'waiting');

CREATE TABLE idempotency (
  principal TEXT NOT NULL,
  operation TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  status INTEGER NOT NULL,
  answer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (principal, operation, idempotency_key)
) STRICT;

CREATE TABLE padding (
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE station (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
`
