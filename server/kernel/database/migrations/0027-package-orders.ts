/** How a package that was ordered in the window leaves the station: on a drive, or in an encrypted container (docs/decisions/0034). */
export const version = 27
export const name = 'orders of packages'
/** It only adds a table. */
export const oldestProgram = 16
export const sql = `
CREATE TABLE package_orders (
  package_id INTEGER NOT NULL PRIMARY KEY REFERENCES packages (package_id),
  encrypted INTEGER NOT NULL CHECK (encrypted IN (0, 1)),
  drive TEXT
) STRICT, WITHOUT ROWID;
`
