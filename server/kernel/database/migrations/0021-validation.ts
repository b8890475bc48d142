/** The alarm kind `validation` (promise C7). `alarms` is made anew for its CHECK; no other table refers to it. */
export const version = 21
export const name = 'validation'
/** It only adds a kind. */
export const oldestProgram = 16
export const sql = `
CREATE TABLE alarms_new (
  alarm_id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('changed', 'missing', 'untracked', 'ledger', 'checkpoint', 'backup', 'source', 'forwarding', 'validation')),
  subject TEXT NOT NULL,
  message TEXT NOT NULL,
  detail TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  acknowledged_at INTEGER,
  acknowledged_by TEXT,
  reason TEXT
) STRICT;
INSERT INTO alarms_new SELECT alarm_id, kind, subject, message, detail, raised_at, acknowledged_at, acknowledged_by, reason FROM alarms;
DROP TABLE alarms;
ALTER TABLE alarms_new RENAME TO alarms;
CREATE UNIQUE INDEX alarms_open ON alarms (kind, subject) WHERE acknowledged_at IS NULL;
CREATE INDEX alarms_of ON alarms (kind, subject, alarm_id);
`
