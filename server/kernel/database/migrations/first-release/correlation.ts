/**
 * The correlation engine (decision 8). Every change that may affect the match of a recording and a call adds a row to `correlation_pending` in
 * the same transaction, by triggers. The engine checks the rows and removes them together with its decision.
 *
 * `correlation_recordings` has the corrected times of recordings as last computed, by which the engine finds the recordings of a call.
 * `correlation_links` has the reason of each automatic link. Of a rejected link only the rejection stays.
 */
/** Not OR IGNORE, since the conflict clause of the outer statement would apply here instead. */
const touch = (name: string, event: string, what: 'case' | 'evidence' | 'device', ids: string): string =>
  `CREATE TRIGGER correlate_${name} AFTER ${event} BEGIN INSERT INTO correlation_pending (what, object_id) SELECT DISTINCT '${what}', CAST(id AS TEXT) FROM (${ids}) WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM correlation_pending WHERE what = '${what}' AND object_id = CAST(id AS TEXT)); END;`
const RECORDED = (id: string): string => `SELECT evidence_id AS id FROM evidence_recordings WHERE evidence_id = ${id}`

export const tables = `
CREATE TABLE correlation_pending (
  what TEXT NOT NULL CHECK (what IN ('case', 'evidence', 'device')),
  object_id TEXT NOT NULL,
  PRIMARY KEY (what, object_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE correlation_recordings (
  evidence_id INTEGER PRIMARY KEY REFERENCES evidence (evidence_id),
  device_id TEXT NOT NULL,
  recorded_ms INTEGER NOT NULL,
  from_ms INTEGER NOT NULL,
  to_ms INTEGER NOT NULL,
  offset_ms INTEGER,
  uncertainty_ms INTEGER,
  latitude REAL,
  longitude REAL,
  names TEXT NOT NULL
) STRICT;
CREATE INDEX correlation_recordings_of_device ON correlation_recordings (device_id, from_ms);
CREATE INDEX correlation_recordings_by_time ON correlation_recordings (from_ms);

CREATE TABLE correlation_links (
  case_id INTEGER NOT NULL REFERENCES cases (case_id),
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  rule TEXT NOT NULL,
  overlap_ms INTEGER NOT NULL,
  offset_ms INTEGER,
  uncertainty_ms INTEGER,
  confidence TEXT NOT NULL CHECK (confidence IN ('High', 'Medium', 'Low')),
  facts TEXT NOT NULL,
  judged_utc TEXT NOT NULL,
  PRIMARY KEY (case_id, evidence_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX correlation_links_by_evidence ON correlation_links (evidence_id);

CREATE TABLE correlation_refusals (
  case_id INTEGER NOT NULL REFERENCES cases (case_id),
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  reason TEXT NOT NULL,
  refused_utc TEXT NOT NULL,
  refused_by TEXT NOT NULL,
  PRIMARY KEY (case_id, evidence_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX correlation_refusals_by_evidence ON correlation_refusals (evidence_id);

CREATE TABLE correlation_reviews (
  review_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  case_id INTEGER NOT NULL REFERENCES cases (case_id),
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  act TEXT NOT NULL CHECK (act IN ('Link', 'Withdraw')),
  because TEXT NOT NULL,
  facts TEXT NOT NULL,
  created_utc TEXT NOT NULL,
  ended_utc TEXT,
  ended_by TEXT,
  ended_reason TEXT
) STRICT;
CREATE UNIQUE INDEX correlation_reviews_open ON correlation_reviews (evidence_id, case_id) WHERE ended_utc IS NULL;
CREATE INDEX correlation_reviews_listed ON correlation_reviews (tenant_id, review_id) WHERE ended_utc IS NULL;
CREATE INDEX correlation_reviews_of_case ON correlation_reviews (case_id, evidence_id);

CREATE TABLE correlation_rules (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  rule TEXT NOT NULL CHECK (rule IN ('place', 'number')),
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  radius_metres INTEGER,
  modified_utc TEXT NOT NULL,
  modified_by TEXT NOT NULL,
  PRIMARY KEY (tenant_id, rule)
) STRICT, WITHOUT ROWID;
`

export const triggers = `
CREATE TRIGGER correlation_recording_gone AFTER DELETE ON evidence_recordings BEGIN DELETE FROM correlation_recordings WHERE evidence_id = OLD.evidence_id; END;
${touch('case_made', 'INSERT ON cases WHEN NEW.occurred_ticks IS NOT NULL', 'case', 'SELECT NEW.case_id AS id')}
${touch('case_changed', 'UPDATE OF occurred_ticks, ended_ticks, state, lifecycle_state, location_wkt, external_reference_2 ON cases WHEN NEW.occurred_ticks IS NOT OLD.occurred_ticks OR NEW.ended_ticks IS NOT OLD.ended_ticks OR NEW.state <> OLD.state OR NEW.lifecycle_state <> OLD.lifecycle_state OR NEW.location_wkt IS NOT OLD.location_wkt OR NEW.external_reference_2 IS NOT OLD.external_reference_2', 'case', 'SELECT NEW.case_id AS id')}
${touch('assigned', 'INSERT ON case_personnel', 'case', 'SELECT NEW.case_id AS id')}
${touch('unassigned', 'DELETE ON case_personnel', 'case', 'SELECT OLD.case_id AS id')}
${touch('recorded', 'INSERT ON evidence_recordings', 'evidence', 'SELECT NEW.evidence_id AS id')}
${touch('evidence_changed', 'UPDATE OF lifecycle_state ON evidence WHEN NEW.lifecycle_state <> OLD.lifecycle_state', 'evidence', RECORDED('NEW.evidence_id'))}
${touch('resource_added', "INSERT ON resources WHEN NEW.role = 'original'", 'evidence', RECORDED('NEW.evidence_id'))}
${touch('resource_changed', "UPDATE OF start_ticks, end_ticks, time_offset, media, state ON resources WHEN NEW.role = 'original'", 'evidence', RECORDED('NEW.evidence_id'))}
${touch('dock_recording', 'UPDATE OF corrected_start_utc, corrected_end_utc, start_utc, end_utc, marks, location_wkt, evidence_id ON dock_recordings', 'evidence', 'SELECT NEW.evidence_id AS id')}
${touch('clock_statement', 'UPDATE OF clock ON dock_sessions WHEN NEW.clock IS NOT OLD.clock', 'evidence', 'SELECT evidence_id AS id FROM dock_recordings WHERE session_id = NEW.session_id')}
${touch('associated', 'INSERT ON device_associations', 'device', 'SELECT NEW.device_id AS id')}
${touch('association_changed', 'UPDATE ON device_associations', 'device', 'SELECT NEW.device_id AS id')}
${touch('association_removed', 'DELETE ON device_associations', 'device', 'SELECT OLD.device_id AS id')}
${touch('access_given', 'INSERT ON device_accesses', 'device', 'SELECT NEW.device_id AS id')}
${touch('access_taken', 'DELETE ON device_accesses', 'device', 'SELECT OLD.device_id AS id')}
${touch('active', 'INSERT ON device_activity', 'device', 'SELECT NEW.device_id AS id')}
${touch('active_changed', 'UPDATE ON device_activity', 'device', 'SELECT NEW.device_id AS id')}
${touch('rule_set', 'INSERT ON correlation_rules', 'case', 'SELECT case_id AS id FROM cases WHERE tenant_id = NEW.tenant_id AND occurred_ticks IS NOT NULL')}
${touch('rule_changed', 'UPDATE ON correlation_rules', 'case', 'SELECT case_id AS id FROM cases WHERE tenant_id = NEW.tenant_id AND occurred_ticks IS NOT NULL')}
`
