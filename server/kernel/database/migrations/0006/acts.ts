/** What is done with whole evidence and files: protection, the recycle bin, encrypted uploads. */
export const sql = `
ALTER TABLE evidence ADD COLUMN protected_until TEXT;
ALTER TABLE evidence ADD COLUMN protected_ticks INTEGER;
ALTER TABLE evidence ADD COLUMN deleted_with_case INTEGER REFERENCES cases (case_id);
ALTER TABLE evidence ADD COLUMN unfinished INTEGER NOT NULL DEFAULT 0;
CREATE INDEX evidence_protected ON evidence (protected_ticks) WHERE protected_ticks IS NOT NULL;
CREATE INDEX evidence_deleted ON evidence (evidence_id) WHERE lifecycle_state = 'Deleted';
CREATE INDEX evidence_deleted_with_case ON evidence (deleted_with_case) WHERE deleted_with_case IS NOT NULL;
CREATE INDEX evidence_unfinished ON evidence (evidence_id) WHERE unfinished = 1;
UPDATE evidence SET unfinished = 1 WHERE EXISTS (
  SELECT 1 FROM versions v WHERE v.entity = 'evidence' AND v.entity_id = evidence.evidence_id
    AND v.action = 'evidence.completed' AND json_extract(v.author, '$.kind') = 'internal'
);
`
