/**
 * What the dock knows of the parts of a recording, of what was only recognised and of second copies. `known_by` says of a file that is `here`
 * how that was found out; `resumed_from` is the byte at which a copy went on after a pull. `settled` is set when the marks of a recording
 * became bookmarks and its parts have their times.
 */
export const sql = `
ALTER TABLE dock_sessions ADD COLUMN second_copy TEXT;
ALTER TABLE dock_recordings ADD COLUMN rule TEXT;
ALTER TABLE dock_recordings ADD COLUMN settled INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1));
ALTER TABLE dock_files ADD COLUMN part INTEGER;
ALTER TABLE dock_files ADD COLUMN start_utc TEXT;
ALTER TABLE dock_files ADD COLUMN end_utc TEXT;
ALTER TABLE dock_files ADD COLUMN known_by TEXT CHECK (known_by IN ('hash', 'name'));
ALTER TABLE dock_files ADD COLUMN resumed_from INTEGER;
ALTER TABLE dock_files ADD COLUMN second_at INTEGER;
ALTER TABLE dock_files ADD COLUMN second_read_back TEXT CHECK (second_read_back IN ('direct', 'cache'));
`
