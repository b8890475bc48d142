/**
 * Sessions of cameras in their bays (decision 5). A session, its recordings and its files are rows as soon as they are known, so that a station
 * can continue from any state after a crash.
 * - `camera_key` identifies a camera again: by its device, or by the volume when the device is unknown.
 * - `round` counts the dockings. A file that was read in an earlier round is read again before it is cleared.
 * - `known_by` says how a file that is `here` was recognised; `resumed_from` is the byte at which a copy was resumed after a pull.
 * - `settled` is set when the marks of a recording became bookmarks and its parts have their times.
 * - `offset_ms` and `uncertainty_ms` are measured from the camera's clock; `differs_from` is the hash in the camera's own list, if it differs
 *   from that of the file.
 * - `dock_bays` has the numbers of bays, which people paint on the wall. A bay gets its number at first use and keeps it.
 */
export const tables = `
CREATE TABLE dock_sessions (
  session_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  volume_id TEXT NOT NULL,
  camera_key TEXT NOT NULL,
  bay TEXT NOT NULL,
  label TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('detected', 'identified', 'negotiated', 'listed', 'copying', 'verifying', 'committed', 'cleared', 'released', 'failed', 'pulled', 'resumed', 'refused')),
  before TEXT,
  reason TEXT,
  round INTEGER NOT NULL DEFAULT 1,
  ended INTEGER NOT NULL DEFAULT 0 CHECK (ended IN (0, 1)),
  device_id TEXT,
  device TEXT,
  profile TEXT,
  notes TEXT,
  clock TEXT,
  configuration TEXT,
  clear_rule TEXT NOT NULL,
  detected_at INTEGER NOT NULL,
  first_byte_at INTEGER,
  last_byte_at INTEGER,
  committed_at INTEGER,
  released_at INTEGER,
  receipt BLOB,
  receipt_sha256 TEXT,
  receipt_signature BLOB,
  receipt_key BLOB,
  second_copy TEXT
) STRICT;
CREATE INDEX dock_sessions_of_camera ON dock_sessions (tenant_id, camera_key, session_id);
CREATE INDEX dock_sessions_open ON dock_sessions (session_id) WHERE ended = 0;
CREATE INDEX dock_sessions_of_device ON dock_sessions (device_id, detected_at) WHERE device_id IS NOT NULL;

CREATE TABLE dock_recordings (
  recording_id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id INTEGER NOT NULL REFERENCES dock_sessions (session_id),
  recording_key TEXT NOT NULL,
  name TEXT NOT NULL,
  start_utc TEXT,
  end_utc TEXT,
  corrected_start_utc TEXT,
  corrected_end_utc TEXT,
  officer TEXT,
  marks TEXT NOT NULL,
  location_wkt TEXT,
  evidence_id INTEGER REFERENCES evidence (evidence_id),
  rule TEXT,
  settled INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1)),
  offset_ms INTEGER,
  uncertainty_ms INTEGER,
  UNIQUE (session_id, recording_key)
) STRICT;
CREATE INDEX dock_recordings_of_evidence ON dock_recordings (evidence_id) WHERE evidence_id IS NOT NULL;

CREATE TABLE dock_files (
  file_id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id INTEGER NOT NULL REFERENCES dock_sessions (session_id),
  recording_id INTEGER REFERENCES dock_recordings (recording_id),
  path_key TEXT NOT NULL,
  path TEXT NOT NULL,
  location BLOB NOT NULL,
  length INTEGER NOT NULL,
  modified_ns TEXT NOT NULL,
  may_be_cleared INTEGER NOT NULL CHECK (may_be_cleared IN (0, 1)),
  round INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('listed', 'taken', 'here', 'foreign', 'failed', 'gone')),
  reason TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  resource_id INTEGER REFERENCES resources (resource_id),
  sha256 TEXT,
  claimed_sha256 TEXT,
  read_back TEXT CHECK (read_back IN ('direct', 'cache')),
  ledger_seq INTEGER,
  verified_at INTEGER,
  clearing TEXT NOT NULL DEFAULT 'no' CHECK (clearing IN ('no', 'kept', 'begun', 'cleared')),
  clearing_reason TEXT,
  part INTEGER,
  start_utc TEXT,
  end_utc TEXT,
  known_by TEXT CHECK (known_by IN ('hash', 'name')),
  resumed_from INTEGER,
  second_at INTEGER,
  second_read_back TEXT CHECK (second_read_back IN ('direct', 'cache')),
  differs_from TEXT,
  UNIQUE (session_id, path_key),
  CHECK ((outcome IN ('taken', 'here')) = (sha256 IS NOT NULL AND resource_id IS NOT NULL AND ledger_seq IS NOT NULL))
) STRICT;
CREATE INDEX dock_files_left ON dock_files (session_id, file_id) WHERE outcome = 'listed';
CREATE INDEX dock_files_known ON dock_files (path_key, length) WHERE outcome IN ('taken', 'here');
CREATE INDEX dock_files_failed ON dock_files (session_id, path_key) WHERE outcome IN ('failed', 'gone');

CREATE TABLE dock_bays (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  place TEXT NOT NULL,
  number INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, place),
  UNIQUE (tenant_id, number)
) STRICT, WITHOUT ROWID;
`
