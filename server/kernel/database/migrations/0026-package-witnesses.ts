/** Who outside the station vouches for a package, as the ledger says it (docs/decisions/0034, 0038). */
export const version = 26
export const name = 'witnesses of packages'
/** It only adds a table. */
export const oldestProgram = 16
export const sql = `
CREATE TABLE package_witnesses (
  package_id INTEGER NOT NULL REFERENCES packages (package_id),
  kind TEXT NOT NULL CHECK (kind IN ('timestamp', 'signature', 'cosignature')),
  said TEXT NOT NULL,
  is_beside INTEGER NOT NULL CHECK (is_beside IN (0, 1)),
  PRIMARY KEY (package_id, kind)
) STRICT, WITHOUT ROWID;
`
