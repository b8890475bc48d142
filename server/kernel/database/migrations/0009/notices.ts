/** Notices that gather what happens several times, and how each person wants to hear of which. */
export const sql = `
ALTER TABLE notices ADD COLUMN count INTEGER NOT NULL DEFAULT 1;
ALTER TABLE notices ADD COLUMN first_utc TEXT;
ALTER TABLE notices ADD COLUMN act TEXT;
CREATE INDEX notices_by_object ON notices (object_id, kind, principal_id, notice_id);
CREATE INDEX notices_seen ON notices (seen_utc) WHERE seen_utc IS NOT NULL;

CREATE TABLE notice_choices (
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  kind TEXT NOT NULL,
  way TEXT NOT NULL CHECK (way IN ('none', 'app', 'system')),
  PRIMARY KEY (principal_id, kind)
) STRICT, WITHOUT ROWID;
`
