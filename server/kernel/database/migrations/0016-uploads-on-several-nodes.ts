/**
 * What several nodes must know of uploads and blobs in an object store: which upload is being completed, and which blobs are being removed.
 * Times named `…_at` are milliseconds since 1970.
 */
export const version = 16
export const name = 'uploads on several nodes'
export const sql = `
CREATE TABLE upload_completions (
  resource_id INTEGER PRIMARY KEY REFERENCES uploads (resource_id),
  node_id TEXT NOT NULL,
  token TEXT NOT NULL,
  held_at INTEGER NOT NULL
) STRICT;

CREATE TABLE blob_removals (
  sha256 TEXT PRIMARY KEY,
  times INTEGER NOT NULL,
  pending INTEGER NOT NULL CHECK (pending IN (0, 1)),
  begun_at INTEGER NOT NULL
) STRICT;
`
