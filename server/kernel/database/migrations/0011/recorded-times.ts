import { allTimes, listTriggers } from '../0002-list.ts'
import { unnested } from './folding.ts'

/**
 * Who gave an evidence its time, what the dock measured of the camera's clock, and which files differ from the camera's own list (decisions
 * 13). The triggers of the list are made anew: the offset is added only to a time that nobody put right, and a file that differs from the
 * camera's list has a state of its own.
 */

const RULES = {
  uncorrected:
    'e.start_ticks IS NULL OR (f.start_ticks IS NOT NULL AND e.start_ticks = f.start_ticks AND e.start_source IS NULL)',
  differs: `
      WHEN EXISTS (SELECT 1 FROM resources WHERE evidence_id = e.evidence_id AND role = 'original' AND camera_sha256 <> sha256) THEN 'differs'`,
}

const triggers = unnested(listTriggers(RULES))
const names = [...triggers.matchAll(/^CREATE TRIGGER (\w+) /gm)].map(([, name]) => name)

/** Milliseconds since 1970 of a stored time. */
const millisOf = (column: string): string => `CAST(round(unixepoch(${column}, 'subsec') * 1000) AS INTEGER)`

export const sql = `
ALTER TABLE evidence ADD COLUMN start_source TEXT CHECK (start_source IN ('dock', 'person'));
ALTER TABLE evidence ADD COLUMN container_start_utc TEXT;
ALTER TABLE resources ADD COLUMN camera_sha256 TEXT;
ALTER TABLE dock_recordings ADD COLUMN offset_ms INTEGER;
ALTER TABLE dock_recordings ADD COLUMN uncertainty_ms INTEGER;
ALTER TABLE dock_files ADD COLUMN differs_from TEXT;
UPDATE dock_recordings SET (offset_ms, uncertainty_ms) = (
  SELECT json_extract(c.value, '$.camera.offsetMilliseconds'), CAST(ceil(json_extract(c.value, '$.camera.uncertaintyMilliseconds') + coalesce(json_extract(c.value, '$.station.errorMilliseconds'), 0)) AS INTEGER)
  FROM dock_sessions s, json_each(s.clock) c
  WHERE s.session_id = dock_recordings.session_id AND json_type(c.value, '$.camera') = 'object'
    AND abs(json_extract(c.value, '$.camera.offsetMilliseconds') - (${millisOf('dock_recordings.corrected_start_utc')} - ${millisOf('dock_recordings.start_utc')})) <= 1
  ORDER BY c.key DESC LIMIT 1
) WHERE start_utc IS NOT NULL AND corrected_start_utc IS NOT NULL;
UPDATE dock_files SET differs_from = claimed_sha256 WHERE outcome IN ('taken', 'here') AND claimed_sha256 <> sha256;
UPDATE resources SET camera_sha256 = (SELECT f.differs_from FROM dock_files f WHERE f.resource_id = resources.resource_id AND f.differs_from IS NOT NULL ORDER BY f.file_id DESC LIMIT 1)
  WHERE resource_id IN (SELECT resource_id FROM dock_files WHERE differs_from IS NOT NULL);
UPDATE dock_files SET differs_from = (SELECT camera_sha256 FROM resources r WHERE r.resource_id = dock_files.resource_id), may_be_cleared = 0
  WHERE outcome IN ('taken', 'here') AND resource_id IN (SELECT resource_id FROM resources WHERE camera_sha256 IS NOT NULL);
${names.map((name) => `DROP TRIGGER ${name};`).join('\n')}
${triggers}
${allTimes(RULES.uncorrected)}
UPDATE evidence_list SET status = 'differs' WHERE status NOT IN ('danger', 'open')
  AND evidence_id IN (SELECT evidence_id FROM resources WHERE role = 'original' AND camera_sha256 <> sha256);
`
