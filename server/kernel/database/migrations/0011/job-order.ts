/**
 * Jobs run by their order: posters of all new evidence before the long conversions of one, newest evidence first. The index holds open jobs
 * alone, so that finding the next one reads one row however many wait.
 */
export const sql = `
ALTER TABLE jobs ADD COLUMN run_order INTEGER NOT NULL DEFAULT 0;
CREATE INDEX jobs_in_order ON jobs (run_order, job_id) WHERE state IN ('queued', 'waiting');
`
