/** Links by which somebody without an account looks at evidence (docs/decisions/0037). */
export const version = 24
export const name = 'share links'
/** It only adds tables. */
export const oldestProgram = 16
export const sql = `
CREATE TABLE share_links (
  link_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  mode TEXT NOT NULL CHECK (mode IN ('view', 'download')),
  recipient_name TEXT NOT NULL,
  recipient_organisation TEXT NOT NULL,
  note TEXT NOT NULL,
  made_utc TEXT NOT NULL,
  made_by INTEGER NOT NULL REFERENCES principals (principal_id),
  made_by_then TEXT NOT NULL,
  expires_utc TEXT NOT NULL,
  token_sha256 TEXT NOT NULL UNIQUE,
  code_hash TEXT NOT NULL,
  wrong_codes INTEGER NOT NULL,
  locked_utc TEXT,
  recalled_utc TEXT,
  recalled_by TEXT,
  recall_reason TEXT NOT NULL,
  CHECK ((recalled_utc IS NULL) = (recalled_by IS NULL))
) STRICT;
CREATE INDEX share_links_by_maker ON share_links (made_by, link_id);

CREATE TABLE share_link_items (
  link_id INTEGER NOT NULL REFERENCES share_links (link_id),
  item INTEGER NOT NULL,
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  resource_id INTEGER NOT NULL REFERENCES resources (resource_id),
  PRIMARY KEY (link_id, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX share_link_items_by_evidence ON share_link_items (evidence_id, link_id);
CREATE INDEX share_link_items_by_resource ON share_link_items (resource_id);

CREATE TABLE share_link_sessions (
  token_sha256 TEXT NOT NULL PRIMARY KEY,
  link_id INTEGER NOT NULL REFERENCES share_links (link_id),
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX share_link_sessions_by_link ON share_link_sessions (link_id);

CREATE TABLE share_link_views (
  token_sha256 TEXT NOT NULL REFERENCES share_link_sessions (token_sha256),
  item INTEGER NOT NULL,
  PRIMARY KEY (token_sha256, item)
) STRICT, WITHOUT ROWID;
`
