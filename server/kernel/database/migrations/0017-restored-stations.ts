/**
 * What headquarters must know of a station that was restored: the checkpoint that was refused last, where an administrator accepted that its
 * ledger goes on from an older head, and the keys by which its older custody records are signed (docs/decisions/0021).
 */
export const version = 17
export const name = 'restored stations'
/** It only adds tables. */
export const oldestProgram = 16
export const sql = `
CREATE TABLE refused_checkpoints (
  origin TEXT PRIMARY KEY REFERENCES received_checkpoints (origin),
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  source TEXT NOT NULL,
  public_key TEXT NOT NULL,
  same_key INTEGER NOT NULL CHECK (same_key IN (0, 1)),
  size INTEGER NOT NULL,
  root BLOB NOT NULL,
  note TEXT NOT NULL,
  known_size INTEGER NOT NULL,
  known_root BLOB NOT NULL,
  reason TEXT NOT NULL,
  refused_utc TEXT NOT NULL
) STRICT;

CREATE TABLE retired_station_keys (
  origin TEXT NOT NULL REFERENCES received_checkpoints (origin),
  public_key TEXT NOT NULL,
  retired_utc TEXT NOT NULL,
  PRIMARY KEY (origin, public_key)
) STRICT;

CREATE TABLE station_branches (
  origin TEXT NOT NULL REFERENCES received_checkpoints (origin),
  branch INTEGER NOT NULL,
  size INTEGER NOT NULL,
  root BLOB NOT NULL,
  note TEXT NOT NULL,
  received_utc TEXT NOT NULL,
  next_size INTEGER NOT NULL,
  next_root BLOB NOT NULL,
  next_note TEXT NOT NULL,
  presented_utc TEXT NOT NULL,
  accepted_utc TEXT NOT NULL,
  accepted_by TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (origin, branch)
) STRICT;
`
