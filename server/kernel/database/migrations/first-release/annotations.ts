/**
 * Bookmarks and notes on evidence and cases. Captions are resources and have no table here.
 */
export const tables = `
CREATE TABLE bookmarks (
  bookmark_id INTEGER PRIMARY KEY AUTOINCREMENT,
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  resource_id INTEGER NOT NULL REFERENCES resources (resource_id),
  start_seconds REAL NOT NULL,
  end_seconds REAL,
  title TEXT NOT NULL,
  text TEXT,
  state TEXT CHECK (state IN ('ok', 'waiting', 'attention', 'danger')),
  author_id INTEGER NOT NULL REFERENCES principals (principal_id),
  created_utc TEXT NOT NULL,
  created_by TEXT NOT NULL,
  modified_utc TEXT NOT NULL,
  modified_by TEXT NOT NULL,
  edits INTEGER NOT NULL,
  concurrency_id TEXT NOT NULL,
  deleted_utc TEXT
) STRICT;
CREATE INDEX bookmarks_by_evidence ON bookmarks (evidence_id, start_seconds, bookmark_id) WHERE deleted_utc IS NULL;
CREATE INDEX bookmarks_by_resource ON bookmarks (resource_id);

CREATE TABLE notes (
  note_id INTEGER PRIMARY KEY AUTOINCREMENT,
  evidence_id INTEGER REFERENCES evidence (evidence_id),
  case_id INTEGER REFERENCES cases (case_id),
  text TEXT NOT NULL,
  author_id INTEGER NOT NULL REFERENCES principals (principal_id),
  created_utc TEXT NOT NULL,
  created_by TEXT NOT NULL,
  modified_utc TEXT NOT NULL,
  modified_by TEXT NOT NULL,
  edits INTEGER NOT NULL,
  concurrency_id TEXT NOT NULL,
  deleted_utc TEXT,
  CHECK ((evidence_id IS NULL) <> (case_id IS NULL))
) STRICT;
CREATE INDEX notes_by_evidence ON notes (evidence_id, note_id) WHERE deleted_utc IS NULL;
CREATE INDEX notes_by_case ON notes (case_id, note_id) WHERE deleted_utc IS NULL;
`
