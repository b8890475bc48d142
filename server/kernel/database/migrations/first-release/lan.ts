/**
 * The choices for the LAN in one row, and the CA and certificate that the ledger has recorded. Their keys are in keys/, never here. `port` is null
 * for the default. Times are milliseconds since 1970.
 */
export const tables = `
CREATE TABLE lan (
  lan_id INTEGER PRIMARY KEY CHECK (lan_id = 1),
  enabled INTEGER NOT NULL DEFAULT 0 CHECK (enabled IN (0, 1)),
  port INTEGER CHECK (port BETWEEN 1 AND 65535),
  names TEXT NOT NULL DEFAULT '[]',
  allowed TEXT NOT NULL DEFAULT '[]',
  authority_sha256 TEXT,
  certificate_sha256 TEXT,
  replaced_sha256 TEXT,
  replaced_at INTEGER
) STRICT;
INSERT INTO lan (lan_id) VALUES (1);
`
