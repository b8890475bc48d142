/**
 * Forwarding to headquarters, and the alarm kind `forwarding`. `alarms` is made anew for its CHECK; no other table refers to it.
 * Times named `…_at` are milliseconds since 1970.
 */
export const version = 12
export const name = 'forwarding'
export const sql = `
CREATE TABLE alarms_new (
  alarm_id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('changed', 'missing', 'untracked', 'ledger', 'checkpoint', 'backup', 'source', 'forwarding')),
  subject TEXT NOT NULL,
  message TEXT NOT NULL,
  detail TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  acknowledged_at INTEGER,
  acknowledged_by TEXT,
  reason TEXT
) STRICT;
INSERT INTO alarms_new SELECT alarm_id, kind, subject, message, detail, raised_at, acknowledged_at, acknowledged_by, reason FROM alarms;
DROP TABLE alarms;
ALTER TABLE alarms_new RENAME TO alarms;
CREATE UNIQUE INDEX alarms_open ON alarms (kind, subject) WHERE acknowledged_at IS NULL;
CREATE INDEX alarms_of ON alarms (kind, subject, alarm_id);

CREATE TABLE headquarters (
  tenant_id TEXT PRIMARY KEY REFERENCES tenants (tenant_id),
  address TEXT NOT NULL,
  client_id TEXT NOT NULL,
  sealed TEXT NOT NULL,
  rules TEXT NOT NULL,
  imported_utc TEXT NOT NULL,
  imported_by TEXT NOT NULL,
  contact_at INTEGER,
  problem TEXT,
  refused INTEGER NOT NULL DEFAULT 0 CHECK (refused IN (0, 1)),
  failures INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL DEFAULT 0,
  bytes_per_second REAL
) STRICT;

CREATE TABLE forwarding_items (
  evidence_id INTEGER PRIMARY KEY REFERENCES evidence (evidence_id),
  tenant_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'done', 'failed')),
  ground TEXT NOT NULL CHECK (ground IN ('requested', 'everything', 'category', 'case', 'age', 'changed')),
  requested INTEGER NOT NULL DEFAULT 0 CHECK (requested IN (0, 1)),
  created_at INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  queued_at INTEGER NOT NULL,
  remote_evidence_id TEXT,
  create_key TEXT,
  create_at INTEGER,
  create_body TEXT,
  sent TEXT,
  sent_concurrency_id TEXT,
  completed INTEGER NOT NULL DEFAULT 0 CHECK (completed IN (0, 1)),
  custody_due INTEGER NOT NULL DEFAULT 1 CHECK (custody_due IN (0, 1)),
  custody_seq INTEGER NOT NULL DEFAULT 0,
  custody_resource_id TEXT,
  custody_key TEXT,
  custody_at INTEGER,
  custody_sha256 TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL DEFAULT 0,
  problem TEXT,
  done_at INTEGER
) STRICT;
CREATE INDEX forwarding_items_by_state ON forwarding_items (tenant_id, state, requested, created_at);

CREATE TABLE forwarding_files (
  resource_id INTEGER PRIMARY KEY REFERENCES resources (resource_id),
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  remote_resource_id TEXT,
  create_key TEXT NOT NULL,
  create_at INTEGER NOT NULL,
  sent_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX forwarding_files_by_evidence ON forwarding_files (evidence_id);

CREATE TABLE forwarding_receipts (
  resource_id INTEGER PRIMARY KEY REFERENCES resources (resource_id),
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  sha256 TEXT NOT NULL,
  length INTEGER NOT NULL,
  address TEXT NOT NULL,
  remote_tenant TEXT NOT NULL,
  remote_evidence_id TEXT NOT NULL,
  remote_resource_id TEXT NOT NULL,
  confirmed_utc TEXT NOT NULL,
  kept_until_at INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX forwarding_receipts_by_evidence ON forwarding_receipts (evidence_id);
CREATE INDEX forwarding_receipts_by_blob ON forwarding_receipts (sha256);

CREATE TABLE forwarded_blobs (
  sha256 TEXT PRIMARY KEY,
  length INTEGER NOT NULL,
  resource_id INTEGER NOT NULL REFERENCES forwarding_receipts (resource_id),
  cleared_utc TEXT NOT NULL,
  removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1))
) STRICT;
CREATE INDEX forwarded_blobs_to_remove ON forwarded_blobs (sha256) WHERE removed = 0;

CREATE TABLE forwarding_cases (
  case_id INTEGER PRIMARY KEY REFERENCES cases (case_id),
  remote_case_id TEXT,
  create_key TEXT NOT NULL,
  create_at INTEGER NOT NULL,
  create_body TEXT NOT NULL
) STRICT;

CREATE TABLE forwarding_links (
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  case_id INTEGER NOT NULL REFERENCES cases (case_id),
  PRIMARY KEY (evidence_id, case_id)
) STRICT;

CREATE TABLE forwarding_questions (
  question_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL,
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  fields TEXT NOT NULL,
  asked_utc TEXT NOT NULL,
  decision TEXT CHECK (decision IN ('ours', 'theirs', 'outdated')),
  settled_utc TEXT,
  settled_by TEXT
) STRICT;
CREATE UNIQUE INDEX forwarding_questions_open ON forwarding_questions (evidence_id) WHERE decision IS NULL;
CREATE INDEX forwarding_questions_by_tenant ON forwarding_questions (tenant_id, question_id);
`
