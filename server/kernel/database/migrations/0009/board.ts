/** Calls versus footage: where the day of this tenant is split into shifts, and what finds the dockings of a camera and what failed in them. */
export const sql = `
CREATE TABLE board_shifts (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  start_minute INTEGER NOT NULL CHECK (start_minute BETWEEN 0 AND 1439),
  name TEXT NOT NULL,
  PRIMARY KEY (tenant_id, start_minute)
) STRICT, WITHOUT ROWID;
CREATE INDEX dock_sessions_of_device ON dock_sessions (device_id, detected_at) WHERE device_id IS NOT NULL;
CREATE INDEX dock_files_failed ON dock_files (session_id, path_key) WHERE outcome IN ('failed', 'gone');
`
