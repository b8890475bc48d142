/** What a second person approves before it is disclosed, requests for disclosure, and grounds that ended (docs/decisions/0040); the keys of stations that co-sign (docs/decisions/0038);
 * packages that are part of an export (docs/decisions/0036). */
export const version = 25
export const name = 'approval of disclosures'
/** It only adds tables. */
export const oldestProgram = 16
export const sql = `
CREATE TABLE disclosure_proposals (
  proposal_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  case_id INTEGER NOT NULL REFERENCES cases (case_id),
  no INTEGER NOT NULL,
  recipient_name TEXT NOT NULL,
  recipient_role TEXT NOT NULL CHECK (recipient_role IN ('prosecutor', 'defence', 'court', 'insurer', 'public-records', 'agency')),
  recipient_organisation TEXT NOT NULL,
  supersedes INTEGER,
  body TEXT NOT NULL,
  content_sha256 TEXT NOT NULL,
  item_count INTEGER NOT NULL,
  withheld_count INTEGER NOT NULL,
  others TEXT NOT NULL,
  proposed_utc TEXT NOT NULL,
  proposed_by TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn', 'given')),
  decided_utc TEXT,
  decided_by TEXT,
  decision_reason TEXT NOT NULL,
  disclosure_id INTEGER REFERENCES disclosures (disclosure_id),
  CHECK ((decided_utc IS NULL) = (decided_by IS NULL)),
  CHECK ((state = 'waiting') = (decided_utc IS NULL)),
  CHECK ((state = 'given') = (disclosure_id IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX disclosure_proposals_by_case ON disclosure_proposals (case_id, no);
CREATE UNIQUE INDEX disclosure_proposals_by_disclosure ON disclosure_proposals (disclosure_id) WHERE disclosure_id IS NOT NULL;
CREATE INDEX disclosure_proposals_open ON disclosure_proposals (tenant_id, case_id) WHERE state IN ('waiting', 'approved');

CREATE TABLE package_exports (
  package_id INTEGER NOT NULL PRIMARY KEY REFERENCES packages (package_id)
) STRICT;

CREATE TABLE checkpoint_cosigners (
  target_id INTEGER NOT NULL PRIMARY KEY REFERENCES checkpoint_targets (target_id),
  origin TEXT NOT NULL,
  key_fingerprint TEXT NOT NULL,
  since_utc TEXT NOT NULL
) STRICT;

CREATE TABLE disclosure_grounds_ended (
  disclosure_id INTEGER NOT NULL REFERENCES disclosures (disclosure_id),
  subject TEXT NOT NULL,
  reason TEXT NOT NULL,
  ended_utc TEXT NOT NULL,
  ended_by TEXT NOT NULL,
  PRIMARY KEY (disclosure_id, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE disclosure_requests (
  request_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  case_id INTEGER NOT NULL REFERENCES cases (case_id),
  no INTEGER NOT NULL,
  recipient_name TEXT NOT NULL,
  recipient_role TEXT NOT NULL CHECK (recipient_role IN ('prosecutor', 'defence', 'court', 'insurer', 'public-records', 'agency')),
  recipient_organisation TEXT NOT NULL,
  authority TEXT NOT NULL,
  request_number TEXT NOT NULL,
  request_date TEXT,
  request_due TEXT,
  what TEXT NOT NULL,
  recorded_utc TEXT NOT NULL,
  recorded_by TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'answered', 'closed')),
  closed_utc TEXT,
  closed_by TEXT,
  close_reason TEXT NOT NULL,
  disclosure_id INTEGER REFERENCES disclosures (disclosure_id),
  reminded_due TEXT,
  CHECK ((closed_utc IS NULL) = (closed_by IS NULL)),
  CHECK ((state = 'open') = (closed_utc IS NULL)),
  CHECK ((state = 'answered') = (disclosure_id IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX disclosure_requests_by_case ON disclosure_requests (case_id, no);
CREATE INDEX disclosure_requests_by_disclosure ON disclosure_requests (disclosure_id) WHERE disclosure_id IS NOT NULL;
CREATE INDEX disclosure_requests_open ON disclosure_requests (tenant_id, request_due) WHERE state = 'open';
`
