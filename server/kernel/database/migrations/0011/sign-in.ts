/**
 * Wrong passwords are counted by account and address (decisions 13). `account` is the hash of a typed name, which need not exist;
 * `source` is an IPv4 address or an IPv6 network of 64 bits. Times are milliseconds since 1970. A lock that stood under the rule before
 * becomes a lock for all unfamiliar addresses. Addresses of sessions that are open now are familiar from the beginning.
 */
export const sql = `
CREATE TABLE familiar_sources (
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id) ON DELETE CASCADE,
  source TEXT NOT NULL,
  used_at INTEGER NOT NULL,
  PRIMARY KEY (principal_id, source)
) STRICT, WITHOUT ROWID;
INSERT INTO familiar_sources SELECT principal_id, source, max(created_at) FROM sessions WHERE ended_at IS NULL AND source GLOB '[0-9]*.[0-9]*.[0-9]*.[0-9]*' GROUP BY principal_id, source;

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
INSERT INTO account_locks SELECT subject, NULL, locked_until, 1, last_at FROM sign_in_failures WHERE subject LIKE 'account %' AND locked_until IS NOT NULL;
DELETE FROM sign_in_failures WHERE subject LIKE 'account %';
`
