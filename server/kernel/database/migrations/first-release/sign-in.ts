/**
 * Sessions, failed sign-ins, second steps, passkeys, and programs that people authorised. Times are milliseconds since 1970.
 * Codes and tokens are stored as SHA-256 only: each has 80 or more random bits, so it cannot be found from its hash. The seed of a second step must
 * be readable, so it is sealed by the station's secrets key, which is not in the database (promise S3). Passkeys are stored as public keys only.
 * `credential_id` and `user_handle` are base64url as browsers send them.
 * Wrong passwords are counted by account and address. `account` is the hash of a typed name, which need not exist; `source` is an IPv4 address
 * or an IPv6 network of 64 bits.
 */
export const tables = `
CREATE TABLE sessions (
  session_id INTEGER PRIMARY KEY AUTOINCREMENT,
  token_hash TEXT NOT NULL UNIQUE,
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  source TEXT NOT NULL,
  notice TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  active_at INTEGER NOT NULL,
  locked_at INTEGER,
  ended_at INTEGER
) STRICT;
CREATE INDEX sessions_by_principal ON sessions (principal_id, session_id);

CREATE TABLE sign_in_failures (
  subject TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  locked_until INTEGER
) STRICT;

CREATE TABLE familiar_sources (
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id) ON DELETE CASCADE,
  source TEXT NOT NULL,
  used_at INTEGER NOT NULL,
  PRIMARY KEY (principal_id, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE unfamiliar_failures (
  account TEXT NOT NULL,
  source TEXT NOT NULL,
  failed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX unfamiliar_failures_by_account ON unfamiliar_failures (account, failed_at);
CREATE INDEX unfamiliar_failures_by_time ON unfamiliar_failures (failed_at);

CREATE TABLE account_locks (
  account TEXT PRIMARY KEY,
  principal_id INTEGER REFERENCES principals (principal_id) ON DELETE CASCADE,
  locked_until INTEGER,
  lock_outs INTEGER NOT NULL,
  last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

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

CREATE TABLE passkeys (
  passkey_id INTEGER PRIMARY KEY AUTOINCREMENT,
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  rp_id TEXT NOT NULL,
  credential_id TEXT NOT NULL UNIQUE,
  user_handle TEXT NOT NULL,
  public_key BLOB NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  synced INTEGER NOT NULL CHECK (synced IN (0, 1)),
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX passkeys_by_principal ON passkeys (principal_id, passkey_id);
`

export const triggers = `
CREATE TRIGGER sessions_sign_in AFTER INSERT ON sessions BEGIN UPDATE principals SET last_sign_in_at = NEW.created_at WHERE principal_id = NEW.principal_id; END;
`
