/**
 * Notices, which combine repeated events, and each person's choices of delivery.
 */
export const tables = `
CREATE TABLE notices (
  notice_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  kind TEXT NOT NULL,
  message TEXT NOT NULL,
  object_type TEXT NOT NULL,
  object_id TEXT NOT NULL,
  created_utc TEXT NOT NULL,
  created_by TEXT NOT NULL,
  seen_utc TEXT,
  count INTEGER NOT NULL DEFAULT 1,
  first_utc TEXT,
  act TEXT
) STRICT;
CREATE INDEX notices_by_principal ON notices (principal_id, notice_id);
CREATE INDEX notices_unseen ON notices (principal_id, notice_id) WHERE seen_utc IS NULL;
CREATE INDEX notices_by_object ON notices (object_id, kind, principal_id, notice_id);
CREATE INDEX notices_seen ON notices (seen_utc) WHERE seen_utc IS NOT NULL;

CREATE TABLE notice_choices (
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  kind TEXT NOT NULL,
  way TEXT NOT NULL CHECK (way IN ('none', 'app', 'system')),
  PRIMARY KEY (principal_id, kind)
) STRICT, WITHOUT ROWID;
`
