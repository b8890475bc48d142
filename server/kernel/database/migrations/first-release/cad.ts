/**
 * CAD push (decision 8). A delivery is the unchanged body of a request, stored before it is parsed. It has a message for each event.
 * `taken` is 0 for a delivery that is not processed yet; after a crash the station continues there.
 *
 * `cad_events` is the station's state of an event: `stated` has the last values of its messages, `written` those that the station wrote into
 * the case, `by_hand` the fields that a person changed since, which the station never changes again. `receipt` of a message is JSON
 * { changes: [{ field, before, after }], left: [field] }; null when it changed nothing. All states of a mapping are kept, so that it can be reset.
 *
 * `board_shifts` are the shifts of a tenant's day, for calls versus footage.
 */
export const tables = `
CREATE TABLE cad_deliveries (
  delivery_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  sent_by TEXT NOT NULL,
  source TEXT NOT NULL,
  correlation_id TEXT NOT NULL,
  batch INTEGER NOT NULL CHECK (batch IN (0, 1)),
  body BLOB NOT NULL,
  sha256 TEXT NOT NULL,
  received_utc TEXT NOT NULL,
  taken INTEGER NOT NULL DEFAULT 0 CHECK (taken IN (0, 1))
) STRICT;
CREATE INDEX cad_deliveries_left ON cad_deliveries (delivery_id) WHERE taken = 0;
CREATE INDEX cad_deliveries_by_time ON cad_deliveries (tenant_id, received_utc);
CREATE INDEX cad_deliveries_by_sender ON cad_deliveries (principal_id, delivery_id);

CREATE TABLE cad_events (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  event_id TEXT NOT NULL,
  case_id INTEGER NOT NULL UNIQUE REFERENCES cases (case_id),
  transaction_ticks INTEGER,
  stated TEXT NOT NULL,
  written TEXT NOT NULL,
  by_hand TEXT NOT NULL,
  PRIMARY KEY (tenant_id, event_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE cad_messages (
  message_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  delivery_id INTEGER NOT NULL REFERENCES cad_deliveries (delivery_id),
  position INTEGER,
  event_id TEXT,
  transaction_id TEXT,
  state TEXT NOT NULL CHECK (state IN ('applied', 'repeated', 'older', 'review', 'unreadable')),
  reason TEXT,
  problems TEXT NOT NULL,
  case_id INTEGER REFERENCES cases (case_id),
  attempts INTEGER NOT NULL,
  tried_utc TEXT NOT NULL,
  receipt TEXT
) STRICT;
CREATE INDEX cad_messages_of_delivery ON cad_messages (delivery_id, position);
CREATE INDEX cad_messages_by_state ON cad_messages (tenant_id, state, message_id);
CREATE INDEX cad_messages_applied ON cad_messages (tenant_id, event_id, transaction_id) WHERE state = 'applied' AND transaction_id IS NOT NULL;
CREATE INDEX cad_messages_of_case ON cad_messages (case_id, message_id) WHERE case_id IS NOT NULL;

CREATE TABLE cad_mappings (
  tenant_id TEXT PRIMARY KEY REFERENCES tenants (tenant_id),
  mapping TEXT NOT NULL,
  concurrency_id TEXT NOT NULL,
  modified_utc TEXT NOT NULL,
  modified_by TEXT NOT NULL
) STRICT;

CREATE TABLE cad_mapping_versions (
  version_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  mapping TEXT NOT NULL,
  concurrency_id TEXT NOT NULL,
  modified_utc TEXT NOT NULL,
  modified_by TEXT NOT NULL
) STRICT;
CREATE INDEX cad_mapping_versions_of ON cad_mapping_versions (tenant_id, version_id);

CREATE TABLE board_shifts (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  start_minute INTEGER NOT NULL CHECK (start_minute BETWEEN 0 AND 1439),
  name TEXT NOT NULL,
  PRIMARY KEY (tenant_id, start_minute)
) STRICT, WITHOUT ROWID;
`
