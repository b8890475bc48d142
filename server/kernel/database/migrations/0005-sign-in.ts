/**
 * Programs that people let work in their name, and the second step at sign-in. Times are milliseconds since 1970. Of codes and tokens
 * only the SHA-256 is kept: each is 80 or more random bits, so nobody finds one by its hash. The seed of a second step has to be read
 * again; it is sealed by the station's secrets key, which is not in the database (promise S3).
 */
export const version = 5
export const name = 'sign-in'

const NOW = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`

export const sql = `
CREATE TABLE token_families (
  family_id INTEGER PRIMARY KEY AUTOINCREMENT,
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  client_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX token_families_open ON token_families (principal_id) WHERE ended_at IS NULL;
CREATE INDEX token_families_by_use ON token_families (used_at);

CREATE TABLE refresh_tokens (
  token_hash TEXT PRIMARY KEY,
  family_id INTEGER NOT NULL REFERENCES token_families (family_id) ON DELETE CASCADE,
  used_at INTEGER
) STRICT;
CREATE INDEX refresh_tokens_by_family ON refresh_tokens (family_id);

CREATE TABLE authorization_codes (
  code_hash TEXT PRIMARY KEY,
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  client_id TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  challenge TEXT NOT NULL,
  scope TEXT NOT NULL,
  nonce TEXT,
  signed_in_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER,
  family_id INTEGER REFERENCES token_families (family_id) ON DELETE SET NULL
) STRICT;
CREATE INDEX authorization_codes_by_family ON authorization_codes (family_id);
CREATE INDEX authorization_codes_by_age ON authorization_codes (created_at);

CREATE TRIGGER principals_account AFTER UPDATE OF enabled, password_hash ON principals WHEN NEW.enabled = 0 OR NEW.password_hash IS NOT OLD.password_hash BEGIN UPDATE token_families SET ended_at = ${NOW} WHERE principal_id = NEW.principal_id AND ended_at IS NULL; UPDATE authorization_codes SET used_at = ${NOW} WHERE principal_id = NEW.principal_id AND used_at IS NULL; END;

CREATE TABLE second_steps (
  principal_id INTEGER PRIMARY KEY REFERENCES principals (principal_id),
  sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  confirmed_at INTEGER,
  last_step INTEGER NOT NULL
) STRICT;

CREATE TABLE recovery_codes (
  principal_id INTEGER NOT NULL REFERENCES second_steps (principal_id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL,
  used_at INTEGER,
  PRIMARY KEY (principal_id, code_hash)
) STRICT;
`
