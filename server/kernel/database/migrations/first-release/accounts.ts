/**
 * People, groups and services, memberships, and the keys of services.
 * `search_key` is the search text of people. `since_at` (milliseconds since 1970) is the begin of a membership, which the approval of destructions
 * checks. The trigger ends the authorisations of programs for an account that is disabled or gets another password.
 */
const NOW = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`

export const tables = `
CREATE TABLE tenants (
  tenant_id TEXT PRIMARY KEY,
  name_key TEXT NOT NULL UNIQUE,
  created_utc TEXT NOT NULL
) STRICT;

CREATE TABLE principals (
  principal_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  kind TEXT NOT NULL CHECK (kind IN ('user', 'group', 'service')),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  k_id TEXT NOT NULL,
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  badge TEXT NOT NULL DEFAULT '',
  email TEXT NOT NULL DEFAULT '',
  guest INTEGER NOT NULL DEFAULT 0,
  built_in INTEGER NOT NULL DEFAULT 0,
  enabled INTEGER NOT NULL DEFAULT 1,
  password_hash TEXT,
  base_url TEXT,
  created_utc TEXT NOT NULL,
  created_by TEXT NOT NULL,
  search_key TEXT NOT NULL DEFAULT '',
  last_sign_in_at INTEGER,
  deleted_utc TEXT,
  password_due INTEGER NOT NULL DEFAULT 0 CHECK (password_due IN (0, 1)),
  UNIQUE (tenant_id, kind, name_key)
) STRICT;

CREATE TABLE memberships (
  group_id INTEGER NOT NULL REFERENCES principals (principal_id),
  member_id INTEGER NOT NULL REFERENCES principals (principal_id),
  since_at INTEGER,
  PRIMARY KEY (group_id, member_id)
) STRICT;
CREATE INDEX memberships_by_member ON memberships (member_id, group_id);

CREATE TABLE policy_members (
  policy TEXT NOT NULL,
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  level TEXT,
  since_at INTEGER,
  PRIMARY KEY (policy, principal_id)
) STRICT;

CREATE TABLE service_keys (
  service_key_id INTEGER PRIMARY KEY AUTOINCREMENT,
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  thumbprint TEXT NOT NULL,
  jwk TEXT NOT NULL,
  not_before_utc TEXT,
  expires_utc TEXT,
  created_utc TEXT NOT NULL,
  revoked_utc TEXT
) STRICT;

CREATE TABLE api_keys (
  api_key_id INTEGER PRIMARY KEY AUTOINCREMENT,
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  key_hash TEXT NOT NULL UNIQUE,
  created_utc TEXT NOT NULL,
  revoked_utc TEXT,
  expires_utc TEXT,
  name TEXT NOT NULL DEFAULT '',
  last_used_utc TEXT
) STRICT;

CREATE TABLE service_origins (
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  origin TEXT NOT NULL,
  PRIMARY KEY (principal_id, origin)
) STRICT, WITHOUT ROWID;

CREATE TABLE used_assertions (
  client_id TEXT NOT NULL,
  assertion_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (client_id, assertion_id)
) STRICT;
CREATE INDEX used_assertions_by_expiry ON used_assertions (expires_at);
`

export const triggers = `
CREATE TRIGGER principals_account AFTER UPDATE OF enabled, password_hash ON principals WHEN NEW.enabled = 0 OR NEW.password_hash IS NOT OLD.password_hash BEGIN UPDATE token_families SET ended_at = ${NOW} WHERE principal_id = NEW.principal_id AND ended_at IS NULL; UPDATE authorization_codes SET used_at = ${NOW} WHERE principal_id = NEW.principal_id AND used_at IS NULL; END;
`
