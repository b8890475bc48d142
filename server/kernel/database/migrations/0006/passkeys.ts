/**
 * Passkeys (WebAuthn): of each only the public key, so nothing here lets anybody in. `credential_id` and `user_handle` are base64url as
 * browsers send them. And who has to choose another password before anything else, because somebody else chose the one they have.
 */
export const sql = `
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
ALTER TABLE principals ADD COLUMN password_due INTEGER NOT NULL DEFAULT 0 CHECK (password_due IN (0, 1));
`
