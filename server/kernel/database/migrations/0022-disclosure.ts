/** What was given to whom, what was withheld, and what may not leave (docs/decisions/0035). */
export const version = 22
export const name = 'disclosure'
/** It only adds tables. */
export const oldestProgram = 16
export const sql = `
CREATE TABLE disclosures (
  disclosure_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  case_id INTEGER NOT NULL REFERENCES cases (case_id),
  no INTEGER NOT NULL,
  chain INTEGER NOT NULL,
  supersedes INTEGER REFERENCES disclosures (disclosure_id),
  reason TEXT NOT NULL,
  recipient_name TEXT NOT NULL,
  recipient_role TEXT NOT NULL CHECK (recipient_role IN ('prosecutor', 'defence', 'court', 'insurer', 'public-records', 'agency')),
  recipient_organisation TEXT NOT NULL,
  authority TEXT NOT NULL,
  request_number TEXT NOT NULL,
  request_date TEXT,
  request_due TEXT,
  package_id INTEGER REFERENCES packages (package_id),
  package_sha256 TEXT,
  package_bytes INTEGER,
  medium TEXT NOT NULL CHECK (medium IN ('folder', 'disc', 'usb', 'handover')),
  medium_serial TEXT NOT NULL,
  given_utc TEXT NOT NULL,
  given_by TEXT NOT NULL,
  CHECK ((package_id IS NULL) = (package_sha256 IS NULL))
) STRICT;
CREATE UNIQUE INDEX disclosures_by_case ON disclosures (case_id, no);
CREATE UNIQUE INDEX disclosures_by_superseded ON disclosures (supersedes) WHERE supersedes IS NOT NULL;

CREATE TABLE disclosure_items (
  disclosure_id INTEGER NOT NULL REFERENCES disclosures (disclosure_id),
  resource_id INTEGER NOT NULL REFERENCES resources (resource_id),
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  kind TEXT NOT NULL CHECK (kind IN ('original', 'copy', 'clip', 'redacted', 'still', 'report')),
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  length INTEGER NOT NULL,
  version TEXT NOT NULL,
  PRIMARY KEY (disclosure_id, resource_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX disclosure_items_by_evidence ON disclosure_items (evidence_id);
CREATE INDEX disclosure_items_by_resource ON disclosure_items (resource_id);

CREATE TABLE disclosure_withheld (
  disclosure_id INTEGER NOT NULL REFERENCES disclosures (disclosure_id),
  subject TEXT NOT NULL,
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  resource_id INTEGER REFERENCES resources (resource_id),
  basis TEXT NOT NULL CHECK (basis IN ('MG6C', 'MG6D')),
  number INTEGER NOT NULL,
  description TEXT NOT NULL,
  ground TEXT NOT NULL,
  reasons TEXT NOT NULL,
  restriction_id INTEGER,
  decided_by TEXT NOT NULL,
  PRIMARY KEY (disclosure_id, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX disclosure_withheld_by_evidence ON disclosure_withheld (evidence_id);

CREATE TABLE disclosure_others (
  disclosure_id INTEGER NOT NULL REFERENCES disclosures (disclosure_id),
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  PRIMARY KEY (disclosure_id, evidence_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE disclosure_acknowledgements (
  disclosure_id INTEGER PRIMARY KEY REFERENCES disclosures (disclosure_id),
  acknowledged_utc TEXT NOT NULL,
  received_utc TEXT NOT NULL,
  acknowledged_by TEXT NOT NULL,
  how TEXT NOT NULL CHECK (how IN ('signature-scan', 'signed-file', 'in-person')),
  evidence_id INTEGER REFERENCES evidence (evidence_id),
  witnesses TEXT NOT NULL,
  recorded_by TEXT NOT NULL
) STRICT;

CREATE TABLE schedule_numbers (
  case_id INTEGER NOT NULL REFERENCES cases (case_id),
  series TEXT NOT NULL CHECK (series IN ('list', 'MG6C', 'MG6D')),
  subject TEXT NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (case_id, series, subject)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX schedule_numbers_by_number ON schedule_numbers (case_id, series, number);

CREATE TABLE evidence_restrictions (
  restriction_id INTEGER PRIMARY KEY AUTOINCREMENT,
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  kind TEXT NOT NULL CHECK (kind IN ('do-not-disclose', 'privileged', 'sealed')),
  reason TEXT NOT NULL,
  set_utc TEXT NOT NULL,
  set_by TEXT NOT NULL,
  lifted_utc TEXT,
  lifted_by TEXT,
  lift_reason TEXT,
  CHECK ((lifted_utc IS NULL) = (lifted_by IS NULL))
) STRICT;
CREATE UNIQUE INDEX evidence_restrictions_standing ON evidence_restrictions (evidence_id, kind) WHERE lifted_utc IS NULL;
CREATE INDEX evidence_restrictions_by_evidence ON evidence_restrictions (evidence_id, restriction_id);
`
