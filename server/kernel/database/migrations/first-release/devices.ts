/**
 * Devices (decision 5). `sealed`, `desired`, `effective` and `offered` are sealed by the station's secrets key: credentials and
 * configurations are never stored in the clear. A credential is found by a keyed fingerprint. Of a failed one only this stays.
 *
 * `device_activity` and `device_accesses` are half-open periods of ticks. The second one has the recordings to which an association gives access.
 * After a change of its past this is less than the period of the association, until another person confirms the change.
 *
 * `evidence_recordings` is written when the evidence is created, or when its recording time is read from its own bytes. Edits of a time do not
 * change it; otherwise people with Edit could choose the officer who gets access.
 */
export const tables = `
CREATE TABLE devices (
  device_id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  serial_number TEXT NOT NULL,
  manufacturer TEXT NOT NULL,
  model TEXT,
  common_name TEXT,
  device_type TEXT NOT NULL,
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  capabilities TEXT,
  desired TEXT,
  effective TEXT,
  effective_utc TEXT,
  last_seen_utc TEXT,
  search_key TEXT NOT NULL,
  created_utc TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX devices_by_serial ON devices (tenant_id, serial_number, device_id);
CREATE INDEX devices_active ON devices (tenant_id) WHERE active = 1;

CREATE TABLE device_activity (
  device_id TEXT NOT NULL REFERENCES devices (device_id),
  from_ticks INTEGER NOT NULL,
  to_ticks INTEGER,
  PRIMARY KEY (device_id, from_ticks)
) STRICT, WITHOUT ROWID;

CREATE TABLE device_credentials (
  credential_id INTEGER PRIMARY KEY AUTOINCREMENT,
  device_id TEXT NOT NULL REFERENCES devices (device_id),
  fingerprint TEXT NOT NULL,
  sealed TEXT,
  state TEXT NOT NULL CHECK (state IN ('Pending', 'Current', 'Failed')),
  added_utc TEXT NOT NULL,
  UNIQUE (device_id, fingerprint),
  CHECK ((state = 'Failed') = (sealed IS NULL))
) STRICT;

CREATE TABLE device_transactions (
  transaction_id TEXT PRIMARY KEY,
  device_id TEXT NOT NULL REFERENCES devices (device_id),
  number INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('Open', 'Committed', 'Rejected', 'Superseded', 'Expired')),
  offered TEXT,
  created_utc TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_utc TEXT,
  reason_code TEXT,
  reason_message TEXT,
  CHECK ((state = 'Open') = (offered IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX device_transactions_newest ON device_transactions (device_id, number);
CREATE UNIQUE INDEX device_transactions_open ON device_transactions (device_id) WHERE state = 'Open';

CREATE TABLE device_type_configurations (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  device_type TEXT NOT NULL,
  sealed TEXT NOT NULL,
  modified_utc TEXT NOT NULL,
  modified_by TEXT NOT NULL,
  PRIMARY KEY (tenant_id, device_type)
) STRICT, WITHOUT ROWID;

CREATE TABLE device_associations (
  association_id INTEGER PRIMARY KEY AUTOINCREMENT,
  device_id TEXT NOT NULL REFERENCES devices (device_id),
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  from_utc TEXT NOT NULL,
  from_ticks INTEGER NOT NULL,
  to_utc TEXT,
  to_ticks INTEGER,
  makers TEXT NOT NULL,
  created_utc TEXT NOT NULL,
  created_by TEXT NOT NULL,
  confirmed_utc TEXT,
  confirmed_by TEXT
) STRICT;
CREATE INDEX device_associations_by_device ON device_associations (device_id, from_ticks);
CREATE INDEX device_associations_by_principal ON device_associations (principal_id, device_id);

CREATE TABLE device_accesses (
  association_id INTEGER NOT NULL REFERENCES device_associations (association_id) ON DELETE CASCADE,
  from_ticks INTEGER NOT NULL,
  to_ticks INTEGER,
  device_id TEXT NOT NULL,
  principal_id INTEGER NOT NULL,
  PRIMARY KEY (association_id, from_ticks)
) STRICT, WITHOUT ROWID;
CREATE INDEX device_accesses_by_principal ON device_accesses (principal_id, device_id);

CREATE TABLE evidence_recordings (
  evidence_id INTEGER PRIMARY KEY REFERENCES evidence (evidence_id),
  device_id TEXT NOT NULL,
  recorded_ticks INTEGER NOT NULL
) STRICT;
CREATE INDEX evidence_recordings_by_device ON evidence_recordings (device_id, recorded_ticks);

`

export const triggers = `
CREATE TRIGGER evidence_recordings_destroyed AFTER UPDATE OF lifecycle_state ON evidence WHEN NEW.lifecycle_state = 'Destroyed' BEGIN DELETE FROM evidence_recordings WHERE evidence_id = NEW.evidence_id; END;
`
