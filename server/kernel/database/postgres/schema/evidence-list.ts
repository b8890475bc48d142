/**
 * Keeps the index of the list of evidence (migrations/first-release/evidence-list.ts) on PostgreSQL. The functions are in PL/pgSQL, which plans
 * them once a session; those in SQL would be planned anew at each call.
 */
import { after, forEach } from './trigger.ts'

const FUNCTIONS = `
CREATE FUNCTION refresh_times(id bigint) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  UPDATE evidence_list SET (recorded_ticks, ended_ticks) = (
    SELECT coalesce(t.start_ticks, t.end_ticks, t.created_ticks), coalesce(t.end_ticks, t.start_ticks, t.created_ticks) FROM (
      SELECT coalesce(e.start_ticks, f.start_ticks) + coalesce(o.shift, 0) AS start_ticks,
        CASE WHEN e.start_ticks IS NULL AND f.start_ticks IS NOT NULL THEN coalesce(e.end_ticks, f.end_ticks) ELSE e.end_ticks END
          + coalesce(o.shift, 0) AS end_ticks,
        e.created_ticks
      FROM evidence e
      LEFT JOIN resources f ON f.resource_id = (SELECT min(resource_id) FROM resources WHERE evidence_id = e.evidence_id AND role = 'original')
      LEFT JOIN LATERAL (SELECT duration_ticks(f.time_offset) AS shift) o
        ON e.start_ticks IS NULL OR (f.start_ticks IS NOT NULL AND e.start_ticks = f.start_ticks AND e.start_source IS NULL)
      WHERE e.evidence_id = id) t
  ) WHERE evidence_id = id; END $$;

CREATE FUNCTION refresh_originals(id bigint) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  UPDATE evidence_list SET (length, originals, first_id, lead_id, type) = (
    SELECT coalesce(sum(r.length), 0)::bigint, count(*), min(r.resource_id),
      (SELECT l.resource_id FROM resources l WHERE l.evidence_id = id AND l.role = 'original' ORDER BY listed_type(l.sniffed_type), l.resource_id LIMIT 1),
      coalesce(min(listed_type(r.sniffed_type)), 6)
    FROM resources r WHERE r.evidence_id = id AND r.role = 'original'
  ) WHERE evidence_id = id; END $$;

CREATE FUNCTION refresh_status(id bigint) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  UPDATE evidence_list SET status = (
    SELECT CASE
      WHEN EXISTS (SELECT 1 FROM resources r WHERE r.evidence_id = e.evidence_id AND
        (SELECT result FROM fixity_checks c WHERE c.resource_id = r.resource_id ORDER BY check_id DESC LIMIT 1) <> 'matches') THEN 'danger'
      WHEN EXISTS (SELECT 1 FROM resources r WHERE r.evidence_id = id AND r.role = 'original' AND r.state = 'None')
        OR (e.state = 'None' AND NOT EXISTS (SELECT 1 FROM resources r WHERE r.evidence_id = id AND r.role = 'original')) THEN 'open'
      WHEN EXISTS (SELECT 1 FROM resources r WHERE r.evidence_id = id AND r.role = 'original' AND r.camera_sha256 <> r.sha256) THEN 'differs'
      WHEN w.work = 3 THEN 'working'
      WHEN w.work = 2 OR EXISTS (SELECT 1 FROM resources r WHERE r.evidence_id = id AND r.role = 'original' AND r.state = 'Failed') THEN 'attention'
      WHEN w.work = 1 THEN 'waiting'
      WHEN e.lifecycle_state = 'Protected' THEN 'sealed'
      ELSE 'verified' END
    FROM evidence e, (
      -- The latest job of each kind on a resource counts.
      SELECT max(CASE WHEN n.state = 'running' OR (n.state = 'queued' AND n.run_after = 0) THEN 3 WHEN n.state = 'failed' THEN 2
        WHEN n.state IN ('queued', 'waiting') THEN 1 ELSE 0 END) AS work
      FROM (SELECT DISTINCT ON (j.subject, j.kind) j.state, j.run_after FROM resources r
        JOIN jobs j ON j.subject = 'resource:' || r.resource_id
        WHERE r.evidence_id = id AND j.kind LIKE 'derive.%' ORDER BY j.subject, j.kind, j.job_id DESC) n) w
    WHERE e.evidence_id = id
  ) WHERE evidence_id = id; END $$;

CREATE FUNCTION refresh_words(id bigint) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO evidence_words (words_row, words)
  SELECT t.id, words_of(t.text || ' ' || replace(replace(t.text, '_', ' '), '%', ' '), '_%') FROM (
    SELECT e.evidence_id AS id, e.name || ' ' || coalesce(e.description, '') || ' '
      || coalesce((SELECT string_agg(tag, ' ') FROM evidence_tags g WHERE g.evidence_id = e.evidence_id), '') || ' '
      || coalesce((SELECT string_agg(r.name, ' ') FROM resources r WHERE r.evidence_id = e.evidence_id AND r.role = 'original'), '') AS text
    FROM evidence e WHERE e.evidence_id = refresh_words.id) t
  ON CONFLICT (words_row) DO UPDATE SET words = excluded.words; END $$;

CREATE FUNCTION refresh_listed(id bigint) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  PERFORM refresh_times(id), refresh_originals(id), refresh_status(id), refresh_words(id); END $$;
`

const ORIGINAL = "NEW.role = 'original'"
const OF_DERIVATION = "NEW.kind LIKE 'derive.%' AND NEW.subject LIKE 'resource:%'"
const OF_JOB = `PERFORM refresh_status((SELECT evidence_id FROM resources WHERE resource_id = CAST(substr(NEW.subject, 10) AS bigint)));`

export const EVIDENCE_LIST = [
  FUNCTIONS,
  after(
    'list_evidence_added',
    'INSERT',
    'evidence',
    `INSERT INTO evidence_list (evidence_id, tenant_id, created_ticks, name_key, state)
      VALUES (NEW.evidence_id, NEW.tenant_id, NEW.created_ticks, list_key_of(NEW.name), NEW.state);
    PERFORM refresh_listed(NEW.evidence_id);`,
  ),
  after(
    'list_evidence_changed',
    'UPDATE OF name, description, start_ticks, end_ticks, created_ticks, tenant_id',
    'evidence',
    `UPDATE evidence_list SET tenant_id = NEW.tenant_id, created_ticks = NEW.created_ticks, name_key = list_key_of(NEW.name)
      WHERE evidence_id = NEW.evidence_id;
    PERFORM refresh_times(NEW.evidence_id), refresh_words(NEW.evidence_id);`,
  ),
  after(
    'list_evidence_state',
    'UPDATE OF state, lifecycle_state',
    'evidence',
    'UPDATE evidence_list SET state = NEW.state WHERE evidence_id = NEW.evidence_id; PERFORM refresh_status(NEW.evidence_id);',
  ),
  after(
    'list_evidence_gone',
    'DELETE',
    'evidence',
    'DELETE FROM evidence_list WHERE evidence_id = OLD.evidence_id; DELETE FROM evidence_words WHERE words_row = OLD.evidence_id;',
  ),
  forEach('list_tag', 'UPDATE OF tag', 'evidence_tags', (row) => `PERFORM refresh_words(${row}.evidence_id);`),
  after('list_original_added', 'INSERT', 'resources', 'PERFORM refresh_listed(NEW.evidence_id);', ORIGINAL),
  after(
    'list_original_found',
    'UPDATE OF sniffed_type, length',
    'resources',
    'PERFORM refresh_originals(NEW.evidence_id);',
    ORIGINAL,
  ),
  after('list_original_state', 'UPDATE OF state', 'resources', 'PERFORM refresh_status(NEW.evidence_id);', ORIGINAL),
  after(
    'list_original_times',
    'UPDATE OF start_ticks, end_ticks, time_offset',
    'resources',
    'PERFORM refresh_times(NEW.evidence_id);',
    ORIGINAL,
  ),
  after('list_original_name', 'UPDATE OF name', 'resources', 'PERFORM refresh_words(NEW.evidence_id);', ORIGINAL),
  after('list_original_gone', 'DELETE', 'resources', 'PERFORM refresh_listed(OLD.evidence_id);'),
  after('list_job_added', 'INSERT', 'jobs', OF_JOB, OF_DERIVATION),
  after('list_job_changed', 'UPDATE OF state, run_after', 'jobs', OF_JOB, OF_DERIVATION),
  after(
    'list_checked',
    'INSERT',
    'fixity_checks',
    'PERFORM refresh_status((SELECT evidence_id FROM resources WHERE resource_id = NEW.resource_id));',
  ),
].join('\n')
