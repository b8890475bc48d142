/** Packages that left the station, and what was in them (docs/decisions/0034). */
export const version = 19
export const name = 'packages'
/** It only adds tables. */
export const oldestProgram = 16
export const sql = `
CREATE TABLE packages (
  package_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  name TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  case_id INTEGER REFERENCES cases (case_id),
  variant TEXT NOT NULL CHECK (variant IN ('prosecution', 'defence', 'court')),
  form TEXT NOT NULL CHECK (form IN ('folder', 'zip', 'iso')),
  parts TEXT NOT NULL,
  papers TEXT NOT NULL,
  language TEXT NOT NULL CHECK (language IN ('en', 'fr')),
  target TEXT NOT NULL,
  supplements INTEGER REFERENCES packages (package_id),
  state TEXT NOT NULL CHECK (state IN ('Making', 'Made', 'Failed')),
  problem TEXT NOT NULL DEFAULT '',
  items INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  signed_sha256 TEXT,
  ledger_size INTEGER,
  created_utc TEXT NOT NULL,
  created_by TEXT NOT NULL,
  finished_utc TEXT,
  CHECK ((state = 'Made') = (signed_sha256 IS NOT NULL))
) STRICT;
CREATE INDEX packages_by_case ON packages (case_id, package_id);
CREATE INDEX packages_by_target ON packages (target, package_id);

CREATE TABLE package_items (
  package_id INTEGER NOT NULL REFERENCES packages (package_id),
  no INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('original', 'copy', 'clip', 'redacted', 'still', 'report')),
  parent_no INTEGER,
  path TEXT NOT NULL,
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  resource_id INTEGER NOT NULL REFERENCES resources (resource_id),
  sha256 TEXT NOT NULL,
  length INTEGER NOT NULL,
  PRIMARY KEY (package_id, no, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX package_items_by_resource ON package_items (resource_id);
CREATE INDEX package_items_by_evidence ON package_items (evidence_id);
`
