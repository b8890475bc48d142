/** Alarms of a kind more: a folder that is watched and is not there. SQLite changes no check of a table that stands. */
export const sql = `
CREATE TABLE alarms_of_nine (
  alarm_id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('changed', 'missing', 'untracked', 'ledger', 'checkpoint', 'backup', 'source')),
  subject TEXT NOT NULL,
  message TEXT NOT NULL,
  detail TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  acknowledged_at INTEGER,
  acknowledged_by TEXT,
  reason TEXT
) STRICT;
INSERT INTO alarms_of_nine
  (alarm_id, kind, subject, message, detail, raised_at, acknowledged_at, acknowledged_by, reason)
  SELECT alarm_id, kind, subject, message, detail, raised_at, acknowledged_at, acknowledged_by, reason FROM alarms;
DROP TABLE alarms;
ALTER TABLE alarms_of_nine RENAME TO alarms;
CREATE UNIQUE INDEX alarms_open ON alarms (kind, subject) WHERE acknowledged_at IS NULL;
CREATE INDEX alarms_of ON alarms (kind, subject, alarm_id);
`
