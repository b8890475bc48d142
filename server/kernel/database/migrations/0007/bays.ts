/** Bays have numbers, which people paint on the wall: one is given when a bay is first used, and stays with it. */
export const sql = `
CREATE TABLE dock_bays (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  place TEXT NOT NULL,
  number INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, place),
  UNIQUE (tenant_id, number)
) STRICT, WITHOUT ROWID;
`
