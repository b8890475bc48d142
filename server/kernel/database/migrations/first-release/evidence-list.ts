/**
 * The index of the list of evidence. The list sorts and filters by columns of several tables, and SQLite has no index across tables. This one
 * has a row and the search words of each evidence. Triggers update both in the transaction of the change.
 *
 * Most evidence lasts less than a day, so it begins within a day before any time that it overlaps. Longer evidence has a separate index. A query
 * for a month then reads only that month, not everything that began before its end.
 */
import { foldedWithMarks } from './folding.ts'

const DAY_TICKS = 864_000_000_000

const typeOf = (sniffed: string): string =>
  `CASE WHEN ${sniffed} IS NULL THEN 6 WHEN ${sniffed} LIKE 'video/%' THEN 0 WHEN ${sniffed} LIKE 'audio/%' THEN 1
    WHEN ${sniffed} LIKE 'image/%' THEN 2 WHEN ${sniffed} = 'application/pdf' THEN 3 WHEN ${sniffed} LIKE 'text/%' THEN 4 ELSE 5 END`

/** An ISO 8601 duration of days, hours, minutes and seconds, in ticks. A number is read up to the letter behind it. */
const ticksOf = (duration: string): string => {
  const behind = (...letters: string[]): string =>
    letters.length === 1
      ? `instr(${duration},'${letters[0]}')`
      : `max(${letters.map((one) => `instr(${duration},'${one}')`).join(',')})`
  const part = (letter: string, from: string): string =>
    `CASE WHEN instr(${duration},'${letter}') > 0 THEN CAST(substr(${duration}, ${from} + 1) AS REAL) ELSE 0 END`
  return `(CASE WHEN ${duration} LIKE '-%' THEN -1 ELSE 1 END * CAST(round(10000000.0 * (
    86400 * ${part('D', behind('P'))} + 3600 * ${part('H', behind('T'))} + 60 * ${part('M', behind('T', 'H'))} + ${part('S', behind('T', 'H', 'M'))})) AS INTEGER))`
}

const ORIGINALS = (id: string): string => `FROM resources WHERE evidence_id = ${id} AND role = 'original'`

/**
 * The corrected recording time: the camera's time plus the offset of the first original. The offset is added only to the camera's own time. A time
 * that the dock, a person or a client gave the evidence is used without it.
 */
const TIMES = `
  SELECT e.evidence_id AS id,
    coalesce(e.start_ticks, f.start_ticks) + coalesce(o.shift, 0) AS start_ticks,
    CASE WHEN e.start_ticks IS NULL AND f.start_ticks IS NOT NULL THEN coalesce(e.end_ticks, f.end_ticks) ELSE e.end_ticks END + coalesce(o.shift, 0) AS end_ticks,
    e.created_ticks
  FROM evidence e
  LEFT JOIN resources f ON f.resource_id = (SELECT min(resource_id) ${ORIGINALS('e.evidence_id')})
  LEFT JOIN (SELECT resource_id, ${ticksOf('time_offset')} AS shift FROM resources WHERE time_offset IS NOT NULL) o
    ON o.resource_id = f.resource_id AND (e.start_ticks IS NULL OR (f.start_ticks IS NOT NULL AND e.start_ticks = f.start_ticks AND e.start_source IS NULL))`

export const refreshTimes = (id: string): string => `
  UPDATE evidence_list SET (recorded_ticks, ended_ticks) = (
    SELECT coalesce(start_ticks, end_ticks, created_ticks), coalesce(end_ticks, start_ticks, created_ticks) FROM (${TIMES} WHERE e.evidence_id = ${id})
  ) WHERE evidence_id = ${id};`

/** Of several originals, the one whose type comes first in the order of `typeOf` counts. */
export const refreshOriginals = (id: string): string => `
  UPDATE evidence_list SET (length, originals, first_id, lead_id, type) = (
    SELECT coalesce(sum(length), 0), count(*), min(resource_id),
      (SELECT resource_id ${ORIGINALS(id)} ORDER BY ${typeOf('sniffed_type')}, resource_id LIMIT 1),
      coalesce(min(${typeOf('sniffed_type')}), 6)
    ${ORIGINALS(id)}
  ) WHERE evidence_id = ${id};`

/** The latest job of each kind on a resource counts. */
const WORK = (id: string): string => `
  (SELECT max(CASE WHEN state = 'running' OR (state = 'queued' AND run_after = 0) THEN 3 WHEN state = 'failed' THEN 2
      WHEN state IN ('queued', 'waiting') THEN 1 ELSE 0 END)
    FROM (SELECT j.state, j.run_after, max(j.job_id) FROM resources r
      JOIN jobs j ON j.subject = 'resource:' || r.resource_id
      WHERE r.evidence_id = ${id} AND j.kind LIKE 'derive.%' GROUP BY j.subject, j.kind))`

/** The most serious state counts. A file that differs from the camera's own list has a state of its own. */
export const refreshStatus = (id: string): string => `
  UPDATE evidence_list SET status = (
    SELECT CASE
      WHEN EXISTS (SELECT 1 FROM resources r WHERE r.evidence_id = e.evidence_id AND
        (SELECT result FROM fixity_checks c WHERE c.resource_id = r.resource_id ORDER BY check_id DESC LIMIT 1) <> 'matches') THEN 'danger'
      WHEN EXISTS (SELECT 1 ${ORIGINALS('e.evidence_id')} AND state = 'None')
        OR (e.state = 'None' AND NOT EXISTS (SELECT 1 ${ORIGINALS('e.evidence_id')})) THEN 'open'
      WHEN EXISTS (SELECT 1 FROM resources WHERE evidence_id = e.evidence_id AND role = 'original' AND camera_sha256 <> sha256) THEN 'differs'
      WHEN work = 3 THEN 'working'
      WHEN work = 2 OR EXISTS (SELECT 1 ${ORIGINALS('e.evidence_id')} AND state = 'Failed') THEN 'attention'
      WHEN work = 1 THEN 'waiting'
      WHEN e.lifecycle_state = 'Protected' THEN 'sealed'
      ELSE 'verified' END
    FROM evidence e, (SELECT ${WORK(id)} AS work) WHERE e.evidence_id = ${id}
  ) WHERE evidence_id = ${id};`

/** Words with joining characters are indexed twice, whole and in parts. */
export const WORDS = `
  SELECT id, text || ' ' || replace(replace(text, '_', ' '), '%', ' ') AS words FROM (
    SELECT e.evidence_id AS id, e.name || ' ' || coalesce(e.description, '') || ' '
      || coalesce((SELECT group_concat(tag, ' ') FROM evidence_tags t WHERE t.evidence_id = e.evidence_id), '') || ' '
      || coalesce((SELECT group_concat(name, ' ') ${ORIGINALS('e.evidence_id')}), '') AS text
    FROM evidence e)`
const refreshWords = (id: string): string =>
  `INSERT OR REPLACE INTO evidence_words (rowid, words) SELECT id, words FROM (${WORDS}) WHERE id = ${id};`

const OF_JOB = `(SELECT evidence_id FROM resources WHERE resource_id = CAST(substr(new.subject, 10) AS INTEGER))`
const OF_CHECK = `(SELECT evidence_id FROM resources WHERE resource_id = new.resource_id)`
const trigger = (name: string, event: string, statements: string): string =>
  `CREATE TRIGGER ${name} AFTER ${event} BEGIN ${statements.replaceAll(/\s+/g, ' ')} END;\n`
export const newRow = (where: string): string => `
  INSERT INTO evidence_list (evidence_id, tenant_id, created_ticks, name_key, state)
  SELECT evidence_id, tenant_id, created_ticks, ${foldedWithMarks('name')}, state FROM evidence ${where};`

const refreshAll = (id: string): string =>
  [refreshTimes, refreshOriginals, refreshStatus, refreshWords].map((refresh) => refresh(id)).join('')

export const tables = `
CREATE TABLE evidence_list (
  evidence_id INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  created_ticks INTEGER NOT NULL,
  recorded_ticks INTEGER NOT NULL DEFAULT 0,
  ended_ticks INTEGER NOT NULL DEFAULT 0,
  name_key TEXT NOT NULL,
  state TEXT NOT NULL,
  type INTEGER NOT NULL DEFAULT 6,
  length INTEGER NOT NULL DEFAULT 0,
  originals INTEGER NOT NULL DEFAULT 0,
  first_id INTEGER,
  lead_id INTEGER,
  status TEXT NOT NULL DEFAULT 'open'
) STRICT;
CREATE INDEX evidence_list_by_creation ON evidence_list (tenant_id, created_ticks, evidence_id);
CREATE INDEX evidence_list_by_recording ON evidence_list (tenant_id, recorded_ticks, evidence_id, ended_ticks);
CREATE INDEX evidence_list_by_name ON evidence_list (tenant_id, name_key, evidence_id);
CREATE INDEX evidence_list_by_length ON evidence_list (tenant_id, length, evidence_id);
CREATE INDEX evidence_list_by_type ON evidence_list (tenant_id, type, evidence_id);
CREATE INDEX evidence_list_by_status ON evidence_list (tenant_id, status, evidence_id);
CREATE INDEX evidence_list_long ON evidence_list (tenant_id, recorded_ticks, ended_ticks) WHERE ended_ticks - recorded_ticks > ${DAY_TICKS};

CREATE VIRTUAL TABLE evidence_words USING fts5 (
  words, content = '', contentless_delete = 1, prefix = '1 2 3', tokenize = "unicode61 remove_diacritics 2 tokenchars '_%'"
);
`

export const triggers = `
${trigger('list_evidence_added', 'INSERT ON evidence', newRow('WHERE evidence_id = new.evidence_id') + refreshAll('new.evidence_id'))}
${trigger(
  'list_evidence_changed',
  'UPDATE OF name, description, start_ticks, end_ticks, created_ticks, tenant_id ON evidence',
  `UPDATE evidence_list SET (tenant_id, created_ticks, name_key) = (new.tenant_id, new.created_ticks, ${foldedWithMarks('new.name')}) WHERE evidence_id = new.evidence_id;
  ${refreshTimes('new.evidence_id')}${refreshWords('new.evidence_id')}`,
)}
${trigger('list_evidence_state', 'UPDATE OF state, lifecycle_state ON evidence', `UPDATE evidence_list SET state = new.state WHERE evidence_id = new.evidence_id; ${refreshStatus('new.evidence_id')}`)}
${trigger('list_evidence_gone', 'DELETE ON evidence', 'DELETE FROM evidence_list WHERE evidence_id = old.evidence_id; DELETE FROM evidence_words WHERE rowid = old.evidence_id;')}
${['INSERT', 'UPDATE OF tag', 'DELETE']
  .map((event, index) => {
    const row = event === 'DELETE' ? 'old' : 'new'
    return trigger(`list_tag_${index + 1}`, `${event} ON evidence_tags`, refreshWords(`${row}.evidence_id`))
  })
  .join('')}
${trigger('list_original_added', "INSERT ON resources WHEN new.role = 'original'", refreshAll('new.evidence_id'))}
${trigger('list_original_found', "UPDATE OF sniffed_type, length ON resources WHEN new.role = 'original'", refreshOriginals('new.evidence_id'))}
${trigger('list_original_state', "UPDATE OF state ON resources WHEN new.role = 'original'", refreshStatus('new.evidence_id'))}
${trigger('list_original_times', "UPDATE OF start_ticks, end_ticks, time_offset ON resources WHEN new.role = 'original'", refreshTimes('new.evidence_id'))}
${trigger('list_original_name', "UPDATE OF name ON resources WHEN new.role = 'original'", refreshWords('new.evidence_id'))}
${trigger('list_original_gone', 'DELETE ON resources', refreshAll('old.evidence_id'))}
${trigger('list_job_added', "INSERT ON jobs WHEN new.kind LIKE 'derive.%' AND new.subject LIKE 'resource:%'", refreshStatus(OF_JOB))}
${trigger('list_job_changed', "UPDATE OF state, run_after ON jobs WHEN new.kind LIKE 'derive.%' AND new.subject LIKE 'resource:%'", refreshStatus(OF_JOB))}
${trigger('list_checked', 'INSERT ON fixity_checks', refreshStatus(OF_CHECK))}
`
