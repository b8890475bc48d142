/**
 * Retention rules, due evidence, approvals, and destroyed blobs.
 *
 * `retention_watch` has the time of the next check of each evidence (milliseconds; 0: now; null: only after a change). Triggers set it to 0 in the
 * transaction of a change that may affect the result, so that no polling is needed. A change that affects many (the days of a category, a source
 * policy) starts a sweep instead, which checks all evidence in small steps.
 */
const watch = (name: string, event: string, which: string, table = 'retention_watch'): string =>
  `CREATE TRIGGER ${name} AFTER ${event} BEGIN UPDATE ${table} SET look_at = 0 WHERE evidence_id ${which}; END;\n`
const SWEEP = "INSERT OR REPLACE INTO station (name, value) VALUES ('retention-sweep', '0');"
const sweep = (name: string, event: string): string => `CREATE TRIGGER ${name} AFTER ${event} BEGIN ${SWEEP} END;\n`
const WAS_DESTROYED = (id: string): string =>
  `(SELECT lifecycle_state FROM evidence WHERE evidence_id = ${id}) = 'Destroyed'`
const refuse = (name: string, event: string, when: string, why: string): string =>
  `CREATE TRIGGER ${name} BEFORE ${event} WHEN ${when} BEGIN SELECT RAISE(ABORT, '${why}'); END;\n`
const GONE = 'this evidence was destroyed'

export const tables = `
CREATE TABLE source_policies (
  source_policy_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  device_type TEXT,
  source_id TEXT,
  uploader TEXT CHECK (uploader IN ('user', 'service', 'cli', 'internal')),
  retention_days INTEGER,
  concurrency_id TEXT NOT NULL,
  created_utc TEXT NOT NULL,
  modified_utc TEXT NOT NULL,
  modified_by TEXT NOT NULL,
  UNIQUE (tenant_id, name_key)
) STRICT;

CREATE TABLE retention_watch (
  evidence_id INTEGER PRIMARY KEY REFERENCES evidence (evidence_id),
  look_at INTEGER
) STRICT;
CREATE INDEX retention_watch_due ON retention_watch (look_at) WHERE look_at IS NOT NULL;

CREATE TABLE withdrawn_links (
  withdrawn_link_id INTEGER PRIMARY KEY AUTOINCREMENT,
  case_id INTEGER NOT NULL REFERENCES cases (case_id),
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  rule TEXT,
  reason TEXT NOT NULL,
  withdrawn_utc TEXT NOT NULL,
  withdrawn_by TEXT NOT NULL,
  settled_utc TEXT,
  settled_by TEXT,
  settled_reason TEXT
) STRICT;
CREATE INDEX withdrawn_links_by_evidence ON withdrawn_links (evidence_id, settled_utc);

CREATE TABLE disposition_items (
  item_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  case_id INTEGER REFERENCES cases (case_id),
  rule_key TEXT NOT NULL,
  rule TEXT NOT NULL,
  stage TEXT NOT NULL CHECK (stage IN ('waiting', 'cooling', 'bin', 'ended')),
  outcome TEXT CHECK (outcome IN ('destroyed', 'kept', 'returned')),
  requested_by TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  next_at INTEGER,
  created_utc TEXT NOT NULL,
  ended_utc TEXT
) STRICT;
CREATE INDEX disposition_items_open ON disposition_items (tenant_id, item_id) WHERE stage <> 'ended';
CREATE INDEX disposition_items_next ON disposition_items (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE disposition_files (
  item_id INTEGER NOT NULL REFERENCES disposition_items (item_id),
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  state TEXT NOT NULL CHECK (state IN ('in', 'out', 'destroyed')),
  held TEXT,
  PRIMARY KEY (item_id, evidence_id)
) STRICT;
CREATE UNIQUE INDEX disposition_files_once ON disposition_files (evidence_id) WHERE state = 'in';

CREATE TABLE disposition_approvals (
  item_id INTEGER NOT NULL REFERENCES disposition_items (item_id),
  number INTEGER NOT NULL CHECK (number IN (1, 2)),
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  approved_by TEXT NOT NULL,
  reason TEXT NOT NULL,
  approved_utc TEXT NOT NULL,
  PRIMARY KEY (item_id, number),
  UNIQUE (item_id, principal_id)
) STRICT;

CREATE TABLE disposition_keeps (
  evidence_id INTEGER PRIMARY KEY REFERENCES evidence (evidence_id),
  until_at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  kept_utc TEXT NOT NULL,
  kept_by TEXT NOT NULL
) STRICT;

CREATE TABLE certificates (
  certificate_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  evidence_id INTEGER NOT NULL UNIQUE REFERENCES evidence (evidence_id),
  body BLOB NOT NULL,
  sha256 TEXT NOT NULL,
  signature BLOB NOT NULL,
  public_key BLOB NOT NULL,
  files INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  created_utc TEXT NOT NULL
) STRICT;

CREATE TABLE destroyed_blobs (
  sha256 TEXT PRIMARY KEY,
  certificate_id INTEGER NOT NULL REFERENCES certificates (certificate_id)
) STRICT;
`

export const triggers = `
${refuse('certificates_no_update', 'UPDATE ON certificates', 'TRUE', 'certificates are for ever')}
${refuse('certificates_no_delete', 'DELETE ON certificates', 'TRUE', 'certificates are for ever')}
CREATE TRIGGER watch_evidence_added AFTER INSERT ON evidence BEGIN INSERT INTO retention_watch (evidence_id, look_at) VALUES (NEW.evidence_id, 0); END;
${watch('watch_evidence', 'UPDATE OF category_id, source_id, device, end_ticks, lifecycle_state, deleted_utc, protected_ticks ON evidence', '= NEW.evidence_id')}
${watch('watch_upload_ended', "UPDATE OF state ON resources WHEN OLD.state = 'None'", '= NEW.evidence_id')}
${watch('watch_linked', 'INSERT ON case_links', '= NEW.evidence_id')}
${watch('watch_unlinked', 'DELETE ON case_links', '= OLD.evidence_id')}
${watch('watch_withdrawn', 'INSERT ON withdrawn_links', '= NEW.evidence_id')}
${watch('watch_withdrawn_settled', 'UPDATE ON withdrawn_links', '= NEW.evidence_id')}
${watch('watch_kept', 'INSERT ON disposition_keeps', '= NEW.evidence_id')}
${watch('watch_case', 'UPDATE OF state, lifecycle_state, category_id, closed_on, protected_ticks ON cases', 'IN (SELECT evidence_id FROM case_links WHERE case_id = NEW.case_id)')}
${watch('watch_left_queue', "UPDATE OF state ON disposition_files WHEN NEW.state = 'out'", '= NEW.evidence_id')}
${sweep('sweep_category', 'UPDATE OF retention_days ON categories WHEN NEW.retention_days IS NOT OLD.retention_days')}
${sweep('sweep_source_added', 'INSERT ON source_policies')}
${sweep('sweep_source_changed', 'UPDATE OF device_type, source_id, uploader, retention_days ON source_policies')}
${sweep('sweep_source_deleted', 'DELETE ON source_policies')}
${refuse('destroyed_evidence', 'UPDATE ON evidence', "OLD.lifecycle_state = 'Destroyed'", GONE)}
${refuse('destroyed_resource_added', 'INSERT ON resources', WAS_DESTROYED('NEW.evidence_id'), GONE)}
${refuse('destroyed_resource_filled', 'UPDATE OF sha256, thumbnail_sha256, name ON resources', `${WAS_DESTROYED('NEW.evidence_id')} AND (NEW.sha256 IS NOT NULL OR NEW.thumbnail_sha256 IS NOT NULL OR NEW.name <> '')`, GONE)}
${refuse('destroyed_view_added', 'INSERT ON resource_views', WAS_DESTROYED('(SELECT evidence_id FROM resources WHERE resource_id = NEW.resource_id)'), GONE)}
${refuse('destroyed_linked', 'INSERT ON case_links', WAS_DESTROYED('NEW.evidence_id'), GONE)}
${refuse('destroyed_granted', 'INSERT ON evidence_policies', WAS_DESTROYED('NEW.evidence_id'), GONE)}
`
