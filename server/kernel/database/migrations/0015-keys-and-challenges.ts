/**
 * The keys of a headquarters, wrapped (docs/decisions/0028); a station keeps its keys in files, and its table is empty. Challenges of
 * passkeys that were used (docs/decisions/0025). Times named `…_at` are milliseconds since 1970.
 */
export const version = 15
export const name = 'keys-and-challenges'
export const sql = `
CREATE TABLE wrapped_keys (
  name TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  wrapped_by TEXT NOT NULL,
  wrapped TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE used_challenges (
  challenge_hash TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX used_challenges_by_end ON used_challenges (expires_at);
`
