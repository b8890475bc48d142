/** Triggers of people, cases, the ledger, retention and correlation on PostgreSQL; see the areas in migrations/first-release. */
import { after, differs, refuse } from './trigger.ts'

const OF_PEOPLE = [
  after(
    'principals_account',
    'UPDATE OF enabled, password_hash',
    'principals',
    `UPDATE token_families SET ended_at = millis_now() WHERE principal_id = NEW.principal_id AND ended_at IS NULL;
    UPDATE authorization_codes SET used_at = millis_now() WHERE principal_id = NEW.principal_id AND used_at IS NULL;`,
    'NEW.enabled = 0 OR NEW.password_hash IS DISTINCT FROM OLD.password_hash',
  ),
  after(
    'sessions_sign_in',
    'INSERT',
    'sessions',
    'UPDATE principals SET last_sign_in_at = NEW.created_at WHERE principal_id = NEW.principal_id;',
  ),
]

/** See migrations/first-release/cases.ts (decisions 19). */
const linkChange = (name: string, event: 'INSERT' | 'DELETE', row: 'NEW' | 'OLD', change: 1 | -1): string => {
  const pair = `case_id = ${row}.case_id AND evidence_id = ${row}.evidence_id`
  const number = `(SELECT coalesce(max(number), 0) + 1 FROM versions WHERE entity = 'case' AND entity_id = ${row}.case_id)`
  return after(
    name,
    event,
    'case_links',
    `INSERT INTO case_link_changes AS c (case_id, number, evidence_id, change) VALUES (${row}.case_id, ${number}, ${row}.evidence_id, ${change})
      ON CONFLICT (case_id, number, evidence_id) DO UPDATE SET change = c.change + excluded.change;
    DELETE FROM case_link_changes WHERE ${pair} AND number = ${number} AND change = 0;`,
    `NOT EXISTS (SELECT 1 FROM case_links WHERE ${pair} AND kind <> ${row}.kind)`,
  )
}

const EVERY_CHANGE = 'UPDATE OR DELETE'
const appendOnly = (table: string, why: string): string => refuse(`${table}_append_only`, EVERY_CHANGE, table, '', why)
const NEVER_EMPTIED = ['ledger', 'checkpoints', 'certificates'].map(
  (table) => `
CREATE FUNCTION on_${table}_truncate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '${table} is append-only'; END $$;
CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table} EXECUTE FUNCTION on_${table}_truncate();`,
)

const watch = (name: string, event: string, table: string, which: string, when = ''): string =>
  after(name, event, table, `UPDATE retention_watch SET look_at = 0 WHERE evidence_id ${which};`, when)
const sweep = (name: string, event: string, when = ''): string => {
  const [what, table] = event.split(' ON ') as [string, string]
  return after(
    name,
    what,
    table,
    "INSERT INTO station (name, value) VALUES ('retention-sweep', '0') ON CONFLICT (name) DO UPDATE SET value = excluded.value;",
    when,
  )
}
const GONE = 'this evidence was destroyed'
const wasDestroyed = (id: string): string =>
  `(SELECT lifecycle_state FROM evidence WHERE evidence_id = ${id}) = 'Destroyed'`

const RETENTION = [
  after(
    'watch_evidence_added',
    'INSERT',
    'evidence',
    'INSERT INTO retention_watch (evidence_id, look_at) VALUES (NEW.evidence_id, 0);',
  ),
  watch(
    'watch_evidence',
    'UPDATE OF category_id, source_id, device, end_ticks, lifecycle_state, deleted_utc, protected_ticks',
    'evidence',
    '= NEW.evidence_id',
  ),
  watch('watch_upload_ended', 'UPDATE OF state', 'resources', '= NEW.evidence_id', "OLD.state = 'None'"),
  watch('watch_linked', 'INSERT', 'case_links', '= NEW.evidence_id'),
  watch('watch_unlinked', 'DELETE', 'case_links', '= OLD.evidence_id'),
  watch('watch_withdrawn', 'INSERT', 'withdrawn_links', '= NEW.evidence_id'),
  watch('watch_withdrawn_settled', 'UPDATE', 'withdrawn_links', '= NEW.evidence_id'),
  watch('watch_kept', 'INSERT', 'disposition_keeps', '= NEW.evidence_id'),
  watch(
    'watch_case',
    'UPDATE OF state, lifecycle_state, category_id, closed_on, protected_ticks',
    'cases',
    'IN (SELECT evidence_id FROM case_links WHERE case_id = NEW.case_id)',
  ),
  watch('watch_left_queue', 'UPDATE OF state', 'disposition_files', '= NEW.evidence_id', "NEW.state = 'out'"),
  sweep(
    'sweep_category',
    'UPDATE OF retention_days ON categories',
    'NEW.retention_days IS DISTINCT FROM OLD.retention_days',
  ),
  sweep('sweep_source_added', 'INSERT ON source_policies'),
  sweep('sweep_source_changed', 'UPDATE OF device_type, source_id, uploader, retention_days ON source_policies'),
  sweep('sweep_source_deleted', 'DELETE ON source_policies'),
  refuse('destroyed_evidence', 'UPDATE', 'evidence', "OLD.lifecycle_state = 'Destroyed'", GONE),
  refuse('destroyed_resource_added', 'INSERT', 'resources', wasDestroyed('NEW.evidence_id'), GONE),
  refuse(
    'destroyed_resource_filled',
    'UPDATE OF sha256, thumbnail_sha256, name',
    'resources',
    `${wasDestroyed('NEW.evidence_id')} AND (NEW.sha256 IS NOT NULL OR NEW.thumbnail_sha256 IS NOT NULL OR NEW.name <> '')`,
    GONE,
  ),
  refuse(
    'destroyed_view_added',
    'INSERT',
    'resource_views',
    wasDestroyed('(SELECT evidence_id FROM resources WHERE resource_id = NEW.resource_id)'),
    GONE,
  ),
  refuse('destroyed_linked', 'INSERT', 'case_links', wasDestroyed('NEW.evidence_id'), GONE),
  refuse('destroyed_granted', 'INSERT', 'evidence_policies', wasDestroyed('NEW.evidence_id'), GONE),
  after(
    'evidence_recordings_destroyed',
    'UPDATE OF lifecycle_state',
    'evidence',
    'DELETE FROM evidence_recordings WHERE evidence_id = NEW.evidence_id;',
    "NEW.lifecycle_state = 'Destroyed'",
  ),
]

const touch = (name: string, event: string, what: 'case' | 'evidence' | 'device', ids: string, when = ''): string => {
  const [change, table] = event.split(' ON ') as [string, string]
  return after(
    `correlate_${name}`,
    change,
    table,
    `INSERT INTO correlation_pending (what, object_id) SELECT DISTINCT '${what}', CAST(t.id AS text) FROM (${ids}) t WHERE t.id IS NOT NULL ON CONFLICT DO NOTHING;`,
    when,
  )
}
const recorded = (id: string): string => `SELECT evidence_id AS id FROM evidence_recordings WHERE evidence_id = ${id}`
const CHANGED_CASE = [
  'occurred_ticks',
  'ended_ticks',
  'state',
  'lifecycle_state',
  'location_wkt',
  'external_reference_2',
]
const CALLS_OF_TENANT = 'SELECT case_id AS id FROM cases WHERE tenant_id = NEW.tenant_id AND occurred_ticks IS NOT NULL'

const CORRELATION = [
  after(
    'correlation_recording_gone',
    'DELETE',
    'evidence_recordings',
    'DELETE FROM correlation_recordings WHERE evidence_id = OLD.evidence_id;',
  ),
  touch('case_made', 'INSERT ON cases', 'case', 'SELECT NEW.case_id AS id', 'NEW.occurred_ticks IS NOT NULL'),
  touch(
    'case_changed',
    `UPDATE OF ${CHANGED_CASE.join(', ')} ON cases`,
    'case',
    'SELECT NEW.case_id AS id',
    differs(CHANGED_CASE),
  ),
  touch('assigned', 'INSERT ON case_personnel', 'case', 'SELECT NEW.case_id AS id'),
  touch('unassigned', 'DELETE ON case_personnel', 'case', 'SELECT OLD.case_id AS id'),
  touch('recorded', 'INSERT ON evidence_recordings', 'evidence', 'SELECT NEW.evidence_id AS id'),
  touch(
    'evidence_changed',
    'UPDATE OF lifecycle_state ON evidence',
    'evidence',
    recorded('NEW.evidence_id'),
    'NEW.lifecycle_state <> OLD.lifecycle_state',
  ),
  touch('resource_added', 'INSERT ON resources', 'evidence', recorded('NEW.evidence_id'), "NEW.role = 'original'"),
  touch(
    'resource_changed',
    'UPDATE OF start_ticks, end_ticks, time_offset, media, state ON resources',
    'evidence',
    recorded('NEW.evidence_id'),
    "NEW.role = 'original'",
  ),
  touch(
    'dock_recording',
    'UPDATE OF corrected_start_utc, corrected_end_utc, start_utc, end_utc, marks, location_wkt, evidence_id ON dock_recordings',
    'evidence',
    'SELECT NEW.evidence_id AS id',
  ),
  touch(
    'clock_statement',
    'UPDATE OF clock ON dock_sessions',
    'evidence',
    'SELECT evidence_id AS id FROM dock_recordings WHERE session_id = NEW.session_id',
    'NEW.clock IS DISTINCT FROM OLD.clock',
  ),
  touch('associated', 'INSERT ON device_associations', 'device', 'SELECT NEW.device_id AS id'),
  touch('association_changed', 'UPDATE ON device_associations', 'device', 'SELECT NEW.device_id AS id'),
  touch('association_removed', 'DELETE ON device_associations', 'device', 'SELECT OLD.device_id AS id'),
  touch('access_given', 'INSERT ON device_accesses', 'device', 'SELECT NEW.device_id AS id'),
  touch('access_taken', 'DELETE ON device_accesses', 'device', 'SELECT OLD.device_id AS id'),
  touch('active', 'INSERT ON device_activity', 'device', 'SELECT NEW.device_id AS id'),
  touch('active_changed', 'UPDATE ON device_activity', 'device', 'SELECT NEW.device_id AS id'),
  touch('rule_set', 'INSERT ON correlation_rules', 'case', CALLS_OF_TENANT),
  touch('rule_changed', 'UPDATE ON correlation_rules', 'case', CALLS_OF_TENANT),
]

const DAY_MS = 86_400_000
const CREATED = 'coalesce((seconds_of(NEW.created_utc) * 1000)::bigint, 0)'

export const RECORDS = [
  ...OF_PEOPLE,
  linkChange('case_link_came', 'INSERT', 'NEW', 1),
  linkChange('case_link_went', 'DELETE', 'OLD', -1),
  appendOnly('ledger', 'the ledger is append-only'),
  appendOnly('checkpoints', 'checkpoints are append-only'),
  appendOnly('certificates', 'certificates are for ever'),
  ...NEVER_EMPTIED,
  after(
    'blob_checks_begin',
    'INSERT',
    'blobs',
    `INSERT INTO blob_checks (sha256, length, checked_at, due_at, read_back)
      VALUES (NEW.sha256, NEW.length, ${CREATED}, ${CREATED} + ${DAY_MS}, NEW.read_back);`,
  ),
  ...RETENTION,
  ...CORRELATION,
].join('\n')
