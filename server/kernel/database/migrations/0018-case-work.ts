/**
 * What people agree on around a case: its tasks, and requests for access to it (docs/decisions/0032); and saved searches that tell of what is new
 * (docs/decisions/0007).
 */
export const version = 18
export const name = 'case work'
/** It only adds tables. */
export const oldestProgram = 16
export const sql = `
CREATE TABLE case_tasks (
  task_id INTEGER PRIMARY KEY AUTOINCREMENT,
  case_id INTEGER NOT NULL REFERENCES cases (case_id),
  title TEXT NOT NULL,
  due_date TEXT,
  assignee_id INTEGER REFERENCES principals (principal_id),
  done_utc TEXT,
  done_by TEXT,
  reminded_date TEXT,
  author_id INTEGER NOT NULL REFERENCES principals (principal_id),
  created_utc TEXT NOT NULL,
  created_by TEXT NOT NULL,
  modified_utc TEXT NOT NULL,
  modified_by TEXT NOT NULL,
  edits INTEGER NOT NULL,
  concurrency_id TEXT NOT NULL,
  deleted_utc TEXT,
  CHECK ((done_utc IS NULL) = (done_by IS NULL))
) STRICT;
CREATE INDEX case_tasks_by_case ON case_tasks (case_id, task_id) WHERE deleted_utc IS NULL;
CREATE INDEX case_tasks_by_assignee ON case_tasks (assignee_id, due_date) WHERE deleted_utc IS NULL AND done_utc IS NULL;
CREATE INDEX case_tasks_by_due_date ON case_tasks (due_date) WHERE deleted_utc IS NULL AND done_utc IS NULL;

CREATE TABLE access_requests (
  request_id INTEGER PRIMARY KEY AUTOINCREMENT,
  case_id INTEGER NOT NULL REFERENCES cases (case_id),
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  level TEXT NOT NULL CHECK (level IN ('View', 'Download', 'Edit')),
  reason TEXT NOT NULL,
  requested_utc TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('Open', 'Granted', 'Declined', 'Withdrawn')),
  decided_utc TEXT,
  decided_by TEXT,
  message TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX access_requests_open ON access_requests (case_id, principal_id) WHERE state = 'Open';
CREATE INDEX access_requests_by_principal ON access_requests (principal_id, request_id);

CREATE TABLE search_subscriptions (
  saved_search_id INTEGER PRIMARY KEY REFERENCES saved_searches (saved_search_id),
  known TEXT,
  looked_utc TEXT
) STRICT;
`
