/** What was taken in from another station, and the lines of its ledger beside ours (docs/decisions/0036). */
export const version = 23
export const name = 'imports'
/** It only adds tables. */
export const oldestProgram = 16
export const sql = `
CREATE TABLE imports (
  import_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  kind TEXT NOT NULL CHECK (kind IN ('station', 'package')),
  state TEXT NOT NULL CHECK (state IN ('Receiving', 'Made')),
  origin TEXT NOT NULL,
  station_name TEXT NOT NULL,
  name TEXT NOT NULL,
  signed_sha256 TEXT NOT NULL UNIQUE,
  fingerprint TEXT NOT NULL,
  ledger_key TEXT NOT NULL,
  note TEXT NOT NULL,
  entries INTEGER NOT NULL,
  begun_utc TEXT NOT NULL,
  begun_by TEXT NOT NULL,
  finished_utc TEXT
) STRICT;

CREATE TABLE imported_entries (
  import_id INTEGER NOT NULL REFERENCES imports (import_id),
  seq INTEGER NOT NULL,
  body BLOB NOT NULL,
  proof TEXT,
  object_type TEXT NOT NULL,
  object_id TEXT NOT NULL,
  PRIMARY KEY (import_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX imported_entries_by_object ON imported_entries (import_id, object_type, object_id);

CREATE TABLE imported_evidence (
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  import_id INTEGER NOT NULL REFERENCES imports (import_id),
  source_id TEXT NOT NULL,
  PRIMARY KEY (evidence_id, import_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX imported_evidence_by_source ON imported_evidence (import_id, source_id);

CREATE TABLE imported_resources (
  resource_id INTEGER NOT NULL REFERENCES resources (resource_id),
  import_id INTEGER NOT NULL REFERENCES imports (import_id),
  source_id TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (resource_id, import_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX imported_resources_by_source ON imported_resources (import_id, source_id);
`
